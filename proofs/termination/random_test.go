package termination_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"soma.cell/proofs/obligation"
)

// Random handlers over two Ints, a Bool and a list slot, which may call each other, are run on
// small arguments: what is proven must end. The little language below is written out as a program
// and run by an interpreter of its own.

type machine struct {
	vars     map[string]int
	flag     bool
	size     *int // of the slot
	steps    *int
	depth    int
	handlers map[string]*block
}

// signals of a statement
type outcome int

const (
	onward  outcome = iota
	again           // continue
	out             // break
	done            // return
	raised          // an error
	tired           // too many steps: nothing can be said of a recursion
	endless         // calls nest too deep
)

const (
	maxSteps = 100_000
	maxDepth = 2_000
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

type number struct {
	to string
	n  int
}

func (s number) text() string           { return fmt.Sprintf("%s = %d", s.to, s.n) }
func (s number) run(m *machine) outcome { m.vars[s.to] = s.n; return onward }

type most struct {
	name string
	by   int
}

func (s most) text() string { return fmt.Sprintf("%s = max(%s + %d, 0)", s.name, s.name, s.by) }
func (s most) run(m *machine) outcome {
	m.vars[s.name] = max(m.vars[s.name]+s.by, 0)
	return onward
}

type halve struct{ name string }

func (s halve) text() string           { return fmt.Sprintf("%s = idiv(%s, 2)", s.name, s.name) }
func (s halve) run(m *machine) outcome { m.vars[s.name] /= 2; return onward }

type remainder struct{ to, from, by string }

func (s remainder) text() string { return fmt.Sprintf("%s = %s %% %s", s.to, s.from, s.by) }
func (s remainder) run(m *machine) outcome {
	if m.vars[s.by] == 0 {
		return raised
	}
	m.vars[s.to] = m.vars[s.from] % m.vars[s.by]
	return onward
}

// euclid is one step of the greatest common divisor.
type euclid struct{}

func (euclid) text() string { return "let t = a % b  a = b  b = t" }
func (euclid) run(m *machine) outcome {
	if m.vars["b"] == 0 {
		return raised
	}
	m.vars["a"], m.vars["b"] = m.vars["b"], m.vars["a"]%m.vars["b"]
	return onward
}

type raise struct{ to bool }

func (s raise) text() string           { return fmt.Sprintf("d = %v", s.to) }
func (s raise) run(m *machine) outcome { m.flag = s.to; return onward }

// settle makes the flag a comparison, perhaps with what it was before.
type settle struct {
	cond
	join string // "", "&& " or "|| "
}

func (s settle) text() string {
	if s.join == "" {
		return "d = " + s.cond.text()
	}
	return "d = d " + s.join + s.cond.text()
}

func (s settle) run(m *machine) outcome {
	switch holds := s.holds(m); s.join {
	case "":
		m.flag = holds
	case "&& ":
		m.flag = m.flag && holds
	default:
		m.flag = m.flag || holds
	}
	return onward
}

type push struct{}

func (push) text() string           { return "q.push(1)" }
func (push) run(m *machine) outcome { *m.size++; return onward }

type pop struct{}

func (pop) text() string           { return "q.delete(0)" }
func (pop) run(m *machine) outcome { *m.size = max(*m.size-1, 0); return onward }

type fail struct{}

func (fail) text() string           { return `fail("no")` }
func (fail) run(m *machine) outcome { return raised }

// attempt runs a block as a transaction: an error undoes what it did to the slot, and to nothing
// else.
type attempt struct{ body *block }

func (s attempt) text() string { return "let r = try " + s.body.text() }
func (s attempt) run(m *machine) outcome {
	before := *m.size
	o := s.body.run(m)
	if o == raised {
		*m.size = before
		return onward
	}
	return o
}

type test interface {
	text() string
	holds(m *machine) bool
}

type cond struct {
	left, op, right string
	by              int
}

func (c cond) text() string { return fmt.Sprintf("%s %s %s + %d", c.left, c.op, c.right, c.by) }
func (c cond) holds(m *machine) bool {
	l, r := m.vars[c.left], m.vars[c.right]+c.by
	return map[string]bool{"<": l < r, "<=": l <= r, ">": l > r, "!=": l != r}[c.op]
}

type flag struct{ is bool }

func (c flag) text() string {
	if c.is {
		return "d"
	}
	return "!d"
}
func (c flag) holds(m *machine) bool { return m.flag == c.is }

type filled struct{}

func (filled) text() string          { return "q.len > 0" }
func (filled) holds(m *machine) bool { return *m.size > 0 }

type both struct{ first, second test }

func (c both) text() string          { return c.first.text() + " && " + c.second.text() }
func (c both) holds(m *machine) bool { return c.first.holds(m) && c.second.holds(m) }

type branch struct {
	test
	yes, no *block
}

func (s branch) text() string {
	return "if " + s.test.text() + " " + s.yes.text() + " else " + s.no.text()
}
func (s branch) run(m *machine) outcome {
	if s.holds(m) {
		return s.yes.run(m)
	}
	return s.no.run(m)
}

type loop struct {
	test
	body *block
}

func (s loop) text() string { return "while " + s.test.text() + " " + s.body.text() }
func (s loop) run(m *machine) outcome {
	for s.holds(m) {
		if *m.steps++; *m.steps > maxSteps {
			return tired
		}
		if o := s.body.run(m); o == out {
			return onward
		} else if o >= done {
			return o
		}
	}
	return onward
}

type twice struct{ body *block }

func (s twice) text() string { return "for x in range(0, 2) " + s.body.text() }
func (s twice) run(m *machine) outcome {
	for range 2 {
		if o := s.body.run(m); o == out {
			return onward
		} else if o >= done {
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

// argument is a variable and a number, or the half of a variable.
type argument struct {
	of   string
	by   int
	half bool
}

func (x argument) text() string {
	if x.half {
		return fmt.Sprintf("idiv(%s, 2)", x.of)
	}
	return fmt.Sprintf("%s + %d", x.of, x.by)
}

func (x argument) in(m *machine) int {
	if x.half {
		return m.vars[x.of] / 2
	}
	return m.vars[x.of] + x.by
}

type recur struct {
	verb string // how: a call, an event, a delegate
	to   string
	a, b argument
}

func (s recur) text() string {
	args := s.a.text() + ", " + s.b.text()
	if s.verb == "delegate" {
		return fmt.Sprintf(`delegate("Mill", "%s", %s)`, s.to, args)
	}
	return fmt.Sprintf("%s%s(%s)", s.verb, s.to, args)
}

func (s recur) run(m *machine) outcome {
	if m.depth >= maxDepth {
		return endless
	}
	callee := &machine{map[string]int{"a": s.a.in(m), "b": s.b.in(m), "z": 0}, false, m.size, m.steps, m.depth + 1, m.handlers}
	if o := m.handlers[s.to].run(callee); o >= raised {
		return o
	}
	return onward
}

// shape is where a statement stands.
type shape struct {
	depth  int
	inLoop bool
	calls  []string // handlers that may be called
}

func (s shape) inside() shape { s.depth--; return s }

func genBlock(t *rapid.T, in shape) *block {
	b := &block{}
	for range rapid.IntRange(1, 3).Draw(t, "length") {
		b.stmts = append(b.stmts, genStmt(t, in))
	}
	return b
}

func genTest(t *rapid.T) test {
	switch rapid.IntRange(0, 9).Draw(t, "test") {
	case 0, 1:
		return flag{rapid.Bool().Draw(t, "is")}
	case 2:
		return filled{}
	case 3:
		return both{genTest(t), genTest(t)}
	}
	return genCond(t)
}

func genCond(t *rapid.T) cond {
	name := rapid.SampledFrom([]string{"a", "b"})
	op := rapid.SampledFrom([]string{"<", "<=", ">", ">", "!="}).Draw(t, "op")
	right := rapid.SampledFrom([]string{"a", "b", "z", "z", "z"}).Draw(t, "right")
	return cond{name.Draw(t, "left"), op, right, rapid.IntRange(-2, 2).Draw(t, "by")}
}

func genStmt(t *rapid.T, in shape) stmt {
	name := rapid.SampledFrom([]string{"a", "b"})
	step := rapid.IntRange(-2, 2)
	nothing := &block{[]stmt{assign{"a", "a", 0}}}
	kinds := []string{"assign", "step", "step", "step", "halve", "number", "most", "remainder", "euclid", "flag", "settle", "push", "pop", "pop"}
	if in.depth > 0 {
		kinds = append(kinds, "if", "if", "while", "while", "return if", "try", "for")
	}
	if in.inLoop {
		kinds = append(kinds, "break", "continue")
	}
	if len(in.calls) > 0 {
		kinds = append(kinds, "call", "call", "call", "call")
	}
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "assign":
		return assign{name.Draw(t, "to"), name.Draw(t, "from"), step.Draw(t, "by")}
	case "step":
		n := name.Draw(t, "to")
		return assign{n, n, step.Draw(t, "by")}
	case "halve":
		return halve{name.Draw(t, "name")}
	case "number":
		return number{name.Draw(t, "to"), step.Draw(t, "n")}
	case "most":
		return most{name.Draw(t, "name"), step.Draw(t, "by")}
	case "remainder":
		return remainder{name.Draw(t, "to"), name.Draw(t, "from"), name.Draw(t, "by")}
	case "euclid":
		return euclid{}
	case "flag":
		return raise{rapid.Bool().Draw(t, "to")}
	case "settle":
		return settle{genCond(t), rapid.SampledFrom([]string{"", "", "&& ", "|| "}).Draw(t, "join")}
	case "push":
		return push{}
	case "pop":
		return pop{}
	case "if":
		return branch{genTest(t), genBlock(t, in.inside()), genBlock(t, in.inside())}
	case "return if":
		return branch{genTest(t), &block{[]stmt{jump{"return 0", done}}}, nothing}
	case "while":
		in.inLoop = true
		return loop{genTest(t), genBlock(t, in.inside())}
	case "for":
		in.inLoop = true
		return twice{genBlock(t, in.inside())}
	case "try":
		b := genBlock(t, in.inside())
		if rapid.Bool().Draw(t, "fails") {
			b.stmts = append(b.stmts, fail{})
		}
		return attempt{b}
	case "break":
		return branch{genTest(t), &block{[]stmt{jump{"break", out}}}, nothing}
	case "continue":
		return branch{genTest(t), &block{[]stmt{jump{"continue", again}}}, nothing}
	}
	arg := func() argument {
		return argument{name.Draw(t, "of"), step.Draw(t, "by"), rapid.IntRange(0, 5).Draw(t, "half") == 0}
	}
	verb := rapid.SampledFrom([]string{"", "", "emit ", "delegate"}).Draw(t, "verb")
	return recur{verb, rapid.SampledFrom(in.calls).Draw(t, "callee"), arg(), arg()}
}

// genNest is a loop that mostly comes nearer to its end: in one branch by its own test, in the
// other, which may undo what the first does, by another one.
func genNest(t *rapid.T, in shape) stmt {
	in.inLoop = true
	outer, inner := genTest(t), genTest(t)
	mostly := func(s stmt) stmt {
		if rapid.IntRange(0, 5).Draw(t, "other") == 0 {
			return genStmt(t, in)
		}
		return s
	}
	yes := &block{[]stmt{mostly(progress(inner))}}
	no := &block{[]stmt{mostly(genStmt(t, shape{inLoop: true})), mostly(progress(outer))}}
	body := &block{[]stmt{branch{inner, yes, no}}}
	if f, ok := outer.(flag); ok && rapid.Bool().Draw(t, "settled") {
		c := genCond(t)
		no.stmts = append(no.stmts, progress(c))
		body.stmts = append(body.stmts, mostly(settle{c, ""}))
		outer = flag{f.is || rapid.Bool().Draw(t, "is")}
	}
	return loop{outer, body}
}

// progress is a step towards a test's failure.
func progress(x test) stmt {
	switch x := x.(type) {
	case flag:
		return raise{!x.is}
	case filled:
		return pop{}
	case both:
		return progress(x.first)
	case cond:
		if x.op == ">" {
			return assign{x.left, x.left, -1}
		}
		return assign{x.left, x.left, 1}
	}
	panic("no such test")
}

// genHandler is a body that holds a loop where it calls nothing, and else mostly returns first
// where a parameter is small.
func genHandler(t *rapid.T, calls []string) *block {
	in := shape{depth: 2, calls: calls}
	b := genBlock(t, in)
	if len(calls) == 0 {
		b.stmts = append(b.stmts, genNest(t, in))
	}
	for range rapid.IntRange(0, 2).Draw(t, "bases") {
		if len(calls) > 0 {
			n := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "base")
			base := branch{cond{n, "<=", "z", 0}, &block{[]stmt{jump{"return 0", done}}}, &block{[]stmt{assign{"a", "a", 0}}}}
			b.stmts = append([]stmt{base}, b.stmts...)
		}
	}
	return b
}

func TestWhatIsProvenEnds(t *testing.T) {
	proven := map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		for range 10 { // programs are small
			drawnEnds(rt, proven)
		}
	})
	for _, kind := range []string{"structure", "one", "tuple", "size", "flag", "way round"} {
		if proven[kind] == 0 {
			t.Errorf("no random handler was proven by %s", kind)
		}
	}
	t.Log(proven)
}

