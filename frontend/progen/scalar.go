package progen

import (
	"fmt"
	"strings"
)

// intExpr draws an Int by what only Ints have.
func (g *gen) intExpr(depth int) code {
	n := func() code { return g.expr(plain(intKind), depth) }
	text := func() code { return g.expr(plain(stringKind), depth) }
	ints := func() code { return g.expr(listOf(plain(intKind)), depth) }
	switch g.pick(22) {
	case 0, 1:
		return binary(n(), "+", addLevel, n())
	case 2:
		return binary(n(), "-", addLevel, n())
	case 3:
		return binary(n(), "*", mulLevel, n())
	case 4:
		return binary(n(), "%", mulLevel, n())
	case 5:
		x := n()
		return code{"-" + x.at(tight), unaryLevel}
	case 6:
		return g.anyCall(one(g, []string{"min", "max", "idiv", "floor_div", "mod", "div_round", "band", "bor", "bxor"}), n(), n())
	case 7:
		return g.anyCall(one(g, []string{"abs", "bit_len", "bnot"}), n())
	case 8:
		return call("clamp", n(), code{"-1", unaryLevel}, n())
	case 9:
		return g.anyCall("len", one(g, []code{text(), ints(), g.expr(mapOf(plain(intKind)), depth)}))
	case 10:
		return orElse(g.anyCall(one(g, []string{"parse_int", "to_int"}), text()), n())
	case 11:
		return call("count", ints(), g.lambda(function(plain(boolKind), plain(intKind)), depth))
	case 12:
		return call("index_of", text(), text())
	case 13:
		return call("to_int", call("sum", ints()))
	case 14:
		if g.coin(4) {
			return method(one(g, []code{ints(), g.expr(mapOf(plain(intKind)), depth)}), "size")
		}
		if slots := g.allSlots(); len(slots) > 0 {
			s := one(g, slots)
			return word(g.reads(s) + one(g, []string{".len", ".len()", ".size", ".size()"}))
		}
	case 15:
		x := g.fresh("x")
		var body code
		g.scoped(func() {
			g.bind(&local{name: x + ".acc", typ: plain(intKind)})
			g.bind(&local{name: x + ".val", typ: plain(intKind)})
			body = g.expr(plain(intKind), depth)
		})
		if g.without(Lambdas) {
			return n()
		}
		return call("reduce", ints(), n(), code{x + " => " + x + ".acc + " + body.at(mulLevel), loose})
	case 16:
		if g.cell != nil && !g.testing && !g.pure {
			for _, h := range g.cell.handlers {
				if h.name == "gcd" {
					if g.handler == h {
						return n()
					}
					g.fx.calls["gcd"] = true
				}
			}
		}
		if g.pure || g.testing {
			return n()
		}
		return g.anyCall("gcd", n(), n())
	case 17, 18, 19:
		return g.outsideInt(n)
	case 20:
		return binary(call("ord", binary(text(), "+", addLevel, word(`"a"`))), "%", mulLevel, word("7"))
	}
	return binary(n(), "+", addLevel, n())
}

// outsideInt draws an Int that comes from elsewhere.
func (g *gen) outsideInt(n func() code) code {
	if g.pure {
		return n()
	}
	agents, outside := !g.without(Agents), !g.without(Outside)
	switch g.pick(6) {
	case 0:
		return word(g.effect("next_id") + "()")
	case 1:
		if agents {
			return word(g.effect(one(g, []string{"tokens_used", "tokens_remaining"})) + "()")
		}
	case 2:
		if outside {
			return word(g.effect(one(g, []string{"now", "now_ms"})) + "()")
		}
	case 3:
		if outside {
			return call("to_int", call(g.effect("random"), word("5")))
		}
	case 4:
		if agents && !g.unthinking() {
			return orElse(call("to_int", call(g.effect("think"), g.textTemplate(0))), n())
		}
	case 5:
		if agents {
			return orElse(call("to_int", call(g.effect("recall"), g.key())), n())
		}
	}
	return n()
}

// unthinking tells whether the model may not be asked here: a tool runs while it thinks.
func (g *gen) unthinking() bool {
	return g.handler != nil && (g.handler.tool || g.handler.mutual != nil)
}

// textExpr draws a text by what only texts have.
func (g *gen) textExpr(depth int) code {
	text := func() code { return g.expr(plain(stringKind), depth) }
	n := func() code { return g.expr(plain(intKind), depth) }
	switch g.pick(20) {
	case 0, 1, 2, 3:
		return g.textTemplate(depth)
	case 4:
		return binary(text(), "+", addLevel, text())
	case 5, 6:
		return g.anyCall(one(g, []string{"lowercase", "uppercase", "trim", "escape_html", "reverse"}), text())
	case 7:
		return g.anyCall("to_string", g.expr(g.valueType(), depth))
	case 8:
		return call("replace", text(), word(`"a"`), text())
	case 9:
		return call("substring", text(), word("0"), n())
	case 10:
		return index(binary(text(), "+", addLevel, word(`"a"`)), word("0"))
	case 11:
		return call("join", g.expr(listOf(plain(stringKind)), depth), word(`"-"`))
	case 12:
		return call(one(g, []string{"to_json", "type_of"}), g.expr(g.valueType(), depth))
	case 13:
		return call("pad_left", text(), word("4"), word(`"0"`))
	case 14:
		if m := g.ownMachine(); m != nil {
			g.fx.inspects = true
			return call("get_status", g.key())
		}
	case 15, 16, 17:
		return g.outsideText(text)
	case 18:
		return call("regex_replace", text(), word(`"[0-9]+"`), word(`"#"`))
	case 19:
		return call("format", word(`"%d of %s"`), n(), text())
	}
	return g.textTemplate(depth)
}

