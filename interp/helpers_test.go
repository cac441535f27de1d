package interp

import (
	"context"
	"strings"
	"testing"

	"soma.cell/frontend/resolve/resolvetest"
)

// lab is a program around one body, with things for the body to act on.
func lab(body string) string {
	return `
cell type Pay { variants { Charged { id: String, amount: Int }  Declined(String)  Pending } }
cell type Tree { variants { Leaf  Node { left: Tree, right: Tree } } }
cell Lab {
    memory {
        stock: Map<String, Int> [persistent]
        prices: Map<String, Float> [persistent]
        rows: Map<String, Map<String, Int>> [persistent]
        log: List<String> [ephemeral]
    }
    state job {
        initial: new
        new -> running { guard { power > 3 } }
        running -> done
        running -> running
        * -> failed except [done]
    }
    on f() { let power = 5
` + body + `
    }
    on add(a: Int, b: Int) { return a + b }
    on half(x: Float) { return x / 2 }
    on deep(xs: List<Map<String, Int>>) { return len(xs) }
    on recurse(n: Int) { let power = 1  return recurse(n + 1) }
    on _note(s: String) { let power = 1  log.push(s) }
    on chatter(s: String) { let power = 1  log.push("heard " + s) }
}
cell Other { on twice(n: Int) { return n * 2 } }
`
}

// eval runs a body (two spaces before a bracket stand for a new line) and gives the text of its value, or its error as "kind: detail".
func eval(t *testing.T, body string) string {
	t.Helper()
	body = strings.ReplaceAll(body, "  [", "\n[")
	v, err := New(resolvetest.Program(t, lab(body)), Options{Steps: 10_000_000}).Call(context.Background(), "Lab", "f", nil)
	if err != nil {
		if e := err.(*Error); e.Span.IsZero() && e.Kind != KindStackOverflow {
			t.Errorf("%s: %v has no place", body, err)
		}
		return err.Error()
	}
	return Quote(v)
}
