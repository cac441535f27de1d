package ir

import "soma.cell/smt/term"

// Defs are the variables an effect assigns, in a fixed order.
func Defs(e Effect) []*term.Term {
	switch e := e.(type) {
	case *Bind:
		return present(e.Var)
	case *Havoc:
		return present(e.Var)
	case *Read:
		return present(e.Has, e.Val)
	case *Scan:
		return present(e.Var)
	case *Delete:
		return present(e.Had)
	case *Inspect:
		return present(e.Var)
	case *Call:
		return present(e.Result)
	case *Act:
		return present(e.Result)
	}
	return nil
}

// Uses are the terms an effect evaluates, in a fixed order. They see the values before it.
func Uses(e Effect) []*term.Term {
	switch e := e.(type) {
	case *Bind:
		return present(e.Value)
	case *Havoc:
		return present(e.From...)
	case *Read:
		return present(e.Key)
	case *Write:
		return present(e.Key, e.Value)
	case *Delete:
		return present(e.Key)
	case *Push:
		return present(e.Value)
	case *Move:
		uses := []*term.Term{e.ID, e.From, e.To}
		for _, g := range e.Guards {
			uses = append(uses, g.Cond)
		}
		return present(uses...)
	case *Inspect:
		return present(e.ID)
	case *Call:
		return present(e.Args...)
	case *Emit:
		return present(e.Args...)
	case *Act:
		return present(e.Args...)
	case *Return:
		return present(e.Value)
	}
	return nil
}

func present(ts ...*term.Term) []*term.Term {
	var out []*term.Term
	for _, t := range ts {
		if t != nil {
			out = append(out, t)
		}
	}
	return out
}
