// Package ctl is an explicit-state model checker for computation tree logic
// (CTL). It knows graphs and formulas only: what a state or an atomic
// proposition stands for is the caller's business.
//
// # Idea
//
// A [Structure] is a finite Kripke structure. A state without successor
// stutters, that is, has itself as its only successor; all others must move. So
// every state starts at least one infinite path, as the semantics of CTL wants.
//
// A [Formula] comes from [Parse] or from constructors such as [AG]. [Check]
// brings it into negation normal form over X, U and R (see [NNF]) and labels the
// states bottom-up: for each subformula the exact set of states where it holds,
// by one fixpoint computation each. The result carries what somebody else needs
// to check the sets again by looking at each state and its successors once:
//
//   - E[p U q] and A[p U q] are least fixpoints: each state where they hold has a
//     rank that falls along one successor, or along every successor, to 0, where
//     q holds;
//   - E[p R q] and A[p R q] are greatest fixpoints, and their negations least
//     ones: each state where they do not hold has a rank, dually.
//
// [Counterexample] and [Witness] turn a verdict into a path, a lasso, or a path
// to a region that cannot be left; [Replay] walks it again.
//
// # Sources
//
// E. M. Clarke, E. A. Emerson, A. P. Sistla: Automatic verification of
// finite-state concurrent systems using temporal logic specifications, TOPLAS
// 8(2), 1986 (labelling). C. Baier, J.-P. Katoen: Principles of Model Checking,
// MIT Press 2008, chapter 6 (normal forms, fixpoints, counterexamples).
// R. E. Tarjan: Depth-first search and linear graph algorithms, SIAM J. Comput.
// 1(2), 1972 (cycles of lassos).
//
// # Cost
//
// Check takes time O(|f| · (states + edges)) and, for each distinct subformula,
// one bit a state, plus four bytes a state for U and R. A trace costs a few passes over the
// graph for each temporal operator it follows. Nothing recurs over states; the
// recursion over formulas is bounded by their depth, which [Parse] limits.
//
// # Limits
//
// There is no fairness: all paths count. A trace is linear, so it does not show
// every reason of a branching verdict; [Trace.Complete] says whether it does.
package ctl
