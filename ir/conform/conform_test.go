package conform_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"soma.cell/frontend/diag"
	"soma.cell/frontend/progen"
	"soma.cell/frontend/project"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/frontend/source"
	"soma.cell/interp"
	"soma.cell/interp/interptest"
	"soma.cell/ir"
	"soma.cell/ir/conform"
	"soma.cell/ir/lower"
)

// runner runs random calls of a program and holds each run against the system.
type runner struct {
	t      testing.TB
	prog   *resolve.Program
	sys    *ir.System
	values *values
	eval   *conform.Evaluator
	memory *conform.Memory
	world  *interp.World
	source progen.Source
	drawn  *interptest.Values
	steps  []conform.Step

	total   int // steps compared
	choices int
	loose   map[string]int
	calls   int
	gaveUp  int
	lost    bool // the memory after a call without an answer is not known
}

// change alters a system before it is compared; nil leaves it.
type change func(*ir.System)

func newRunner(t testing.TB, p *resolve.Program, seed uint64, alter change) *runner {
	r := &runner{t: t, prog: p, sys: lower.Program(p), values: newValues(t, p), memory: &conform.Memory{},
		source: progen.Seed(^seed), loose: map[string]int{}}
	if err := ir.Validate(r.sys); err != nil {
		t.Fatal(err)
	}
	if alter != nil {
		alter(r.sys)
	}
	r.drawn = r.draw()
	r.eval = conform.New(r.sys, r.values)
	r.world = interp.New(p, interp.Options{Model: r, Seed: seed, Steps: 200_000, Trace: r.note,
		Approve: func(string) bool { return r.source.Int(2) == 0 }})
	return r
}

func (r *runner) note(s interp.Step) {
	args := make([]conform.Value, len(s.Args))
	for i, a := range s.Args {
		args[i] = a
	}
	step := conform.Step{Kind: kinds[s.Kind], Cell: s.Cell, Name: s.Name, Args: args, Key: s.Key, Value: s.Value, ID: s.ID, From: s.From, To: s.To}
	if s.Raised != nil {
		step.Raised, step.Error = true, s.Raised.Kind
	}
	r.steps = append(r.steps, step)
}

var kinds = map[interp.StepKind]conform.Kind{
	interp.StepEnter: conform.Enter, interp.StepLeave: conform.Leave, interp.StepBegin: conform.Begin, interp.StepEnd: conform.End,
	interp.StepWrite: conform.Write, interp.StepPush: conform.Push, interp.StepDelete: conform.Delete, interp.StepMove: conform.Move,
	interp.StepAct: conform.Act, interp.StepActed: conform.Acted,
}

// Think answers like a model that calls tools.
func (r *runner) Think(_ context.Context, q interp.Request) (interp.Reply, error) {
	r.drawn.UseTools(q) // what they raise is for the model
	switch {
	case r.source.Int(8) == 0:
		return interp.Reply{}, fmt.Errorf("no answer")
	case q.JSON:
		return interp.Reply{Text: `{"a": 1, "ok": true}`}, nil
	}
	return interp.Reply{Text: string(r.drawn.Texts())}, nil
}

// draw makes what arguments are drawn from: few numbers, texts of the program, and what memory holds.
func (r *runner) draw() *interptest.Values {
	ints := [...]int64{0, 1, 2, 3, 5, 7, 10, 100, -1, 1000}
	number := func() interp.Int { return interp.NewInt(ints[r.source.Int(len(ints))]) }
	words, known := literals(r.prog), []string{"", "a", "b", "k", "x1", "yes", "no", "zz"}
	text := func() interp.String {
		pool := known
		if len(words) > 0 && r.source.Int(3) > 0 {
			pool = words
		}
		return interp.String(pool[r.source.Int(len(pool))])
	}
	floats := [...]interp.Float{0, 1.5, -2}
	return &interptest.Values{
		Source: r.source,
		Ints:   func() interp.Int { return stored(r, number()) },
		Floats: func() interp.Value {
			if i := r.source.Int(len(floats) + 1); i < len(floats) {
				return floats[i]
			}
			return number()
		},
		Texts: func() interp.String { return stored(r, text()) },
	}
}

