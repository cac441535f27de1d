package taint_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/interp"
	"soma.cell/ir/lower"
	"soma.cell/taint"
)

// TestNoLeak runs random programs, with a model and a network that answer at random, and
// watches every URL that the interpreter asks for. A sink that the analysis passes may never
// show a text that only an answer can hold, nor more different texts than a few choices can
// make.
func TestNoLeak(t *testing.T) { overSeeds(t, 25, noLeak) }

// overSeeds runs a property for many seeds; LEAK_SEEDS=1-1000 asks for others.
func overSeeds(t *testing.T, count uint64, property func(t *testing.T, seed uint64) (flagged, passed int)) {
	first := uint64(1)
	if s := os.Getenv("LEAK_SEEDS"); s != "" {
		fmt.Sscanf(s, "%d-%d", &first, &count)
		count -= first - 1
	}
	flagged, passed := 0, 0
	for seed := first; seed < first+count; seed++ {
		f, p := property(t, seed)
		flagged, passed = flagged+f, passed+p
	}
	if flagged < int(count)/4 || passed < int(count)/4 {
		t.Errorf("%d sinks flagged, %d passed: the programs show little", flagged, passed)
	}
	t.Logf("%d sinks flagged, %d passed", flagged, passed)
}

// runs is how often a program runs; manyTexts is more than its tests can tell apart.
const (
	runs      = 50
	manyTexts = 16
)

func noLeak(t *testing.T, seed uint64) (flagged, passed int) {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 7))}
	return watch(t, seed, g.program(), answer)
}

// watch checks a program with numbered sinks, runs it, and compares.
func watch(t *testing.T, seed uint64, text string, answer func(*rand.Rand) string) (flagged, passed int) {
	program := resolvetest.Program(t, text)
	sys := lower.Program(program)
	result := taint.Check(sys, "2027")
	verified(t, sys, result)
	found := map[string]bool{} // by the number of the sink, which stands on its line
	for _, f := range result.Findings {
		line := f.Span.File.Line(f.Span.From().Line)
		_, n, _ := strings.Cut(line, `, "#`)
		n, _, _ = strings.Cut(n, `"`)
		found[n] = true
	}
	seen := map[string]map[string]bool{}
	for run := range uint64(runs) {
		random := rand.New(rand.NewPCG(seed, run))
		world := interp.New(program, interp.Options{
			Steps: 20_000,
			Model: answers{random, answer},
			Network: interp.NetworkFunc(func(f interp.Fetch) interp.Value {
				n := strings.TrimPrefix(interp.Render(f.Body), "#")
				if seen[n] == nil {
					seen[n] = map[string]bool{}
				}
				seen[n][f.URL] = true
				return interp.String(answer(random))
			}),
		})
		for range 4 {
			handler := []string{"h", "k"}[random.IntN(2)]
			world.Call(context.Background(), "P", handler, []interp.Value{interp.String("a"), interp.NewInt(2)})
		}
	}
	for n := range strings.Count(text, `, "#`) {
		key := strconv.Itoa(n)
		if found[key] {
			flagged++
			continue
		}
		passed++
		for url := range seen[key] {
			if strings.Contains(url, secret) {
				t.Errorf("seed %d: sink #%d shows %q and is not flagged\n%s", seed, n, url, text)
				break
			}
		}
		if len(seen[key]) > manyTexts {
			t.Errorf("seed %d: sink #%d shows %d texts and is not flagged\n%s", seed, n, len(seen[key]), text)
		}
	}
	return flagged, passed
}

// secret is in answers alone: no test of a program mentions it.
const secret = "qz"

type answers struct {
	*rand.Rand
	next func(*rand.Rand) string
}

func (a answers) Think(_ context.Context, r interp.Request) (interp.Reply, error) {
	for range a.IntN(3) {
		for _, tool := range r.Tools {
			tool.Call([]interp.Value{interp.String(a.next(a.Rand))})
		}
	}
	text := a.next(a.Rand)
	if text == "" {
		return interp.Reply{}, fmt.Errorf("no answer")
	}
	return interp.Reply{Text: text}, nil
}

