package syntax_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/format"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// Every production and every rule of words, with what is right and, beside it, what is
// wrong. Right forms are compared with the text that their tree gives, wrong ones with the codes
// and columns they get.

// Places where forms stand; the form comes for %s.
const (
	inFile     = "%s"
	inCell     = "cell A {\n%s\n}"
	inAgent    = "cell agent A {\n%s\n}"
	inSkeleton = "skeleton A {\n%s\n}"
	inFlesh    = "flesh A {\n%s\n}"
	inTest     = "cell test A {\n%s\n}"
	inSum      = "cell type A {\n%s\n}"
	inMemory   = "cell A {\nmemory {\n%s\n}\n}"
	inState    = "cell A {\nstate m {\n%s\n}\n}"
	inFace     = "cell A {\nface {\n%s\n}\n}"
	inVerify   = "cell A {\nverify {\n%s\n}\n}"
	inRules    = "cell test A {\nrules {\n%s\n}\n}"
	inBody     = "cell A {\non f() {\n%s\n}\n}"
	inReturn   = "cell A {\non f() {\nreturn %s\n}\n}"
	inMatch    = "cell A {\non f() {\nreturn match x {\n%s\n}\n}\n}"
)

type right struct{ place, source, want string } // an empty want is the source

func TestGrammar(t *testing.T) {
	for _, c := range rightForms {
		f, found := syntax.Parse(source.NewFile("app.cell", fmt.Sprintf(c.place, c.source)))
		if len(found) > 0 {
			t.Errorf("%s\n%s", c.source, list(found))
			continue
		}
		want := c.want
		if want == "" {
			want = c.source
		}
		if got := squeeze(format.File(f)); got != squeeze(fmt.Sprintf(c.place, want)) {
			t.Errorf("%s\n got %s\nwant %s", c.source, got, squeeze(fmt.Sprintf(c.place, want)))
		}
	}
}

// squeeze leaves out how a text is laid out.
func squeeze(text string) string { return strings.Join(strings.Fields(text), " ") }

func list(found []diag.Diagnostic) string {
	var out strings.Builder
	for _, d := range found {
		fmt.Fprintf(&out, "%s: %s %s\n", d.Span, d.Code, d.Message)
	}
	return out.String()
}