// textTemplate draws a text with expressions in it.
func (g *gen) textTemplate(depth int) code {
	var b strings.Builder
	quotes := `"`
	if g.inline == 0 && g.coin(4) {
		quotes = `"""`
	}
	b.WriteString(quotes)
	g.inline++
	for range 1 + g.pick(2) {
		b.WriteString(one(g, []string{"", "n ", "{{", "é:", "{k: 1} ", `\\`}))
		c := g.expr(g.shownType(), depth)
		if quotes == `"` {
			b.WriteString(segment(c))
		} else {
			b.WriteString("{" + c.text + "}")
		}
	}
	g.inline--
	return word(b.String() + " " + quotes)
}

// shownType draws the type of an interpolated value, which is no function.
func (g *gen) shownType() *typ {
	if g.pick(3) > 0 {
		return one(g, []*typ{plain(intKind), plain(stringKind)})
	}
	return g.valueType()
}

// outsideText draws a text that comes from elsewhere.
func (g *gen) outsideText(text func() code) code {
	if g.pure {
		return text()
	}
	if !g.without(Agents) && !g.unthinking() && g.coin(2) {
		prompt := g.textTemplate(0)
		switch g.pick(4) {
		case 1:
			return call(g.effect("think"), prompt, word(`"be brief"`))
		case 2:
			return call(g.effect("think"), prompt, call("map", word(`"max_tokens"`), word("20"), word(`"max_rounds"`), word("2")))
		case 3:
			return call("to_string", index(call(g.effect("think_json"), prompt), g.key()))
		}
		return call(g.effect("think"), prompt)
	}
	if g.without(Outside) {
		return text()
	}
	switch g.pick(4) {
	case 0:
		return word(g.effect("today") + "()")
	case 1:
		return call("to_string", call(g.effect("http_get"), g.cleanURL()))
	case 2:
		return call("to_string", call(g.effect("read_file"), g.cleanPath()))
	}
	return word(g.effect("read_stdin") + "()")
}

// boolExpr draws a condition by what only Bools have.
func (g *gen) boolExpr(depth int) code {
	b := func() code { return g.expr(plain(boolKind), depth) }
	text := func() code { return g.expr(plain(stringKind), depth) }
	n := func() code { return g.expr(plain(intKind), depth) }
	switch g.pick(19) {
	case 0, 1, 2:
		return binary(n(), one(g, []string{"<", "<=", ">", ">=", "==", "!="}), compareLevel, n())
	case 3, 4:
		return binary(text(), one(g, []string{"==", "!=", "<", ">="}), compareLevel, text())
	case 5:
		return binary(b(), "&&", andLevel, b())
	case 6:
		return binary(b(), "||", orLevel, b())
	case 7:
		x := b()
		return code{"!" + x.at(tight), unaryLevel}
	case 8:
		t := g.valueType()
		if t.kind == anyKind { // two of these may surely be of different kinds
			return binary(g.expr(t, depth), "!=", compareLevel, word("()"))
		}
		return binary(g.expr(t, depth), one(g, []string{"==", "!="}), compareLevel, g.expr(t, depth))
	case 9:
		return call("contains", word(`["a", "zz", "idle"]`), text())
	case 10:
		return g.anyCall(one(g, []string{"starts_with", "ends_with", "contains", "str_eq"}), text(), text())
	case 11:
		var maps []*slot
		for _, s := range g.allSlots() {
			if !s.list {
				maps = append(maps, s)
			}
		}
		if len(maps) > 0 {
			s := one(g, maps)
			return method(word(g.reads(s)), "has", g.slotKey(s, depth))
		}
	case 12:
		if g.without(Lambdas) {
			break
		}
		return g.anyCall(one(g, []string{"any", "all"}), g.expr(listOf(plain(intKind)), depth), g.lambda(function(plain(boolKind), plain(intKind)), depth))
	case 13:
		return call("is_a", g.expr(g.valueType(), depth), word(one(g, []string{`"Int"`, `"String"`, `"Light"`, `"Point"`})))
	case 14:
		if m := g.ownMachine(); m != nil {
			g.fx.inspects = true
			return call("has_state", g.key())
		}
	case 15:
		if g.inline == 0 && len(g.slotsOf(plain(intKind))) > 0 {
			return binary(g.slotGet(one(g, g.slotsOf(plain(intKind))), depth), one(g, []string{"==", "!="}), compareLevel, one(g, []code{word("()"), n()}))
		}
	case 16:
		return binary(call("regex_match", text(), word(`"^[a-z]+$"`)), "==", compareLevel, word("1"))
	case 17:
		return method(g.expr(mapOf(plain(stringKind)), depth), "has", g.key())
	case 18:
		if !g.pure && !g.without(Outside) {
			return call(g.effect("approve"), text())
		}
	}
	return b()
}

