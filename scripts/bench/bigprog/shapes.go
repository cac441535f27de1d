package bigprog

import (
	"fmt"
	"strings"
)

// Shape is a program of an extreme shape, of a size that the caller chooses.
type Shape struct {
	Name   string
	Size   int // the size at which the shape is measured
	Text   func(n int) string
	Broken bool // it fails the check
}

// Shapes are the shapes that tend to show what grows faster than the program.
func Shapes() []Shape {
	return []Shape{
		{Name: "statements of a handler", Size: 20_000, Text: statements},
		{Name: "handlers in a chain of calls", Size: 10_000, Text: chain},
		{Name: "handlers in a ring of calls", Size: 10_000, Text: ring},
		{Name: "edges of a machine", Size: 10_000, Text: edges},
		{Name: "links of an expression", Size: 10_000, Text: links},
		{Name: "else ifs", Size: 5_000, Text: elseIfs},
		{Name: "nested ifs", Size: 5_000, Text: nestedIfs},
		{Name: "ifs one after the other", Size: 5_000, Text: ifs},
		{Name: "ifs in arms of a match", Size: 5_000, Text: arms},
		{Name: "slots with rules", Size: 2_000, Text: slots},
		{Name: "cells that call all others", Size: 150, Text: clique},
		{Name: "tries", Size: 4_000, Text: statement("let r = try { fail(\"x\") }")},
		{Name: "calls", Size: 4_000, Text: statement("f(1)")},
		{Name: "writes", Size: 4_000, Text: statement("s.set(\"k\", 1)")},
		{Name: "loops", Size: 2_000, Text: statement("while n > 0 { n -= 1 }")},
		{Name: "loops over locals of their own", Size: 2_000, Text: statement("let x%[1]d = \"\"\n        for y in [1, 2] { x%[1]d = n }")},
		{Name: "functions of locals", Size: 2_000, Text: statement("let f%[1]d = x => x + n\n        n = f%[1]d(n)")},
		{Name: "locals that change their types in loops", Size: 30, Text: passedOn},
		{Name: "moves", Size: 4_000, Text: statement("transition(\"k%[1]d\", \"a\", \"b\")")},
		{Name: "recursive calls behind tests", Size: 4_000, Text: statement("if n > %[1]d { f(n - 1) }")},
		{Name: "tests of a loop", Size: 4_000, Text: inLoop("if n > %[1]d { n -= 1 }")},
		{Name: "answers of a model", Size: 10_000, Text: statement("let a%[1]d = think(\"say {n}\")\n        n = n + len(a%[1]d)")},
		{Name: "tests of answers", Size: 10_000, Text: statement("let a%[1]d = think(\"say {n}\")\n        require len(a%[1]d) >= 0 else Short\n        n = n + len(a%[1]d)")},
		{Name: "moves to computed states", Size: 1_000, Text: statement("let a%[1]d = think(\"say {n}\")\n        if contains([\"a\", \"b\"], a%[1]d) { transition(\"k\", a%[1]d) }")},
		{Name: "moves of a large machine", Size: 2_000, Text: moves},
		{Name: "signals with frames", Size: 3_000, Text: frames},
		{Name: "one line", Size: 10_000, Text: oneLine},
		{Name: "parameters", Size: 4_000, Text: parameters},
		{Name: "slots", Size: 5_000, Text: plainSlots},
		{Name: "tests", Size: 5_000, Text: tests},
		{Name: "unknown names", Size: 5_000, Text: unknownNames, Broken: true},
		{Name: "unknown functions", Size: 5_000, Text: unknownFunctions, Broken: true},
		{Name: "misspelled signals", Size: 3_000, Text: misspelledSignals, Broken: true},
		{Name: "misspelled edges", Size: 3_000, Text: misspelledEdges, Broken: true},
		{Name: "very long names", Size: 100_000, Text: longNames, Broken: true},
		{Name: "types in texts", Size: 5_000, Text: typesInTexts},
		{Name: "names that guards miss", Size: 500, Text: missedByGuards, Broken: true},
		{Name: "unclosed blocks", Size: 5_000, Text: unclosed, Broken: true},
	}
}

// repeat writes a line for each number below n; %[1]d stands for the number.
func repeat(n int, line string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%[3]s"+line+"\n", i, i+1, "")
	}
	return b.String()
}