var rightForms = []right{
	// files
	{inFile, "use a use b::c use d::e::f cell A {}", ""},
	{inFile, "\uFEFFcell A {}", "cell A {}"},
	{inFile, "// note\n/* and\nmore */ cell A { /**/ } // end", "cell A {}"},
	{inFile, "cell A {} cell agent B {} cell type C {} cell test D {} skeleton E {} skeleton cell F {} skeleton agent G {} flesh E {}",
		"cell A {} cell agent B {} cell type C {} cell test D {} skeleton E {} skeleton F {} skeleton agent G {} flesh E {}"},
	{inFile, "cell A {}\r\n\r\ncell B {}\r\n", "cell A {} cell B {}"},
	{inFile, "skeleton A { face {} } flesh A { on f(a, _b) {} every 1s {} after 1s {} }", ""},

	// sections
	{inCell, "memory {} memory {} state m {} face {} verify {} cost {} scale {} on f() {} every 30s {} after 500ms {} interior {}", ""},
	{inAgent, "memory {} state m {} face {} verify {} on f() {}", ""},
	{inSkeleton, "memory {} state m {} face {} verify {} cost {}", ""},
	{inFlesh, "on f() {} on _g(a) {} every 1h {} after 2d {}", ""},
	{inTest, "on helper(n: Int) {} rules {}", ""},
	{inCell, "interior { cell B {} cell agent C { interior { cell D {} } } }", ""},
	{inCell, "cost { tokens: 1_000, rounds: 3 calls: per_day }", "cost { tokens: 1000 rounds: 3 calls: per_day }"},
	{inCell, `scale { replicas: 100 shard: data memory: "4Gi" tolerance: 5% }`, `scale { replicas: 100 shard: data memory: "4Gi" tolerance: 0.05 }`},

	// sum types
	{inSum, "variants { A, B C { id: String, n: Int, } D(Int, List<Int>) }", "variants { A B C { id: String, n: Int } D(Int, List<Int>) }"},
	{inSum, "variants { C { type: Int, if: Int, Caps: Int } }", ""},

	// memory
	{inMemory, "a: Map<String, Int> [persistent, consistent]\nb: List<List<Map<String, Int>>>", ""},
	{inMemory, "a: Map<String, Int>, b: List<Int> [ephemeral, local, immutable, capacity(1_000), slot_bits(8), max_value_bytes(64), ttl(5s)]",
		"a: Map<String, Int> b: List<Int> [ephemeral, local, immutable, capacity(1000), slot_bits(8), max_value_bytes(64), ttl(5s)]"},
	{inMemory, "invariant: List<Int>\ninvariant invariant.size <= 3", ""},
	{inMemory, "invariant a >= 0 && b.size <= 3\n|| total(a) == total(b)\ninvariant (a ?? 0) <= (b ?? 0)\ninvariant -a < 0", "invariant a >= 0 && b.size <= 3 || total(a) == total(b) invariant (a ?? 0) <= (b ?? 0) invariant -a < 0"},

	// machines
	{inState, "initial: a\na -> b -> c", "initial: a a -> b b -> c"},
	{inState, "a -> b { guard { n > 0 } } a -> b -> c { guard { n > 0 } }", "a -> b { guard { n > 0 } } a -> b { guard { n > 0 } } b -> c { guard { n > 0 } }"},
	{inState, "* -> b except [c, d] { guard { n > 0 } }\n* -> e", ""},
	{inState, "Pending -> Paid", ""},
	{inState, "initial: initial initial -> except * -> final except -> initial", ""},
	{inCell, "state todo: TodoStatus { initial: Open }", ""},

	// faces
	{inFace, "signal a() signal b(n: Int, m: Map<String, List<Int>>) -> List<Int>", ""},
	{inFace, "signal a()\nreads s, t\nwrites u moves a -> b, B -> c\ncalls f, B.g, think, emit", "signal a() reads s, t writes u moves a -> b, B -> c calls f, B.g, think, emit"},
	{inFace, `tool a(n: Int) -> Int "what it \"does\"" reads s`, ""},
	{inFace, `promise all_persistent promise "free text"`, ""},
	{inFace, "given n: Int where n > 0 && n < 10 given m: Int", ""},

	// verify
	{inVerify, "eventually [done] never [lost] always [open, shut]", ""},
	{inVerify, "after urgent eventually [done] after done never [inbox]", ""},
	{inVerify, "before done requires [urgent, routine] before paid requires_all [checked, signed,]", "before done requires [urgent, routine] before paid requires_all [checked, signed]"},
	{inVerify, `property "no way back" = "AG(done -> AG done)" property "p" = """EF "q" """`, `property "no way back" = "AG(done -> AG done)" property "p" = "EF \"q\" "`},
	{inVerify, "fair strong finish fair weak inbox -> urgent fair strong Desk.finish fair weak ticket.inbox -> ticket.urgent", ""},
	{inVerify, "never [ticket.lost, Desk.ticket.lost] after Pending never [Lost]", ""},

	// handlers
	{inCell, "on f(a: Int, b: List<Int>,) [native, budget(3)] {}", "on f(a: Int, b: List<Int>) [native, budget(3)] {}"},

	// statements
	{inBody, "let x = 1 x = 2 x += 1 x -= 1 x *= 2 x /= 2", ""},
	{inBody, "xs[0] = 1 xs[0].f = 2 x.f.g += 1 m[k] += 1 s[k].list[0] /= 2", ""},
	{inBody, "if a { f() } else if b { g() } else { h() }", ""},
	{inBody, "if a {\n}\nelse if b {\n}\nelse {\n}", "if a {} else if b {} else {}"},
	{inBody, "for x in xs { break } for [loop_bound(10)] x in xs { continue }", ""},
	{inBody, "while a { f() } while [loop_bound(0x10)] a { f() }", "while a { f() } while [loop_bound(16)] a { f() }"},
	{inBody, "while [a][0] { f() }", ""},
	{inBody, "return", ""},
	{inBody, "if a { return } return 1", ""},
	{inBody, "return\n1", "return 1"},
	{inBody, `require a else Tag require a else lower require a else "a text" require a else Tag "msg {x}"`, ""},
	{inBody, "require a\nelse Tag\n\"the value\"", `require a else Tag "the value"`},
	{inBody, "ensure a emit done() emit done(1, x)", ""},
	{inBody, "let mock = 1 mock = 2 let property = 1 let assert = mock let var = 1 var = 2", ""},
	{inBody, "f() -1", "f() - 1"},
	{inBody, "f()\n-1", ""},
	{inBody, "g = !a\n!b", ""},

	// lines
	{inBody, "let a = b\n.g\n+ c\n* d\n|> f\n|> B.f(1)\n== k\n?? h\n&& i\n|| j\n% l\n/ m", "let a = b.g + c * d |> f |> B.f(1) == k ?? h && i || j % l / m"},
}

// places names the places where wrong forms stand, as their file does.
var places = map[string]string{
	"file": inFile, "cell": inCell, "skeleton": inSkeleton, "flesh": inFlesh, "test": inTest, "sum": inSum,
	"memory": inMemory, "state": inState, "face": inFace, "verify": inVerify, "rules": inRules, "body": inBody,
	"return": inReturn, "match": inMatch,
}

// Each line of the file holds a form, and behind two bars the findings it gets: code and text. Lines in
// brackets say where the forms stand; ⏎ is a line break.
func TestWrongForms(t *testing.T) {
	data, err := os.ReadFile("testdata/wrong_forms.txt")
	if err != nil {
		t.Fatal(err)
	}
	place := ""
	for n, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if name, ok := strings.CutPrefix(line, "["); ok && strings.HasSuffix(line, "]") && places[strings.TrimSuffix(name, "]")] != "" {
			place = places[strings.TrimSuffix(name, "]")]
			continue
		}
		form, want, _ := strings.Cut(line, " ‖ ")
		text := fmt.Sprintf(place, strings.ReplaceAll(form, "⏎", "\n"))
		_, found := syntax.Parse(source.NewFile("app.cell", text))
		var got []string
		for _, d := range found {
			got = append(got, string(d.Code)+" "+d.Span.Normal())
		}
		if now := strings.Join(got, " · "); now != want || want == "" {
			t.Errorf("line %d: %s\n got %s\nwant %s\n%s", n+1, form, now, want, list(found))
		}
	}
}
