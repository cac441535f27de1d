package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/interp"
	"soma.cell/interp/witness"
)

// Counterexamples as tests. A case that a run reproduced becomes a test cell of its own: it writes
// the entries, makes the moves that lead to the states, scripts the answers, and asserts that the
// call is refused. Each cell is checked and run with the program before it is written, so that
// the file passes; what cannot be set up by a test stands there as a comment.

// writeTests writes the program with a test cell for each case.
func (a *app) writeTests(ctx context.Context, p *program, path string, found []reproduced) error {
	w := &testWriter{ctx: ctx, program: p, names: map[string]bool{}}
	for _, c := range p.resolved.Cells {
		w.names[c.Name] = true
	}
	for _, t := range p.resolved.Tests {
		w.names[t.Name] = true
	}
	for _, t := range p.resolved.Types {
		w.names[t.Name] = true
	}
	var out strings.Builder
	written := 0
	for _, r := range found {
		title := fmt.Sprintf("// %s, line %d: %s", r.id, r.claim.Place.From().Line, r.refusal.Err.Error())
		cell, why := w.cell(r)
		out.WriteByte('\n')
		out.WriteString(comment(title))
		if why != "" {
			fmt.Fprintf(&out, "// No test: %s.\n", why)
			continue
		}
		out.WriteString(cell)
		written++
	}
	if written == 0 {
		fmt.Fprintln(a.progress, noTestWritten(path, len(found)))
		return nil
	}
	if err := writeFile(path, []byte(w.with(out.String()))); err != nil {
		return err
	}
	fmt.Fprintln(a.progress, testsWritten(path, written, len(found)-written))
	return nil
}

// comment keeps a comment on its line.
func comment(text string) string {
	return printable(text) + "\n"
}

type testWriter struct {
	ctx     context.Context
	program *program
	names   map[string]bool // of cells
}

// with is the text of the entry with more at its end.
func (w *testWriter) with(more string) string {
	text := w.program.project.Files[0].Source.Text
	return strings.TrimRight(text, "\n") + "\n" + more
}

// cell is a test cell for a case, or why there is none.
func (w *testWriter) cell(r reproduced) (text, why string) {
	switch {
	case r.refusal.Caught:
		return "", testCaught
	case r.handler.Timer != nil:
		return "", testTimer
	}
	name := w.fresh(r.handler.Name)
	for _, setUp := range w.setUps(r.refusal) {
		text, ok := w.render(name, setUp, r)
		if !ok {
			return "", testNoLiteral
		}
		if w.passes(text) {
			w.names[name] = true
			return text, ""
		}
	}
	return "", testNoSetUp
}

// fresh names the test cell of a handler.
func (w *testWriter) fresh(handler string) string {
	base := "Refused"
	for _, part := range strings.Split(handler, "_") {
		if part != "" {
			base += strings.ToUpper(part[:1]) + part[1:]
		}
	}
	name := base
	for n := 2; w.names[name]; n++ {
		name = fmt.Sprint(base, n)
	}
	return name
}

// setUps are the orders in which a state may be set up: each entry is judged when it is written,
// by what is there by then.
func (w *testWriter) setUps(r *witness.Refusal) [][]string {
	var entries, moves []string
	for _, e := range r.Entries {
		line, ok := w.entry(e)
		if !ok {
			return nil
		}
		entries = append(entries, line)
	}
	for _, s := range r.Status {
		moves = append(moves, w.moves(s)...)
	}
	back := slices.Clone(entries)
	slices.Reverse(back)
	out := [][]string{slices.Concat(entries, moves)}
	if len(entries) > 1 {
		out = append(out, slices.Concat(back, moves))
	}
	if len(entries) > 0 && len(moves) > 0 {
		out = append(out, slices.Concat(moves, entries), slices.Concat(moves, back))
	}
	return out
}