func answer(r *rand.Rand) string {
	switch {
	case r.IntN(12) == 0:
		return ""
	case r.IntN(3) == 0:
		return secret + strconv.Itoa(r.IntN(1000))
	}
	return []string{"a", "b", "ab", "go", "x,a", "ba"}[r.IntN(6)]
}

// generator draws programs of one cell: handlers with helpers, slots, loops, function values
// and errors, whose sinks are numbered.
type generator struct {
	*rand.Rand
	out       strings.Builder
	sinks     int
	count     int
	texts     []string // locals
	lists     []string
	flags     []string
	functions []string
	helper    int // helpers above this one may be called
	depth     int
	loops     int
}

func (g *generator) program() string {
	fmt.Fprint(&g.out, `cell agent P {
    face { tool poke(x: String) -> String "pokes" }
    memory { txt: Map<String, String>  log: List<String> }
    on heard(x: String) { txt.set("e", x) }
    on _ap(f: Function, x: String) { return to_string(f(x)) }
`)
	g.helper = 2
	g.tool()
	for i := 2; i >= 0; i-- {
		g.helper = i
		g.handler(fmt.Sprintf("_f%d", i))
	}
	g.helper = -1
	g.handler("h")
	g.handler("k")
	g.out.WriteString("}\n")
	return g.out.String()
}

// tool is what the model may call during an answer.
func (g *generator) tool() {
	g.texts, g.depth = []string{"x"}, 0
	g.out.WriteString("    on poke(x: String) {\n")
	switch g.IntN(3) {
	case 0:
		g.line("    require x == %q else Bad", g.word())
	case 1:
		g.line("    if x == %q { log.push(%q) }", g.word(), g.word())
	}
	switch g.IntN(3) {
	case 0:
		g.line("    txt.set(\"x\", x)")
	case 1:
		g.line("    txt.set(\"y\", concat(txt.get(\"y\") ?? \"\", %q))", g.word())
	}
	g.depth++
	g.sink()
	g.line("return x")
	g.out.WriteString("    }\n")
}

func (g *generator) handler(name string) {
	g.texts, g.lists, g.flags, g.functions, g.depth, g.loops = []string{"p"}, nil, nil, nil, 0, 0
	fmt.Fprintf(&g.out, "    on %s(p: String, n: Int) {\n", name)
	for range 1 + g.IntN(2) {
		v := g.fresh("s")
		fmt.Fprintf(&g.out, "        let %s = %q\n", v, g.word())
		g.texts = append(g.texts, v)
	}
	if g.helper >= 0 && g.IntN(3) == 0 { // recursion, with an end
		fmt.Fprintf(&g.out, "        if n <= 0 { return %s }\n", g.text(1))
		fmt.Fprintf(&g.out, "        let r = %s(%s, n - 1)\n", name, g.text(1))
		g.texts = append(g.texts, "r")
	}
	g.block(5)
	fmt.Fprintf(&g.out, "        return %s\n    }\n", g.text(1))
}

func (g *generator) block(n int) {
	texts, lists, flags, functions := len(g.texts), len(g.lists), len(g.flags), len(g.functions)
	g.depth++
	for range 1 + g.IntN(n) {
		g.stmt()
	}
	g.depth--
	g.texts, g.lists, g.flags, g.functions = g.texts[:texts], g.lists[:lists], g.flags[:flags], g.functions[:functions]
}

func (g *generator) line(format string, args ...any) {
	fmt.Fprintf(&g.out, strings.Repeat("    ", g.depth+1)+format+"\n", args...)
}

func (g *generator) fresh(kind string) string {
	g.count++
	return kind + strconv.Itoa(g.count)
}

func (g *generator) stmt() {
	if g.depth > 3 {
		g.simple()
		return
	}
	switch g.IntN(12) {
	case 5, 6:
		if v := g.local(); v != "" {
			g.line("if %s { %s = concat(%s, %q) }", g.cond(1), v, v, g.word())
		}
	case 0, 1:
		g.line("if %s {", g.cond(2))
		g.block(3)
		if g.IntN(2) == 0 {
			g.line("} else {")
			g.block(3)
		}
		g.line("}")
	case 2:
		g.loop()
	case 3:
		v := g.fresh("r")
		g.line("let %s = try {", v)
		g.block(3)
		g.line("%s }", g.text(1))
		g.texts = append(g.texts, fmt.Sprintf("to_string(%s.%s)", v, g.one("value", "kind", "detail", "error")))
	case 4:
		s := g.text(1)
		v := g.fresh("s")
		g.line("let %s = match %s {", v, s)
		g.line("    %q -> %s", g.word(), g.text(1))
		g.line("    %q || %q -> { %s }", g.word(), g.word(), g.text(1))
		g.line(`    "a" + m -> m`)
		g.line("    w -> %s }", g.one("w", `"no"`, g.text(1)))
		g.texts = append(g.texts, v)
	default:
		g.simple()
	}
}

