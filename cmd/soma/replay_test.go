package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"soma.cell/frontend/progen"
)

// replayed counts what became of counterexamples.
type replayed struct {
	outcomes map[string]int // by kind of obligation and outcome
	abstract []string
	tests    int
}

// add verifies a program, and runs the tests that were written of its counterexamples as anybody
// would: each cell asserts that a call is refused, so a wrong "reproduced" would fail here.
func (r *replayed) add(t *testing.T, path string) {
	t.Helper()
	tests := filepath.Join(filepath.Dir(path), "written_cases.cell")
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		tests = filepath.Join(path, "written_cases.cell")
	}
	_, output := runSoma("verify", "--json", "--write-test", tests, path)
	var doc verifyDoc
	if err := json.Unmarshal([]byte(output), &doc); err != nil || doc.Obligations == nil {
		return // not a program to verify
	}
	for _, o := range doc.Obligations {
		c := o.Counterexample
		if c == nil {
			continue
		}
		r.outcomes[o.Kind+" "+c.Outcome]++
		switch c.Outcome {
		case "reproduced":
			if c.Refused == "" {
				t.Errorf("%s: %s is reproduced without an error", path, o.ID)
			}
		case "abstract":
			r.abstract = append(r.abstract, fmt.Sprintf("%s:%d %s %s", filepath.Base(path), o.Line, o.ID, c.Effect))
		default:
			t.Errorf("%s: %s was not run", path, o.ID)
		}
	}
	text, err := os.ReadFile(tests)
	if err != nil {
		return
	}
	defer os.Remove(tests)
	if status, output := runSoma("check", tests); status != statusOK {
		t.Fatalf("soma check exits %d:\n%s\n%s", status, output, text)
	}
	_, output = runSoma("test", "--json", "--run", "^Refused", tests)
	var run testRunDoc
	if err := json.Unmarshal([]byte(output), &run); err != nil {
		t.Fatal(err)
	}
	n := strings.Count(string(text), "\ncell test Refused")
	passed := 0
	for _, c := range run.Tests {
		if strings.HasPrefix(c.Name, "Refused") && c.Passed > 0 && c.Failed == 0 {
			passed++
		}
	}
	if passed != n {
		t.Errorf("%s: %d test cells, %d pass\n%s", path, n, passed, text)
	}
	r.tests += n
}

func (r *replayed) log(t *testing.T) (reproduced, abstract int) {
	t.Helper()
	for _, what := range slices.Sorted(maps.Keys(r.outcomes)) {
		t.Logf("%4d %s", r.outcomes[what], what)
		if strings.HasSuffix(what, "reproduced") {
			reproduced += r.outcomes[what]
		} else {
			abstract += r.outcomes[what]
		}
	}
	t.Logf("%4d tests were written", r.tests)
	for _, a := range r.abstract {
		t.Log("abstract:", a)
	}
	return reproduced, abstract
}

// TestCounterexamplesAreRun holds that each counterexample to the project's programs was run, and
// that nearly all are reproduced.
func TestCounterexamplesAreRun(t *testing.T) {
	r := &replayed{outcomes: map[string]int{}}
	for _, name := range corpusPrograms(t) {
		r.add(t, readExample(t, filepath.Join(corpusFolder, name)).copy(t))
	}
	prove, _ := filepath.Glob("../../testdata/prove/*.cell")
	for _, file := range prove {
		r.add(t, readExample(t, file).copy(t))
	}
	for _, file := range corpusTwins(t) {
		original := readExample(t, filepath.Join(corpusFolder, corpusOriginal(file)))
		forCorpusTwins(t, file, original, func(tw namedTwin) { r.twin(t, tw, original) })
	}
	forTwins(t, func(t *testing.T, original example, archive []namedTwin) {
		for _, tw := range archive {
			r.twin(t, tw, original)
		}
	})
	reproduced, abstract := r.log(t)
	if reproduced < 150 || reproduced < 3*abstract {
		t.Errorf("%d counterexamples are reproduced, %d are abstract", reproduced, abstract)
	}
}

func (r *replayed) twin(t *testing.T, tw namedTwin, original example) {
	if tw.command == "verify" {
		r.add(t, tw.materialize(t, original))
	}
}

// TestReproducedOfDrawnPrograms holds the same of programs drawn at random.
func TestReproducedOfDrawnPrograms(t *testing.T) {
	r := &replayed{outcomes: map[string]int{}}
	folder := t.TempDir()
	for seed := range uint64(40) {
		text := progen.New(progen.Seed(seed+900), progen.Options{Size: 1, Without: progen.Tests}).Text
		r.add(t, writeTemp(t, folder, fmt.Sprintf("drawn%d.cell", seed), text))
	}
	if reproduced, _ := r.log(t); reproduced == 0 {
		t.Error("nothing was compared")
	}
}

// TestReproducedOfSmallPrograms holds it of handlers of a few lines, of which most can be refused.
func TestReproducedOfSmallPrograms(t *testing.T) {
	r := &replayed{outcomes: map[string]int{}}
	folder := t.TempDir()
	for seed := range uint64(60) {
		text := smallProgram(rand.New(rand.NewPCG(seed, 1)))
		r.add(t, writeTemp(t, folder, fmt.Sprintf("small%d.cell", seed), text))
	}
	reproduced, abstract := r.log(t)
	if reproduced < 60 || r.tests < 50 || abstract > reproduced/4 {
		t.Errorf("%d counterexamples are reproduced, %d abstract, %d tests written", reproduced, abstract, r.tests)
	}
}