func (w *testWriter) entry(e witness.Entry) (string, bool) {
	slot := e.Slot.Name
	n := 0
	for _, c := range w.program.resolved.Cells {
		for _, s := range c.Slots {
			if s.Name == slot {
				n++
			}
		}
	}
	if n > 1 {
		slot = e.Slot.Cell.Name + "." + slot
	}
	value, ok := interp.Literal(e.Value)
	key, ok2 := interp.Literal(e.Key)
	switch {
	case !ok || !ok2:
		return "", false
	case e.Slot.IsList:
		return fmt.Sprintf("%s.push(%s)", slot, value), true
	case e.Slot.Key != nil && e.Slot.Key.Kind == resolve.IntType:
		key = interp.Render(e.Key)
	}
	return fmt.Sprintf("%s.set(%s, %s)", slot, key, value), true
}

// moves lead an instance to a state by the fewest edges.
func (w *testWriter) moves(s witness.Status) []string {
	from := map[string]string{s.Machine.Initial: ""}
	for queue := []string{s.Machine.Initial}; len(queue) > 0; queue = queue[1:] {
		for _, e := range s.Machine.Edges {
			if _, seen := from[e.To]; e.From == queue[0] && !seen {
				from[e.To] = e.From
				queue = append(queue, e.To)
			}
		}
	}
	var out []string
	for at := s.State; at != s.Machine.Initial && from[at] != ""; at = from[at] {
		id, _ := interp.Literal(interp.String(s.ID))
		out = append(out, fmt.Sprintf("assert transition(%s, %q, %q).to == %q", id, from[at], at, at))
	}
	slices.Reverse(out)
	return out
}

// render is a test cell; ok is false where a value has no literal.
func (w *testWriter) render(name string, setUp []string, r reproduced) (text string, ok bool) {
	lines := slices.Clone(setUp)
	ok = true
	literal := func(v interp.Value) string {
		text, fits := interp.Literal(v)
		ok = ok && fits
		return text
	}
	mock := func(builtin string, v interp.Value) {
		text := literal(v)
		if v.Kind() == interp.ListKind {
			text = "[" + text + "]" // a list is a queue of replies
		}
		lines = append(lines, fmt.Sprintf("mock %s %s", builtin, text))
	}
	for _, a := range r.refusal.Answers {
		ok = ok && a.Tool == ""
		mock("think", interp.String(a.Text))
	}
	for _, yes := range r.refusal.Approvals {
		mock("approve", interp.Bool(yes))
	}
	for i, v := range r.refusal.Replies {
		mock(r.refusal.Asked[i], v)
	}
	for _, g := range r.refusal.Given {
		mock(g.Builtin, g.Value)
	}
	var args []string
	for _, v := range r.refusal.Args {
		args = append(args, literal(v))
	}
	h := r.handler
	call := h.Name
	n := 0
	for _, c := range w.program.resolved.Cells {
		for _, other := range c.Handlers {
			if other.Name == h.Name && len(other.Params) == len(h.Params) {
				n++
			}
		}
	}
	if n > 1 {
		call = h.Cell.Name + "." + call
	}
	matching := r.claim.Kind
	if r.claim.Rule != "" {
		matching += ": " + r.claim.Rule
	}
	lines = append(lines, fmt.Sprintf("assert_fails %s(%s) matching %s", call, strings.Join(args, ", "), literal(interp.String(matching))))
	return fmt.Sprintf("cell test %s {\n    rules {\n        %s\n    }\n}\n", name, strings.Join(lines, "\n        ")), ok
}

// passes tells whether the program with a test cell passes the check, and the cell its run: with
// another clock, and without a model or a network, so that nothing rests on what the test does
// not say.
func (w *testWriter) passes(cell string) bool {
	p := w.program
	file, found := syntax.Parse(source.NewFile(p.project.Files[0].Source.Name, w.with("\n"+cell)))
	q := &program{name: p.name, project: p.project}
	files := slices.Clone(p.project.Files)
	files[0] = file
	q.analyse(files, p.project.Manifest.Package.Edition, found)
	if !q.sound() {
		return false
	}
	alone := *q.resolved
	alone.Tests = alone.Tests[len(alone.Tests)-1:]
	r := interp.RunTests(w.ctx, &alone, interp.TestOptions{
		World:   interp.Options{Clock: func() time.Time { return time.Unix(2_000_000_000, 0) }},
		Timeout: ruleTimeout,
	})
	return r.OK()
}
