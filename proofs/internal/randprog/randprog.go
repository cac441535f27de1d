// Package randprog draws random programs for property tests: a cell with two map slots, memory
// rules, a machine, and one handler with a random body.
package randprog

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// Frame is the program around the body; its parameters are the rules and the body.
const frame = `
cell P {
    memory {
        num: Map<String, Int> [persistent]
        txt: Map<String, String> [persistent]
        row: List<Int> [persistent]
%s    }
    state m { initial: a  a -> b  b -> c  c -> a { guard { (num.get(_id) ?? 0) < 3 } }  a -> c { guard { n >= 0 } }  b -> d }
    on num_of(k: String) { return num.get(k) }
    on txt_of(k: String) { return txt.get(k) }
    on help(n: Int) { if n > 3 { return n - 1 }  num.set("h", n)  return n + 1 }
    on push_to(n: Int) { row.push(n)  return n }
    on h(n: Int, s: String, f: Bool) {
%s    }
}
cell Q {
    on note(n: Int) { P.help(n - 2) }
    on step(s: String) { transition("x", "a", "b")  if s == "zz" { fail("Odd", s) }  return s }
}
`

// Keys are the keys that random programs use, beside the parameter s.
var Keys = []string{"k", "h", "a"}

// Program draws a program. With rules it has memory rules that its body may break.
func Program(t *rapid.T, rules bool) string {
	g := &generator{t: t}
	text := "        invariant num >= -100\n"
	if rules {
		text = ""
		for _, r := range []string{
			"num >= 0", "num <= 6", "txt != \"zz\"", "num != 3", "(num ?? 0) <= 4 || (txt ?? \"\") == \"a\"",
			"status != \"c\" || (num ?? 1) > 0", "value != \"b\" && key != \"zz\"",
		} {
			if g.pick(3) == 0 {
				text += "        invariant " + r + "\n"
			}
		}
	}
	return fmt.Sprintf(frame, text, g.block(2, "        ", 5))
}

// generator draws bodies over Int locals i…, String locals s…, slots and the machine.
type generator struct {
	t     *rapid.T
	count int
	ints  []string
	texts []string
	loops int

	functions  []string // names of functions of one Int
	inFunction bool     // where return is not allowed
}

func (g *generator) pick(n int) int { return rapid.IntRange(0, n-1).Draw(g.t, "choice") }

func (g *generator) fresh(prefix string) string {
	g.count++
	return fmt.Sprintf("%s%d", prefix, g.count)
}

// block draws statements and leaves the names they bind behind.
func (g *generator) block(depth int, indent string, most int) string {
	ints, texts, functions := len(g.ints), len(g.texts), len(g.functions)
	var b strings.Builder
	for range 1 + g.pick(most) {
		for _, line := range strings.Split(g.stmt(depth, indent), "\n") {
			fmt.Fprintf(&b, "%s%s\n", indent, line)
		}
	}
	g.ints, g.texts, g.functions = g.ints[:ints], g.texts[:texts], g.functions[:functions]
	return b.String()
}