func drawnEnds(rt *rapid.T, proven map[string]int) {
	names := []string{"f", "g", "h"}[:rapid.IntRange(1, 3).Draw(rt, "handlers")]
	calls := names
	if len(names) == 1 && rapid.Bool().Draw(rt, "alone") {
		calls = nil
	}
	handlers := map[string]*block{}
	text := "cell Mill {\n    memory { q: List<Int> }\n"
	for _, name := range names {
		handlers[name] = genHandler(rt, calls)
		text += fmt.Sprintf("    on %s(a: Int, b: Int) { let z = 0  let d = false  %s  return 0 }\n", name, strings.Trim(handlers[name].text(), "{}"))
	}
	text += "}\n"
	o := check(rt, text, "Mill/f/termination/1")
	if o.Verdict != obligation.Proven {
		return
	}
	told, _ := o.Evidence.Data.(string)
	proven[kindOf(told)]++
	for a := -4; a <= 4; a++ {
		for b := -4; b <= 4; b++ {
			steps, size := 0, 3
			m := &machine{map[string]int{"a": a, "b": b, "z": 0}, false, &size, &steps, 0, handlers}
			switch handlers["f"].run(m) {
			case endless:
				rt.Fatalf("f(%d, %d) nests without end, proven by %s:\n%s", a, b, told, text)
			case tired:
				if calls == nil {
					rt.Fatalf("f(%d, %d) loops without end, proven by %s:\n%s", a, b, told, text)
				}
			}
		}
	}
}

// kindOf sorts what is told of a proof.
func kindOf(told string) string {
	switch {
	case told == "":
		return "structure"
	case strings.Contains(told, "way round"):
		return "way round"
	case strings.Contains(told, "q.size"):
		return "size"
	case strings.Contains(told, "not d"):
		return "flag"
	case strings.Contains(told, ", "):
		return "tuple"
	}
	return "one"
}
