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
