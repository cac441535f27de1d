package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"soma.cell/frontend/builtin"
	"soma.cell/frontend/diag"
	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/interp"
	"soma.cell/ir/lower"
	"soma.cell/proofs/obligation"
	"soma.cell/proofs/termination"
)

// forHidden runs a test for one in so many effects at each place, another choice at the next
// place, and for the other forms at some places.
func forHidden(t *testing.T, one int, test func(t *testing.T, p hidingPlace, e hiddenEffect)) {
	for i, p := range hidingPlaces {
		var effects []hiddenEffect
		for j, e := range hiddenEffects {
			if (i+j)%one == 0 {
				effects = append(effects, e)
			}
		}
		if i%9 == 0 && !strings.Contains(p.body, "{§E}") {
			effects = append(effects, otherForms...)
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			for _, e := range effects {
				if !skipped(p, e) {
					t.Run(e.name, func(t *testing.T) { test(t, p, e) })
				}
			}
		})
	}
}

// TestFramesSeeHiddenPlaces holds that a frame which allows what is hidden is clean, and that one
// which lacks the clause is refused at the very place.
func TestFramesSeeHiddenPlaces(t *testing.T) {
	forHidden(t, 1, func(t *testing.T, p hidingPlace, e hiddenEffect) {
		right, _ := hide(p, e, e.clause)
		var rest []string
		for _, d := range findingsOfText(t, right, "2027") {
			if !p.kept || d.Code != diag.FrameUnknown {
				rest = append(rest, briefly([]diag.Diagnostic{d})...)
			}
		}
		if len(rest) > 0 {
			t.Errorf("the right program: %s\n%s", strings.Join(rest, "\n"), right)
		}
		wrong, offset := hide(p, e, "")
		at := source.Span{File: source.NewFile("app.cell", wrong), Start: offset, End: offset}.From()
		var got []string
		for _, d := range findingsOfText(t, wrong, "2027") {
			if !p.kept || d.Code != diag.FrameUnknown {
				got = append(got, fmt.Sprintf("%s %d:%d", d.Code, d.Span.From().Line, d.Span.From().Col))
			}
		}
		if want := fmt.Sprintf("%s %d:%d", e.code, at.Line, at.Col); strings.Join(got, ", ") != want {
			t.Errorf("the wrong program: %v, wanted %s\n%s", got, want, wrong)
		}
	})
}

// TestEveryBuiltinThatRunsFunctionsIsAPlace holds that the table of places keeps up with the
// table of builtins.
func TestEveryBuiltinThatRunsFunctionsIsAPlace(t *testing.T) {
	for _, f := range builtin.All() {
		named := func(p hidingPlace) bool { return p.name == "lambda of "+f.Name }
		if f.CallsBack() && !slices.ContainsFunc(hidingPlaces, named) {
			t.Errorf("no function is hidden in `%s`", f.Name)
		}
	}
}

// TestFramesSeeEveryBuiltin holds that each builtin with an effect needs its clause.
func TestFramesSeeEveryBuiltin(t *testing.T) {
	arguments := map[string]string{"String": "id", "Int": "n", "Any": "n", "Map": `map("a", n)`, "List": "[n]"}
	place := hidingPlace{body: "§S"}
	for _, f := range builtin.All() {
		if f.Class == builtin.Pure || f.Class == builtin.Machine {
			continue
		}
		var args []string
		for i := range f.Min {
			args = append(args, arguments[f.ParamTypes(i)[0]])
		}
		e := hiddenEffect{expr: fmt.Sprintf("%s(%s)", f.Name, strings.Join(args, ", "))}
		right, _ := hide(place, e, "calls "+f.Name)
		if found := findingsOfText(t, right, "2027"); len(found) > 0 {
			t.Errorf("%s: %v", e.expr, briefly(found))
		}
		wrong, offset := hide(place, e, "")
		if found := findingsOfText(t, wrong, "2027"); len(found) != 1 || !stands(found, diag.FrameCall, offset) {
			t.Errorf("%s without its clause: %v", e.expr, briefly(found))
		}
	}
}

