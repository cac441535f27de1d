package lower_test

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"soma.cell/frontend/diag"
	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/ir/lower"
)

var update = flag.Bool("update", false, "rewrite the expected systems")

// lowered resolves and lowers a text; nil when it has errors.
func lowered(name, text string) *ir.System {
	program := resolvetest.Try(source.NewFile(name, text))
	if program == nil {
		return nil
	}
	return lower.Program(program)
}

// The systems of testdata, as they print.
func TestSystems(t *testing.T) {
	files, err := filepath.Glob("testdata/*.cell")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			sys := lowered(filepath.Base(f), string(text))
			if sys == nil {
				t.Fatal("the program has errors")
			}
			if err := ir.Validate(sys); err != nil {
				t.Error(err)
			}
			var got bytes.Buffer
			if err := ir.Print(&got, sys); err != nil {
				t.Fatal(err)
			}
			golden := strings.TrimSuffix(f, ".cell") + ".ir"
			if *update {
				if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got.String()); d != "" {
				t.Errorf("(-want +got, -update rewrites)\n%s", d)
			}
		})
	}
}

// Every program of the project that checks lowers to a valid system that survives its codec,
// and ordinary ones with few abstractions.
func TestProgramsLowerToValidSystems(t *testing.T) {
	seen := 0
	check := func(name, text string) {
		sys := lowered(name, text)
		if sys == nil {
			return
		}
		seen++
		if err := ir.Validate(sys); err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		data, err := ir.Encode(sys)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if _, err := ir.Decode(data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	err := filepath.WalkDir("../../testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".cell" {
			return err
		}
		text, err := os.ReadFile(path)
		check(path, string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range diag.Table() {
		check(string(e.Code)+"/wrong", e.Wrong)
		check(string(e.Code)+"/right", e.Right)
	}
	if seen < 50 {
		t.Errorf("only %d programs lowered", seen)
	}
}

// What is not known must not be forgotten: the effects of each construct stand in the system
// wherever it hides.
func TestEffectsHideNowhere(t *testing.T) {
	for _, body := range []string{
		`return "{think("x")}"`,
		`require think("x") == "y" else No`,
		`require n > 0 else No "because {think("x")}"`,
		`return n > 0 && think("x") == "y"`,
		`return () ?? think("x")`,
		`let r = try { think("x") }  return 1`,
		`return if n > 0 { think("x") } else { "" }`,
		`return match think("x") { "a" -> 1  _ -> 2 }`,
		`return match n { 1 if think("x") == "y" -> 1  _ -> 2 }`,
		`let f = x => think("x")  return f(1)`,
		`return map([1], x => { think("x") })`,
		`return [1].map(x => think("x"))`,
		`let f = x => think("x")  return n.f()`,
		`let f = x => n  for i in [1, 2] { f(i)  f = x => think("x") }`,
		`let f = x => n  while n > 0 { f = x => 1  n = 0  f = x => think("x") }  f(1)`,
		`let f = x => n  if f != () { return think("x") }`,
		`let f = (x => n) ?? 5  if type_of(f) != "Int" { return think("x") }`,
		`return "x" |> think`,
		`return "x".think()`,
		`s[think("x")] = 1`,
		`s["k"] = len(think("x"))`,
		`let m = map("a", 1)  m[think("x")] = 2  return m`,
		`for c in think("x") { n = 1 }`,
		`while [loop_bound(2)] think("x") == "y" { n = 1 }`,
		`return [think("x")]`,
		`return R { f: think("x") }`,
		`emit ev(think("x"))`,
		`return !(think("x") == "y")`,
		`return try { think("x") }?`,
		`delegate("C", "g", think("x"))`,
		`s.set("k", 1 + len(think("x")))`,
		`return s.get(think("x"))`,
	} {
		body = strings.ReplaceAll(body, `{think("x")}`, `{think(\"x\")}`)
		sys := lowered("app.cell", "cell C {\n memory { s: Map<String, Int> [persistent] }\n on g(x: String) { return x }\n on ev(x: String) { return x }\n on h(n: Int) {\n"+body+"\n }\n}\n")
		if sys == nil {
			t.Errorf("does not check: %s", body)
			continue
		}
		if err := ir.Validate(sys); err != nil {
			t.Errorf("%s: %v", body, err)
		}
		found := false
		for _, a := range sys.Cells[0].Automata {
			for _, e := range a.Edges {
				for _, eff := range e.Effects {
					act, ok := eff.(*ir.Act)
					found = found || ok && act.Builtin == "think" && a.Name == "h"
				}
			}
		}
		if !found {
			t.Errorf("the model call is lost: %s", body)
		}
	}
}

// A builtin that may keep a function instead of running it lets it escape; one that surely
// runs it does not, and costs no precision.
func TestFunctionsUnderKeysAreKept(t *testing.T) {
	for body, kept := range map[string]bool{
		`return map(k, x => x + 1)`:                           true,
		`return map("k", x => x + 1)`:                         true,
		`return map(s.get(k) ?? 0, x => x + 1)`:               true,
		`return map([1], x => x + 1)`:                         false,
		`return map(xs, x => x + 1)`:                          false,
		`return map(filter(xs, x => x > 1), x => x + 1)`:      false,
		`return xs.sort().map(x => x + 1)`:                    false,
		`let ys = sort(xs)  return ys |> map(x => { x + 1 })`: false,
		`let f = x => x + 1  return [f]`:                      true,
		`let f = x => x + 1  return f(2)`:                     false,
	} {
		sys := lowered("app.cell", "cell C {\n memory { s: Map<String, Int> [persistent] }\n on h(k: String, xs: List<Int>) {\n"+body+"\n }\n}\n")
		if sys == nil {
			t.Errorf("does not check: %s", body)
			continue
		}
		got := false
		for _, e := range sys.Cells[0].Automata[0].Edges {
			for _, eff := range e.Effects {
				u, ok := eff.(*ir.Unknown)
				got = got || ok && u.Why == ir.KeptFunction
			}
		}
		if got != kept {
			t.Errorf("%s: kept %v, want %v", body, got, kept)
		}
	}
}