// literals are the short texts and states of a program.
func literals(p *resolve.Program) []string {
	var out []string
	for _, c := range p.Cells {
		if c.Machine != nil {
			out = append(out, c.Machine.States...)
		}
	}
	for _, f := range p.Files {
		parts := strings.Split(f.Source.Text, `"`)
		for i := 1; i < len(parts); i += 2 {
			if len(parts[i]) < 20 && !strings.ContainsAny(parts[i], "{\\") {
				out = append(out, parts[i])
			}
		}
	}
	return out
}

// stored gives a value that the memory holds, now and then, else another.
func stored[V interp.Value](r *runner, other V) V {
	if held := r.world.Stored(6); len(held) > 0 && r.source.Int(3) == 0 {
		if v, ok := held[r.source.Int(len(held))].(V); ok {
			return v
		}
	}
	return other
}

// handlers are those that can be called by name.
func (r *runner) handlers() []*resolve.Handler {
	var out []*resolve.Handler
	for _, c := range r.prog.Cells {
		for _, h := range c.Handlers {
			if h.Timer == nil {
				out = append(out, h)
			}
		}
	}
	return out
}

// call makes one random call; it tells what is wrong, "" when nothing.
func (r *runner) call() string {
	if r.lost {
		return ""
	}
	handlers := r.handlers()
	h := handlers[r.source.Int(len(handlers))]
	args := r.drawn.Args(h.Params)
	r.steps = nil
	_, err := r.world.Call(context.Background(), h.Cell.Name, h.Name, args)
	raised, _ := err.(*interp.Error)
	if raised != nil && raised.Final || len(r.steps) == 0 {
		return "" // ended from outside, or refused before it began
	}
	after, report := r.eval.Call(r.memory, r.steps)
	r.calls++
	r.total += len(r.steps)
	r.choices += report.Choices
	for why, n := range report.Loose {
		r.loose[why] += n
	}
	if report.GaveUp {
		r.gaveUp++
		r.lost = true
		return ""
	}
	if !report.Allowed {
		return fmt.Sprintf("%s.%s%s: step %d, %s, is not allowed: the system wants %s\n%s", h.Cell.Name, h.Name, shown(args),
			report.Furthest, line(r.steps, report.Furthest), report.Wanted, trace(r.steps))
	}
	if raised == nil {
		r.memory = after
	}
	if wrong := r.compare(); wrong != "" {
		return fmt.Sprintf("after %s.%s%s: %s\n%s", h.Cell.Name, h.Name, shown(args), wrong, trace(r.steps))
	}
	return ""
}

// compare holds the memory of the interpreter against the evaluator's.
func (r *runner) compare() string {
	for _, c := range r.sys.Cells {
		cell := r.prog.Cells[slices.IndexFunc(r.prog.Cells, func(x *resolve.Cell) bool { return x.Name == c.Name })]
		for i, s := range c.Slots {
			ref := ir.SlotRef{Cell: c.Name, Slot: s.Name}
			keys, vs := r.world.Entries(cell.Slots[i])
			if len(keys) != r.memory.Size(ref) {
				return fmt.Sprintf("%s holds %d entries, by the system %d", s.Name, len(keys), r.memory.Size(ref))
			}
			for j, k := range keys {
				want := r.values.Term(vs[j], s.Value)
				if got := r.memory.Entry(s, ref, r.values.Term(k, s.Key())); got == nil || !got.Equal(want) {
					return fmt.Sprintf("%s holds %s under %s, by the system %v", s.Name, want, interp.Render(k), got)
				}
			}
		}
		if cell.Machine == nil {
			continue
		}
		for id, state := range r.world.Instances(cell.Machine) {
			if got, _ := r.memory.State(c.Name, id); got != state {
				return fmt.Sprintf("%q is in %s, by the system in %s", id, state, got)
			}
		}
	}
	return ""
}

