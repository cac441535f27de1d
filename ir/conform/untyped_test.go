package conform_test

import (
	"testing"

	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/frontend/source"
)

// TestUntypedValuesConform runs every operation on values of which nothing is known, inside and
// outside of try: whatever kind it raises, the system must allow it there.
func TestUntypedValuesConform(t *testing.T) {
	const frame = `
cell type S { variants { A0 B(Int) } }
cell A {
    memory { s: Map<String, Int>  l: List<Int>  r: Map<String, Map<String, Int>> }
    state m { initial: a  a -> b  b -> a }
    on g(n: Int) { return n }
    on ev(n: Int) { let m = n }
    on two(a: Any, b: Any) { return a }
`
	for _, body := range []string{
		`p["k"] = 1`, `p[0] = 1`, `p.x = 1`, `p.x.y = q`, `p[q][q] = 1`, `p[q] += 1`, `l[p] = 1`, `l[q] += p`, `l.set(p, 1)`, `l.push(p)`,
		`s[p] = 1`, `s[q] += p`, `s.set(p, q)`, `r[p][q] = 1`, `r[q].x += 1`, `r[q].x = p`, `l.delete(p)`, `s.delete(p)`,
		`let a = p["k"]`, `let a = p[0]`, `let a = p.x`, `let a = s[p]`, `let a = l[p]`, `let a = [p][q]`, `let a = p.get(q)`, `let a = l.get(p)`, `let a = s.has(p)`,
		`let a = p |> push(1)`, `let a = -p`, `let a = p + q`, `let a = p < q`, `let a = !p`, `let a = p && q`, `let a = p ?? q`, `let a = p == q`, `let a = p?`, `let a = "{p}"`,
		`if p { }`, `require p else Bad`, `ensure p`, `while p { break }`, `for x in p { }`, `for i in range(p, q) { }`,
		`let a = match p { {k: 1} -> 2  2..5 -> 1  "x" + y -> 2 }`, `let a = match p { A0 -> 2  B(x) -> 3 }`,
		`let a = get_status(p)`, `transition(p, q)`, `transition(p, "a", q)`, `emit ev(p)`, `let a = g(p)`, `let a = A.g(p)`, `let a = p.two(q)`,
		`let a = delegate("A", "g", p)`, `let a = set_budget(p)`, `let a = B(p)`, `let a = P { x: p }`, `let a = fail(p)`, `fail(p, q)`,
		"let f = x => x + 1\nlet a = f(p)", `let a = map(p, x => x + 1)`,
	} {
		for _, around := range [][2]string{{"", "\nreturn 1"}, {"let r = try {\n", "\n1 }\nreturn r.kind"}} {
			prog := resolvetest.Try(source.NewFile("app.cell", frame+"on f(p: Any, q: Any) {\n"+around[0]+body+around[1]+"\n}\n}\n"))
			if prog == nil {
				t.Errorf("%s: not a program", body)
				continue
			}
			r := newRunner(t, prog, 7, nil)
			for range 200 {
				if wrong := r.call(); wrong != "" {
					t.Errorf("%s: %s", body, wrong)
					break
				}
			}
		}
	}
}
