package proofs

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/ir/lower"
	"soma.cell/smt"
)

// verified proves a program and audits its certificate.
func verified(t *testing.T, text string) *Report {
	t.Helper()
	return verifiedAsking(t, text, nil)
}

// questions are what the solver is asked about a program.
func questions(t *testing.T, text string) (asked []smt.Query) {
	t.Helper()
	verifiedAsking(t, text, func(qs []smt.Query) { asked = append(asked, qs...) })
	return asked
}

func verifiedAsking(t *testing.T, text string, asked func([]smt.Query)) *Report {
	t.Helper()
	sys := lower.Program(resolvetest.Program(t, text))
	return audited(t, text, sys, Options{Solver: opened(t, smt.Limits{Timeout: 5 * time.Second}), Asked: asked})
}

// about gives the lines that hold a text, each behind its mark.
func about(r *Report, text string) []string {
	var out []string
	for _, blocks := range [][]Block{r.Machines, r.Invariants, r.Temporal} {
		for _, b := range blocks {
			for _, l := range b.Lines {
				if strings.Contains(l.Text, text) {
					out = append(out, fmt.Sprintf("%c %s", []rune("⚠✓✗·")[l.Mark], l.Text))
				}
			}
		}
	}
	return out
}

// Each body of handler h stands in one cell; the lines about what is named must be those, in
// order, and no others.
func TestVerdicts(t *testing.T) {
	const cell = `
cell C {
    memory {
        num: Map<String, Int> [persistent]
        cap: Map<String, Int> [persistent]
        log: List<Int> [persistent]
%s
    }
    state m { initial: a  a -> b { guard { n > 0 } }  b -> c  a -> c }
    on h(k: String, n: Int, xs: List<Int>) {
%s
    }
}`
	for _, c := range []struct {
		name, rule, body, about string
		want                    []string
	}{
		{"a write at the end of a loop's body", "invariant log >= 0", "let sum = 0  for x in xs { sum += x  log.push(sum) }", "invariant",
			[]string{"⚠ invariant log >= 0 — writer 'h' not proven"}},
		{"its twin", "invariant log >= 0", "let sum = 0  for x in xs { if x > 0 { sum += 1 }  log.push(sum) }", "invariant",
			[]string{"✓ invariant log >= 0 — writer 'h' proven by induction (writes sum)"}},
		{"a test in the round", "invariant log >= 0", "for x in xs { if x >= 0 { log.push(x) } }", "invariant",
			[]string{"✓ invariant log >= 0 — writer 'h' proven by induction (writes x)"}},
		{"a test of the second argument of a fold", "invariant log >= 0", "reduce(xs, 0, (a, x) => { require x >= 0 else No  log.push(x)  a })", "invariant",
			[]string{"✓ invariant log >= 0 — writer 'h' proven by induction (writes x)"}},
		{"a test of the first argument of a fold", "invariant log >= 0", "reduce(xs, 0, (a, x) => { require a >= 0 else No  log.push(a)  x })", "invariant",
			[]string{"✓ invariant log >= 0 — writer 'h' proven by induction (writes a)"}},
		{"a test of the other argument of a fold", "invariant log >= 0", "reduce(xs, 0, (a, x) => { require a >= 0 else No  log.push(x)  x })", "invariant",
			[]string{"⚠ invariant log >= 0 — writer 'h' not proven"}},
		{"the test of the round before", "invariant num >= 0", "let y = 0  for x in xs { num.set(k, y)  require x >= 0 else No  y = x }", "invariant",
			[]string{"✓ invariant num >= 0 — writer 'h' proven by induction (writes y)"}},
		{"a test of this round alone", "invariant num >= 0", "let y = 0  for x in xs { num.set(k, y)  y = x  require n >= 0 else No }", "invariant",
			[]string{"⚠ invariant num >= 0 — writer 'h' not proven"}},
		{"a require before", "invariant num >= 0", "require n >= 0 else No  num.set(k, n)", "invariant",
			[]string{"✓ invariant num >= 0"}},
		{"a require after", "invariant num >= 0", "num.set(k, n)  require n >= 0 else No", "invariant",
			[]string{"⚠ invariant num >= 0"}},
		{"a require on a name that is bound anew", "invariant num >= 0", "let x = n  require x >= 0 else No  x = 0 - n  num.set(k, x)", "invariant",
			[]string{"⚠ invariant num >= 0"}},
		{"a literal that breaks it", "invariant num >= 0", "num.set(k, 0 - 1)", "invariant",
			[]string{"✗ invariant num >= 0 — writer 'h' breaks it whenever it writes 0 - 1"}},
		{"a literal through a name", "invariant num >= 0", "let x = 2 - 5  num.set(k, x)", "invariant",
			[]string{"✗ invariant num >= 0"}},
		{"a literal under try", "invariant num >= 0", "let r = try { num.set(k, 0 - 1) }  return r.kind", "invariant",
			[]string{"⚠ invariant num >= 0 — writer 'h' breaks it whenever it writes 0 - 1; the write can never commit"}},
		{"a removal between slots", "invariant (num ?? 0) <= (cap ?? 0)", "cap.delete(k)", "invariant",
			[]string{"⚠ invariant (num ?? 0) <= (cap ?? 0) — writer 'h' not proven"}},
		{"a removal on the safe side", "invariant (num ?? 0) <= (cap ?? 0) && cap >= 0", "num.delete(k)", "invariant (num",
			[]string{"✓ invariant (num ?? 0) <= (cap ?? 0)"}},
		{"a bound from memory", "invariant (num ?? 0) <= (cap ?? 0)", "require n <= (cap.get(k) ?? 0) else No  num.set(k, n)", "invariant",
			[]string{"✓ invariant (num ?? 0) <= (cap ?? 0)"}},
		{"a bound under another key", "invariant (num ?? 0) <= (cap ?? 0)", `require n <= (cap.get("k") ?? 0) else No  num.set(k, n)`, "invariant",
			[]string{"⚠ invariant (num ?? 0) <= (cap ?? 0)"}},
		{"entry counts", "invariant num.size <= 3", "num.set(k, n)", "invariant",
			[]string{"⚠ invariant num.size <= 3 — writer 'h' not proven, checked at run time"}},
		{"the only source", "", `transition(k, "a", "c")`, "refinement",
			[]string{"✓ refinement: handler `h` ⟶ {a → c}"}},
		{"an arm with a guard", "", `match k { "x" if n > 2 -> transition(k, "a", "c")  _ -> () }`, "refinement",
			[]string{`✓ refinement: handler ` + "`h`" + ` ⟶ {a → c [if k is "x" and (n > 2)]}`}},
		{"an arm past one whose guard fails", "", `match n { x if x > 5 -> ()  _ -> transition(k, "a", "c") }`, "refinement",
			[]string{`✓ refinement: handler ` + "`h`" + ` ⟶ {a → c [if not (n is x if x > 5) and n is _]}`}},
		{"an arm past a text with a guard", "", `match k { "x" if n > 2 -> ()  _ -> transition(k, "a", "c") }`, "refinement",
			[]string{`✓ refinement: handler ` + "`h`" + ` ⟶ {a → c [if k is _]}`}},
		{"an else in an arm", "", `match n { x -> if x > 5 { } else { transition(k, "a", "c") } }`, "refinement",
			[]string{`✓ refinement: handler ` + "`h`" + ` ⟶ {a → c [if n is x and not (x > 5)]}`}},
		{"two sources", "", `transition(k, "c")`, "transition sources",
			[]string{"· transition sources: `h` calls transition(id, target)"}},
		{"a move that can only be refused", "", `transition(k, "a", "c")  transition(k, "a", "c")`, "can only be refused",
			[]string{"⚠ refinement: handler `h` moves a → c, which can only be refused"}},
		{"an edge that nobody takes", "", `transition(k, "a", "c")`, "no handler takes it",
			[]string{"⚠ edge a → b: no handler takes it", "⚠ edge b → c: no handler takes it"}},
		{"a guard that is never met", "", `require n < 0 else No  transition(k, "a", "b")`, "a → b: no handler",
			[]string{"⚠ edge a → b: no handler takes it"}},
		{"a computed target that is tested", "", `let t = think(k)  require contains(["b", "c"], t) else No  transition(k, t)`, "think-isolated",
			[]string{"✓ think-isolated"}},
		{"a computed target that is matched", "", `let t = think(k)  match t { "b" || "c" -> transition(k, t)  _ -> fail("no") }`, "think-isolated",
			[]string{"✓ think-isolated"}},
		{"a target from a caller", "", `let t = think(k)  transition(k, k)`, "think-isolated",
			[]string{"⚠ think-isolated: not proven"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := about(verified(t, fmt.Sprintf(cell, c.rule, c.body)), c.about)
			if len(got) != len(c.want) {
				t.Fatalf("got %q, want %q", got, c.want)
			}
			for i := range got {
				if !strings.HasPrefix(got[i], c.want[i]) {
					t.Errorf("got %q, want %q", got[i], c.want[i])
				}
			}
		})
	}
}

