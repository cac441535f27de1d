package interp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const shops = `
cell agent Shop {
    memory { sold: Map<String, Int> [persistent]  invariant sold >= 0 }
    on price(item: String) { return 1 }
    on price(item: String, n: Int) { return 2 }
    on _secret() { return 3 }
    on total(item: String) { return price(item) + price(item, 2) + _secret() }
    on piped(item: String) { return [item |> price, item.price(4), delegate("Shop", "price", item)] }
    on sell(item: String, n: Int) { sold.set(item, n)  return n }
    on ask(text: String) { return think(text) }
    on twice(text: String) { return [think(text), think(text)] }
    on obj(text: String) { return think_json(text) }
    on fetch(url: String) { return http_get(url) }
    on loud(text: String) { emit rung(text)  return "rang" }
    on rung(text: String) { sold.set(text, 1)  return 0 }
    on times(n: Int) { let k = 0  for i in range(0, n) { k += 1 }  return k }
}
cell Market { on price2(item: String) { return 10 }  on sell(item: String) { return price2(item) } }
`

func TestMocks(t *testing.T) {
	for name, c := range map[string]struct{ rules, want string }{
		"one reply serves one call": {
			`mock price 5  assert price("a") == 5  assert price("a") == 1`,
			"ok assert price(\"a\") == 5\nok assert price(\"a\") == 1\n"},
		"a list is a queue, a second mock waits behind it": {
			`mock price [5, 6]  mock Shop.price 7
			 assert [price("a"), price("a"), price("a"), price("a")] == [5, 6, 7, 1]`,
			"ok assert [price(\"a\"), price(\"a\"), price(\"a\"), price(\"a\")] == [5, 6, 7, 1]\n"},
		"a list in a list is a reply": {
			`mock price [[5]]  assert price("a") == [5]`, "ok assert price(\"a\") == [5]\n"},
		"a mock serves a handler of any number of arguments": {
			`mock price [5, 6]  assert total("a") == 14`, "ok assert total(\"a\") == 14\n"},
		"pipes, methods and delegates are calls": {
			`mock price [5, 6, 7]  assert piped("a") == [5, 6, 7]`, "ok assert piped(\"a\") == [5, 6, 7]\n"},
		"private handlers": {
			`mock Shop._secret 30  assert total("a") == 33  assert total("a") == 6`,
			"ok assert total(\"a\") == 33\nok assert total(\"a\") == 6\n"},
		"the cell's handler only": {
			`mock Shop.sell 9  assert Market.sell("a") == 10  assert Shop.sell("a", 4) == 9  assert sold.len == 0`,
			"ok assert Market.sell(\"a\") == 10\nok assert Shop.sell(\"a\", 4) == 9\nok assert sold.len == 0\n"},
		"listeners": {
			`mock rung 0  assert loud("a") == "rang"  assert sold.len == 0  assert loud("b") == "rang"  assert sold.len == 1`,
			"ok assert loud(\"a\") == \"rang\"\nok assert sold.len == 0\nok assert loud(\"b\") == \"rang\"\nok assert sold.len == 1\n"},
		"think_json takes its own mocks first, then texts": {
			`mock think "\{\"a\": 1}"  mock think_json map("a", 2)  mock think_json "\{\"a\": 3}"
			 assert [obj("x").a, obj("x").a, obj("x").a] == [2, 3, 1]`,
			"ok assert [obj(\"x\").a, obj(\"x\").a, obj(\"x\").a] == [2, 3, 1]\n"},
		"think does not take those of think_json": {
			`mock think_json map("a", 2)  mock think "t"  assert ask("x") == "t"  assert obj("x").a == 2`,
			"ok assert ask(\"x\") == \"t\"\nok assert obj(\"x\").a == 2\n"},
		"errors have the kind before the colon": {
			`mock think error "timeout: too slow"  let r = try { ask("x") }  assert [r.kind, r.detail] == ["timeout", "too slow"]
			 mock think error "overload"  let s = try { ask("x") }  assert [s.kind, s.detail] == ["overload", ""]
			 mock price error "Sold: out"  assert_fails price("a") matching "Sold: out"
			 mock price error "type: odd"  assert_fails price("a")`,
			"ok assert [r.kind, r.detail] == [\"timeout\", \"too slow\"]\nok assert [s.kind, s.detail] == [\"overload\", \"\"]\n" +
				"ok assert_fails price(\"a\") matching \"Sold: out\" -- Sold: out\n" +
				"FAIL 23: assert_fails price(\"a\") -- raised type: odd — a type error counts only with `matching`\n"},
		"http never raises": {
			`mock http_get error "timeout"  assert fetch("u") == map("error", "timeout", "kind", "timeout", "status", (), "body", ())
			 mock http_get [map("a", 1), "text"]  assert fetch("u").a == 1  assert fetch("u") == "text"`,
			"ok assert fetch(\"u\") == map(\"error\", \"timeout\", \"kind\", \"timeout\", \"status\", (), \"body\", ())\n" +
				"ok assert fetch(\"u\").a == 1\nok assert fetch(\"u\") == \"text\"\n"},
		"a rule that raised leaves its mocks behind": {
			`mock think ["a", "b"]  mock price 5  assert_fails sell("x", 0 - 1)  assert ask("q") == "fine"  assert price("a") == 1`,
			"ok assert_fails sell(\"x\", 0 - 1) -- invariant: sold >= 0 does not hold of the written value Int -1\n" +
				"note mock think [\"a\", \"b\"] (app.cell:20:1): 2 of its replies were never asked for\n" +
				"note mock price 5 (app.cell:20:24): its reply was never asked for\n" +
				"ok assert ask(\"q\") == \"fine\"\nok assert price(\"a\") == 1\n"},
		"so does an assertion that raised": {
			`mock think ["a", "b"]  assert ask("q") == 1  assert ask("q") == "fine"`,
			"FAIL 20: assert ask(\"q\") == 1 -- type: String and Int cannot be compared\n" +
				"note mock think [\"a\", \"b\"] (app.cell:20:1): its reply was never asked for\n" +
				"ok assert ask(\"q\") == \"fine\"\n"},
		"and another statement that raised": {
			`mock think "a"  let x = sell("y", 0 - 1)  assert ask("q") == "fine"`,
			"FAIL 20: let x = sell(\"y\", 0 - 1) -- invariant: sold >= 0 does not hold of the written value Int -1\n" +
				"note mock think \"a\" (app.cell:20:1): its reply was never asked for\nok assert ask(\"q\") == \"fine\"\n"},
		"one that is merely false does not": {
			`mock think "a"  assert 1 == 2  assert ask("q") == "a"`,
			"FAIL 20: assert 1 == 2 left 1 right 2\nok assert ask(\"q\") == \"a\"\n"},
		"a try inside a rule keeps them": {
			`mock think ["a", "b"]  let r = try { sell("x", 0 - 1) }  assert twice("q") == ["a", "b"]`,
			"ok assert twice(\"q\") == [\"a\", \"b\"]\n"},
		"leftovers are noted": {
			`mock think ["a", "b", "c"]  assert ask("q") == "a"`,
			"ok assert ask(\"q\") == \"a\"\nnote mock think [\"a\", \"b\", \"c\"] (app.cell:20:1): 2 of its replies were never asked for\n"},
		"an empty queue is a mistake": {
			`mock think []  assert true`,
			"FAIL 20: mock think [] -- type: mock think [] has no reply: the list is empty\nok assert true\n"},
		"replies are what the builtin gives": {
			`mock approve "yes"  mock now "noon"  mock tokens_remaining 1.5  mock recall ()  assert true`,
			"FAIL 20: mock approve \"yes\" -- type: mock approve \"yes\": approve gives Bool, this reply is String \"yes\"\n" +
				"FAIL 20: mock now \"noon\" -- type: mock now \"noon\": now gives Int, this reply is String \"noon\"\n" +
				"FAIL 20: mock tokens_remaining 1.5 -- type: mock tokens_remaining 1.5: tokens_remaining gives Int, this reply is Float 1.5\n" +
				"ok assert true\nnote mock recall () (app.cell:20:65): its reply was never asked for\n"},
		"a reply may be computed, and may raise": {
			`let n = 4  mock price n * 2  assert price("a") == 8  mock price 1 / 0  assert price("a") == 1`,
			"ok assert price(\"a\") == 8\nFAIL 20: mock price 1 / 0 -- division_by_zero: division by zero\nok assert price(\"a\") == 1\n"},
		"loops over a mocked range": {
			`mock range [[1, 2]]  assert times(9) == 2  assert times(9) == 9`,
			"ok assert times(9) == 2\nok assert times(9) == 9\n"},
		"a property starts each value with the same replies": {
			`mock think ["a", "b"]  property "same" forall n: Int in 0..5 ensures ask("x") == "a"  assert ask("x") == "a"`,
			"ok property \"same\" forall n: Int in 0..5 ensures ask(\"x\") == \"a\" -- all 5 values\nok assert ask(\"x\") == \"a\"\n" +
				"note mock think [\"a\", \"b\"] (app.cell:20:1): its reply was never asked for\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got := runTests(t, shops+"cell test T { rules {\n"+c.rules+"\n} }\n", TestOptions{World: Options{Model: Fixed("fine")}})
			_, got, _ = strings.Cut(got, "\n")
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// Mocks do not reach from one test cell into the next.
func TestMocksEndWithTheirTestCell(t *testing.T) {
	got := runTests(t, shops+`
cell test A { rules { mock think "a"  assert true } }
cell test B { rules { assert ask("q") == "fine" } }
`, TestOptions{World: Options{Model: Fixed("fine")}})
	want := "test A: 1 passed, 0 failed, 0 skipped\nok assert true\nnote mock think \"a\" (app.cell:20:23): its reply was never asked for\n" +
		"test B: 1 passed, 0 failed, 0 skipped\nok assert ask(\"q\") == \"fine\"\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
