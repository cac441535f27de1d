package termination_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"soma.cell/proofs/obligation"
)

// Random handlers over two Ints are run on small arguments: what is proven must end. The little
// language below is written out as a program and run by an interpreter of its own.

type machine struct {
	vars  map[string]int
	steps *int
	depth int
	f     *block
}

// signals of a statement
type outcome int

const (
	onward  outcome = iota
	again           // continue
	out             // break
	done            // return
	tired           // too many steps: nothing can be said
	endless         // calls nest too deep
)

const (
	maxSteps = 20_000
	maxDepth = 400
)

type stmt interface {
	text() string
	run(m *machine) outcome
}

type block struct{ stmts []stmt }

func (b *block) text() string {
	var parts []string
	for _, s := range b.stmts {
		parts = append(parts, s.text())
	}
	return "{ " + strings.Join(parts, "  ") + " }"
}

func (b *block) run(m *machine) outcome {
	for _, s := range b.stmts {
		if *m.steps++; *m.steps > maxSteps {
			return tired
		}
		if o := s.run(m); o != onward {
			return o
		}
	}
	return onward
}

type assign struct {
	to, from string
	by       int
}

func (s assign) text() string           { return fmt.Sprintf("%s = %s + %d", s.to, s.from, s.by) }
func (s assign) run(m *machine) outcome { m.vars[s.to] = m.vars[s.from] + s.by; return onward }

type halve struct{ name string }

func (s halve) text() string           { return fmt.Sprintf("%s = idiv(%s, 2)", s.name, s.name) }
func (s halve) run(m *machine) outcome { m.vars[s.name] /= 2; return onward }

type cond struct {
	left, op, right string
	by              int
}

func (c cond) text() string { return fmt.Sprintf("%s %s %s + %d", c.left, c.op, c.right, c.by) }
func (c cond) holds(m *machine) bool {
	l, r := m.vars[c.left], m.vars[c.right]+c.by
	return map[string]bool{"<": l < r, "<=": l <= r, ">": l > r, "!=": l != r}[c.op]
}

type branch struct {
	cond
	yes, no *block
}

func (s branch) text() string {
	return "if " + s.cond.text() + " " + s.yes.text() + " else " + s.no.text()
}
func (s branch) run(m *machine) outcome {
	if s.holds(m) {
		return s.yes.run(m)
	}
	return s.no.run(m)
}

type loop struct {
	cond
	body *block
}

func (s loop) text() string { return "while " + s.cond.text() + " " + s.body.text() }
func (s loop) run(m *machine) outcome {
	for s.holds(m) {
		if *m.steps++; *m.steps > maxSteps {
			return tired
		}
		switch o := s.body.run(m); o {
		case out:
			return onward
		case done, tired, endless:
			return o
		}
	}
	return onward
}

type jump struct {
	word string
	outcome
}

func (s jump) text() string         { return s.word }
func (s jump) run(*machine) outcome { return s.outcome }

type recur struct {
	a, b   string
	da, db int
}

func (s recur) text() string { return fmt.Sprintf("f(%s + %d, %s + %d)", s.a, s.da, s.b, s.db) }
func (s recur) run(m *machine) outcome {
	if m.depth >= maxDepth {
		return endless
	}
	callee := &machine{map[string]int{"a": m.vars[s.a] + s.da, "b": m.vars[s.b] + s.db, "z": 0}, m.steps, m.depth + 1, m.f}
	if o := m.f.run(callee); o >= tired {
		return o
	}
	return onward
}

func genBlock(t *rapid.T, depth int, inLoop, recursive bool) *block {
	b := &block{}
	for range rapid.IntRange(1, 3).Draw(t, "length") {
		b.stmts = append(b.stmts, genStmt(t, depth, inLoop, recursive))
	}
	return b
}

func genStmt(t *rapid.T, depth int, inLoop, recursive bool) stmt {
	name := rapid.SampledFrom([]string{"a", "b"})
	step := rapid.IntRange(-2, 2)
	kinds := []string{"assign", "assign", "step", "step", "halve"}
	if depth > 0 {
		kinds = append(kinds, "if", "while", "return if")
	}
	if inLoop {
		kinds = append(kinds, "break", "continue")
	}
	if recursive {
		kinds = append(kinds, "call", "call")
	}
	test := func() cond {
		op := rapid.SampledFrom([]string{"<", "<=", ">", "!="}).Draw(t, "op")
		right := rapid.SampledFrom([]string{"a", "b", "z", "z"}).Draw(t, "right")
		return cond{name.Draw(t, "left"), op, right, step.Draw(t, "by")}
	}
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "assign":
		return assign{name.Draw(t, "to"), name.Draw(t, "from"), step.Draw(t, "by")}
	case "step":
		n := name.Draw(t, "to")
		return assign{n, n, step.Draw(t, "by")}
	case "halve":
		return halve{name.Draw(t, "name")}
	case "if":
		return branch{test(), genBlock(t, depth-1, inLoop, recursive), genBlock(t, depth-1, inLoop, recursive)}
	case "return if":
		return branch{test(), &block{[]stmt{jump{"return 0", done}}}, &block{[]stmt{assign{"a", "a", 0}}}}
	case "while":
		return loop{test(), genBlock(t, depth-1, true, recursive)}
	case "break":
		return branch{test(), &block{[]stmt{jump{"break", out}}}, &block{[]stmt{assign{"a", "a", 0}}}}
	case "continue":
		return branch{test(), &block{[]stmt{jump{"continue", again}}}, &block{[]stmt{assign{"a", "a", 0}}}}
	}
	return recur{name.Draw(t, "first"), name.Draw(t, "second"), step.Draw(t, "da"), step.Draw(t, "db")}
}

func TestWhatIsProvenEnds(t *testing.T) {
	proven := 0
	rapid.Check(t, func(rt *rapid.T) {
		body := genBlock(rt, 2, false, rapid.Bool().Draw(rt, "recursive"))
		text := "cell Mill {\n    on f(a: Int, b: Int) { let z = 0  " + strings.Trim(body.text(), "{}") + "  return 0 }\n}\n"
		o := check(t, text, "Mill/f/termination/1")
		if o.Verdict != obligation.Proven {
			return
		}
		proven++
		for a := -4; a <= 4; a++ {
			for b := -4; b <= 4; b++ {
				steps := 0
				m := &machine{map[string]int{"a": a, "b": b, "z": 0}, &steps, 0, body}
				switch body.run(m) {
				case endless:
					rt.Fatalf("f(%d, %d) nests without end, proven by %v:\n%s", a, b, o.Evidence.Data, text)
				case tired:
					if !recursive(body) {
						rt.Fatalf("f(%d, %d) loops without end, proven by %v:\n%s", a, b, o.Evidence.Data, text)
					}
				}
			}
		}
	})
	if proven == 0 {
		t.Error("no random handler was proven")
	}
}

// recursive tells whether a block holds a call: many calls can take very long and still end.
func recursive(b *block) bool { return strings.Contains(b.text(), "f(") }