// A slot may bear the name of what rules speak of.
func TestSlotsNamedLikeSpecials(t *testing.T) {
	r := verified(t, `
cell C {
    memory {
        status: Map<String, Int> [persistent]
        key: Map<String, Int> [persistent]
        invariant status >= 0
        invariant (key ?? 0) <= (status ?? 0)
    }
    state m { initial: a  a -> b }
    on put(k: String, n: Int) { require n >= 0 else Bad  status.set(k, n)  transition(k, "a", "b") }
}`)
	if got := about(r, "invariant"); len(got) != 2 || got[0][:3] != "✓" || got[1][:3] != "⚠" {
		t.Errorf("got %q", got)
	}
}

// Entries of lists shift when one is removed: what a rule between lists said of a pair when it
// was written need not hold of the pair that stands there later.
func TestRulesBetweenListsAreNotAssumed(t *testing.T) {
	r := verified(t, `
cell C {
    memory {
        low: List<Int> [persistent]
        high: List<Int> [persistent]
        gaps: Map<String, Int> [persistent]
        invariant (low ?? 0) <= (high ?? 0)
        invariant gaps >= 0
    }
    on drop() { low.delete(0) }
    on gap(i: Int) {
        require i >= 0 else Bad
        gaps.set("k", (high.get(i) ?? 0) - (low.get(i) ?? 0))
    }
}`)
	if got := about(r, "invariant gaps"); len(got) != 1 || !strings.HasPrefix(got[0], "⚠") {
		t.Errorf("got %q", got)
	}
}