func (g *generator) stmt(depth int, indent string) string {
	inner := indent + "    "
	nested := func() string { return "{\n" + g.block(depth-1, inner, 3) + indent + "}" }
	n := 10
	if depth > 0 {
		n = 25
	}
	switch g.pick(n) {
	case 0, 1:
		e, name := g.int(2), g.fresh("i")
		if len(g.ints) > 0 && g.pick(5) == 0 {
			name = g.ints[g.pick(len(g.ints))] // bound again, or hidden
		}
		g.ints = append(g.ints, name)
		return fmt.Sprintf("let %s = %s", name, e)
	case 2:
		e, name := g.text(2), g.fresh("s")
		g.texts = append(g.texts, name)
		return fmt.Sprintf("let %s = %s", name, e)
	case 3:
		if len(g.ints) == 0 {
			return `num.set("k", 1)`
		}
		return fmt.Sprintf("%s %s %s", g.ints[g.pick(len(g.ints))], []string{"=", "+=", "-="}[g.pick(3)], g.int(2))
	case 4:
		return fmt.Sprintf("num.set(%s, %s)", g.key(), g.int(2))
	case 5:
		return fmt.Sprintf("txt[%s] = %s", g.key(), g.text(2))
	case 6:
		return fmt.Sprintf("num.delete(%s)", g.key())
	case 7:
		return fmt.Sprintf([]string{"require %s else Bad", "require %s else Bad", "ensure %s"}[g.pick(3)], g.cond(1))
	case 8:
		return []string{`transition("x", "b")`, `transition("x", "a", "c")`, `transition("x", "c")`, `transition("x", "b", "c")`,
			`transition("x", s)`, `transition("k", "b")`, `transition(s, "a", "b")`}[g.pick(7)]
	case 9:
		if g.loops > 0 {
			return []string{"break", "continue"}[g.pick(2)]
		}
		if g.inFunction {
			return fmt.Sprintf("require %s else Odd", g.cond(1))
		}
		return fmt.Sprintf("if %s { return %s }", g.cond(1), g.int(1))
	case 10, 11:
		return fmt.Sprintf("if %s %s else %s", g.cond(2), nested(), nested())
	case 12:
		g.loops++
		defer func() { g.loops-- }()
		name := g.fresh("j")
		g.ints = append(g.ints, name)
		body := nested()
		g.ints = g.ints[:len(g.ints)-1]
		return fmt.Sprintf("for %s in range(0, %d) %s", name, 1+g.pick(3), body)
	case 13:
		g.loops++
		defer func() { g.loops-- }()
		return fmt.Sprintf("while [loop_bound(4)] %s %s", g.cond(1), nested())
	case 14:
		g.loops++
		defer func() { g.loops-- }()
		name := g.fresh("w")
		g.texts = append(g.texts, name)
		body := nested()
		g.texts = g.texts[:len(g.texts)-1]
		return fmt.Sprintf(`for %s in ["a", "zz"] %s`, name, body)
	case 15:
		return fmt.Sprintf("match %s {\n%s    \"a\" -> %s\n%s    _ -> %s\n%s}", g.text(1), indent, nested(), indent, nested(), indent)
	case 20:
		return []string{fmt.Sprintf("emit note(%s)", g.int(1)), fmt.Sprintf("Q.step(%s)", g.text(1)),
			fmt.Sprintf(`delegate("P", "help", %s)`, g.int(1)), fmt.Sprintf("push_to(%s)", g.int(1))}[g.pick(4)]
	case 21:
		return []string{fmt.Sprintf("row.push(%s)", g.int(1)), fmt.Sprintf("row[%s] = %s", g.index(), g.int(1)),
			fmt.Sprintf("row.delete(%s)", g.index()), fmt.Sprintf("row[%s] += %s", g.index(), g.int(1)),
			fmt.Sprintf("num[%s] += %s", g.key(), g.int(1))}[g.pick(5)]
	case 22:
		a, b, c, v := nested(), nested(), nested(), g.fresh("v")
		return fmt.Sprintf("match %s {\n%s    -1..1 -> %s\n%s    %s if %s -> %s\n%s    3 || 5 -> %s\n%s    _ -> {}\n%s}",
			g.int(1), indent, a, indent, v, g.cond(2), b, indent, c, indent, indent)
	case 16, 17, 18:
		name, value := g.fresh("r"), g.int(1)
		loops := g.loops
		g.loops = 0
		body := g.block(depth-1, inner, 3)
		if g.pick(2) == 0 {
			body += inner + "num.set(\"k\", 40)\n" + inner + "require " + g.cond(1) + " else Bad\n"
		}
		g.loops = loops
		i := g.fresh("i")
		g.ints = append(g.ints, i)
		return fmt.Sprintf("let %s = try {\n%s%s%s\n%s}\n%stxt[\"a\"] = %s.kind ?? \"fine\"\n%slet %s = %s.value ?? %s",
			name, body, inner, value, indent, indent, name, indent, i, name, g.int(1))
	}
	switch g.pick(4) {
	case 0, 1:
		return g.function(depth, inner, indent)
	case 2:
		return g.fold(depth, inner, indent)
	}
	name, i := g.fresh("f"), g.fresh("i")
	lambda := fmt.Sprintf("let %s = x => x + %s\n%slet %s = %s(%s)", name, g.int(1), indent, i, name, g.int(1))
	g.ints = append(g.ints, i)
	return lambda
}

