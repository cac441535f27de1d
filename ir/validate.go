package ir

import (
	"fmt"
	"slices"
	"strings"

	"soma.cell/smt/term"
)

// Validate tells whether a system keeps the promises that its types do not state, so that
// analyses need not check them again:
//
//   - names are unique; what is referred to exists; sorts fit;
//   - variables are declared, and assigned on some path before they are used;
//   - no edge leads to the entry or leaves an end; a return leads to the exit;
//   - every cycle goes through a back edge to the head of a declared loop, and a loop is
//     entered by its head alone;
//   - nested transactions are balanced on every path to the exit and in every round of a loop.
//
// The error names the first fault. Cost: linear in the edges but for the assignments, which take
// a pass for each level of loops, each of as many words of 64 bits as there are variables.
func Validate(s *System) error {
	if len(s.Cells) > maxMembers {
		return errMany("cells")
	}
	seen := map[string]bool{}
	for _, c := range s.Cells {
		if c == nil {
			return errMissing("a cell")
		}
		if seen[c.Name] {
			return errTwice("cell", c.Name)
		}
		seen[c.Name] = true
	}
	for _, c := range s.Cells {
		v := &validator{system: s, cell: c}
		if err := v.check(); err != nil {
			return errIn("cell "+c.Name, err)
		}
	}
	return nil
}

type validator struct {
	system *System
	cell   *Cell
}

