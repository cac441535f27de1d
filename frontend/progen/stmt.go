package progen

import (
	"fmt"
	"strings"
)

// block draws a block of at most so many statements, whose value has a type; nil for none.
func (g *gen) block(most int, value *typ) string {
	var b strings.Builder
	b.WriteString("{\n")
	g.indent++
	g.scoped(func() {
		b.WriteString(g.statements(g.pick(most + 1)))
		if value != nil {
			b.WriteString(g.line(g.expr(value, 1).text))
		}
	})
	g.indent--
	return b.String() + strings.Repeat("    ", g.indent) + "}"
}

// statements draws lines.
func (g *gen) statements(n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(g.statement())
	}
	return b.String()
}

// statement draws a statement, with its line end.
func (g *gen) statement() string {
	if g.fuel <= 0 {
		return g.let(0)
	}
	g.fuel -= 2
	if text := g.drawStatement(); text != "" {
		return text
	}
	return g.let(2)
}

// drawStatement is empty where the kind of statement that was chosen is not possible.
func (g *gen) drawStatement() string {
	switch g.pick(30) {
	case 0, 1, 2:
		return g.let(3)
	case 3, 4:
		return g.assignment()
	case 5, 6, 7, 8, 9:
		return g.slotStatement()
	case 10, 11:
		return g.require()
	case 12, 13:
		return g.move()
	case 14, 15:
		return g.line("if " + g.cond(2).head() + " " + g.block(2, nil) + g.elseStatement())
	case 16:
		return g.matchStatement()
	case 17, 18:
		return g.forLoop()
	case 19:
		return g.whileLoop()
	case 20:
		return g.leave()
	case 21:
		return g.emit()
	case 22:
		return g.caught()
	case 23:
		return g.bindFunction()
	case 24:
		return g.callStatement()
	case 25, 26:
		return g.outsideStatement()
	case 27:
		return g.anyBuiltin()
	case 28:
		return g.sink()
	}
	return g.inner()
}

// let binds a new name, now and then one that hides another.
func (g *gen) let(depth int) string {
	t := g.valueType()
	value := g.expr(t, depth)
	l := &local{name: g.fresh("v"), typ: t, set: true}
	if g.coin(8) {
		for _, old := range g.named(t, false) {
			if old.set && !strings.Contains(old.name, ".") {
				l.name = old.name
			}
		}
	}
	g.bind(l)
	return g.line("let " + l.name + " = " + value.text)
}

// assignment changes a local, or a part of it.
func (g *gen) assignment() string {
	var fitting []*local
	for _, l := range g.locals {
		if l.set && len(g.named(l.typ, false)) > 0 && g.visible(l) {
			fitting = append(fitting, l)
		}
	}
	if len(fitting) == 0 {
		return ""
	}
	l := one(g, fitting)
	switch {
	case l.typ.kind == intKind && g.coin(2):
		return g.line(l.name + one(g, []string{" += ", " -= ", " *= "}) + g.expr(l.typ, 2).text)
	case l.typ.kind == floatKind && g.coin(2):
		return g.line(l.name + " /= " + g.expr(l.typ, 1).text)
	case l.typ.kind == stringKind && g.coin(3):
		return g.line(l.name + " += " + g.expr(l.typ, 1).text)
	case l.typ.kind == listKind && g.coin(2):
		return g.line(l.name + "[0] = " + g.expr(l.typ.elem, 1).text)
	case l.typ.kind == mapKind && g.coin(2):
		return g.line(l.name + "[" + g.mapKey(l.typ).text + "] = " + g.expr(l.typ.elem, 1).text)
	case l.typ.kind == recordKind && g.coin(2):
		f := one(g, l.typ.record.fields)
		return g.line(l.name + "." + f.name + " = " + g.expr(f.typ, 1).text)
	}
	return g.line(l.name + " = " + g.expr(l.typ, 2).text)
}

// visible tells whether no other local hides this one.
func (g *gen) visible(l *local) bool {
	for i := len(g.locals) - 1; i >= 0; i-- {
		if g.locals[i].name == l.name {
			return g.locals[i] == l
		}
	}
	return false
}