func (g *generator) loop() {
	if g.loops > 1 {
		g.simple()
		return
	}
	g.loops++
	texts, lists, flags, functions := len(g.texts), len(g.lists), len(g.flags), len(g.functions)
	switch g.IntN(3) {
	case 0:
		g.line("for %s in range(0, 6) {", g.fresh("i"))
	case 1:
		v := g.fresh("c")
		g.line("for %s in split(%s, %q) {", v, g.text(1), g.one("", ","))
		g.texts = append(g.texts, v)
	case 2:
		v := g.fresh("n")
		g.line("let %s = 0", v)
		g.line("while %s < 6 && %s {", v, g.cond(1))
		g.line("    %s = %s + 1", v, v)
	}
	g.block(3)
	if g.IntN(3) == 0 {
		g.line("    if %s { %s }", g.cond(1), g.one("break", "continue"))
		g.depth++
		g.simple()
		g.depth--
	}
	g.line("}")
	g.texts, g.lists, g.flags, g.functions = g.texts[:texts], g.lists[:lists], g.flags[:flags], g.functions[:functions]
	g.loops--
}

func (g *generator) simple() {
	switch g.IntN(16) {
	case 14:
		v := g.fresh("f")
		if s := g.local(); s != "" && g.IntN(2) == 0 {
			g.line("let %s = x => { %s = %s }", v, s, g.one("x", g.text(1)))
		} else {
			g.line("let %s = x => %s", v, g.one("x", g.text(1)))
		}
		g.functions = append(g.functions, v)
	case 15:
		if f := g.function(); f != "" {
			g.line(g.one("%s(%s)", "_ap(%s, %s)"), f, g.text(1))
		}
	case 0, 1:
		v := g.fresh("s")
		g.line("let %s = %s", v, g.text(2))
		g.texts = append(g.texts, v)
	case 2, 3, 4:
		if v := g.local(); v != "" {
			g.line("%s = %s", v, g.text(2))
		} else {
			g.sink()
		}
	case 5:
		v := g.fresh("l")
		g.line("let %s = %s", v, g.list())
		g.lists = append(g.lists, v)
	case 6:
		if len(g.lists) > 0 {
			v := g.lists[g.IntN(len(g.lists))]
			g.line("%s = push(%s, %s)", v, v, g.text(1))
		} else {
			g.line("log.push(%s)", g.text(1))
		}
	case 7:
		g.line("txt.set(%q, %s)", g.one("x", "y"), g.text(1))
	case 8:
		v := g.fresh("b")
		g.line("let %s = %s", v, g.cond(2))
		g.flags = append(g.flags, v)
	case 9:
		if g.IntN(3) > 0 {
			g.sink()
			return
		}
		g.line("require %s else Bad \"is {%s}\"", g.cond(1), g.plain())
	case 10:
		g.line("emit heard(%s)", g.text(1))
	default:
		g.sink()
	}
}

func (g *generator) sink() {
	g.line("http_post(%s, \"#%d\")", g.text(1), g.sinks)
	g.sinks++
}