// firstError runs the checks in order up to the first that fails.
func firstError(checks ...func() error) error {
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (v *validator) check() error {
	if c := v.cell; max(len(c.Slots), len(c.Rules), len(c.Signals), len(c.Limits), len(c.Automata)) > maxMembers {
		return errMany("members")
	}
	return firstError(v.slots, v.machine, v.rules, v.automata, v.signals, v.limits)
}

func (v *validator) limits() error {
	seen := map[CostKey]bool{}
	for _, l := range v.cell.Limits {
		switch {
		case l == nil || l.Value == nil:
			return errMissing("a limit")
		case !slices.Contains(costKeys(), l.Key):
			return errNo("limit", string(l.Key))
		case seen[l.Key]:
			return errTwice("limit", string(l.Key))
		case l.Value.Sign() < 0 || !l.Value.IsInt() && l.Key != CostUSD && l.Key != CostPrice:
			return errLimit(l)
		}
		seen[l.Key] = true
	}
	return nil
}

func (v *validator) slots() error {
	seen := map[string]bool{}
	for _, s := range v.cell.Slots {
		if s == nil {
			return errMissing("a slot")
		}
		if seen[s.Name] {
			return errTwice("slot", s.Name)
		}
		seen[s.Name] = true
		if err := s.Value.Check(); err != nil {
			return errIn("slot "+s.Name, err)
		}
	}
	return nil
}

func (v *validator) machine() error {
	m := v.cell.Machine
	if m == nil {
		return nil
	}
	states := map[string]bool{}
	for _, s := range m.States {
		if states[s] {
			return errTwice("state", s)
		}
		states[s] = true
	}
	if !states[m.Initial] {
		return errNo("state", m.Initial)
	}
	edges := map[[2]string]bool{}
	for _, e := range m.Edges {
		switch {
		case e == nil:
			return errMissing("an edge of the machine")
		case !states[e.From]:
			return errNo("state", e.From)
		case !states[e.To]:
			return errNo("state", e.To)
		case edges[[2]string{e.From, e.To}]:
			return errTwice("edge", e.From+" -> "+e.To)
		}
		edges[[2]string{e.From, e.To}] = true
	}
	return nil
}

func (v *validator) rules() error {
	for _, r := range v.cell.Rules {
		if r == nil {
			return errMissing("a rule")
		}
		if err := v.rule(r); err != nil {
			return errIn("rule "+r.Text, err)
		}
	}
	return nil
}

func (v *validator) rule(r *Rule) error {
	for _, g := range r.Guards {
		if v.cell.Slot(g) == nil {
			return errNo("slot", g)
		}
	}
	if r.Abstract != "" && r.Cond == nil {
		return nil
	}
	if err := checkTerm("condition", r.Cond, term.Bool); err != nil {
		return err
	}
	if r.Abstract != "" {
		return nil
	}
	for _, x := range term.Vars(r.Cond) {
		if !v.isEntryVariable(x) {
			return errEntryVariable(x)
		}
		if strings.HasSuffix(x.Name, "#") && !r.Size || strings.HasSuffix(x.Name, "#sum") && !r.Total {
			return errUnmarked(x)
		}
	}
	return nil
}

func (v *validator) isEntryVariable(x *term.Term) bool {
	if x.Equal(EntryStatus()) {
		return true
	}
	for _, s := range v.cell.Slots {
		if x.Equal(EntryHas(s.Name)) || x.Equal(EntryVal(s.Name, s.Value)) ||
			x.Equal(EntryKey(s.Key())) || x.Equal(EntrySize(s.Name)) ||
			!s.IsList && s.Value.Same(term.Int) && x.Equal(EntrySum(s.Name)) {
			return true
		}
	}
	return false
}

func (v *validator) signals() error {
	for _, s := range v.cell.Signals {
		if s == nil {
			return errMissing("a signal")
		}
		if err := v.signal(s); err != nil {
			return errIn("signal "+s.Name, err)
		}
	}
	return nil
}

func (v *validator) signal(s *Signal) error {
	if v.system.Handler(HandlerRef{v.cell.Name, s.Automaton, len(s.Params)}) == nil {
		return errNo("handler", fmt.Sprintf("%s/%d", s.Automaton, len(s.Params)))
	}
	if s.Frame == nil {
		return nil
	}
	return firstError(
		func() error { return v.frameSlots(s.Frame.Reads, true) },
		func() error { return v.frameSlots(s.Frame.Writes, false) },
		func() error { return v.frameMoves(s.Frame.Moves) },
		func() error { return v.frameCalls(s.Frame.Calls) },
	)
}

func (v *validator) frameSlots(items []FrameItem, machineToo bool) error {
	for _, i := range items {
		m := v.system.MachineOf(v.cell)
		if v.cell.Slot(i.Name) == nil && !(machineToo && m != nil && m.Machine.Name == i.Name) {
			return errNo("slot", i.Name)
		}
	}
	return nil
}

func (v *validator) frameMoves(items []FrameItem) error {
	m := v.system.MachineOf(v.cell)
	for _, i := range items {
		if m == nil || m.Machine.Edge(i.From, i.To) < 0 {
			return errNo("edge", i.From+" -> "+i.To)
		}
	}
	return nil
}

// frameCalls checks the handlers of other cells. A bare name may be a builtin, which only the
// front end knows.
func (v *validator) frameCalls(items []FrameItem) error {
	for _, i := range items {
		cell, handler, qualified := strings.Cut(i.Name, ".")
		if qualified && v.system.Handler(HandlerRef{cell, handler, -1}) == nil {
			return errNo("handler", i.Name)
		}
	}
	return nil
}

func (v *validator) automata() error {
	type key struct {
		name  string
		arity int
	}
	seen := map[key]bool{}
	for _, a := range v.cell.Automata {
		if a == nil {
			return errMissing("an automaton")
		}
		name := fmt.Sprintf("%s/%d", a.Name, len(a.Params))
		if k := (key{a.Name, len(a.Params)}); a.Kind == Handler {
			if seen[k] {
				return errTwice("handler", name)
			}
			seen[k] = true
		}
		if err := v.automaton(a); err != nil {
			return errIn("handler "+name, err)
		}
	}
	return nil
}

func (v *validator) automaton(a *Automaton) error {
	if a.Cell != v.cell.Name {
		return errNo("cell", a.Cell)
	}
	body := &bodyValidator{system: v.system, automaton: a}
	return firstError(body.variables, body.locations, body.edges, body.loops, body.assignments, body.transactions)
}

// checkTerm tells whether a term is there, well sorted and of the sort.
func checkTerm(what string, t *term.Term, want *term.Sort) error {
	if t == nil {
		return errMissing(what)
	}
	if err := term.Check(t); err != nil {
		return errTerm(what, err)
	}
	if want != nil && !t.Sort.Same(want) {
		return errSortOf(what, t.Sort, want)
	}
	return nil
}