// TestHiddenPlacesRun holds the table itself against the interpreter: what is hidden at a place
// is evaluated when the handler runs, and leaves its step.
func TestHiddenPlacesRun(t *testing.T) {
	forHidden(t, 3, func(t *testing.T, p hidingPlace, e hiddenEffect) {
		text, offset := hide(p, e, "")
		evaluated, shown := false, e.shows == nil
		w := interp.New(resolvetest.Program(t, text), interp.Options{
			Trace:   func(s interp.Step) { shown = shown || e.shows != nil && e.shows(s) },
			Observe: func(x syntax.Expr, _ interp.Value) { evaluated = evaluated || x.Span().Start == offset },
		})
		_, err := w.Call(context.Background(), "Office", "work", []interp.Value{interp.String("sent"), interp.NewInt(1)})
		if !shown || !evaluated && e.expr != "" {
			t.Errorf("evaluated: %v, shown: %v (%v)\n%s", evaluated, shown, err, text)
		}
	})
}

// TestTimersSeeHiddenPlaces holds that a timer of a flesh is refused what is not a signal of the
// face, wherever it hides.
func TestTimersSeeHiddenPlaces(t *testing.T) {
	program := strings.NewReplacer(
		"    on work(id, n) {", "    on work(id, n) { return n }\n    every 5s {\n        let id = \"sent\"\n        let n = 1",
		" CLAUSES", "",
	).Replace(hidingProgram)
	forHidden(t, 4, func(t *testing.T, p hidingPlace, e hiddenEffect) {
		if p.flesh != "" || e.clause == "calls other" { // it may call a signal, and no private handler
			return
		}
		text, offset := hideIn(program, p, e, "")
		if !stands(findingsOfText(t, text, "2027"), diag.TimerOutsideFace, offset) {
			t.Errorf("no E0405 at the place\n%s", text)
		}
	})
}

// stands tells whether a finding of the code begins at an offset.
func stands(found []diag.Diagnostic, code diag.Code, offset int) bool {
	return slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == code && d.Span.Start == offset })
}

// harmless is what may stand at every place.
var harmless = hiddenEffect{expr: "len(id)"}

// TestContractsListWhatHides holds that `soma skeleton` tells of what is hidden, and of nothing
// that is not there.
func TestContractsListWhatHides(t *testing.T) {
	forHidden(t, 3, func(t *testing.T, p hidingPlace, e hiddenEffect) {
		if e.contract == "" {
			return
		}
		text, _ := hide(p, e, "")
		if got := contractOf(t, text); !tells(got, e.contract) {
			t.Errorf("%q is missing in\n%s", e.contract, got)
		}
		text, _ = hide(p, harmless, "")
		if got := contractOf(t, text); tells(got, e.contract) && !strings.Contains(p.clauses, strings.Fields(e.clause)[0]) {
			t.Errorf("%q is not there, but stands in\n%s", e.contract, got)
		}
	})
}

// contractOf is what `soma skeleton` prints of `work`.
func contractOf(t *testing.T, text string) string {
	program := resolvetest.Program(t, text)
	k := newContracts(lower.Program(program), "")
	for _, c := range program.Cells {
		k.cell(c, "work")
	}
	return k.String()
}

// tells looks for a line of a contract: a word and names that stand in its list.
func tells(contract, wanted string) bool {
	word, names, _ := strings.Cut(wanted, " ")
	for _, line := range strings.Split(contract, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, wanted+" (") {
			return true
		}
		if list, ok := strings.CutPrefix(line, word+" "); ok {
			have := strings.Split(list, ", ")
			if !slices.ContainsFunc(strings.Split(names, ", "), func(n string) bool { return !slices.Contains(have, n) }) {
				return true
			}
		}
	}
	return false
}

// TestFlowsReachHiddenPlaces holds that an untrusted value at a sink is found wherever the sink
// hides, and that a test before it settles that.
func TestFlowsReachHiddenPlaces(t *testing.T) {
	asking := func(test string) string {
		return strings.NewReplacer(
			"signal work(id: String", "signal work(key: String",
			"    on work(id, n) {", "    on work(key, n) {\n        let id = think(key)\n        "+test,
		).Replace(hidingProgram)
	}
	sink := hiddenEffect{expr: "transition(n, ‹id)"}
	for _, p := range hidingPlaces {
		t.Run(p.name, func(t *testing.T) {
			for _, d := range untrusted(t, asking(`require contains(["sent", "draft"], id) else Bad`), p, sink) {
				t.Errorf("the right program: %s", d)
			}
			text, offset := hideIn(asking(""), p, sink, "")
			found := findingsOfText(t, text, "2027")
			if !stands(found, diag.UntrustedValue, offset) {
				t.Errorf("no finding at the sink:\n%s", text)
			}
			if all := untrusted(t, asking(""), p, sink); len(all) != 1 && p.not == "" {
				t.Errorf("%d findings for one sink: %v", len(all), all)
			}
		})
	}
}