// rounds draws the body of a function of the Int x that acts, assigns locals and raises, and what it
// gives.
func (g *generator) rounds(depth int, inner, x string, gives func(depth int) string) (body, value string) {
	loops, outside, before := g.loops, g.inFunction, len(g.ints)
	g.loops, g.inFunction = 0, true
	g.ints = append(g.ints, x)
	body, value = g.block(depth-1, inner, 2), gives(1)
	g.loops, g.inFunction = loops, outside
	g.ints = g.ints[:before]
	return body, value
}

// fold draws a builtin that runs a function over a list, which assigns the list or its parameter.
func (g *generator) fold(depth int, inner, indent string) string {
	xs, x, i := g.fresh("l"), g.fresh("x"), g.fresh("i")
	body, value := g.rounds(depth, inner, x, g.cond)
	list := fmt.Sprintf("[%s, 2]", g.int(0))
	assigned := []string{xs + " = []", xs + " = push(" + xs + ", 1)", x + " = " + g.int(1), xs + " = [" + x + "]"}[g.pick(4)]
	made := fmt.Sprintf("%s => {\n%s%s%s\n%s%s\n%s}", x, body, inner, assigned, inner, value, indent)
	form := []string{"len(filter(%[1]s, %[2]s)) - len(%[1]s)", "len(map(%[1]s, %[2]s)) - len(%[1]s)", "count(%[1]s, %[2]s) + len(%[1]s)",
		"find(%[1]s, %[2]s) ?? len(%[1]s)", "if any(%[1]s, %[2]s) { 1 } else { len(%[1]s) }"}[g.pick(5)]
	g.ints = append(g.ints, i)
	sign := []string{"<", ">", "=="}[g.pick(3)]
	return fmt.Sprintf("let %s = %s\n%slet %s = ", xs, list, indent, i) + fmt.Sprintf(form, xs, made) +
		fmt.Sprintf("\n%sif %s %s 0 {\n%s%s}", indent, i, sign, g.block(depth-1, inner, 2), indent)
}

// function draws a function that acts, assigns locals and raises, and runs it somehow.
func (g *generator) function(depth int, inner, indent string) string {
	f, x, i := g.fresh("f"), g.fresh("x"), g.fresh("i")
	body, value := g.rounds(depth, inner, x, g.int)
	made := fmt.Sprintf("%s => {\n%s%s%s\n%s}", x, body, inner, value, indent)
	switch g.pick(3) {
	case 0:
		return fmt.Sprintf("let %s = map([%s, 2], %s)", i, g.int(0), made)
	case 1:
		out := fmt.Sprintf("let %s = %s\n%slet %s = %s(%s)", f, made, indent, i, f, g.int(1))
		g.ints = append(g.ints, i)
		g.functions = append(g.functions, f)
		return out
	}
	g.functions = append(g.functions, f)
	return fmt.Sprintf("let %s = %s\n%slet %s = map([1, %s], %s)", f, made, indent, i, g.int(0), f)
}

func (g *generator) index() string {
	return []string{"0", "1", "-1", "n", g.int(0)}[g.pick(5)]
}

func (g *generator) key() string { return []string{`"k"`, `"h"`, "s"}[g.pick(3)] }

