(set-info :smt-lib-version 2.6)
(set-logic ALL)
(check-sat)
