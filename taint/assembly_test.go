package taint_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestNoAssembly is TestNoLeak for programs in which answers only decide branches: texts grow
// in loops, recursions and slots, and no sink that shows many of them may pass.
func TestNoAssembly(t *testing.T) { overSeeds(t, 25, noAssembly) }

func noAssembly(t *testing.T, seed uint64) (flagged, passed int) {
	g := &builder{Rand: rand.New(rand.NewPCG(seed, 11))}
	return watch(t, seed, g.program(), func(r *rand.Rand) string { return []string{"a", "b"}[r.IntN(2)] })
}

// builder draws programs over three texts and a slot.
type builder struct {
	*rand.Rand
	out    strings.Builder
	sinks  int
	depth  int
	loops  int
	branch int  // branches outside loops so far: they multiply the texts a sink may show
	helper bool // _f may be called
}

func (g *builder) line(format string, args ...any) {
	fmt.Fprintf(&g.out, strings.Repeat("    ", g.depth+1)+format+"\n", args...)
}

func (g *builder) one(of ...string) string { return of[g.IntN(len(of))] }

func (g *builder) program() string {
	g.line("cell P {")
	g.line("    memory { txt: Map<String, String>  log: List<String> }")
	g.handler("_f")
	g.helper = true
	g.handler("h")
	g.handler("k")
	g.line("}")
	return g.out.String()
}

func (g *builder) handler(name string) {
	g.line("    on %s(p: String, n: Int) {", name)
	g.line(`        let s = ""  let t = "t"  let u = p  let i = 0`)
	if !g.helper && g.IntN(2) == 0 {
		g.line("        if n <= 0 { return p }")
		g.line("        if %s { return _f(%s, n - 1) }", g.cond(), g.text())
		g.line("        u = _f(%s, n - 1)", g.text())
	}
	g.branch = 0
	g.block(6)
	if g.helper {
		for _, v := range []string{"s", "t", "u"} {
			g.sink(v)
		}
	}
	g.line("        return %s", g.text())
	g.line("    }")
}

func (g *builder) block(n int) {
	g.depth++
	for range 1 + g.IntN(n) {
		g.stmt()
	}
	g.depth--
}

func (g *builder) stmt() {
	branches := g.depth < 4 && (g.loops > 0 || g.branch < 2)
	if g.loops > 0 && g.IntN(2) == 0 {
		v := g.one("s", "t", "u")
		g.line("if %s { %s = concat(%s, %q) }", g.cond(), v, g.one("s", "t", "u", v), g.one("a", "b"))
		return
	}
	switch g.IntN(9) {
	case 0, 1:
		if branches {
			g.branch++
			g.line("if %s {", g.cond())
			g.block(2)
			g.line("} else {")
			g.block(2)
			g.line("}")
			return
		}
	case 2, 7:
		if branches && g.loops < 2 {
			g.loop()
			return
		}
	case 3:
		if branches {
			g.branch++
			g.line("let r%d = try {", g.sinks+g.branch*100)
			g.block(2)
			g.line("require %s else No }", g.cond())
			return
		}
	case 4:
		g.line(`txt.set("x", %s)`, g.text())
		return
	case 5:
		g.sink(g.text())
		return
	case 6:
		g.line("log.push(%s)", g.text())
		return
	}
	g.line("%s = %s", g.one("s", "t", "u"), g.text())
}

func (g *builder) sink(text string) {
	g.line("http_post(%s, \"#%d\")", text, g.sinks)
	g.sinks++
}

func (g *builder) loop() {
	g.loops++
	switch g.IntN(3) {
	case 0:
		g.line("for x in range(0, 8) {")
	case 1:
		g.line("while %s {", g.cond())
	case 2:
		g.line(`for x in split(%s, "") {`, g.text())
	}
	g.block(3)
	if g.IntN(3) == 0 {
		g.line("    if %s { %s }", g.cond(), g.one("break", "continue"))
		g.depth++
		g.stmt()
		g.depth--
	}
	g.line("}")
	g.loops--
}

func (g *builder) cond() string {
	return g.one(`think("?") == "a"`, `contains(["a", "x"], think("?"))`, `len(s) > 2`, `t == "b"`, `contains(u, "a")`, `n > 1`)
}

func (g *builder) text() string {
	v := g.one("s", "t", "u", "p")
	switch g.IntN(12) {
	case 0, 1:
		return fmt.Sprintf("concat(%s, %q)", v, g.one("a", "b"))
	case 2:
		return fmt.Sprintf("concat(%s, %s)", v, g.one("s", "t", "u"))
	case 3:
		return fmt.Sprintf(`"{%s}%s"`, v, g.one("a", "b"))
	case 4, 5:
		return fmt.Sprintf("%q", g.one("a", "b", ""))
	case 6:
		return `(txt.get("x") ?? "a")`
	case 7:
		if g.helper {
			return fmt.Sprintf("_f(%s, 2)", v)
		}
	case 8:
		return g.one(`join(log.values, "")`, `to_string(log.last)`, `to_string(len(log))`)
	case 9:
		return fmt.Sprintf(`reduce(["x", "y"], %s, q => if think("?") == "a" { concat(q.acc, q.val) } else { q.acc })`, v)
	}
	return v
}