func statements(n int) string {
	half := repeat(n/4, `        let x%[1]d = n + %[1]d
        s.set("k%[1]d", x%[1]d)
        if n > %[1]d { n = n - 1 }
        log.push("{n} at %[1]d")`)
	return "cell A {\n    memory {\n        s: Map<String, Int> [persistent]\n        log: List<String> [persistent]\n" +
		"        invariant s >= 0\n    }\n    on f(n: Int) {\n" + half + "        return n\n    }\n}\n"
}

func chain(n int) string {
	return "cell A {\n    on f0(n: Int) {\n        return n\n    }\n" +
		repeat(n, "    on f%[2]d(n: Int) {\n        return f%[1]d(n + 1)\n    }") + "}\n"
}

func ring(n int) string {
	return "cell A {\n    on f0(n: Int) {\n        return " + fmt.Sprintf("f%d(n)", n) + "\n    }\n" +
		repeat(n, "    on f%[2]d(n: Int) {\n        return f%[1]d(n + 1)\n    }") + "}\n"
}

func edges(n int) string {
	return "cell A {\n    state m {\n        initial: s0\n" + repeat(n, "        s%[1]d -> s%[2]d") + "    }\n" +
		"    on go(id: String, to: String) {\n        transition(id, \"s0\", \"s1\")\n        transition(id, \"s2\")\n        return 1\n    }\n}\n"
}

func links(n int) string {
	return "cell A {\n    on f(n: Int) {\n        return n" + strings.Repeat(" + n", n-1) + "\n    }\n" +
		"    on g(t: String) {\n        return t" + strings.Repeat(" |> trim()", n/2) + "\n    }\n}\n"
}

func elseIfs(n int) string {
	return "cell A {\n    on f(n: Int) {\n        let x = 0\n        if n == -1 { x = 2 }" +
		repeat(n, " else if n == %[1]d { x = %[1]d }") + "        return x\n    }\n}\n"
}

func ifs(n int) string {
	return "cell A {\n    on f(n: Int) {\n        let x = 0\n" +
		repeat(n, "        if n == %[1]d { if x > 3 { x = x + %[1]d } else { x = \"a\" } }") + "        return x\n    }\n}\n"
}

func arms(n int) string {
	return "cell A {\n    on f(n: Int) {\n        let x = 0\n        let y = match n {\n" +
		repeat(n, "            %[1]d -> if n > 3 { x = %[1]d  x } else { 7 }") + "            _ -> 1\n        }\n        return x + y\n    }\n}\n"
}

func slots(n int) string {
	return "cell A {\n    memory {\n" + repeat(n, "        s%[1]d: Map<String, Int> [persistent]\n        invariant s%[1]d >= 0") + "    }\n" +
		"    on f(k: String, n: Int) {\n        require n >= 0 else Negative\n" + repeat(n, "        s%[1]d.set(k, n)") + "        return n\n    }\n}\n"
}

func unknownNames(n int) string {
	return "cell A {\n" + repeat(n, "    on f%[1]d(n: Int) {\n        return missing%[1]d + n\n    }") + "}\n"
}

func unknownFunctions(n int) string {
	return "cell A {\n" + repeat(n, "    on handler%[1]d(n: Int) {\n        return handle%[1]d(n)\n    }") + "}\n"
}

func misspelledSignals(n int) string {
	return "skeleton A {\n    face {\n" + repeat(n, "        signal ask%[1]d(n: Int) -> Int") + "    }\n}\n" +
		"flesh A {\n" + repeat(n, "    on ask%[1]ds(n) { return n }") + "}\n"
}

func misspelledEdges(n int) string {
	return "cell A {\n    state m {\n        initial: s0\n" + repeat(n, "        s%[1]d -> s%[2]d") + "    }\n    face {\n" +
		repeat(n, "        signal f%[1]d(n: Int) moves s%[2]d -> s%[1]d") + "    }\n" + repeat(n, "    on f%[1]d(n: Int) { return n }") + "}\n"
}

func longNames(n int) string {
	name := strings.Repeat("x", n)
	return "cell A {\n    on f(" + name + "a: Int) {\n        return " + name + "b + " + name + "a\n    }\n}\n"
}

func typesInTexts(n int) string {
	return repeat(n, "cell type T%[1]d { variants { V%[1]d  W%[1]d(Int) } }") +
		"cell A {\n" + repeat(n, "    on f%[1]d(x: Any) { return is_a(x, \"V%[1]d\") || is_a(x, \"VW%[1]d\") }") + "}\n"
}

func missedByGuards(n int) string {
	return "cell A {\n    state m {\n        initial: start\n" + repeat(n, "        start -> s%[1]d { guard { g%[1]d > 0 } }\n        s%[1]d -> end { guard { h%[1]d > 0 } }") + "    }\n" +
		repeat(n, "    on f%[1]d(id: String) { transition(id, \"end\") }") + "}\n"
}

