package kernel

import (
	"regexp"
	"slices"
	"strings"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

var hash = regexp.MustCompile(`^[0-9a-f]{64}$`)

func checkSource(s cert.Source) *Error {
	if s.Name == "" || !hash.MatchString(s.SHA256) {
		return errSource(s.Name)
	}
	return nil
}

// readSystem decodes the system. The decoder accepts well-formed systems only (unique names,
// sorts that fit, loops whose back edges lead to their head); what the conditions rest on
// beyond that is checked here: names that cannot be mistaken for one another, rules that are
// what they say, literal moves along declared edges.
func readSystem(text []byte) (*ir.System, *Error) {
	s, err := ir.Decode(text)
	if err != nil {
		return nil, errSystem(err)
	}
	l := newLayout(s)
	if !fits(s, len(l.names)) {
		return nil, errManyStates()
	}
	taken := map[string]bool{}
	for _, name := range l.names {
		taken[name] = true
	}
	for _, c := range s.Cells {
		for _, check := range []func(*ir.System, *ir.Cell) *Error{checkNames, checkRules, checkMoves, checkReturns} {
			if err := check(s, c); err != nil {
				return nil, err
			}
		}
		if err := checkVariables(taken, c); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// maxStates bounds the terms that the symbolic states of all bodies hold.
const maxStates = 1 << 24

// fits tells whether there is room for a state at each location: a term for each variable and
// for each part of the memory, once more for each transaction that may be open.
func fits(s *ir.System, places int) bool {
	total := 0
	for _, c := range s.Cells {
		for _, a := range c.Automata {
			open := 1
			for _, e := range a.Edges {
				for _, f := range e.Effects {
					if _, ok := f.(*ir.Begin); ok {
						open++
					}
				}
			}
			// Each factor is below 2^26, as each thing takes bytes of the document.
			if total += places + a.Locs*(16+len(a.Vars)+places*open); total > maxStates || places*open > maxStates {
				return false
			}
		}
	}
	return true
}

// checkNames: names stand in ids, in claims, in formulas and before the marks of entry
// variables and fresh constants.
func checkNames(_ *ir.System, c *ir.Cell) *Error {
	names := []string{c.Name}
	for _, s := range c.Slots {
		names = append(names, s.Name)
	}
	for _, a := range c.Automata {
		names = append(names, a.Name)
	}
	if c.Machine != nil {
		names = append(append(names, c.Machine.Name), c.Machine.States...)
	}
	for _, name := range names {
		if name == "" || name == "-" || strings.ContainsAny(name, "/@?!#{}.") {
			return errName(name)
		}
	}
	return nil
}

// checkRules: a rule that is about one entry speaks of nothing else but counts, and its slots have
// keys of one sort; one about counts or sums that is assumed speaks of slots that it judges.
func checkRules(_ *ir.System, c *ir.Cell) *Error {
	for _, r := range c.Rules {
		if n := numbersOf(r); n.countsAlone() || n.sumsAlone() {
			if err := checkNumbers(c, r, n); err != nil {
				return err
			}
			continue
		}
		if !statable(r) {
			continue
		}
		if r.Status && c.Machine == nil {
			return errRuleVariable(r.Text, ir.EntryStatus())
		}
		key := term.String
		for i, guard := range r.Guards {
			sort := c.Slot(guard).Key()
			if i > 0 && !sort.Same(key) {
				return errRuleKeys(r.Text)
			}
			key = sort
		}
		if !r.Step && losesEntries(c, r) {
			return errRuleFleeting(r.Text)
		}
		if !r.Step && readsUnjudged(r) {
			return errRuleUnjudged(r.Text)
		}
		known := map[string]*term.Sort{"!key": key}
		if r.Status && c.Machine != nil && key.Same(term.String) {
			known["!status"] = term.String
		}
		for _, s := range c.Slots {
			known[s.Name+"#"] = term.Int
			if s.Key().Same(key) {
				known[s.Name+"?"], known[s.Name+"!"] = term.Bool, s.Value
			}
		}
		for _, v := range term.Vars(r.Cond) {
			if sort, ok := known[v.Name]; !ok || !sort.Same(v.Sort) {
				return errRuleVariable(r.Text, v)
			}
		}
	}
	return nil
}

// checkNumbers: a rule about counts or sums that is assumed is judged wherever they change but by
// entries that fade. A restart must leave all of its slots or none, and entries with a time to
// live break no upper bound on their number.
func checkNumbers(c *ir.Cell, r *ir.Rule, n numbers) *Error {
	if r.Step {
		return nil
	}
	ephemeral := 0
	for _, guard := range r.Guards {
		delete(n.sizes, guard)
		delete(n.sums, guard)
		for _, attr := range c.Slot(guard).Attrs {
			if strings.HasPrefix(attr, "ttl") && !upperBound(r.Cond) {
				return errRuleFleeting(r.Text)
			}
			if attr == "ephemeral" {
				ephemeral++
			}
		}
	}
	if ephemeral > 0 && ephemeral < len(r.Guards) {
		return errRuleFleeting(r.Text)
	}
	if len(n.sizes)+len(n.sums) > 0 {
		return errRuleUnjudged(r.Text)
	}
	return nil
}

// upperBound tells whether a condition says that a count is at most, or less than, a literal.
func upperBound(t *term.Term) bool {
	return (t.Op == term.OpLe || t.Op == term.OpLt) &&
		t.Args[0].Op == term.OpVar && strings.HasSuffix(t.Args[0].Name, "#") && t.Args[1].Op == term.OpInt
}

// readsUnjudged tells whether a rule speaks of the entry of a slot whose writes it does not
// judge, so that it may break by such a write.
func readsUnjudged(r *ir.Rule) bool {
	judged := map[string]bool{"!key": true, "!status": true}
	for _, guard := range r.Guards {
		judged[guard+"?"], judged[guard+"!"] = true, true
	}
	return slices.ContainsFunc(term.Vars(r.Cond), func(v *term.Term) bool { return !judged[v.Name] })
}

// losesEntries tells whether a rule may break by itself, as entries of one slot go away while
// those of another stay, or as later entries of a list shift when one goes away: it must not be
// assumed of stored entries.
func losesEntries(c *ir.Cell, r *ir.Rule) bool {
	together := len(r.Guards) > 1
	byKey := slices.ContainsFunc(term.Vars(r.Cond), func(v *term.Term) bool { return v.Name == "!key" })
	ephemeral := 0
	for _, guard := range r.Guards {
		slot := c.Slot(guard)
		if slot.IsList && (together || byKey) {
			return true
		}
		for _, attr := range slot.Attrs {
			if together && strings.HasPrefix(attr, "ttl") {
				return true
			}
			if attr == "ephemeral" {
				ephemeral++
			}
		}
	}
	return ephemeral > 0 && ephemeral < len(r.Guards)
}

// checkVariables: no variable is named like a fresh constant, a way into a join (in@e) or a part
// of the memory, whose names are taken.
func checkVariables(taken map[string]bool, c *ir.Cell) *Error {
	for _, a := range c.Automata {
		for _, v := range a.Vars {
			if name := v.Term.Name; name == "" || name == "in" || strings.Contains(name, "@") || taken[name] {
				return errName(name)
			}
		}
	}
	return nil
}

// checkMoves: what a move names as a literal is declared.
func checkMoves(s *ir.System, c *ir.Cell) *Error {
	for _, p := range places(c) {
		f, ok := p.effect.(*ir.Move)
		if !ok {
			continue
		}
		m := s.Find(f.Cell).Machine
		from := f.From != nil && f.From.Op == term.OpString
		if f.To.Op == term.OpString && !contains(entered(m), f.To.Name) ||
			from && !contains(m.States, f.From.Name) ||
			from && f.To.Op == term.OpString && m.Edge(f.From.Name, f.To.Name) < 0 {
			return errMove(p.automaton.Name)
		}
	}
	return nil
}

// checkReturns: a body whose result is a text returns one wherever it ends. (A call learns that
// its result is one of the texts that the returns give.)
func checkReturns(_ *ir.System, c *ir.Cell) *Error {
	for _, a := range c.Automata {
		for _, e := range a.Edges {
			if e.To == ir.Exit && a.Result.Same(term.String) && !slices.ContainsFunc(e.Effects, isReturn) {
				return errNoReturn(a.Name)
			}
		}
	}
	return nil
}

func isReturn(f ir.Effect) bool {
	_, ok := f.(*ir.Return)
	return ok
}
