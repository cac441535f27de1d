package main

import (
	"slices"
	"strings"
	"testing"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/ir/lower"
	"soma.cell/proofs/obligation"
	"soma.cell/proofs/termination"
)

// Bodies that a handler starts without writing them: listeners, tools of a model, delegates,
// siblings. Each has a frame of its own, or goes unframed, so the frame of the handler says only
// how it starts them; for its contract, for flows and for its end they count.

var elsewhere = []struct{ name, body, clause string }{
	{"sibling", `return sink(id, n)`, "calls sink"},
	{"sibling in a message", `require n > 1 else No "{sink(id, n)}"`, "calls sink"},
	{"another cell", `return Desk.stow(id, n)`, "calls Desk.stow"},
	{"listener", `emit stow(id, n)`, "calls emit"},
	{"listener of an event in a lambda", `return map([n], x => { emit stow(id, x)  x })`, "calls emit"},
	{"delegate", `return delegate("Desk", "stow", id, n)`, "calls Desk.stow"},
	{"delegate with a computed cell", `return delegate(id, "stow", id, n)`, "calls delegate"},
	{"delegate with a computed handler", `return delegate("Desk", id, id, n)`, "calls delegate"},
	{"tool of a model", `return think(id)`, "calls think"},
	{"tool of a model asked in a condition", `while n < 0 && think(id) == "" { return 1 }`, "calls think"},
	{"tool of a model that gives JSON", `return try { think_json(id) }.kind`, "calls think_json"},
}

const elsewhereProgram = `skeleton agent Office {
    memory { notes: Map<String, Int> }
    state paper { initial: draft  draft -> sent  sent -> draft }
    face {
        signal sink(id: String, n: Int) -> Any   calls Desk.stow
        tool fetch(id: String, n: Int) -> Any "does it"   calls Desk.stow
        signal work(id: String, n: Int) -> Any CLAUSES
    }
}

flesh Office {
    on sink(id, n) { return Desk.stow(id, n) }
    on fetch(id, n) { return Desk.stow(id, n) }
    on work(id, n) {
        BODY
    }
}

cell Desk {
    memory { shelf: Map<String, Int> }
    on stow(id: String, n: Int) {
        EFFECT
        return id
    }
}
`

func elsewhereText(body, clauses, effect string) string {
	return strings.NewReplacer("BODY", body, "CLAUSES", clauses, "EFFECT", effect).Replace(elsewhereProgram)
}

// notUntrusted are the findings that tell of no flow.
func notUntrusted(found []diag.Diagnostic) []diag.Diagnostic {
	return slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool { return d.Code == diag.UntrustedValue })
}

func TestWhatABodyStartsElsewhere(t *testing.T) {
	for _, c := range elsewhere {
		t.Run(c.name, func(t *testing.T) {
			const write = `shelf[id] = 1`
			if found := notUntrusted(findingsOfText(t, elsewhereText(c.body, c.clause, write), "2027")); len(found) > 0 {
				t.Errorf("the right frame: %v", briefly(found))
			}
			found := notUntrusted(findingsOfText(t, elsewhereText(c.body, "", write), "2027"))
			if len(found) != 1 || found[0].Code != diag.FrameCall || !strings.Contains(c.body, found[0].Span.Text()) {
				t.Errorf("the wrong frame: %v", briefly(found))
			}

			if got := contractOf(t, elsewhereText(c.body, c.clause, write)); !tells(got, "writes Desk.shelf") && !strings.Contains(got, "anything at all") {
				t.Errorf("the contract does not tell of the write:\n%s", got)
			}
			if got := contractOf(t, elsewhereText(c.body, c.clause, `let x = 1`)); tells(got, "writes Desk.shelf") {
				t.Errorf("the contract tells of a write that is nowhere:\n%s", got)
			}

			verdict := func(effect string) obligation.Verdict {
				for _, o := range termination.Check(lower.Program(resolvetest.Program(t, elsewhereText(c.body, c.clause, effect)))) {
					if o.Handler == "work" {
						return o.Verdict
					}
				}
				t.Fatal("no obligation")
				return 0
			}
			if strings.HasPrefix(c.clause, "calls delegate") {
				if verdict(write) == obligation.Proven {
					t.Error("it is shown to end, though nobody knows what it runs")
				}
			} else if verdict(write) != obligation.Proven && !strings.Contains(c.body, "while") {
				t.Error("it is not shown to end")
			}
			if verdict(`Office.work(id, n)`) == obligation.Proven {
				t.Error("a circle is shown to end")
			}
			if verdict(`while n > 0 { shelf[id] = 1 }`) == obligation.Proven {
				t.Error("an endless loop is shown to end")
			}
		})
	}
}

