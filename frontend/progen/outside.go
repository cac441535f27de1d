package progen

import (
	"slices"
	"strings"

	"soma.cell/frontend/builtin"
)

// ownMachine is the machine that the body may act on: that of its cell, or the only one of the
// program, which no frame could name.
func (g *gen) ownMachine() *machine {
	if g.cell == nil || g.pure || g.testing {
		return nil
	}
	if g.cell.machine != nil {
		return g.cell.machine
	}
	if g.cell.framed {
		return nil
	}
	var found *machine
	for _, c := range g.cells {
		if c.machine != nil {
			if found != nil {
				return nil
			}
			found = c.machine
		}
	}
	return found
}

// moved notes the edges into a state, all or those that leave one state.
func (g *gen) moved(m *machine, from, to string) {
	for _, e := range m.into(to) {
		if from == "" || e.from == from {
			g.fx.moves[e] = true
		}
	}
}

// move draws a transition.
func (g *gen) move() string {
	m := g.ownMachine()
	if m == nil {
		return ""
	}
	id, e := g.key(), m.edges[0]
	if g.pick(3) > 0 { // not the first edge, so that runs get there
		e = one(g, m.edges)
	}
	from, to := e.from, e.to
	switch g.pick(10) {
	case 0, 1:
		g.moved(m, "", to)
		return g.line(call("transition", id, quote(to)).text)
	case 2, 3:
		g.moved(m, from, to)
		return g.line(call("transition", id, quote(from), quote(to)).text)
	case 4:
		g.moved(m, from, to)
		bare := func(state string) code {
			if m.sum != nil && m.sum.qualify {
				return word(m.sum.name + "::" + state)
			}
			return word(state)
		}
		return g.line("let " + g.fresh("u") + " = " + g.anyCall("transition", id, bare(from), bare(to)).text)
	case 5, 6:
		return g.listedMove(m, id)
	case 7:
		return g.matchedMove(m, id)
	case 8:
		v := g.fresh("to")
		text := g.line("let " + v + " = " + g.state().text)
		g.moved(m, "", to)
		g.indent++
		inner := g.line(call("transition", id, word(v)).text)
		g.indent--
		return text + g.line("if "+v+" == "+quote(to).text+" {\n"+inner+strings.Repeat("    ", g.indent)+"}")
	}
	if locals := g.named(plain(stringKind), true); len(locals) > 0 {
		for _, to := range m.entered() {
			g.moved(m, "", to)
		}
		return g.line(call("transition", id, word(one(g, locals).name)).text)
	}
	g.moved(m, "", to)
	return g.line(call("transition", id, code{`"` + segment(quote(to)) + `"`, tight}).text)
}

// state draws a text that may be a state. In a frame it is surely a text: what is compared with a
// value of unknown kind excludes no edge.
func (g *gen) state() code {
	c := g.expr(plain(stringKind), 2)
	if g.cell.framed {
		return call("to_string", c)
	}
	return c
}

// listedMove goes where a value says that the program tested against a list.
func (g *gen) listedMove(m *machine, id code) string {
	v, list := g.fresh("to"), []string{}
	declared := g.coin(2)
	from := one(g, m.edges).from
	for _, to := range m.entered() {
		if declared && !slices.Contains(m.edges, edge{from, to}) {
			continue
		}
		list = append(list, quote(to).text)
		if declared {
			g.moved(m, from, to)
		} else {
			g.moved(m, "", to)
		}
	}
	text := g.line("let " + v + " = " + g.state().text)
	text += g.line("require contains([" + strings.Join(list, ", ") + "], " + v + ") else Bad")
	if declared {
		return text + g.line(call("transition", id, quote(from), word(v)).text)
	}
	return text + g.line(call("transition", id, word(v)).text)
}

// matchedMove goes where the arms of a match say.
func (g *gen) matchedMove(m *machine, id code) string {
	v := g.fresh("to")
	to := one(g, m.entered())
	g.moved(m, "", to)
	text := g.line("let " + v + " = " + g.state().text)
	text += g.line("match " + v + " {")
	g.indent++
	text += g.line(quote(to).text + " -> " + call("transition", id, word(v)).text)
	text += g.line("_ -> ()")
	g.indent--
	return text + g.line("}")
}

// sink brings an untrusted value, tested, to where trusted ones are wanted.
func (g *gen) sink() string {
	switch g.pick(3) {
	case 0:
		if !g.without(Agents) {
			n := g.expr(plain(intKind), 2)
			return g.line(call(g.effect("set_budget"), call("clamp", n, word("0"), word("500"))).text)
		}
	case 1:
		if !g.without(Outside) {
			v := g.fresh("url")
			return g.line("let "+v+" = "+g.expr(plain(stringKind), 2).text) +
				g.line("if starts_with("+v+`, "https://a.example/") { `+call(g.effect("http_get"), word(v)).text+" }")
		}
	case 2:
		if !g.without(Agents) {
			n := g.fresh("n")
			return g.line("let "+n+" = "+g.expr(plain(intKind), 2).text) +
				g.line("require "+n+" >= 0 && "+n+" <= 90 else Bad") +
				g.line(call(g.effect("set_budget"), word(n)).text)
		}
	}
	return ""
}

