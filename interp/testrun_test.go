package interp

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"soma.cell/frontend/resolve/resolvetest"
)

// show is a report as text, a line for each item.
func show(r *Report) string {
	var b strings.Builder
	for _, c := range r.Cells {
		fmt.Fprintf(&b, "test %s: %d passed, %d failed, %d skipped\n", c.Name, c.Passed, c.Failed, c.Skipped)
		for _, i := range c.Items {
			switch {
			case i.Kind == ItemNote:
				fmt.Fprintf(&b, "note %s\n", i.Text)
			case i.Kind == ItemPrinted:
				fmt.Fprintf(&b, "printed %q\n", i.Text)
			case i.Passed:
				fmt.Fprintf(&b, "ok %s%s%s\n", i.Source, prefixed(" -- ", i.Raised), prefixed(" -- ", i.Text))
			default:
				fmt.Fprintf(&b, "FAIL %d: %s%s%s%s\n", i.Span.From().Line, i.Source,
					prefixed(" left ", i.Left), prefixed(" right ", i.Right), prefixed(" -- ", i.Text))
			}
		}
	}
	return b.String()
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

func runTests(t *testing.T, text string, o TestOptions) string {
	t.Helper()
	return show(RunTests(context.Background(), resolvetest.Program(t, text), o))
}

const parcels = `
cell agent Parcels {
    memory { codes: Map<String, Int> [persistent]  invariant codes > 0 }
    state box { initial: empty  empty -> full  full -> empty }
    on put(id: String, code: Int) {
        codes.set(id, code)
        transition(id, "empty", "full")
        return next_id()
    }
    on ask(text: String) { return think("about {text}") }
    on rate() { return http_get("http://rates") }
    on greet(who: String) { print("hello", who)  return who }
    on sure() { return approve("the thing") }
    on _secret() { return 42 }
    on hint() { return _secret() }
}
`

func TestReport(t *testing.T) {
	got := runTests(t, parcels+`
cell test First { rules {
    let code = 7
    assert put("b1",
               code) == 1
    assert put("b2", 0 - 1) == 2
    assert get_status("b2") == "empty"
    assert put("b2", 5) == 2   // no id was burnt
    assert_fails put("b1", 3)
    assert_fails put("b3", 0) matching "codes > 0"
    assert_fails put("b3", 0) matching "nothing of the kind"
    assert_fails put("b4", 9)
    assert_fails codes.get(())
    assert_fails codes.get(()) matching "must be a String"
    assert codes.get("b1") == 7 && codes.len == 3
    assert codes.get("b1")
    assert greet("you") == "me"
    codes.set("b9", 0)
} }
cell test Second { rules {
    mock think ["one", "two"]
    assert ask("x") == "one"
    assert ask("x") == "two"
    assert ask("x") == "about x"
    mock think error "timeout: too slow"
    assert_fails ask("x")
    mock think error "overload"
    assert_fails ask("x") matching "overload"
    mock http_get map("rate", 2)
    assert rate().rate == 2
    mock http_get error "refused: no route"
    assert rate().kind == "refused"
    mock approve false
    assert sure() == false
    assert_fails sure()
    mock Parcels._secret 7
    assert hint() == 7
    assert hint() == 42
    mock think "left over"
    assert_fails put("q", 0)
    assert ask("y") == "about y"
    mock think ["never", "asked"]
} }
`, TestOptions{})
	want := `test First: 7 passed, 7 failed, 0 skipped
ok assert put("b1", code) == 1
FAIL 22: assert put("b2", 0 - 1) == 2 -- invariant: codes > 0 does not hold of the written value Int -1
ok assert get_status("b2") == "empty"
ok assert put("b2", 5) == 2
ok assert_fails put("b1", 3) -- invalid transition: full → full — transition(id, "empty", "full") declares its source, and 'b1' is in 'full', not 'empty'
ok assert_fails put("b3", 0) matching "codes > 0" -- invariant: codes > 0 does not hold of the written value Int 0
FAIL 27: assert_fails put("b3", 0) matching "nothing of the kind" -- raised invariant: codes > 0 does not hold of the written value Int 0 — which does not contain "nothing of the kind"
FAIL 28: assert_fails put("b4", 9) -- nothing was raised
FAIL 29: assert_fails codes.get(()) -- raised type: a key of slot ` + "`codes`" + ` must be a String or an Int, this is () — a type error counts only with ` + "`matching`" + `
ok assert_fails codes.get(()) matching "must be a String" -- type: a key of slot ` + "`codes`" + ` must be a String or an Int, this is ()
ok assert codes.get("b1") == 7 && codes.len == 3
FAIL 32: assert codes.get("b1") -- an assertion needs a Bool, this is Int
printed "hello you\n"
FAIL 33: assert greet("you") == "me" left "you" right "me"
FAIL 34: codes.set("b9", 0) -- invariant: codes > 0 does not hold of the written value Int 0
test Second: 13 passed, 0 failed, 0 skipped
ok assert ask("x") == "one"
ok assert ask("x") == "two"
note no LLM key configured — think() is mocked (echo: the reply is the prompt). Script replies with ` + "`mock think \"…\"`" + `, or set [agent] mock in soma.toml.
ok assert ask("x") == "about x"
ok assert_fails ask("x") -- timeout: too slow
ok assert_fails ask("x") matching "overload" -- overload
ok assert rate().rate == 2
ok assert rate().kind == "refused"
ok assert sure() == false
ok assert_fails sure() -- approval_required: nobody approved: the thing
ok assert hint() == 7
ok assert hint() == 42
ok assert_fails put("q", 0) -- invariant: codes > 0 does not hold of the written value Int 0
note mock think "left over" (app.cell:55:5): its reply was never asked for
ok assert ask("y") == "about y"
note mock think ["never", "asked"] (app.cell:58:5): 2 of its replies were never asked for
`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestEachTestCellStartsAfresh(t *testing.T) {
	got := runTests(t, parcels+`
cell test A { rules { assert put("b", 1) == 1 } }
cell test B { rules { assert get_status("b") == "empty"  assert put("b", 1) == 1 } }
`, TestOptions{})
	if strings.Contains(got, "FAIL") {
		t.Error(got)
	}
}

// The filter leaves out what is reported, never what is done.
func TestFilter(t *testing.T) {
	text := parcels + `
cell test A { rules { assert put("b", 1) == 1  assert get_status("b") == "full" } }
`
	got := runTests(t, text, TestOptions{Run: regexp.MustCompile("get_status")})
	want := "test A: 1 passed, 0 failed, 1 skipped\nok assert get_status(\"b\") == \"full\"\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestModelsOfTheCaller(t *testing.T) {
	text := parcels + `
cell test A { rules { assert ask("x") == "fine"  mock think "mine"  assert ask("x") == "mine" } }
`
	got := runTests(t, text, TestOptions{World: Options{Model: Fixed("fine")}})
	if strings.Contains(got, "FAIL") || strings.Contains(got, "note") {
		t.Error(got)
	}
}

// Errors that show a fault of the test never count as a refusal, even where they match.
func TestFaultsOfTheTestNeverSatisfyAssertFails(t *testing.T) {
	for kind, refuses := range map[string]bool{
		KindUndefinedVariable: false, KindUndefinedFunction: false, KindAmbiguous: false,
		KindUnsupported: false, KindLimit: false, KindStackOverflow: true, "MyTag": true, KindInvariant: true,
	} {
		if noRefusal(&Error{Kind: kind}) == refuses {
			t.Errorf("%s counts as a refusal: %v", kind, !refuses)
		}
	}
	got := runTests(t, parcels+`
cell Loop { on spin() { while true { } } }
cell test A { rules { assert_fails spin() matching "steps" } }
`, TestOptions{World: Options{Steps: 10_000}})
	if !strings.Contains(got, "FAIL") || !strings.Contains(got, "which is no refusal by the program") {
		t.Error(got)
	}
}

func TestProperties(t *testing.T) {
	got := runTests(t, `
cell Sums {
    memory { seen: Map<String, Int> [persistent] }
    on double(n: Int) { seen.set("n", (seen.get("n") ?? 0) + 1)  return n * 2 }
    on odd(n: Int) { require n < 70 || n > 999999 else Big  return n }
}
cell test A { rules {
    property "doubles" forall x: Int in 0 - 50..50 ensures double(x) == x + x
    property "wide" forall x: Int in 0..1000000000000 count 50 ensures double(x) >= x
    property "small" forall x: Int in 0..20000 ensures x < 12345
    property "sampled" forall x: Int in 0..1000000 ensures x < 4321
    property "negative" forall x: Int in 0 - 1000000..0 ensures x > 0 - 77
    property "raises" forall x: Int in 0..100 ensures odd(x) == x
    property "empty" forall x: Int in 5..5 ensures true
    assert seen.len == 0
} }
`, TestOptions{})
	want := `test A: 3 passed, 5 failed, 0 skipped
ok property "doubles" forall x: Int in 0 - 50..50 ensures double(x) == x + x -- all 100 values
ok property "wide" forall x: Int in 0..1000000000000 count 50 ensures double(x) >= x -- 50 sampled values, no proof
FAIL 10: property "small" forall x: Int in 0..20000 ensures x < 12345 -- fails for x = 12345
FAIL 11: property "sampled" forall x: Int in 0..1000000 ensures x < 4321 -- fails for x = 4321
FAIL 12: property "negative" forall x: Int in 0 - 1000000..0 ensures x > 0 - 77 -- fails for x = -77
FAIL 13: property "raises" forall x: Int in 0..100 ensures odd(x) == x -- fails for x = 70: raised Big: requirement not met: n < 70 || n > 999999
FAIL 14: property "empty" forall x: Int in 5..5 ensures true -- range: the range 5..5 is empty
ok assert seen.len == 0
`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

const twoCells = `
cell A {
    memory { s: Map<String, Int> [persistent] }
    on f(n: Int) { s.set("k", n)  return n }
    on g() { return 1 }
}
cell B {
    memory { s: Map<String, Int> [persistent]  only: List<Int> [ephemeral] }
    on g() { only.push(1)  return 2 }
}
`

// Helpers, slots, locals and loops of a test cell; each outermost call is a transaction.
func TestRulesAreStatements(t *testing.T) {
	got := runTests(t, twoCells+`
cell test T {
    on twice(n: Int) { let a = f(n)  return a + f(n + 1) }
    on keep(n: Int) { A.s.set("h", n)  fail("no") }
    on number() { return next_id() }
    rules {
        assert twice(3) == 7
        assert A.s.get("k") == 4 && B.s.get("k") == ()
        assert only.len == 0
        assert B.g() == 2 && only[0] == 1
        only.push(7)
        assert only.last == 7
        assert_fails keep(3)
        assert A.s.get("h") == ()
        let x = 3
        x = x + 1
        if x == 4 { A.s.set("q", 1) }
        for i in range(0, 3) { A.s.set("{i}", i) }
        assert x == 4 && A.s.get("q") == 1 && A.s.len == 5
        let r = try { A.s.set("r", 1)  fail("no") }
        assert r.kind == "no" && !A.s.has("r")
        assert [number(), number(), next_id()] == [1, 2, 3]
    }
    rules { assert x == 4 }
}
`, TestOptions{})
	if strings.Contains(got, "FAIL") || !strings.HasPrefix(got, "test T: 11 passed, 0 failed") {
		t.Error(got)
	}
}

// What fails shows why, and the run goes on.
func TestFailuresSayWhy(t *testing.T) {
	got := runTests(t, twoCells+`
cell test T { rules {
    assert 1 == "1"
    assert B.g() < "x"
    assert ()
    assert [1, "a"] == [1, "b"]
    assert !(1 == 1)
    assert 1 < 2 && 3 < 2
    assert f(1 / 0) == 1
    assert_fails f(1)
    assert_fails f(1) matching ""
    assert_fails 1 / 0 matching "zero: div"
    assert_fails 1 / 0 matching "division_by_zero: division by zero"
    assert_fails 1 / 0 matching "two"
    assert_fails 1 / 0 matching "{1 / 0}"
    assert_fails delegate("A", "f", "x") matching "must be Int"
    assert_fails fail("undefined_variable", "x")
    let h = "nothing"
    assert_fails delegate("A", h)
    assert_fails delegate("A", h) matching "undefined_function"
} }
`, TestOptions{})
	want := `test T: 3 passed, 14 failed, 0 skipped
FAIL 13: assert 1 == "1" -- type: Int and String cannot be compared
FAIL 14: assert B.g() < "x" -- type: Int and String have no order: ` + "`<`" + ` and its kin need two numbers or two strings
FAIL 15: assert () -- an assertion needs a Bool, this is ()
FAIL 16: assert [1, "a"] == [1, "b"] left [1, "a"] right [1, "b"]
FAIL 17: assert !(1 == 1)
FAIL 18: assert 1 < 2 && 3 < 2
FAIL 19: assert f(1 / 0) == 1 -- division_by_zero: division by zero
FAIL 20: assert_fails f(1) -- nothing was raised
FAIL 21: assert_fails f(1) matching "" -- nothing was raised
ok assert_fails 1 / 0 matching "zero: div" -- division_by_zero: division by zero
ok assert_fails 1 / 0 matching "division_by_zero: division by zero" -- division_by_zero: division by zero
FAIL 24: assert_fails 1 / 0 matching "two" -- raised division_by_zero: division by zero — which does not contain "two"
FAIL 25: assert_fails 1 / 0 matching "{1 / 0}" -- division_by_zero: division by zero
ok assert_fails delegate("A", "f", "x") matching "must be Int" -- type: f: parameter ` + "`n`" + ` must be Int, this is String "x"
FAIL 27: assert_fails fail("undefined_variable", "x") -- raised undefined_variable: x — which is no refusal by the program
FAIL 29: assert_fails delegate("A", h) -- raised undefined_function: there is no handler ` + "`A.nothing`" + ` of 0 arguments that may be called from outside — which is no refusal by the program
FAIL 30: assert_fails delegate("A", h) matching "undefined_function" -- raised undefined_function: there is no handler ` + "`A.nothing`" + ` of 0 arguments that may be called from outside — which is no refusal by the program
`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestOddProperties(t *testing.T) {
	got := runTests(t, twoCells+`
cell test T { rules {
    property "string" forall n: String in 0..3 ensures true
    property "no range" forall n: Int in 0.."x" ensures true
    property "no Bool" forall n: Int in 0..3 ensures n
    property "no count" forall n: Int in 0..100000 count 0 ensures true
    property "too many" forall n: Int in 0..100000 count 20001 ensures true
    property "backwards" forall n: Int in 3..0 ensures true
    property "at the limit" forall n: Int in 0..20000 count 5 ensures n >= 0
    property "past it" forall n: Int in 0..20001 count 5 ensures n >= 0
    property "the usual number" forall n: Int in 0..20001 ensures n >= 0
    property "the ends" forall n: Int in 0..1000000 count 2 ensures n != 999999
    property "far" forall n: Int in 100000000000000000000..100000000000000000005 ensures n > 100000000000000000003
    property "near zero" forall n: Int in 0 - 50..50 ensures n >= 0
    property "raises" forall n: Int in 0 - 5..5 ensures 10 / n < 100
    property "of a name" forall n: Int in 0..A.g() + 1 ensures f(n) == n
    assert A.s.len == 0
} }
`, TestOptions{})
	want := `test T: 5 passed, 10 failed, 0 skipped
FAIL 13: property "string" forall n: String in 0..3 ensures true -- type: a property ranges over Ints, not over String
FAIL 14: property "no range" forall n: Int in 0.."x" ensures true -- type: a property ranges over Ints, not over String
FAIL 15: property "no Bool" forall n: Int in 0..3 ensures n -- fails for n = 0: raised type: an assertion needs a Bool, this is Int
FAIL 16: property "no count" forall n: Int in 0..100000 count 0 ensures true -- range: count must be in 1..20000
FAIL 17: property "too many" forall n: Int in 0..100000 count 20001 ensures true -- range: count must be in 1..20000
FAIL 18: property "backwards" forall n: Int in 3..0 ensures true -- range: the range 3..0 is empty
ok property "at the limit" forall n: Int in 0..20000 count 5 ensures n >= 0 -- all 20000 values
ok property "past it" forall n: Int in 0..20001 count 5 ensures n >= 0 -- 5 sampled values, no proof
ok property "the usual number" forall n: Int in 0..20001 ensures n >= 0 -- 1000 sampled values, no proof
FAIL 22: property "the ends" forall n: Int in 0..1000000 count 2 ensures n != 999999 -- fails for n = 999999
FAIL 23: property "far" forall n: Int in 100000000000000000000..100000000000000000005 ensures n > 100000000000000000003 -- fails for n = 100000000000000000000
FAIL 24: property "near zero" forall n: Int in 0 - 50..50 ensures n >= 0 -- fails for n = -1
FAIL 25: property "raises" forall n: Int in 0 - 5..5 ensures 10 / n < 100 -- fails for n = 0: raised division_by_zero: division by zero
ok property "of a name" forall n: Int in 0..A.g() + 1 ensures f(n) == n -- all 2 values
ok assert A.s.len == 0
`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Sampling is the same in every run, and so is what random gives each test cell.
func TestRunsRepeat(t *testing.T) {
	text := twoCells + `
cell test T { rules {
    property "sampled" forall n: Int in 0..1000000000000 count 30 ensures n % 7 != 3
    let p = print(random(1000000), random())
} }
cell test U { rules { let p = print(random(1000000), random())  assert true } }
`
	first := runTests(t, text, TestOptions{})
	if second := runTests(t, text, TestOptions{}); first != second {
		t.Errorf("%s\nthen\n%s", first, second)
	}
	var printed []string
	for _, line := range strings.Split(first, "\n") {
		if strings.HasPrefix(line, "printed") {
			printed = append(printed, line)
		}
	}
	if len(printed) != 2 || printed[0] != printed[1] {
		t.Error(first)
	}
}

// Every test cell needs an assertion of its own, and a program a test cell.
func TestWhatIsNoTestRun(t *testing.T) {
	for text, ok := range map[string]bool{
		`cell test T { rules { assert true } }`:                                          true,
		`cell test T { rules { assert true } } cell test U { rules { let x = A.g() } }`:  false,
		`cell test T { rules { } }`:                                                      false,
		`cell test T { rules { property "p" forall n: Int in 0..3 ensures true } }`:      true,
		`cell test T { rules { assert_fails fail("x") } }`:                               true,
		`cell test T { rules { assert true  A.s.set("x", 1 / 0) } }`:                     false,
		`cell test T { rules { mock A.g 1 / 0  assert true } }`:                          false,
		`cell test T { rules { assert true } } cell test U { rules { assert 1 == 2 } } `: false,
		``: false,
	} {
		r := RunTests(context.Background(), resolvetest.Program(t, twoCells+text), TestOptions{})
		if r.OK() != ok {
			t.Errorf("%s: %v", text, r.OK())
		}
	}
}

// The limits of the toolkit end one rule, not the run.
func TestEachRuleHasItsOwnLimits(t *testing.T) {
	got := runTests(t, `
cell Loop { on spin() { while true { } }  on ok() { let n = 0  for i in range(0, 1000) { n += 1 }  return n } }
cell test T { rules {
    assert spin() == 1
    assert ok() == 1000
    assert ok() == 1000
    property "p" forall n: Int in 0..100 ensures ok() == 1000
} }
`, TestOptions{World: Options{Steps: 20_000}})
	want := `test T: 3 passed, 1 failed, 0 skipped
FAIL 4: assert spin() == 1 -- limit: the invocation took too many steps (an endless loop?)
ok assert ok() == 1000
ok assert ok() == 1000
ok property "p" forall n: Int in 0..100 ensures ok() == 1000 -- all 100 values
`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