// TestFlowsReachWhatABodyStarts holds that what a model says is untrusted in the body that it is
// handed to, however that body is started, and trusted once it was tested.
func TestFlowsReachWhatABodyStarts(t *testing.T) {
	for _, c := range elsewhere {
		t.Run(c.name, func(t *testing.T) {
			program := func(test string) string {
				text := elsewhereText(c.body, c.clause, `set_budget(len(split(id, ",")))`)
				return strings.NewReplacer(
					"signal work(id: String", "signal work(key: String",
					"    on work(id, n) {", "    on work(key, n) {\n        let id = think(key)\n        "+test,
				).Replace(text)
			}
			found := findingsOfText(t, program(""), "2027")
			at := strings.Index(program(""), `len(split(id`)
			if !stands(found, diag.UntrustedValue, at) {
				t.Errorf("no finding at the sink: %v", briefly(found))
			}
			if strings.HasPrefix(c.name, "tool") { // what the model hands to the tool stays its own
				return
			}
			text := program(`require contains(["a", "b"], id) else Bad`)
			text = strings.Replace(text, `tool fetch(id: String, n: Int) -> Any "does it"   calls Desk.stow`, `tool fetch(id: String, n: Int) -> Any "does it"`, 1)
			text = strings.Replace(text, `on fetch(id, n) { return Desk.stow(id, n) }`, `on fetch(id, n) { return n }`, 1)
			if found := findingsOfText(t, text, "2027"); len(found) != len(notUntrusted(found)) {
				t.Errorf("after the test: %v", briefly(found))
			}
		})
	}
}

// TestGuardsMayAsk holds that a guard may ask of memory, machines and the clock without a clause
// of the signals that take its edge, and may do nothing else.
func TestGuardsMayAsk(t *testing.T) {
	for _, e := range append(slices.Clone(hiddenEffects), otherForms...) {
		if e.expr == "" || strings.Contains(e.expr, "n)") || strings.Contains(e.expr, "n.") || strings.Contains(e.expr, "n |>") {
			continue // statements, and what speaks of a name that not every caller has
		}
		guard := "(" + strings.ReplaceAll(strings.ReplaceAll(e.expr, "(id", "(_id"), "‹", "") + ") != ()"
		text := strings.Replace(hidingProgram, "draft -> sent\n", "draft -> sent { guard { "+guard+" } }\n", 1)
		text, _ = hideIn(text, hidingPlace{body: `transition(id, "draft", "sent")`}, harmless, "moves draft -> sent")
		found := findingsOfText(t, text, "2027")
		asks := e.code == diag.FrameRead || e.clause == "calls now"
		if asks && len(found) > 0 {
			t.Errorf("%s in a guard: %v", e.expr, briefly(found))
		}
		if !asks && (len(found) == 0 || found[0].Severity != diag.Error) {
			t.Errorf("%s in a guard is allowed: %v", e.expr, briefly(found))
		}
	}
}