// local is a text local that may be assigned.
func (g *generator) local() string {
	var out []string
	for _, v := range g.texts {
		if strings.HasPrefix(v, "s") {
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return out[g.IntN(len(out))]
}

func (g *generator) function() string {
	if len(g.functions) == 0 {
		return ""
	}
	return g.functions[g.IntN(len(g.functions))]
}

func (g *generator) one(of ...string) string { return of[g.IntN(len(of))] }

func (g *generator) word() string { return g.one("a", "b", "ab", "go") }

// plain is a local, to be shown in an interpolation.
func (g *generator) plain() string { return g.texts[g.IntN(len(g.texts))] }

func (g *generator) text(depth int) string {
	if depth == 0 || g.IntN(3) == 0 {
		if g.IntN(3) == 0 {
			return strconv.Quote(g.word())
		}
		return g.plain()
	}
	sub := func() string { return g.text(depth - 1) }
	switch g.IntN(20) {
	case 18:
		if f := g.function(); f != "" {
			return fmt.Sprintf(g.one("to_string(%s(%s))", "_ap(%s, %s)"), f, sub())
		}
	case 19:
		if g.helper < 2 {
			return fmt.Sprintf(`to_string(delegate("P", %s, %s, n))`, g.one(`"_f2"`, g.plain()), sub())
		}
	case 0, 1:
		if g.IntN(3) > 0 {
			return strconv.Quote(g.word())
		}
		return `think("?")`
	case 2, 3:
		return fmt.Sprintf("concat(%s, %s)", sub(), sub())
	case 4:
		return fmt.Sprintf(`"{%s}-{%s}"`, g.plain(), g.plain())
	case 5:
		return fmt.Sprintf("%s(%s)", g.one("lowercase", "trim", "uppercase"), sub())
	case 6:
		return fmt.Sprintf(`(txt.get(%q) ?? %s)`, g.one("x", "y", "e"), sub())
	case 7, 8:
		if g.helper < 2 {
			return fmt.Sprintf("_f%d(%s, n)", g.helper+1+g.IntN(2-g.helper), sub())
		}
		return sub()
	case 9:
		return fmt.Sprintf("(if %s { %s } else { %s })", g.cond(1), sub(), sub())
	case 10:
		return fmt.Sprintf("join(%s, \"\")", g.list())
	case 11:
		return fmt.Sprintf("reduce(%s, %s, p => concat(p.acc, %s))", g.list(), sub(), g.one("p.val", sub()))
	case 12:
		return fmt.Sprintf("to_string(len(%s))", sub())
	case 13:
		return fmt.Sprintf("to_string(map(\"a\", %s, \"b\", %s)[%s])", sub(), sub(), sub())
	case 14:
		return fmt.Sprintf("to_string(%s[0])", g.list())
	case 15:
		return fmt.Sprintf("join(log.values, %q)", g.one("", ","))
	case 16:
		return "to_string(log.last)"
	}
	return fmt.Sprintf("substring(%s, 0, 9)", sub())
}

func (g *generator) list() string {
	switch g.IntN(6) {
	case 0:
		if len(g.lists) > 0 {
			return g.lists[g.IntN(len(g.lists))]
		}
	case 1:
		return fmt.Sprintf("split(%s, \",\")", g.text(1))
	case 2:
		return fmt.Sprintf("map(split(%s, \"\"), x => %s)", g.text(1), g.one("x", `"a"`, g.text(1)))
	case 3:
		return fmt.Sprintf("filter([\"a\", %s], x => %s)", g.text(1), g.cond(1))
	}
	return fmt.Sprintf("[%s, %s]", g.text(1), g.text(1))
}

func (g *generator) cond(depth int) string {
	if depth > 0 && g.IntN(3) == 0 {
		switch g.IntN(3) {
		case 0:
			return "!(" + g.cond(depth-1) + ")"
		case 1:
			return g.cond(depth-1) + " && " + g.cond(depth-1)
		}
		return "(" + g.cond(depth-1) + " || " + g.cond(depth-1) + ")"
	}
	s := g.text(1)
	if g.IntN(2) == 0 {
		s = g.plain()
	}
	switch g.IntN(10) {
	case 8, 9:
		return fmt.Sprintf("think(\"?\") == %q", g.word())
	case 0, 1:
		return fmt.Sprintf("contains([%q, %q], %s)", g.word(), g.word(), s)
	case 2:
		return fmt.Sprintf("%s == %q", s, g.word())
	case 3:
		return fmt.Sprintf("%s != %q", s, g.word())
	case 4:
		return fmt.Sprintf("contains(%s, %q)", s, g.word())
	case 5:
		return fmt.Sprintf("len(%s) > 2", s)
	case 6:
		if len(g.flags) > 0 {
			return g.flags[g.IntN(len(g.flags))]
		}
	}
	return fmt.Sprintf("starts_with(%s, %q)", s, g.word())
}
