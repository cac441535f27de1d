package progen

import (
	"fmt"
	"strings"
)

// rules draws the invariants of a cell. The bodies were drawn with the bounds of slots in mind.
func (g *gen) rules(c *cell) []string {
	var out []string
	var numbers []*slot // whose keys may be the same
	for _, s := range c.slots {
		if s.value.kind == intKind && !s.list && !s.intKey {
			numbers = append(numbers, s)
		}
		if s.lo < s.hi {
			out = append(out, one(g, []string{
				fmt.Sprintf("%s >= %d", s.name, s.lo),
				fmt.Sprintf("%s >= %d && %s <= %d", s.name, s.lo, s.name, s.hi),
				fmt.Sprintf("%s >= %d || key == \"k\"", s.name, s.lo),
				fmt.Sprintf("!(%s < %d)", s.name, s.lo),
			}))
		}
	}
	if g.without(Rules) {
		return nil
	}
	s := one(g, c.slots)
	switch g.pick(12) {
	case 2:
		if len(c.slots) == 1 && s.value.kind == intKind {
			out = append(out, "value > -90")
		} else { // it is about every slot of its section
			out = append(out, "value != ()")
		}
	case 3:
		out = append(out, fmt.Sprintf("%s.size <= %d", s.name, 2+g.pick(4)))
	case 4:
		out = append(out, "size <= 5")
	case 5:
		if !s.list && !s.intKey {
			out = append(out, `key != "zz" || `+s.name+` != ()`)
		}
	case 6:
		if s.value.kind == stringKind {
			out = append(out, s.name+` != "zz" && len(`+s.name+`) < 40`)
		}
	case 7:
		if c.machine != nil && len(numbers) > 0 {
			out = append(out, fmt.Sprintf("status != %q || (%s ?? 1) >= 0", one(g, c.machine.states), numbers[0].name))
		}
	case 8:
		if len(numbers) > 1 {
			out = append(out, fmt.Sprintf("(%s ?? 0) <= (%s ?? 9)", numbers[0].name, numbers[1].name))
		}
	case 9:
		if len(numbers) > 0 {
			out = append(out, fmt.Sprintf("total(%s) <= %d", numbers[0].name, 20+g.pick(40)))
		}
	case 10:
		if len(numbers) > 1 {
			out = append(out, fmt.Sprintf("total(%s) <= total(%s) + 30", numbers[0].name, numbers[1].name))
		}
	case 11:
		if len(numbers) > 0 {
			out = append(out, fmt.Sprintf("%s >= (%s.get(key) ?? 0) - 50", numbers[0].name, numbers[0].name))
		}
	}
	return out
}

// properties draws the verify section of a cell with a machine.
func (g *gen) properties(c *cell) string {
	m := c.machine
	state := func() string { return one(g, m.states) }
	var b strings.Builder
	b.WriteString("    verify {\n")
	for range 1 + g.pick(2) {
		a, z := state(), state()
		lines := []string{
			"eventually [" + a + "]", "never [" + a + "]", "always [" + strings.Join(m.states, ", ") + "]",
			"after " + a + " eventually [" + z + "]", "after " + a + " never [" + z + "]",
			"before " + a + " requires [" + z + "]", "before " + a + " requires_all [" + z + "]",
			`property "a way" = "AG(` + a + ` -> EF ` + z + `)"`,
			"fair weak " + m.edges[0].from + " -> " + m.edges[0].to,
		}
		if len(c.handlers) > 0 {
			lines = append(lines, "fair strong "+c.handlers[0].name)
		}
		b.WriteString("        " + one(g, lines) + "\n")
	}
	return b.String() + "    }\n"
}

// tests draws a test cell. Its assertions may fail when run.
func (g *gen) tests() string {
	g.enter(nil, nil, newEffects())
	g.testing = true
	helper := g.fresh("helper")
	var b strings.Builder
	b.WriteString("cell test Tests {\n    on " + helper + "(n: Int) { return n + 1 }\n    rules {\n")
	for range 2 + g.pick(5) {
		b.WriteString(g.rule(helper))
	}
	b.WriteString(g.line("assert " + helper + "(1) == 2"))
	return b.String() + "    }\n}\n"
}

func (g *gen) rule(helper string) string {
	callable := g.callable()
	call := func() code {
		if len(callable) == 0 {
			return word(helper + "(2)")
		}
		return g.callOf(one(g, callable), 1)
	}
	switch g.pick(12) {
	case 0:
		return g.line("assert " + g.cond(2).head())
	case 1:
		v := g.fresh("got")
		return g.line("let " + v + " = " + call().text)
	case 2:
		c := call()
		return g.line("assert " + binary(c, "==", compareLevel, c).text)
	case 3:
		return g.line("assert_fails " + call().text)
	case 4:
		return g.line("assert_fails " + call().text + ` matching "` + one(g, []string{"Bad", "invariant", "Odd"}) + `"`)
	case 5:
		return g.line(one(g, []string{`mock think "idle"`, `mock think ["a", "2"]`, `mock think error "timeout"`,
			`mock http_get map("k", 1)`, "mock approve true", `mock think_json map("k", 2)`}))
	case 6:
		if len(callable) > 0 {
			h := one(g, callable)
			return g.line("mock " + h.cell.name + "." + h.name + " " + g.literal(h.result).text)
		}
	case 7:
		return g.line(`property "counts" forall n: Int in 0..9 ensures ` + helper + "(n) > n")
	case 8:
		return g.line(`property "small" forall n: Int in -5..5 count 4 ensures n * n >= 0`)
	case 9:
		c := one(g, g.cells)
		return g.line("assert " + c.name + "." + one(g, c.slots).name + ".len >= 0")
	case 10:
		c := one(g, g.cells)
		s := one(g, c.slots)
		if !s.list {
			return g.line(c.name + "." + s.name + "[" + map[bool]string{true: "1", false: `"k"`}[s.intKey] + "] = " + g.literal(s.value).text)
		}
	case 11:
		return g.line("assert (try { " + call().text + ` }).kind != "never"`)
	}
	return g.line("assert " + g.cond(1).head())
}