// slotStatement writes to a slot.
func (g *gen) slotStatement() string {
	if len(g.allSlots()) == 0 {
		return ""
	}
	s := one(g, g.allSlots())
	name, k, v := g.writes(s), g.slotKey(s, 1), g.stored(s)
	if s.list {
		return g.line(one(g, []string{
			name + ".push(" + v.text + ")",
			name + ".push(" + v.text + ")",
			name + ".append(" + v.text + ")",
			name + ".set(" + k.text + ", " + v.text + ")",
			name + "[" + k.text + "] = " + v.text,
			name + ".delete(" + k.text + ")",
		}))
	}
	place := name + "[" + k.text + "]"
	switch g.pick(8) {
	case 3, 4:
		return g.line(place + " = " + v.text)
	case 5:
		return g.line(name + ".delete(" + k.text + ")")
	case 6:
		if s.value.kind == intKind {
			return g.line(place + one(g, []string{" += ", " -= ", " *= "}) + v.text)
		}
		if s.value.kind == floatKind {
			return g.line(place + " /= " + v.text)
		}
	case 7:
		switch s.value.kind {
		case recordKind:
			f := one(g, s.value.record.fields)
			return g.line(place + "." + f.name + " = " + g.expr(f.typ, 1).text)
		case listKind:
			return g.line(place + "[0] = " + g.expr(s.value.elem, 1).text)
		case mapKind:
			return g.line(place + `["k"] = ` + g.expr(s.value.elem, 1).text)
		}
	}
	return g.line(name + ".set(" + k.text + ", " + v.text + ")")
}

// stored draws a value to write, mostly one that the rules of the slot allow.
func (g *gen) stored(s *slot) code {
	v := g.expr(s.value, 2)
	if s.lo < s.hi && g.pick(3) > 0 {
		return call("clamp", v, code{fmt.Sprint(s.lo), unaryLevel}, word(fmt.Sprint(s.hi)))
	}
	return v
}

// require draws a condition that must hold.
func (g *gen) require() string {
	if g.coin(5) {
		return g.line("ensure " + binary(g.expr(plain(intKind), 1), "<", compareLevel, word("1_000_000")).text)
	}
	tag := one(g, []string{"Bad", `"bad"`, "Odd"})
	if g.coin(2) {
		tag += " " + g.textTemplate(1).text
	}
	c := g.cond(2)
	if g.coin(2) { // one that mostly holds
		c = binary(c, "||", orLevel, binary(g.expr(plain(intKind), 1), "<", compareLevel, word("9")))
	}
	return g.line("require " + c.head() + " else " + tag)
}

func (g *gen) elseStatement() string {
	switch g.pick(4) {
	case 1, 2:
		return " else " + g.block(2, nil)
	case 3:
		return " else if " + g.cond(1).head() + " " + g.block(1, nil) + " else " + g.block(1, nil)
	}
	return ""
}

// forLoop runs over a list, a map, a range, the lines of a text, or a slot.
func (g *gen) forLoop() string {
	var in code
	var names []*local
	loop := g.fresh("e")
	switch g.pick(6) {
	case 0:
		in, names = call("range", word("0"), word(fmt.Sprint(1+g.pick(3)))), []*local{{name: loop, typ: plain(intKind)}}
	case 1:
		t := g.valueType()
		in, names = g.expr(listOf(t), 2), []*local{{name: loop, typ: t}}
	case 2:
		t := g.valueType()
		in = g.expr(mapOf(t), 2)
		names = []*local{{name: loop + ".key", typ: plain(stringKind)}, {name: loop + ".value", typ: t}}
	case 3:
		in, names = g.expr(plain(stringKind), 2), []*local{{name: loop, typ: plain(stringKind)}}
	default:
		if len(g.allSlots()) == 0 {
			return ""
		}
		s := one(g, g.allSlots())
		in, names = word(g.reads(s)), []*local{{name: loop, typ: s.value}}
		if !s.list {
			names = []*local{{name: loop + ".key", typ: plain(anyKind)}, {name: loop + ".value", typ: s.value}}
		}
	}
	bound := one(g, []string{"", "", "[loop_bound(20)] "})
	return g.line("for " + bound + loop + " in " + in.head() + " " + g.loopBody("", names...))
}

// whileLoop counts, or has a bound that is enforced.
func (g *gen) whileLoop() string {
	if g.coin(3) {
		return g.line("while [loop_bound(4)] " + g.cond(2).head() + " " + g.loopBody(""))
	}
	i := &local{name: g.fresh("i"), typ: plain(intKind)}
	text := g.line("let " + i.name + " = 0")
	g.bind(i)
	more := binary(word(i.name), "<", compareLevel, word(fmt.Sprint(1+g.pick(3))))
	if g.coin(2) {
		more = binary(more, "&&", andLevel, g.cond(1))
	}
	return text + g.line("while "+more.head()+" "+g.loopBody(i.name+" += 1"))
}

// loopBody is the body of a loop that binds names; the first line, if any, counts.
func (g *gen) loopBody(first string, names ...*local) string {
	g.loops++
	defer func() { g.loops-- }()
	text := ""
	g.scoped(func() {
		for _, l := range names {
			g.bind(l)
		}
		text = g.block(3, nil)
		if first != "" {
			text = "{\n" + strings.Repeat("    ", g.indent+1) + first + strings.TrimPrefix(text, "{")
		}
	})
	return text
}