// TestFramesOfPlainCells holds a plain cell's framed signals to the first place of each family.
func TestFramesOfPlainCells(t *testing.T) {
	cell := strings.NewReplacer(
		"skeleton agent Office {", "cell agent Office {",
		"    }\n}\n\nflesh Office {\n", "    }\n",
		"on other(n)", "on other(n: Int)", "on echo(x)", "on echo(x: Any)", "on work(id, n)", "on work(id: String, n: Int)",
	).Replace(hidingProgram)
	for i, p := range hidingPlaces {
		if i%8 != 0 || p.flesh != "" {
			continue
		}
		for _, e := range hiddenEffects {
			if skipped(p, e) {
				continue
			}
			right, _ := hideIn(cell, p, e, e.clause)
			wrong, offset := hideIn(cell, p, e, "reads notes")
			if e.clause == "reads notes" {
				wrong, offset = hideIn(cell, p, e, "reads log")
			}
			if found := findingsOfText(t, right, "2027"); len(found) > 0 && !p.kept {
				t.Errorf("%s, %s: %v", p.name, e.name, briefly(found))
			}
			if found := findingsOfText(t, wrong, "2027"); !stands(found, e.code, offset) {
				t.Errorf("%s, %s: %v", p.name, e.name, briefly(found))
			}
		}
	}
}

// TestClauses holds each entry of a clause against a body that does not need it, and against
// names that are nowhere: the finding stands at the entry.
func TestClauses(t *testing.T) {
	for _, c := range []struct {
		clauses string // with the entry at the mark
		body    string
		code    diag.Code
	}{
		{"reads ‹notes", "", diag.FrameWider},
		{"reads notes, ‹log", "let x = notes.get(id)", diag.FrameWider},
		{"reads ‹paper", "", diag.FrameWider},
		{"writes ‹notes", "", diag.FrameWider},
		{"writes ‹notes", "let x = notes.get(id)", diag.FrameWider},
		{"writes notes, ‹log", "notes[id] = 1", diag.FrameWider},
		{"moves ‹draft -> sent", "", diag.FrameWider},
		{"moves draft -> sent, ‹sent -> draft", "transition(id, draft, sent)", diag.FrameWider},
		{"calls ‹other", "", diag.FrameWider},
		{"calls ‹Desk.take", "", diag.FrameWider},
		{"calls Desk.take, ‹delegate", `let x = delegate("Desk", "take", id)`, diag.FrameWider},
		{"calls ‹print", "", diag.FrameWider},
		{"calls ‹emit", "", diag.FrameWider},
		{"calls ‹len", "let x = len(id)", diag.FrameWider},
		{"reads ‹note", "", diag.UnknownFrameSlot},
		{"writes ‹note", "", diag.UnknownFrameSlot},
		{"writes ‹paper", "", diag.UnknownFrameSlot},
		{"reads ‹other", "", diag.UnknownFrameSlot},
		{"moves ‹sent -> gone", "", diag.UnknownFrameEdge},
		{"moves ‹draft -> lost", "", diag.UnknownFrameEdge},
		{"moves ‹lost -> sent", "", diag.UnknownFrameEdge},
		{"moves draft -> sent, ‹sent -> sent", "transition(id, draft, sent)", diag.UnknownFrameEdge},
		{"calls ‹nobody", "", diag.UnknownFrameCallee},
		{"calls ‹Desk.nobody", "", diag.UnknownFrameCallee},
		{"calls ‹Nowhere.take", "", diag.UnknownFrameCallee},
		{"calls ‹notes", "", diag.UnknownFrameCallee},
		{"calls ‹_hide", "_hide(id)", diag.PrivateInFrame},
		{"calls ‹Office._hide", "_hide(id)", diag.PrivateInFrame},
		{"calls ‹Desk._deep", "Desk._deep(id)", diag.PrivateInFrame},
	} {
		t.Run(c.clauses, func(t *testing.T) {
			program := strings.Replace(hidingProgram, "on keep(", "on _deep(x: String) { return x }\n    on keep(", 1)
			place := hidingPlace{body: c.body + "\n        return n", clauses: c.clauses, flesh: "on _hide(x) { return [x, x] }"}
			if !strings.Contains(c.body, "_hide") {
				place.flesh = ""
			}
			text, offset := hideIn(program, place, hiddenEffect{expr: "‹"}, "")
			found := findingsOfText(t, text, "2027")
			unused := func(d diag.Diagnostic) bool { return d.Code == diag.UnusedLet || d.Code == diag.UnusedPrivate }
			found = slices.DeleteFunc(found, unused)
			if len(found) != 1 || !stands(found, c.code, offset) {
				t.Errorf("wanted %s at %q: %v", c.code, c.clauses, briefly(found))
			}
		})
	}
}
