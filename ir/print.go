package ir

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"soma.cell/frontend/source"
	"soma.cell/smt/term"
)

// Print writes a system for people: cells with their memory, machine and signals, each automaton
// with its guarded edges, one a line, as
//
//	L3 --[ size = "large" ]/ write boxes[hall] := t2 --> L4   app.cell:12:9
//
// and last a count of the abstractions. The same system gives the same text. The error is that
// of w.
func Print(w io.Writer, s *System) error {
	out := bufio.NewWriter(w)
	p := &printer{out: out, system: s}
	for _, c := range s.Cells {
		p.cell(c)
	}
	p.abstractions()
	return out.Flush()
}

// printer relies on bufio.Writer to keep the first error.
type printer struct {
	out    *bufio.Writer
	system *System
}

func (p *printer) line(format string, args ...any) {
	text := strings.TrimRight(fmt.Sprintf(format, args...), " ")
	fmt.Fprintln(p.out, text)
}

func place(s source.Span) string {
	if s.IsZero() {
		return ""
	}
	return "   " + s.String()
}

func (p *printer) cell(c *Cell) {
	p.line("%s %s%s", cellWords(c), c.Name, place(c.Span))
	for _, s := range c.Slots {
		p.line("  slot %s: %s%s, values %s%s", s.Name, s.Type, bracketed(s.Attrs), s.Value, place(s.Span))
	}
	for _, r := range c.Rules {
		p.rule(r)
	}
	if c.Machine != nil {
		p.machine(c.Machine)
	}
	for _, s := range c.Signals {
		p.signal(s)
	}
	for _, l := range c.Limits {
		p.line("  cost %s: %s%s", l.Key, l.Text, place(l.Span))
	}
	for _, a := range c.Automata {
		p.automaton(a)
	}
	p.line("")
}

func cellWords(c *Cell) string {
	words := "cell"
	if c.Skeleton {
		words = "skeleton"
	}
	if c.Agent {
		words += " agent"
	}
	return words
}

func bracketed(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return " [" + strings.Join(list, ", ") + "]"
}

func (p *printer) rule(r *Rule) {
	var marks []string
	for _, m := range []struct {
		set  bool
		word string
	}{{r.Step, "step"}, {r.Status, "status"}, {r.Size, "size"}, {r.Total, "total"}} {
		if m.set {
			marks = append(marks, m.word)
		}
	}
	p.line("  rule %s on %s%s%s", r.Text, strings.Join(r.Guards, ", "), bracketed(marks), place(r.Span))
	switch {
	case r.Abstract != "":
		p.line("    not captured: %s", r.Abstract)
	default:
		p.line("    means %s", show(r.Cond))
	}
}

func (p *printer) machine(m *Machine) {
	p.line("  machine %s: initial %s, states %s%s", m.Name, m.Initial, strings.Join(m.States, ", "), place(m.Span))
	for _, e := range m.Edges {
		guard := ""
		if e.Guard != "" {
			guard = " { guard " + e.Guard + " }"
		}
		p.line("    %s -> %s%s%s", e.From, e.To, guard, place(e.Span))
	}
}

func (p *printer) signal(s *Signal) {
	kind, result := "signal", ""
	if s.Tool {
		kind = "tool"
	}
	if s.Result != "" {
		result = " -> " + s.Result
	}
	p.line("  %s %s(%s)%s: %s%s", kind, s.Name, strings.Join(s.Params, ", "), result, s.Frame, place(s.Span))
}

// String is the frame as its clauses, "pure" or "unframed".
func (f *Frame) String() string {
	if f == nil {
		return "unframed"
	}
	var clauses []string
	for _, c := range []struct {
		word  string
		items []FrameItem
	}{{"reads", f.Reads}, {"writes", f.Writes}, {"moves", f.Moves}, {"calls", f.Calls}} {
		if len(c.items) == 0 {
			continue
		}
		var names []string
		for _, i := range c.items {
			names = append(names, i.String())
		}
		clauses = append(clauses, c.word+" "+strings.Join(names, ", "))
	}
	if clauses == nil {
		return "pure"
	}
	return strings.Join(clauses, "; ")
}

// String is the item as it stands in its clause.
func (i FrameItem) String() string {
	if i.From != "" || i.To != "" {
		return i.From + " -> " + i.To
	}
	return i.Name
}

func (p *printer) automaton(a *Automaton) {
	words, _ := word(kindNames, a.Kind)
	if !a.Public {
		words = "private " + words
	}
	if a.Tool {
		words += " (tool)"
	}
	p.line("")
	p.line("  %s %s(%s) -> %s%s", words, a.Name, strings.Join(signature(a.Params), ", "), a.Result, place(a.Span))
	for _, v := range a.Vars[min(len(a.Params), len(a.Vars)):] {
		name := ""
		if v.Source != "" {
			name = " = " + v.Source
		}
		p.line("    var %s: %s%s%s", v.Term, v.Term.Sort, name, place(v.Span))
	}
	for _, l := range a.Loops {
		p.loop(l)
	}
	for _, e := range a.Edges {
		p.edge(a, e)
	}
}

func signature(vars []*term.Term) (out []string) {
	for _, v := range vars {
		out = append(out, v.String()+": "+v.Sort.String())
	}
	return out
}

func (p *printer) loop(l *Loop) {
	more := ""
	if l.Bound != nil {
		more += fmt.Sprintf(", at most %d rounds", *l.Bound)
	}
	if l.Test != l.Head {
		more += fmt.Sprintf(", decided at %s", l.Test)
	}
	if l.Cond != nil {
		more += fmt.Sprintf(", while %s", l.Cond)
	}
	var body []string
	for _, loc := range l.Body {
		body = append(body, loc.String())
	}
	kind, _ := word(loopKindNames, l.Kind)
	p.line("    loop %s at %s over %s%s%s", kind, l.Head, strings.Join(body, " "), more, place(l.Span))
}

func (p *printer) edge(a *Automaton, e *Edge) {
	var effects []string
	for _, f := range e.Effects {
		effects = append(effects, p.effect(a, f))
	}
	arrow := "-->"
	if e.Back {
		arrow = "--> back to"
	}
	action := ""
	if len(effects) > 0 {
		action = "/ " + strings.Join(effects, "; ")
	}
	p.line("    %s --[ %s ]%s %s %s%s", e.From, show(e.Guard), action, arrow, e.To, place(e.Span))
}