func (g *generator) int(depth int) string {
	n := 4
	if depth > 0 {
		n = 20
	}
	switch g.pick(n) {
	case 19:
		if len(g.functions) > 0 {
			return fmt.Sprintf("%s(%s)", g.functions[g.pick(len(g.functions))], g.int(depth-1))
		}
		return "n"
	case 15:
		return fmt.Sprintf("(row.get(%s) ?? %s)", g.index(), g.int(depth-1))
	case 16:
		if len(g.ints) > 0 {
			v := g.ints[g.pick(len(g.ints))]
			return fmt.Sprintf("(if %s { %s = %s  %s } else { %s })", g.cond(depth-1), v, g.int(depth-1), v, g.int(depth-1))
		}
		return "n"
	case 17:
		return fmt.Sprintf("((try { help(%s) }).value ?? %s)", g.int(depth-1), g.int(depth-1))
	case 18:
		return "len(row)"
	case 0:
		return fmt.Sprint(g.pick(8) - 2)
	case 1:
		return "n"
	case 2, 3:
		if len(g.ints) > 0 {
			return g.ints[g.pick(len(g.ints))]
		}
		return "n"
	case 4:
		return fmt.Sprintf("(%s + %s)", g.int(depth-1), g.int(depth-1))
	case 5:
		return fmt.Sprintf("(%s - %s)", g.int(depth-1), g.int(depth-1))
	case 6:
		return fmt.Sprintf("(%s * %s)", g.int(depth-1), g.int(depth-1))
	case 7:
		return fmt.Sprintf("(%s %% %s)", g.int(depth-1), g.int(depth-1))
	case 8:
		return fmt.Sprintf("(num.get(%s) ?? %s)", g.key(), g.int(depth-1))
	case 9:
		return fmt.Sprintf("(if %s { %s } else { %s })", g.cond(depth-1), g.int(depth-1), g.int(depth-1))
	case 10:
		return fmt.Sprintf("%s(%s, %s)", []string{"min", "max"}[g.pick(2)], g.int(depth-1), g.int(depth-1))
	case 11:
		return fmt.Sprintf("abs(%s)", g.int(depth-1))
	case 12:
		return fmt.Sprintf("clamp(%s, -1, %s)", g.int(depth-1), g.int(depth-1))
	case 13:
		return fmt.Sprintf("help(%s)", g.int(depth-1))
	case 14:
		return []string{fmt.Sprintf("(num.get(%s) - %s)", g.key(), g.int(depth-1)), fmt.Sprintf("[4, 0, -2][%s]", g.int(depth-1))}[g.pick(2)]
	}
	return fmt.Sprintf("len(%s)", g.text(depth-1))
}

func (g *generator) text(depth int) string {
	n := 4
	if depth > 0 {
		n = 9
	}
	switch g.pick(n) {
	case 0:
		return []string{`"a"`, `"b"`, `""`}[g.pick(3)]
	case 1, 2:
		return "s"
	case 3:
		if len(g.texts) > 0 {
			return g.texts[g.pick(len(g.texts))]
		}
		return "s"
	case 4:
		return fmt.Sprintf("(%s + %s)", g.text(depth-1), g.text(depth-1))
	case 5:
		return `"{n}-{s}"`
	case 6:
		return fmt.Sprintf(`(txt.get(%s) ?? %s)`, g.key(), g.text(depth-1))
	case 7:
		return `get_status("x")`
	}
	return fmt.Sprintf("lowercase(%s)", g.text(depth-1))
}

func (g *generator) cond(depth int) string {
	n := 5
	if depth > 0 {
		n = 9
	}
	switch g.pick(n) {
	case 0:
		return "f"
	case 1:
		return fmt.Sprintf("%s %s %s", g.int(0), []string{"<", "<=", ">", ">=", "==", "!="}[g.pick(6)], g.int(1))
	case 2:
		return fmt.Sprintf("%s == %s", g.text(0), g.text(1))
	case 3:
		return fmt.Sprintf(`contains(["a", "zz"], %s)`, g.text(0))
	case 4:
		return fmt.Sprintf("num.has(%s)", g.key())
	case 5:
		return fmt.Sprintf("(%s && %s)", g.cond(depth-1), g.cond(depth-1))
	case 6:
		return fmt.Sprintf("(%s || %s)", g.cond(depth-1), g.cond(depth-1))
	case 7:
		return fmt.Sprintf("!(%s)", g.cond(depth-1))
	}
	return fmt.Sprintf("num.get(%s) == %s", g.key(), g.int(0))
}
