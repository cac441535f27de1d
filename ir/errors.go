package ir

import (
	"errors"
	"fmt"
	"strings"

	"soma.cell/smt/term"
)

// Errors of the codec.

func errEncode(err error) error { return fmt.Errorf("encode system: %w", err) }

func errDecode(err error) error { return fmt.Errorf("decode system: %w", err) }

func errTooLarge(n int) error {
	return fmt.Errorf("decode system: %d bytes are more than the bound of %d", n, MaxEncoded)
}

func errNotCanonical(offset int64) error {
	return fmt.Errorf("decode system: near byte %d: not as a system is written", offset)
}

func errUnknownEffect() error { return errors.New("an effect is missing or of no known kind") }

func errUnknownTag(tag string) error { return fmt.Errorf("decode system: unknown effect %q", tag) }

func errUnknownKind(k int) error { return fmt.Errorf("encode system: unknown kind %d", k) }

func errUnknownName(got string, names []string) error {
	return fmt.Errorf("decode system: %q is none of %s", got, strings.Join(names, ", "))
}

func errReference(ref string) error {
	return fmt.Errorf("decode system: %q names no term of the table", ref)
}

func errSort(text string, err error) error {
	return fmt.Errorf("decode system: sort %q: %w", text, err)
}

func errNoHandler() error { return errors.New("decode system: a call without a handler") }

func errSpan(start, end int) error {
	return fmt.Errorf("span from %d to %d lies in no file of the system", start, end)
}

func errNoTerm(what string) error { return fmt.Errorf("%s: a term is missing", what) }

// Errors of Validate. Each says where: a cell, an automaton, an edge, an effect.

func errIn(where string, err error) error { return fmt.Errorf("%s: %w", where, err) }

func errTwice(what, name string) error { return fmt.Errorf("%s %q stands twice", what, name) }

func errNo(what, name string) error { return fmt.Errorf("there is no %s %q", what, name) }

func errMissing(what string) error { return fmt.Errorf("%s is missing", what) }

func errSortOf(what string, got, want *term.Sort) error {
	return fmt.Errorf("%s has sort %s, not %s", what, got, want)
}

func errTerm(what string, err error) error { return fmt.Errorf("%s: %w", what, err) }

func errNotVariable(what string) error { return fmt.Errorf("%s is not a variable", what) }

func errUndeclared(v *term.Term) error {
	return fmt.Errorf("variable %s of sort %s is not declared", v, v.Sort)
}

func errUnassigned(v *term.Term) error {
	return fmt.Errorf("variable %s is assigned on no path to here", v)
}

func errEntryVariable(v *term.Term) error {
	return fmt.Errorf("%s of sort %s is no entry variable of the cell", v, v.Sort)
}

func errLimit(l *Limit) error { return fmt.Errorf("%s cannot limit %s", l.Value.RatString(), l.Key) }

func errBadLimit(text string) error { return fmt.Errorf("decode system: limit %q is no number", text) }

func errUnmarked(v *term.Term) error {
	return fmt.Errorf("it speaks of %s and is not marked so", v)
}

func errParams() error { return errors.New("the variables do not begin with the parameters") }

func errLocs(n int) error {
	return fmt.Errorf("%d locations are not between %d and %d", n, FirstLoc, maxLocs)
}

func errLoc(l Loc, n int) error { return fmt.Errorf("location %d is none of 0 to %d", l, n-1) }

func errIntoEntry() error { return errors.New("an edge leads to the entry") }

func errOutOfEnd(l Loc) error { return fmt.Errorf("an edge leaves the end %s", l) }

func errReturnElsewhere() error {
	return errors.New("a return on an edge that does not lead to the exit")
}

func errEnsures(kind string) error {
	return fmt.Errorf("an ensure statement raises %q", kind)
}

func errCycle(l Loc) error {
	return fmt.Errorf("a cycle through %s has no back edge", l)
}

func errBackEdge(head Loc) error {
	return fmt.Errorf("a back edge leads to %s, the head of no loop", head)
}

func errBackFrom(l Loc, head Loc) error {
	return fmt.Errorf("the back edge from %s to %s starts outside the body of its loop", l, head)
}

func errIdleLocs(n int) error { return fmt.Errorf("most of the %d locations have no edge", n) }

func errMany(what string) error { return fmt.Errorf("there are too many %s", what) }

func errLoopBody(head Loc, why string) error { return fmt.Errorf("loop at %s: %s", head, why) }

func errLoopEntered(head, from, to Loc) error {
	return fmt.Errorf("loop at %s: the edge from %s to %s enters it beside its head", head, from, to)
}

func errNoTransaction() error {
	return errors.New("a nested transaction is closed that is not open")
}

func errOpenAtExit(n int) error {
	return fmt.Errorf("%d nested transactions are open at the exit", n)
}

func errDepth(l Loc, a, b int) error {
	return fmt.Errorf("%s is reached with %d and with %d open transactions", l, min(a, b), max(a, b))
}

func errCount(what string, got, want int) error {
	return fmt.Errorf("%d %s instead of %d", got, what, want)
}

func errIndex(what string, i, n int) error {
	return fmt.Errorf("%s %d is none of the %d there are", what, i, n)
}

func errNotList(slot string) error { return fmt.Errorf("slot %q is no list", slot) }

func errInspect(what string) error { return fmt.Errorf("a machine is not read by %q", what) }