func clique(n int) string {
	calls := repeat(n, "        s = s + A%[1]d._h(n)")
	return repeat(n, "cell A%[1]d {\n    on f(n: Int) {\n        let s = 0\n"+strings.ReplaceAll(calls, "%", "%%")+"        return s\n    }\n    on _h(n: Int) {\n        return n\n    }\n}")
}

// statement is a program whose handler repeats a statement.
func statement(line string) func(n int) string {
	return func(n int) string {
		return "cell A {\n    memory {\n        s: Map<String, Int> [persistent]\n    }\n    state m {\n        initial: a\n        a -> b\n    }\n" +
			"    on f(n: Int) {\n" + repeat(n, "        "+line) + "        return n\n    }\n}\n"
	}
}

func nestedIfs(n int) string {
	// Nesting has a limit of 400: deep towers, one after the other.
	const deep = 100
	tower := strings.Repeat("if n > 1 { n = n + 1 ", deep) + strings.Repeat("}", deep)
	return "cell A {\n    on f(n: Int) {\n" + repeat(n/deep, "        "+tower) + "        return n\n    }\n}\n"
}

func oneLine(n int) string {
	return "cell A {\n    on f(n: Int) {\n        return \"" + strings.Repeat("{n}", n) + "\"\n    }\n}\n"
}

func parameters(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d: Int, ", i)
	}
	return "cell A {\n    on f(" + strings.TrimSuffix(b.String(), ", ") + ") {\n        return a0\n    }\n}\n"
}

func plainSlots(n int) string {
	return "cell A {\n    memory {\n" + repeat(n, "        s%[1]d: Map<String, Int> [persistent]") + "    }\n" +
		"    on f(k: String) {\n" + repeat(n, "        s%[1]d.set(k, 1)") + "        return 1\n    }\n}\n"
}

func tests(n int) string {
	return "cell A {\n    on f(n: Int) {\n        return n\n    }\n}\n\ncell test T {\n    rules {\n" +
		repeat(n, "        let x%[1]d = f(%[1]d)\n        assert x%[1]d == %[1]d") + "    }\n}\n"
}

func unclosed(n int) string {
	return repeat(n, "cell A%[1]d {\n    on f(n: Int) {\n        if n > 1 {\n    }\n}\n")
}

// inLoop is a program whose handler repeats a statement inside a while loop.
func inLoop(line string) func(n int) string {
	return func(n int) string {
		return "cell A {\n    on f(n: Int) {\n        while n > 0 {\n" + repeat(n, "            "+line) + "        }\n        return n\n    }\n}\n"
	}
}

func moves(n int) string {
	return "cell A {\n    state m {\n        initial: s0\n" + repeat(n, "        s%[1]d -> s%[2]d") + "    }\n" +
		"    on f(id: String) {\n" + repeat(n, "        transition(id, \"s%[1]d\", \"s%[2]d\")") + "        return 1\n    }\n}\n"
}

func frames(n int) string {
	return "skeleton A {\n    memory {\n        s: Map<String, Int> [persistent]\n    }\n    face {\n        signal f0(n: Int) -> Int  writes s\n" +
		repeat(n, "        signal f%[2]d(n: Int) -> Int  writes s  calls f%[1]d") + "    }\n}\n\nflesh A {\n    on f0(n) {\n        s.set(\"k\", n)\n        return n\n    }\n" +
		repeat(n, "    on f%[2]d(n) {\n        s.set(\"k%[1]d\", n)\n        return f%[1]d(n)\n    }") + "}\n"
}

// passedOn nests loops, each of which gives its local the value of the next one: the types
// that the innermost one assigns take as many rounds to come out.
func passedOn(n int) string {
	var b strings.Builder
	b.WriteString("cell A {\n    on f(n: Int) {\n")
	b.WriteString(repeat(n+1, "        let x%[1]d = %[1]d"))
	for i := range n {
		fmt.Fprintf(&b, "        while n > %[1]d {\n        x%[1]d = x%[2]d\n", i, i+1)
		b.WriteString(repeat(100, fmt.Sprintf("        let y%d_%%[1]d = \"{x%d}\"\n        print(y%d_%%[1]d)", i, i, i)))
	}
	fmt.Fprintf(&b, "        x%d = \"a\"\n%s        return x0\n    }\n}\n", n, strings.Repeat("        }\n", n))
	return b.String()
}
