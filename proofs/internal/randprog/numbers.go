package randprog

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// numberRules are the rules on counts and sums of programs that Numbers draws.
var numberRules = []string{
	"total(a) == total(b)", "total(a) <= 6", "total(b) >= 0", "total(a) + total(b) <= 9", "total(a) <= 3 * a.size",
	"a.size <= 2", "b.size <= a.size", "a.size + b.size <= 4", "size <= 3", "row.size <= 2", "row.size <= a.size",
	"a >= 0", "a <= a.size + 5", "(b ?? 0) <= a.size + 3", "a.size >= 1", "total(b) >= 1",
}

// Numbers draws a program with rules on counts and sums, and handlers that move amounts between
// the entries of slots. Its public handlers h0 and h1 take two texts and an Int.
func Numbers(t *rapid.T) string {
	g := &numbers{t: t}
	var b strings.Builder
	b.WriteString("cell N {\n    memory {\n        a: Map<String, Int> [persistent]\n        b: Map<String, Int> [persistent]\n        row: List<Int> [persistent]\n")
	for range 1 + g.pick(3) {
		fmt.Fprintf(&b, "        invariant %s\n", numberRules[g.pick(len(numberRules))])
	}
	b.WriteString("    }\n    on _help(s: String, n: Int) { a.set(s, (a.get(s) ?? 0) + n)  return n }\n")
	for i := range 2 {
		fmt.Fprintf(&b, "    on h%d(s: String, u: String, n: Int) {\n%s        return n\n    }\n", i, g.block(1, "        "))
	}
	b.WriteString("}\n")
	return b.String()
}

type numbers struct {
	t     *rapid.T
	count int
}

func (g *numbers) pick(n int) int { return rapid.IntRange(0, n-1).Draw(g.t, "choice") }

func (g *numbers) of(list ...string) string { return list[g.pick(len(list))] }

func (g *numbers) block(depth int, indent string) string {
	var b strings.Builder
	for range 1 + g.pick(3) {
		for _, line := range strings.Split(g.stmt(depth, indent), "\n") {
			fmt.Fprintf(&b, "%s%s\n", indent, line)
		}
	}
	return b.String()
}

func (g *numbers) key() string { return g.of("s", "u", `"x"`) }

func (g *numbers) amount() string {
	return g.of("n", "1", "0", "(0 - n)", "n + 1", "(a.get(s) ?? 0)", "(b.get(u) ?? 0)", "a.size", "sum(a.values)", "len(b)", "len(row)")
}

func (g *numbers) cond() string {
	return g.of("n >= 0", "s != u", "a.has(s)", "a.size < 2", "b.size < a.size", "len(row) < 2", "sum(a.values) + n <= 6",
		"sum(b.values) >= n", "a.size + b.size < 4", "row.size < a.size", "!b.has(u)", "n < 3")
}

func (g *numbers) stmt(depth int, indent string) string {
	inner := indent + "    "
	nested := func() string { return "{\n" + g.block(depth-1, inner) + indent + "}" }
	n := 12
	if depth > 0 {
		n = 17
	}
	switch g.pick(n) {
	case 0:
		return fmt.Sprintf("%s.set(%s, %s)", g.of("a", "b"), g.key(), g.amount())
	case 1, 2: // an amount goes from one entry to another, read one by one
		slot, from, to, n := g.of("a", "b"), g.key(), g.key(), g.amount()
		g.count++
		return fmt.Sprintf("let m%[5]d = %[4]s\n%[6]s%[1]s.set(%[2]s, (%[1]s.get(%[2]s) ?? 0) - m%[5]d)\n%[6]s%[1]s.set(%[3]s, (%[1]s.get(%[3]s) ?? 0) + m%[5]d)",
			slot, from, to, n, g.count, indent)
	case 3: // or both read first
		slot, from, to := g.of("a", "b"), g.key(), g.key()
		g.count++
		return fmt.Sprintf("let p%[4]d = %[1]s.get(%[2]s) ?? 0\n%[5]slet q%[4]d = %[1]s.get(%[3]s) ?? 0\n%[5]s%[1]s.set(%[2]s, p%[4]d - n)\n%[5]s%[1]s.set(%[3]s, q%[4]d + n)",
			slot, from, to, g.count, indent)
	case 4, 5: // the same on both sides
		k, l, n := g.key(), g.key(), g.of("n", "1", "2")
		return fmt.Sprintf("a.set(%[1]s, (a.get(%[1]s) ?? 0) + %[3]s)\n%[4]sb.set(%[2]s, (b.get(%[2]s) ?? 0) + %[3]s)", k, l, n, indent)
	case 6:
		return fmt.Sprintf("%s.delete(%s)", g.of("a", "b"), g.key())
	case 7:
		return g.of("row.push(n)", "row.delete(0)", "row.set(0, n)", "row.delete(-1)", "row.push(n)")
	case 8, 9:
		return fmt.Sprintf("require %s else No", g.cond())
	case 10:
		return fmt.Sprintf("if %s { return 1 }", g.cond())
	case 11:
		return fmt.Sprintf("_help(%s, %s)", g.key(), g.amount())
	case 12, 13:
		return fmt.Sprintf("if %s %s", g.cond(), nested())
	case 14, 15:
		g.count++
		return fmt.Sprintf("let r%[1]d = try {\n%[2]s%[3]srequire %[4]s else Odd\n%[3]s1\n%[5]s}\n%[5]sif r%[1]d.kind == \"Odd\" { row.push(0) }",
			g.count, g.block(depth-1, inner), inner, g.cond(), indent)
	}
	g.count++
	return fmt.Sprintf("for i%d in range(0, %d) %s", g.count, 1+g.pick(2), nested())
}