// smallProgram draws a cell with rules on and between slots, a machine, and one handler that
// tests, asks, moves and writes.
func smallProgram(r *rand.Rand) string {
	one := func(list ...string) string { return list[r.IntN(len(list))] }
	number := func() string { return one("0", "1", "3", "10", "0 - 2", "25") }
	value := func() string {
		return one("n", "n + "+number(), "n * 2", "(num.get(k) ?? 0) + n", "(num.get(k) ?? 0) - 1", "(cap.get(k) ?? 0) + n",
			"to_int(think(k)) ?? 0", "len(k)", "xs.len", number())
	}
	test := func() string {
		return one("n > "+number(), "n < "+number(), "num.get(k) != ()", "(cap.get(k) ?? 0) >= n", `k == "vip"`, `get_status(k) == "b"`,
			"flag", `approve("it")`, "xs.len > 1", `think(k) == "go"`)
	}
	var body strings.Builder
	for range 1 + r.IntN(3) {
		switch r.IntN(6) {
		case 0:
			fmt.Fprintf(&body, "        require %s else No\n", test())
		case 1:
			fmt.Fprintf(&body, "        if %s { num.set(k, %s) }\n", test(), value())
		case 2:
			fmt.Fprintf(&body, "        cap.set(k, %s)\n", value())
		case 3:
			fmt.Fprintf(&body, "        for x in xs { log.push(x + %s) }\n", number())
		case 4:
			fmt.Fprintf(&body, "        if %s { transition(k, \"a\", \"b\") }\n", test())
		default:
			fmt.Fprintf(&body, "        num.set(k, %s)\n", value())
		}
	}
	return fmt.Sprintf(`cell agent C {
    memory {
        num: Map<String, Int> [persistent]
        cap: Map<String, Int> [persistent]
        log: List<Int> [persistent]
        invariant %s
        invariant %s
        invariant %s
    }
    state m {
        initial: a
        a -> b { guard { %s } }
        b -> a
    }
    on h(k: String, n: Int, flag: Bool, xs: List<Int>) {
%s        return 0
    }
    on forth(k: String, n: Int) { transition(k, "a", "b") }
    on back(k: String) { transition(k, "b", "a") }
}
`, one("num >= 0", "num <= 20", "num != 7"), one("(num ?? 0) <= (cap ?? 30)", "cap >= 0 - 5", "(cap ?? 1) > 0 || (num ?? 0) < 9"),
		one("log >= 0", "log < 50", "log >= 0 - 9 && log <= 9"), one("n > 0", "(num.get(_id) ?? 0) < 5", "n != 3"), body.String())
}

// Cases are small: no number is larger, no text longer, nothing is stored beyond need.
func TestSmallCases(t *testing.T) {
	for _, c := range []struct{ name, rule, body, call, before string }{
		{"a negative number", "num >= 0", "num.set(k, n)", `k = "a", n = -1, xs = []`, ""},
		{"past a bound", "num <= 100", "num.set(k, n)", `k = "a", n = 101, xs = []`, ""},
		{"past a bound, behind a test", "num <= 100", "require n > 50 else No  num.set(k, n * 2)", `k = "a", n = 51, xs = []`, ""},
		{"a sum", "num <= 10", "num.set(k, (num.get(k) ?? 0) + n)", `k = "a", n = 1, xs = []`, `num["a"] = 10`},
		{"what is stored", "num >= 0", "require num.get(k) != () else No  num.set(k, (num.get(k) ?? 0) - 1)", `k = "a", n = 0, xs = []`, `num["a"] = 0`},
		{"two slots", "(num ?? 0) <= (cap ?? 3)", "require (cap.get(k) ?? 9) < 3 else No  num.set(k, n)", `k = "a", n = 1, xs = []`, `cap["a"] = 0`},
		{"another key", "(num ?? 0) <= (cap ?? 0)", `require n <= (cap.get("zz") ?? 0) else No  num.set(k, n)`, `k = "a", n = 0, xs = []`, `num["a"] = -1, cap["a"] = -1`},
		{"an element", "num >= 0", "for x in xs { num.set(k, x) }", `k = "a", n = 0, xs = [-1]`, ""},
		{"a text", "num >= 0", `if k == "vip" { num.set(k, 0 - 1) }`, `k = "vip", n = 0, xs = []`, ""},
		{"a state", "num >= 0", `if get_status(k) == "b" { num.set(k, n) }`, `k = "a", n = -1, xs = []`, `"a" is in b`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := fmt.Sprintf(`
cell C {
    memory {
        num: Map<String, Int> [persistent]
        cap: Map<String, Int> [persistent]
        invariant %s
    }
    state m { initial: a  a -> b  b -> a }
    on h(k: String, n: Int, xs: List<Int>) { %s }
    on go(k: String) { transition(k, "a", "b") }
    on back(k: String) { transition(k, "b", "a") }
}
`, c.rule, c.body)
			_, output := runSoma("verify", writeTemp(t, t.TempDir(), "c.cell", text))
			_, case_, ok := strings.Cut(output, "counterexample, reproduced by a run:\n")
			if !ok {
				t.Fatal(output)
			}
			lines := strings.Split(case_, "\n")
			if got := strings.TrimSpace(lines[0]); got != "call: h("+c.call+")" {
				t.Errorf("got %s, want %s", got, c.call)
			}
			var before []string
			for _, l := range lines[1:] {
				l, ok := strings.CutPrefix(strings.TrimSpace(l), "before: ")
				if !ok {
					break
				}
				before = append(before, l)
			}
			if got := strings.Join(before, ", "); got != c.before {
				t.Errorf("before: %s, want %s", got, c.before)
			}
		})
	}
}
