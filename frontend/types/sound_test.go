package types

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/progen"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/interp"
	"soma.cell/interp/interptest"
)

// The interpreter is the measure of the pass: whatever an expression gives in a run is among
// the values of its type, and whoever comes past a place that is reported raises.

// drawn is a random program; with a wound, some of its literals are of another kind than they
// were drawn.
type drawn struct {
	text    string
	program *resolve.Program
	info    *Info
	found   []diag.Diagnostic
}

// draw gives a program that resolves, or nil.
func draw(seed uint64, wounds int) *drawn {
	p := progen.New(progen.Seed(seed), progen.Options{Size: 1 + int(seed%2)})
	rnd := rand.New(rand.NewPCG(seed, 1))
	text := p.Text
	for range wounds {
		text = wound(rnd, text)
	}
	file, problems := syntax.Parse(source.NewFile("app.cell", text))
	program, more := resolve.Resolve([]*syntax.File{file}, "2027")
	if errors, _ := diag.Count(append(problems, more...)); errors > 0 {
		return nil
	}
	d := &drawn{text: text, program: program}
	d.info, d.found = Check(program)
	return d
}

// wound replaces a literal of a program by one of another kind.
func wound(rnd *rand.Rand, text string) string {
	file, _ := syntax.Parse(source.NewFile("app.cell", text))
	var places []source.Span
	for _, d := range file.Decls {
		for _, h := range d.Handlers {
			syntax.Inspect(h.Body, func(n syntax.Node) bool {
				switch n := n.(type) {
				case *syntax.Int, *syntax.Float, *syntax.Bool, *syntax.List:
					places = append(places, n.Span())
				case *syntax.String:
					if _, plain := n.Literal(); plain {
						places = append(places, n.Span())
					}
					return false // inside a text quotes would have to be escaped
				}
				return true
			})
		}
	}
	if len(places) == 0 {
		return text
	}
	at := places[rnd.IntN(len(places))]
	others := []string{`"zz"`, "7", "true", "[1]", `["a"]`, "()", "2.5", `map("a", 1)`, "[]"}
	return text[:at.Start] + others[rnd.IntN(len(others))] + text[at.End:]
}

// run calls every handler of a program with arguments that its parameters take.
func (d *drawn) run(seed uint64, o interp.Options) {
	values := interptest.Few(progen.Seed(seed))
	o.Steps = 20_000
	w := interp.New(d.program, o)
	for range 2 {
		for _, c := range d.program.Cells {
			for _, h := range c.Handlers {
				_, _ = w.Call(context.Background(), c.Name, h.Name, values.Args(h.Params))
			}
		}
	}
}

// holds tells whether a value is among those of a type.
func holds(t *Type, v interp.Value) bool {
	if !t.may(kindOf(v)) {
		return false
	}
	switch v := v.(type) {
	case *interp.List:
		if t.items != nil && len(t.items) != v.Len() {
			return false
		}
		for i := range v.Len() {
			if !holds(t.elemType(), v.At(i)) || t.items != nil && !holds(t.items[i], v.At(i)) {
				return false
			}
		}
	case *interp.Map:
		return mapHolds(t, v)
	case *interp.Variant:
		return (t.sum == nil || t.sum == v.Of.Type) && (t.variant == nil || t.variant == v.Of)
	}
	return true
}

func mapHolds(t *Type, m *interp.Map) bool {
	if t.closed && len(t.fields) != m.Len() {
		return false
	}
	for _, k := range m.Keys() {
		v, _ := m.Get(k)
		if !holds(t.valueType(), v) {
			return false
		}
		if f, ok := t.entry(k); t.closed && (!ok || !holds(f, v)) {
			return false
		}
	}
	name, _ := m.Get("_type")
	return t.record == "" || name == interp.Value(interp.String(t.record))
}

func kindOf(v interp.Value) Kinds {
	if v.Kind() == interp.FloatKind {
		return Float
	}
	return kindsOf(v.Kind().String())
}

const seeds = 400

// Of a program that is valid nothing is said but that some arms are of no use.
func TestValidProgramsAreLetPass(t *testing.T) {
	for seed := range uint64(seeds) {
		d := draw(seed, 0)
		if d == nil {
			continue
		}
		for _, f := range diag.Errors(d.found) {
			t.Errorf("seed %d: %s: %s: %s\n%s", seed, f.Span, f.Code, f.Message, d.text)
		}
	}
}

// Whatever an expression gives is among the values of its type. A result that was reported
// counts as none, so that wrong programs do not count here.
func TestValuesAreOfTheirTypes(t *testing.T) {
	seen := 0
	for seed := range uint64(seeds) {
		d := draw(seed, int(seed%4))
		if d == nil {
			continue
		}
		if errors, _ := diag.Count(d.found); errors > 0 {
			continue
		}
		wrong := map[string]bool{}
		d.run(seed, interp.Options{Observe: func(x syntax.Expr, v interp.Value) {
			seen++
			if typ := d.info.Types[x]; typ != nil && !holds(typ, v) {
				wrong[fmt.Sprintf("%s: `%s` is %s, and gives %s", x.Span(), x.Span().Normal(), typ, interp.Quote(v))] = true
			}
		}})
		for problem := range wrong {
			t.Errorf("seed %d: %s", seed, problem)
		}
		if len(wrong) > 0 {
			t.Fatal(d.text)
		}
	}
	if seen < 10_000 {
		t.Errorf("only %d values seen", seen)
	}
}

// Whoever comes past a place that is reported raises.
func TestWhatIsReportedRaises(t *testing.T) {
	reports, passed := 0, 0
	for seed := range uint64(seeds) {
		d := draw(seed, 1+int(seed%4))
		if d == nil {
			continue
		}
		reported := map[source.Span]string{}
		for _, f := range d.found {
			if f.Severity == diag.Error && f.Code != diag.WrongFunction && !strings.Contains(f.Message, "the face says") && !strings.Contains(f.Message, "`try` gives") && inHandler(d.program, f.Span) {
				reported[f.Span] = f.Message
				reports++
			}
		}
		if len(reported) == 0 {
			continue
		}
		var calls []string // the report that each call under way came past
		d.run(seed, interp.Options{
			Observe: func(x syntax.Expr, _ interp.Value) {
				if m, ok := reported[x.Span()]; ok && len(calls) > 0 {
					calls[len(calls)-1] = x.Span().String() + ": " + m
					passed++
				}
			},
			Trace: func(s interp.Step) {
				switch s.Kind {
				case interp.StepEnter:
					calls = append(calls, "")
				case interp.StepLeave:
					past := calls[len(calls)-1]
					calls = calls[:len(calls)-1]
					if past != "" && s.Raised == nil {
						t.Errorf("seed %d: %s did not raise\n%s", seed, past, d.text)
					}
				}
			},
		})
		if t.Failed() {
			return
		}
	}
	if reports < 100 || passed < 100 {
		t.Errorf("only %d reports, come past %d times", reports, passed)
	}
}

// inHandler tells whether a place is in the body of a handler of the program.
func inHandler(p *resolve.Program, at source.Span) bool {
	for _, c := range p.Cells {
		for _, h := range c.Handlers {
			if b := h.Body.At; b.File == at.File && b.Start <= at.Start && at.End <= b.End {
				return true
			}
		}
	}
	return false
}