// untrusted are the findings about flows.
func untrusted(t *testing.T, program string, p hidingPlace, e hiddenEffect) []string {
	text, _ := hideIn(program, p, e, "")
	return briefly(slices.DeleteFunc(findingsOfText(t, text, "2027"), func(d diag.Diagnostic) bool { return d.Code != diag.UntrustedValue }))
}

// TestFlowsLeaveHiddenPlaces holds that what a model says at a hidden place is untrusted wherever
// a run shows that it goes on: into what the handler gives, or into memory.
func TestFlowsLeaveHiddenPlaces(t *testing.T) {
	const token = "xyzzy"
	program := strings.NewReplacer(
		"    face {", "    face {\n        signal go(id: String, n: Int) -> Any",
		"flesh Office {", "flesh Office {\n    on go(id, n) {\n        let v = try { work(id, n) }\n        transition(n, ‹\"{[v, spare, pile]}\")\n    }",
	).Replace(hidingProgram)
	leaks := 0
	for _, p := range hidingPlaces {
		t.Run(p.name, func(t *testing.T) {
			text, _ := hideIn(program, p, hiddenEffect{expr: "think(id)"}, "")
			offset := strings.Index(text, "\"{[v, spare, pile]}\"")
			var tried string
			w := interp.New(resolvetest.Program(t, text), interp.Options{
				Model: answering(token),
				Observe: func(x syntax.Expr, v interp.Value) {
					if x.Span().Start == offset {
						tried = interp.Render(v)
					}
				},
			})
			w.Call(context.Background(), "Office", "go", []interp.Value{interp.String("sent"), interp.NewInt(1)})
			if !strings.Contains(tried, token) {
				return
			}
			leaks++
			if !stands(findingsOfText(t, text, "2027"), diag.UntrustedValue, offset) {
				t.Errorf("%q may be a target:\n%s", tried, text)
			}
		})
	}
	if leaks < 40 {
		t.Errorf("only %d places leak", leaks)
	}
}

// answering is a model that says one thing.
type answering string

func (a answering) Think(context.Context, interp.Request) (interp.Reply, error) {
	return interp.Reply{Text: string(a)}, nil
}

// TestHiddenRecursionIsSeen holds that a call of itself which hides at a place leaves the end of a
// handler open, unless its argument falls.
func TestHiddenRecursionIsSeen(t *testing.T) {
	for _, p := range hidingPlaces {
		t.Run(p.name, func(t *testing.T) {
			open := p.kept || p.open || p.not == "calls delegate"
			if !ends(t, hidingProgram, p, "other(n)") && !open {
				t.Error("the right program is not shown to end")
			}
			if ends(t, hidingProgram, p, "work(id, n)") {
				t.Error("an endless recursion is shown to end")
			}
			guarded := strings.Replace(hidingProgram, "BODY", "if n <= 0 { return 0 }\n        BODY", 1)
			if p.flesh == "" && !open && !ends(t, guarded, p, "work(id, n - 1)") {
				t.Error("a recursion with a falling argument is not shown to end")
			}
			text, _ := hide(p, hiddenEffect{expr: "work(id, n)"}, "")
			entered := 0
			w := interp.New(resolvetest.Program(t, text), interp.Options{Trace: func(s interp.Step) {
				if s.Kind == interp.StepEnter && s.Name == "work" {
					entered++
				}
			}})
			w.Call(context.Background(), "Office", "work", []interp.Value{interp.String("sent"), interp.NewInt(1)})
			if entered < 3 {
				t.Errorf("a run enters work %d times:\n%s", entered, text)
			}
		})
	}
}

// ends tells whether `work` with a call at the place is shown to end.
func ends(t *testing.T, program string, p hidingPlace, call string) bool {
	text, _ := hideIn(program, p, hiddenEffect{expr: call}, "")
	for _, o := range termination.Check(lower.Program(resolvetest.Program(t, text))) {
		if o.Handler == "work" {
			return o.Verdict == obligation.Proven
		}
	}
	t.Fatal("no obligation")
	return false
}