// outsideStatement calls a builtin with an effect.
func (g *gen) outsideStatement() string {
	var names []string
	for _, b := range builtin.All() {
		switch b.Class {
		case builtin.Pure, builtin.Machine, builtin.Call:
			continue
		case builtin.Model, builtin.Memory, builtin.Budget:
			if g.without(Agents) || b.Class == builtin.Model && g.unthinking() {
				continue
			}
		default:
			if g.without(Outside) {
				continue
			}
		}
		names = append(names, b.Name)
	}
	if len(names) == 0 || g.pure {
		return ""
	}
	b := builtin.Lookup(one(g, names))
	c := g.builtinCall(b)
	g.effect(b.Name)
	if b.Result == "Unit" {
		return g.line(c.text)
	}
	l := &local{name: g.fresh("o"), typ: resultType(b), set: true}
	text := g.line("let " + l.name + " = " + c.text)
	g.bind(l)
	return text
}

// resultType is the type of what a builtin gives, as far as the table says.
func resultType(b *builtin.Builtin) *typ {
	switch b.Result {
	case "Int":
		return plain(intKind)
	case "String":
		return plain(stringKind)
	case "Bool":
		return plain(boolKind)
	}
	return plain(anyKind)
}

// anyBuiltin calls some pure builtin of the table.
func (g *gen) anyBuiltin() string {
	var pure []*builtin.Builtin
	for _, b := range builtin.All() {
		if b.Class == builtin.Pure && b.Name != "fail" && b.Name != "gcd" && len(g.forms(b)) > 0 {
			pure = append(pure, b)
		}
	}
	b := one(g, pure)
	l := &local{name: g.fresh("b"), typ: resultType(b), set: true}
	text := g.line("let " + l.name + " = " + g.builtinCall(b).text)
	g.bind(l)
	return text
}

// forms lists the forms of a builtin that may be drawn.
func (g *gen) forms(b *builtin.Builtin) []*builtin.Form {
	var out []*builtin.Form
	for _, f := range b.Forms {
		if !(g.without(Lambdas) && strings.Contains(f.String(), "=>")) {
			out = append(out, f)
		}
	}
	return out
}

// builtinCall draws a call of any builtin in one of its forms.
func (g *gen) builtinCall(b *builtin.Builtin) code {
	var args []code
	for i, p := range one(g, g.forms(b)).Params {
		n := 1
		switch {
		case p.Repeated && b.Name == "with": // whole pairs are in the form already
			n = 0
		case p.Repeated:
			n = g.pick(3)
		case p.Optional:
			n = g.pick(2)
		}
		for range n {
			if p.Name == "pairs" && len(args)%2 == b.Min%2 { // a key
				args = append(args, g.key())
				continue
			}
			args = append(args, g.builtinArg(b, p, i))
		}
		if n == 0 {
			break
		}
	}
	switch b.Name {
	case "map", "render": // whole pairs
		if len(args)%2 != b.Min%2 {
			args = append(args, g.literal(plain(intKind)))
		}
	}
	return call(b.Name, args...)
}

// builtinArg draws an argument by the name and the type of its parameter.
func (g *gen) builtinArg(b *builtin.Builtin, p builtin.Param, i int) code {
	if slices.Contains(b.Sinks, i) {
		switch {
		case b.Name == "set_budget":
			return g.cleanInt()
		case b.Class == builtin.Net:
			return g.cleanURL()
		}
		return g.cleanPath()
	}
	kinds := p.Type.Kinds()
	switch name := p.Name; name {
	case "rows", "left", "right":
		if slices.Contains(kinds, "List") {
			return word(`[map("k", 1, "n", "a"), map("k", 2, "n", "b")]`)
		}
	case "field", "fields", "group", "key":
		if b.Name != "with" {
			return word(`"k"`)
		}
	case "columns":
		return word(`"k:sum"`)
	case "op":
		return word(`">="`)
	case "order":
		return word(`"desc"`)
	case "m":
		return word("[[1, 2], [3, 4]]")
	case "date", "from", "to":
		if slices.Equal(kinds, []string{"String"}) && strings.Contains(b.Name, "days") || strings.Contains(b.Name, "months") {
			return word(`"2024-02-29"`)
		}
	case "re":
		return word(`"[a-z]+"`)
	case "ms":
		return word("1")
	case "digits", "exponent", "y", "n":
		return word("2") // small: powers and shifts
	case "opts":
		return word(`map("timeout", 100)`)
	case "system":
		return word(`"be brief"`)
	}
	switch one(g, kinds) {
	case "Int":
		return word(one(g, []string{"1", "2", "0", "3"}))
	case "Float", "Number":
		return g.expr(plain(floatKind), 1)
	case "String":
		return g.expr(plain(stringKind), 1)
	case "Bool":
		return g.cond(1)
	case "List":
		return g.expr(listOf(plain(intKind)), 1)
	case "Map":
		return g.expr(mapOf(plain(intKind)), 1)
	case "Function":
		return g.lambda(function(plain(boolKind), plain(anyKind)), 1)
	}
	return g.expr(g.valueType(), 1)
}
