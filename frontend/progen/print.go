package progen

import (
	"fmt"
	"strings"
)

// drawBody draws the body of a handler.
func (g *gen) drawBody(h *handler) {
	g.enter(h.cell, h, h.fx)
	for _, p := range h.params {
		g.bind(p)
	}
	var b strings.Builder
	if h.name == "gcd" {
		h.body = g.line("return if a > b { a } else { b }")
		return
	}
	if h.counts {
		b.WriteString(g.line("if n <= 0 { return " + g.leaf(h.result).text + " }"))
	}
	if m := g.ownMachine(); m != nil && m.amount && !g.bound("amount") {
		value := g.leaf(plain(intKind)) // which moves nothing itself
		b.WriteString(g.line("let amount = " + value.text))
		g.bind(&local{name: "amount", typ: plain(intKind)})
	}
	if h.mutual == nil {
		b.WriteString(g.statements(1 + g.pick(3*g.o.Size)))
	}
	switch {
	case h.counts:
		again := h
		if h.mutual != nil {
			again = h.mutual
		}
		g.noteCall(again)
		down := binary(word("n"), "-", addLevel, word("1"))
		b.WriteString(g.line("return " + call(again.name, down, g.expr(h.params[1].typ, 1)).text))
	case h.result.kind == unitKind:
	case g.coin(3):
		b.WriteString(g.line(g.expr(h.result, 3).text))
	default:
		b.WriteString(g.line("return " + g.expr(h.result, 3).text))
	}
	h.body = b.String()
}

// enter starts a body of a cell.
func (g *gen) enter(c *cell, h *handler, fx *effects) {
	g.cell, g.handler, g.fx = c, h, fx
	g.locals, g.fuel, g.indent, g.loops, g.lambdas, g.inline = nil, 20*g.o.Size, 2, 0, 0, 0
}

func (g *gen) bound(name string) bool {
	for _, l := range g.locals {
		if l.name == name {
			return true
		}
	}
	return false
}

// print writes the program down.
func (g *gen) print() *Program {
	var entry, library strings.Builder
	for _, s := range g.sums {
		entry.WriteString(s.declaration() + "\n")
	}
	for i, c := range g.cells {
		if c.inside {
			continue // its host prints it
		}
		to := &entry
		if c.library {
			to = &library
		}
		inside := ""
		if i+1 < len(g.cells) && g.cells[i+1].inside {
			inside = "    interior {\n" + g.cellText(g.cells[i+1], "") + "    }\n"
		}
		to.WriteString(g.cellText(c, inside) + "\n")
	}
	if !g.without(Tests) && g.pick(3) > 0 {
		entry.WriteString(g.tests())
	}
	if text := entry.String() + library.String(); strings.Contains(text, "Point") && !strings.Contains(text, "Point {") {
		// A record has the type of its name where some expression makes one.
		entry.WriteString("cell Origin {\n    on origin() { return Point { x: 0, label: \"\" } }\n}\n")
	}
	p := &Program{Text: entry.String(), Library: library.String()}
	if p.Library != "" {
		p.Text = "use lib::part\n\n" + p.Text
	}
	return p
}

// cellText is a cell, or a skeleton with its flesh.
func (g *gen) cellText(c *cell, inside string) string {
	var head, body strings.Builder
	head.WriteString(g.memory(c, g.rules(c)))
	if c.machine != nil {
		head.WriteString(c.machine.text())
	}
	if c.faced {
		head.WriteString(g.face(c))
	}
	if c.machine != nil && !g.without(Properties) && g.coin(2) {
		head.WriteString(g.properties(c))
	}
	if g.coin(6) {
		head.WriteString("    cost { tokens: 1_000, calls: 3 }\n")
	}
	for _, h := range c.handlers {
		var params []string
		for _, p := range h.params {
			if c.skeleton { // no types in a flesh
				params = append(params, p.name)
			} else {
				params = append(params, p.name+": "+p.typ.String())
			}
		}
		fmt.Fprintf(&body, "    on %s(%s)%s {\n%s    }\n", h.name, strings.Join(params, ", "), h.extra, h.body)
	}
	if !g.without(Timers) && g.coin(3) {
		body.WriteString(g.timer(c))
	}
	word := ""
	if c.agent {
		word = "agent "
	}
	if c.skeleton {
		return "skeleton " + word + c.name + " {\n" + head.String() + "}\n\nflesh " + c.name + " {\n" + body.String() + "}\n"
	}
	if g.coin(8) {
		inside += "    scale { replicas: 2 }\n"
	}
	return "cell " + word + c.name + " {\n" + head.String() + body.String() + inside + "}\n"
}

func (g *gen) memory(c *cell, rules []string) string {
	var b strings.Builder
	b.WriteString("    memory {\n")
	for i, s := range c.slots {
		if i == 2 { // a cell may have several sections
			b.WriteString("    }\n    memory {\n")
		}
		fmt.Fprintf(&b, "        %s: %s %s\n", s.name, s.typ(), s.attrs)
	}
	for _, r := range rules {
		b.WriteString("        invariant " + r + "\n")
	}
	return b.String() + "    }\n"
}

func (m *machine) text() string {
	head := "    state " + m.name
	if m.sum != nil {
		head += ": " + m.sum.name
	}
	return head + " {\n        initial: " + m.states[0] + "\n        " + strings.Join(m.rows, "\n        ") + "\n    }\n"
}

func (g *gen) face(c *cell) string {
	var b strings.Builder
	b.WriteString("    face {\n")
	for _, h := range c.handlers {
		if h.private || !c.skeleton && !h.tool && g.coin(3) {
			continue
		}
		var params []string
		for _, p := range h.params {
			params = append(params, p.name+": "+p.typ.String())
		}
		word, description := "signal", ""
		if h.tool {
			word, description = "tool", ` "does something"`
		}
		result := ""
		if h.result.kind != unitKind {
			result = " -> " + h.result.String()
		}
		fmt.Fprintf(&b, "        %s %s(%s)%s%s\n", word, h.name, strings.Join(params, ", "), result, description)
		if c.framed {
			for _, clause := range h.fx.clauses(c) {
				b.WriteString("            " + clause + "\n")
			}
		}
	}
	more := []string{"", `promise "nothing is lost"`, "given room: Int where room > 0", "given room: Int", "promise all_persistent"}
	for _, s := range c.slots {
		if !strings.HasPrefix(s.attrs, "[persistent") {
			more = more[:4]
			break
		}
	}
	b.WriteString("        " + one(g, more) + "\n")
	return b.String() + "    }\n"
}

// timer draws a timer; that of a flesh only calls signals of the face.
func (g *gen) timer(c *cell) string {
	g.enter(c, nil, newEffects())
	body := ""
	if c.skeleton {
		for _, h := range c.handlers {
			if !h.private && !h.outside && !h.tool && g.coin(2) {
				var args []code
				for _, p := range h.params {
					args = append(args, g.literal(p.typ))
				}
				body = g.line(call(h.name, args...).text)
			}
		}
		if body == "" {
			return ""
		}
	} else {
		if m := g.ownMachine(); m != nil && m.amount {
			body = g.line("let amount = 1")
			g.bind(&local{name: "amount", typ: plain(intKind)})
		}
		body += g.statements(1 + g.pick(2))
	}
	return "    " + one(g, []string{"every 30s", "after 5s", "every 1h"}) + " {\n" + body + "    }\n"
}