// leave ends a loop or the handler under a condition.
func (g *gen) leave() string {
	var what string
	switch {
	case g.loops > 0 && g.pick(3) > 0:
		what = one(g, []string{"break", "continue"})
	case g.lambdas == 0 && g.handler != nil:
		what = "return"
		if g.handler.result.kind != unitKind {
			what += " " + g.expr(g.handler.result, 1).text
		}
	default:
		what = one(g, []string{`fail("Odd", "here")`, `fail("Odd")`})
	}
	return g.line("if " + g.cond(1).head() + " { " + what + " }")
}

func (g *gen) emit() string {
	for _, e := range g.events {
		if g.handler == nil || g.testing || g.before(g.handler) <= e.last || g.coin(len(g.events)+1) || g.unthinking() {
			continue
		}
		g.effect("emit")
		for _, h := range g.handlers[:e.last+1] {
			g.fx.thinks = g.fx.thinks || h.name == e.name && h.fx.thinks
		}
		var args []code
		for _, t := range e.params {
			args = append(args, g.expr(t, 1))
		}
		return g.line("emit " + call(e.name, args...).text)
	}
	return ""
}

// before is how many handlers stand before one.
func (g *gen) before(h *handler) int {
	for i, other := range g.handlers {
		if other == h {
			return i
		}
	}
	return len(g.handlers)
}

// caught keeps what a block gives or raises, and looks at it.
func (g *gen) caught() string {
	t := one(g, []*typ{plain(intKind), plain(stringKind)})
	r, v := g.fresh("r"), &local{name: g.fresh("v"), typ: t, set: true}
	text := g.line("let " + r + " = try " + g.block(3, t))
	switch g.pick(4) {
	case 0:
		text += g.line("let " + v.name + " = " + r + ".value ?? " + g.leaf(t).at(compareLevel))
	case 1:
		text += g.line("if " + r + `.kind == "invariant" { fail(` + r + `) }`)
		text += g.line("let " + v.name + " = " + r + ".value ?? " + g.leaf(t).at(compareLevel))
	case 2:
		text += g.line("let " + v.name + " = " + r + "?")
	case 3:
		v.typ = plain(stringKind)
		text += g.line("let " + v.name + " = " + r + `.kind ?? ` + r + `.detail ?? ` + r + `.error ?? "fine"`)
	}
	g.bind(v)
	return text
}

// bindFunction keeps a function in a name.
func (g *gen) bindFunction() string {
	if g.without(Lambdas) {
		return ""
	}
	var params []*typ
	for range g.pick(3) {
		params = append(params, g.valueType())
	}
	if len(params) == 0 {
		params = append(params, plain(intKind))
	}
	f := &local{name: g.fresh("f"), typ: function(g.valueType(), params...)}
	text := g.line("let " + f.name + " = " + g.lambda(f.typ, 2).text)
	g.bind(f)
	v := &local{name: g.fresh("v"), typ: f.typ.elem, set: true}
	text += g.line("let " + v.name + " = " + g.lambdaCall(f, 1).text)
	g.bind(v)
	return text
}

// callStatement calls a handler for what it does.
func (g *gen) callStatement() string {
	callable := g.callable()
	if len(callable) == 0 || g.without(Calls) {
		return ""
	}
	if g.blind && g.coin(3) {
		// A computed name: the analyses do not know what is called.
		var public []*handler
		for _, h := range callable {
			if !h.private && !h.counts && !h.fx.thinks {
				public = append(public, h)
			}
		}
		if len(public) > 0 && !g.testing {
			h := one(g, public)
			g.effect("delegate")
			args := []code{word(`"` + segment(quote(h.cell.name)) + `"`), quote(h.name)}
			for _, p := range h.params {
				args = append(args, g.expr(p.typ, 1))
			}
			return g.line(call("delegate", args...).text)
		}
	}
	c := g.callOf(one(g, callable), 2)
	if c.prec == pipeLevel || !strings.HasSuffix(c.text, ")") {
		return g.line("let " + g.fresh("u") + " = " + c.text)
	}
	return g.line(c.text)
}

// inner draws a block among statements.
func (g *gen) inner() string {
	if g.coin(2) {
		return g.matchStatement()
	}
	t := g.valueType()
	l := &local{name: g.fresh("v"), typ: t, set: true}
	text := g.line("let " + l.name + " = if " + g.cond(2).head() + " " + g.valueBlock(t, 2) + g.elseBlocks(t, 2))
	g.bind(l)
	return text
}