func shown(args []interp.Value) string {
	var parts []string
	for _, a := range args {
		parts = append(parts, interp.Render(interp.NewList(a)))
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func line(steps []conform.Step, i int) string {
	if i >= len(steps) {
		return "the end"
	}
	s := steps[i]
	text := strings.TrimSpace(fmt.Sprint(s.Kind, " ", s.Cell, ".", s.Name))
	for _, v := range append(slices.Clone(s.Args), s.Key, s.Value) {
		if x, ok := v.(interp.Value); ok && x != nil {
			text += " " + interp.Render(interp.NewList(x))
		}
	}
	return strings.TrimSpace(strings.Join([]string{text, s.ID, s.From, s.To, s.Error}, " "))
}

func trace(steps []conform.Step) string {
	var b strings.Builder
	for i := range steps {
		fmt.Fprintf(&b, "  %3d %s\n", i, line(steps, i))
	}
	return b.String()
}

// TestProgramsConform runs random calls of every program of the project.
func TestProgramsConform(t *testing.T) {
	sum := newTally()
	for i, p := range programs(t) {
		r := newRunner(t, p.Program, uint64(i), nil)
		if len(r.handlers()) == 0 {
			continue
		}
		for range 200 {
			if wrong := r.call(); wrong != "" {
				t.Errorf("%s: %s", p.name, wrong)
				break
			}
		}
		sum.add(r)
	}
	sum.judge(t)
}

// named is a program with its name.
type named struct {
	name string
	*resolve.Program
}

// programs are those of the project that hold no error: cell files, folders, and the examples of
// diagnostics, before and after the repair.
func programs(t *testing.T) []named {
	var out []named
	add := func(name string, p *resolve.Program) {
		if p != nil && len(p.Cells) > 0 {
			out = append(out, named{name, p})
		}
	}
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, pattern := range []string{"../../testdata/examples/*.cell", "../lower/testdata/*.cell", "testdata/*.cell", "../../testdata/corpus/*/*.cell"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			add(name, resolvetest.Try(source.NewFile(name, read(name))))
		}
	}
	folders := 0
	for _, pattern := range []string{"../../testdata/examples/*/soma.toml", "../../testdata/corpus/*/*/soma.toml"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			add(filepath.Dir(name), folder(t, filepath.Dir(name)))
			folders++
		}
	}
	if folders < 10 {
		t.Errorf("only %d programs in folders", folders)
	}
	names, _ := filepath.Glob("../../frontend/diag/examples/*.txtar")
	for _, name := range names {
		for _, f := range txtar.Parse([]byte(read(name))).Files {
			add(name+" "+f.Name, resolvetest.Try(source.NewFile(name+" "+f.Name, string(f.Data))))
		}
	}
	return out
}

// folder is the program of a folder, of several files.
func folder(t *testing.T, name string) *resolve.Program {
	read, err := project.Load(name, project.Disk{})
	if err != nil {
		t.Fatal(err)
	}
	p, found := resolve.Resolve(read.Files, read.Manifest.Package.Edition)
	for _, d := range diag.Errors(append(read.Diagnostics, found...)) {
		t.Errorf("%s: %s", d.Span, d.Message)
	}
	return p
}

// tally sums up what was compared.
type tally struct {
	programs, calls, total, choices, gaveUp int
	loose                                   map[string]int
}

func newTally() *tally { return &tally{loose: map[string]int{}} }

func (s *tally) add(r *runner) {
	s.programs++
	s.total += r.total
	s.choices += r.choices
	s.calls += r.calls
	s.gaveUp += r.gaveUp
	for why, n := range r.loose {
		s.loose[why] += n
	}
}

// enough are the steps that each of the large tests compares at least.
const enough = 100_000

// permitted are the reasons for which a system may allow more than a run does; the book of proofs
// names what each construct gives up. Elsewhere the system allows exactly what the run did. That a
// step is refused which the rules allow is none of them.
var permitted = []string{
	"a choice that nothing decides", // how many rounds a loop has
	"a condition that is not known", "a key that is not known", "a move that is not known", "a result that is not known",
	"a stored value that is not known", "an argument that is not known", "what a whole slot holds",
	"a rule that is not judged", "refused by what is not known", "may raise ",
	"a value the lowering does not know: ", "an effect the lowering does not know",
}

// judge logs the sums. A search that ends without an answer is no answer; few may.
func (s *tally) judge(t *testing.T) {
	t.Logf("%d programs, %d calls (%d without an answer), %d steps, %d places passed", s.programs, s.calls, s.gaveUp, s.total, s.choices)
	if s.programs < 70 || s.total < enough || 500*s.gaveUp > s.calls {
		t.Errorf("too few programs, steps or answers")
	}
	for _, why := range slices.Sorted(maps.Keys(s.loose)) {
		if !slices.ContainsFunc(permitted, func(p string) bool { return strings.HasPrefix(why, p) }) {
			t.Errorf("%d times: %s", s.loose[why], why)
		}
		t.Logf("%6d %s", s.loose[why], why)
	}
}
