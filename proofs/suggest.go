package proofs

import (
	"context"
	"fmt"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
	"soma.cell/smt/term"
)

// Suggestion is a call that may take an edge, from a solver's model: its arguments, and what
// the model answers, in order.
type Suggestion struct {
	Cell, Handler string
	Args          []*term.Term // literals
	Answers       []string
}

// runs asks for runs that take the declared edges; where some are missing that a move may
// take, it asks once more, with the calls that the solver's models suggest.
func (v *verifier) runs() (map[Edge]*cert.Run, error) {
	if v.opts.Runs == nil {
		return nil, nil
	}
	found, err := v.opts.Runs(v.ctx, nil)
	if err != nil {
		return nil, err
	}
	var hints []Suggestion
	for _, s := range v.moveSites {
		for i, e := range v.sys.Find(s.mv.Cell).Machine.Edges {
			if found[Edge{s.mv.Cell, e.From, e.To}] == nil && s.takes[i].verdict == obligation.Refuted {
				if hint, ok := s.suggestion(s.takes[i].values); ok {
					hints = append(hints, hint)
				}
			}
		}
	}
	if len(hints) == 0 {
		return found, nil
	}
	more, err := v.opts.Runs(v.ctx, hints)
	for edge, run := range more {
		if found[edge] == nil {
			found[edge] = run
		}
	}
	return found, err
}

// hints are the terms whose values make a suggestion: the parameters, then the answers of
// models.
func (s *moveSite) hints() []*term.Term {
	out := append([]*term.Term(nil), s.a.Params...)
	for n, e := range s.a.Edges {
		for i, eff := range e.Effects {
			if act, ok := eff.(*ir.Act); ok && act.Class == "model" && act.Result != nil {
				out = append(out, term.Var(fmt.Sprintf("%s@%d.%d", act.Result.Name, n, i), act.Result.Sort))
			}
		}
	}
	return out
}

// suggestion reads a model. It is of use only for a handler that anybody may call, with
// arguments that the model gives.
func (s *moveSite) suggestion(values []*term.Term) (Suggestion, bool) {
	out := Suggestion{Cell: s.a.Cell, Handler: s.a.Name}
	if !s.a.Public || len(values) < len(s.a.Params) {
		return out, false
	}
	for i, v := range values {
		switch {
		case i < len(s.a.Params) && v == nil:
			return out, false
		case i < len(s.a.Params):
			out.Args = append(out.Args, v)
		case v != nil && v.Op == term.OpString:
			out.Answers = append(out.Answers, v.Name)
		}
	}
	return out, true
}

// RunFinder finds runs of the program, from its initial state, that take declared edges. The
// suggestions are calls worth trying.
type RunFinder func(ctx context.Context, suggestions []Suggestion) (map[Edge]*cert.Run, error)
