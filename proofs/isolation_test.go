package proofs

import (
	"slices"
	"testing"
)

// A model that calls tools chooses their arguments, and what they do happens while it thinks.
func TestIsolationCountsTools(t *testing.T) {
	for _, c := range []struct{ name, tool, body, want string }{
		{"literal targets", `on steer(id: String, to: String) { transition(id, "b") }`, `think(id)  transition(id, "c")`,
			"✓ think-isolated: CTL safety properties hold regardless of LLM output (2 handlers, 2 literal transitions, 0 dynamic)"},
		{"a tested argument", `on steer(id: String, to: String) { require contains(["b", "c"], to) else No  transition(id, to) }`, `think(id)`,
			"✓ think-isolated: CTL safety properties hold regardless of LLM output (1 handler, 0 literal transitions, 1 dynamic)"},
		{"an argument that nobody tests", `on steer(id: String, to: String) { transition(id, to) }`, `think(id)`,
			"⚠ think-isolated: not proven — a target is neither tested nor listed by the body"},
		{"a slot that a tool writes while the model thinks", `on steer(id: String, to: String) { next.set(id, to) }`,
			`next.set(id, "b")  think(id)  transition(id, next.get(id) ?? "c")`,
			"⚠ think-isolated: not proven — a target is neither tested nor listed by the body"},
		{"a slot that no tool writes", `on steer(id: String, to: String) { transition(id, "b") }`,
			`next.set(id, "b")  think(id)  transition(id, next.get(id) ?? "c")`,
			"✓ think-isolated: CTL safety properties hold regardless of LLM output (2 handlers, 1 literal transition, 1 dynamic)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := verified(t, `
cell agent Guide {
    memory { next: Map<String, String> [persistent] }
    state trip { initial: a  a -> b  b -> c  a -> c }
    face { tool steer(id: String, to: String) -> Any "steers"  signal go(id: String) -> Any }
    `+c.tool+`
    on go(id: String) { `+c.body+`  return id }
}`)
			if got := about(r, "think-isolated"); !slices.Equal(got, []string{c.want}) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
