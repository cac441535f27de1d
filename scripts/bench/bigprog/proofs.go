package bigprog

import (
	"fmt"
	"strings"
)

// Obligations is a program with many memory rules to prove: ten slots, each with a rule, that each
// handler writes on eleven paths or more.
func Obligations(handlers int) string {
	const slots = 10
	var b strings.Builder
	b.WriteString("cell Stores {\n    memory {\n")
	for s := range slots {
		fmt.Fprintf(&b, "        stock%d: Map<String, Int> [persistent]\n        invariant stock%d >= 0\n", s, s)
	}
	b.WriteString("    }\n")
	for h := range handlers {
		fmt.Fprintf(&b, "    on take%d(id: String, n: Int) {\n", h)
		for s := range slots {
			if s%2 == 0 {
				fmt.Fprintf(&b, "        require n >= %d else TooFew\n        stock%d.set(id, n + (stock%d.get(id) ?? 0))\n", s, s, (s+1)%slots)
			} else {
				fmt.Fprintf(&b, "        if n > %d { stock%d[id] = n - %d } else { stock%d[id] = (stock%d.get(id) ?? 0) + %d }\n", s, s, s, s, s, s)
			}
		}
		b.WriteString("        return n\n    }\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// Branches is a handler of so many branches in sequence, each with a write that its condition
// makes safe.
func Branches(n int) string {
	var b strings.Builder
	b.WriteString("cell Sieve {\n    memory {\n        kept: Map<String, Int> [persistent]\n        invariant kept >= 0\n    }\n")
	b.WriteString("    on sift(id: String, n: Int, m: Int) {\n        let x = 0\n")
	for i := range n {
		fmt.Fprintf(&b, "        if n > %d && m != %d { kept.set(id, n - %d) } else { x = x + 1 }\n", i, i, i)
	}
	b.WriteString("        return x\n    }\n}\n")
	return b.String()
}
