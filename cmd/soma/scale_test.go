package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A check takes about linear time in the length of a body: none of these may take seconds.
func TestLongBodiesAreCheckedInTime(t *testing.T) {
	const n = 4000
	in := func(body string) string {
		return "cell A {\n memory { s: Map<String, Int> [persistent] }\n on g() { return 1 }\n on f(a: Int) {\n" + body + "\n return 1 }\n}\n"
	}
	for name, text := range map[string]string{
		"arms":       in("let b = match a {\n" + strings.Repeat("7 -> 1\n", n) + "_ -> 2 }"),
		"else ifs":   in("if a == 1 { a = 2 }" + strings.Repeat(" else if a == 3 { a = 4 }", n)),
		"tries":      in(strings.Repeat("let r = try { fail(\"x\") }\n", n)),
		"calls":      in(strings.Repeat("g()\n", n)),
		"writes":     in(strings.Repeat("s.set(\"k\", 1)\n", n)),
		"loops":      in(strings.Repeat("while a > 0 { a -= 1 }\n", n/8)),
		"one line":   in("let x = \"" + strings.Repeat("{b}", n) + "\""),
		"parameters": "cell A { on f(" + strings.TrimSuffix(strings.Repeat("a: Int, ", n), ", ") + ") { return 1 } }",
	} {
		path := filepath.Join(t.TempDir(), "app.cell")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		p, err := load(path)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		renderDiagnostics(&out, p.findings)
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s: %v", name, d)
		}
	}
}
