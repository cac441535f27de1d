package facts

import (
	"strings"

	"soma.cell/ir"
	"soma.cell/proofs/vc"
	"soma.cell/smt/term"
)

// Told is a fact for people, in the names of the source: "total <= 10". What an item was before is
// "x before"; an entry of a slot is "s[k]", the number that a loop over a range comes to next is
// "next i", and what else has no name is told as it is written where it arises.
func Told(f vc.Fact) string {
	t := teller{sources: map[string]string{}, now: "X"}
	bound := map[int]bool{} // where names are bound
	for _, v := range f.Body.Vars {
		bound[v.Span.Start] = bound[v.Span.Start] || v.Source != ""
	}
	for _, v := range f.Body.Vars {
		switch text := v.Span.Normal(); {
		case v.Source != "":
			t.sources[v.Term.Name] = v.Source
		case bound[v.Span.Start]:
			t.sources[v.Term.Name] = "next " + text
		case text != "":
			t.sources[v.Term.Name] = text
		}
	}
	if f.At != ir.Exit {
		t.now = "H" + strings.TrimPrefix(f.At.String(), "L")
	}
	return t.tell(f.Claim).String()
}

// teller says terms in the names of the source.
type teller struct {
	sources map[string]string // of variables
	now     string            // the tag of what is
}

// tell is a term in which names and entries are variables that are named as people write them.
func (t teller) tell(x *term.Term) *term.Term {
	switch {
	case x.Op == term.OpVar:
		return term.Var(t.part(x, func(name string) string { return strings.TrimSuffix(name, ".val") }), x.Sort)
	case x.Op == term.OpSelect && x.Args[0].Op == term.OpVar:
		key := t.tell(x.Args[1]).String()
		return term.Var(t.part(x.Args[0], func(name string) string {
			if slot, ok := strings.CutSuffix(name, ".val"); ok {
				return slot + "[" + key + "]"
			}
			if name == "state" {
				return "get_status(" + key + ")"
			}
			return name + "(" + key + ")" // of an entry that is there or not
		}), x.Sort)
	case x.Op == term.OpApp && strings.HasPrefix(x.Name, "text:"):
		return term.Var(t.tell(x.Args[0]).String(), x.Sort) // a key
	case len(x.Args) == 0:
		return x
	}
	args := make([]*term.Term, len(x.Args))
	for i, a := range x.Args {
		args[i] = t.tell(a)
	}
	return term.Rebuild(x, args)
}

// part is how the part of a state that a variable stands for is said: what a variable of the source is
// called, or what say makes of the name without the cell.
func (t teller) part(x *term.Term, say func(name string) string) string {
	base, tag, tagged := strings.Cut(x.Name, "@")
	name := base
	if source, ok := t.sources[base]; ok {
		name = source
	} else if _, part, ok := strings.Cut(base, "."); ok {
		name = say(part)
	}
	if tagged && tag != t.now {
		name += " before"
	}
	return name
}