// floatExpr draws a Float, or an Int that becomes one.
func (g *gen) floatExpr(depth int) code {
	f := func() code { return g.expr(plain(floatKind), depth) }
	n := func() code { return g.expr(plain(intKind), depth) }
	switch g.pick(8) {
	case 0, 1:
		return binary(f(), one(g, []string{"+", "-"}), addLevel, f())
	case 2:
		return binary(f(), "*", mulLevel, f())
	case 3:
		return binary(f(), "/", mulLevel, f())
	case 4:
		return call("sqrt", call("abs", f()))
	case 5:
		return orElse(call("to_float", n()), f())
	case 6:
		return call("round", f(), word("1"))
	}
	return call("pow", n(), word("2"))
}

// listExpr draws a list.
func (g *gen) listExpr(t *typ, depth int) code {
	e := t.elem
	list := func() code { return g.expr(t, depth) }
	x := func() code { return g.expr(e, depth) }
	n := func() code { return g.expr(plain(intKind), depth) }
	switch g.pick(16) {
	case 0, 1:
		return word("[" + x().text + ", " + x().text + "]")
	case 2:
		return call("push", list(), x())
	case 3:
		return g.anyCall("concat", list(), list())
	case 4:
		if e.kind != intKind && e.kind != anyKind {
			return binary(list(), "+", addLevel, list())
		}
	case 5:
		return call("slice", list(), n(), n())
	case 6:
		return g.anyCall(one(g, []string{"reverse", "distinct"}), list())
	case 7:
		return call(one(g, []string{"top", "bottom"}), list(), word("2"))
	case 8, 9:
		if g.without(Lambdas) {
			break
		}
		if g.coin(2) {
			return g.anyCall("filter", list(), g.lambda(function(plain(boolKind), e), depth))
		}
		return g.anyCall("map", g.expr(listOf(plain(intKind)), depth), g.lambda(function(e, plain(intKind)), depth))
	case 10:
		return call("list", x(), x())
	case 11:
		switch e.kind {
		case intKind:
			return call("range", n(), call("min", n(), word("5")))
		case stringKind:
			return g.anyCall("split", g.expr(plain(stringKind), depth), word(`","`))
		}
	case 12:
		if e.kind == intKind || e.kind == stringKind {
			return g.anyCall("sort", list())
		}
	case 13:
		if e.kind == stringKind && !g.pure {
			for _, s := range g.allSlots() {
				if !s.list {
					return word(g.reads(s) + one(g, []string{".keys", ".keys()"}))
				}
			}
			if m := g.ownMachine(); m != nil {
				g.fx.inspects = true
				return call("valid_transitions", g.key())
			}
		}
	case 14:
		if slots := g.slotsOf(e); len(slots) > 0 {
			s := slots[0]
			if s.list {
				return word(g.reads(s))
			}
			return word(g.reads(s) + one(g, []string{".values", ".values()"}))
		}
	case 15:
		return g.anyCall(one(g, []string{"values"}), g.expr(mapOf(e), depth))
	}
	return list()
}

// mapExpr draws a map.
func (g *gen) mapExpr(t *typ, depth int) code {
	m := func() code { return g.expr(t, depth) }
	x := func() code { return g.expr(t.elem, depth) }
	switch g.pick(7) {
	case 0, 1:
		return call("map", g.mapKey(t), x(), word(`"a"`), x())
	case 2:
		return call("with", m(), g.key(), x())
	case 3:
		return g.anyCall("without", m(), g.key())
	case 4:
		return g.anyCall("merge", m(), m())
	case 5:
		if t.elem.kind == intKind {
			return call("word_count", g.expr(plain(stringKind), depth))
		}
	case 6:
		for _, s := range g.slotsOf(t.elem) {
			if !s.list && !s.intKey {
				return word(g.reads(s))
			}
		}
	}
	return m()
}

// cleanText draws a text that nothing untrusted decides.
func (g *gen) cleanText() code {
	if locals := g.named(plain(stringKind), true); len(locals) > 0 && g.coin(2) {
		return word(one(g, locals).name)
	}
	return word(one(g, []string{`"a"`, `"k"`}))
}

func (g *gen) cleanInt() code {
	if locals := g.named(plain(intKind), true); len(locals) > 0 && g.coin(2) {
		return word(one(g, locals).name)
	}
	return word(fmt.Sprint(g.pick(90)))
}

func (g *gen) cleanURL() code {
	return one(g, []code{word(`"https://a.example/x"`), word(`"https://a.example/{` + strings.ReplaceAll(g.cleanText().text, `"`, `\"`) + `}"`)})
}

func (g *gen) cleanPath() code {
	return one(g, []code{word(`"a.txt"`), binary(word(`"d/"`), "+", addLevel, g.cleanText())})
}