// A rule about the state may refuse a move, too: each handler that moves the machine is named.
func TestRulesAboutTheStateNameMoves(t *testing.T) {
	r := verified(t, `
cell C {
    memory {
        paid: Map<String, Int> [persistent]
        invariant status != "sent" || (paid ?? 0) > 0
    }
    state m { initial: packed  packed -> sent }
    on pay(k: String) { paid.set(k, 1) }
    on send(k: String) { transition(k, "sent") }
}
cell Other {
    on rush(k: String) { transition(k, "packed", "sent") }
}`)
	for handler, want := range map[string]string{"pay": "✓", "send": "⚠", "rush": "⚠"} {
		got := about(r, "writer '"+handler+"'")
		if len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%s: got %q, wanted one line marked %s", handler, got, want)
		}
	}
}

// A rule between slots of different keys, or about the state of what is no text, is no rule
// about one entry: it is left to run time.
func TestRulesWithoutACommonKey(t *testing.T) {
	for _, rule := range []string{"(many ?? 0) <= (list ?? 0)", `status != "b" || (list ?? 0) >= 0`} {
		r := verified(t, `
cell C {
    memory {
        list: List<Int> [persistent]
        many: Map<String, Int> [persistent]
        invariant `+rule+`
    }
    state m { initial: a  a -> b }
    on put(k: String) { list.push(1)  many.set(k, 0)  transition(k, "a", "b") }
}`)
		for _, line := range about(r, "invariant") {
			if !strings.HasPrefix(line, "⚠") {
				t.Errorf("%s: got %q", rule, line)
			}
		}
	}
}

// What goes away changes a sum: a handler that only deletes is named as a writer.
func TestRulesOnSumsNameDeletes(t *testing.T) {
	r := verified(t, `
cell C {
    memory {
        owed: Map<String, Int> [persistent]
        invariant total(owed) >= 0
    }
    on owe(k: String) { owed.set(k, 1) }
    on waive(k: String) { owed.delete(k) }
}`)
	for _, handler := range []string{"owe", "waive"} {
		got := about(r, "writer '"+handler+"'")
		if len(got) != 1 || !strings.HasPrefix(got[0], "⚠") {
			t.Errorf("%s: got %q, wanted one line marked ⚠", handler, got)
		}
	}
}
