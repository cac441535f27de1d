package progen

import (
	"fmt"
	"strings"
)

// expr draws an expression of a type, at most so deep.
func (g *gen) expr(t *typ, depth int) code {
	if depth <= 0 || g.fuel <= 0 {
		return g.leaf(t)
	}
	g.fuel--
	switch g.pick(8) {
	case 0, 1:
		return g.leaf(t)
	case 2, 3:
		if c, ok := g.anyway(t, depth-1); ok {
			return c
		}
	}
	return g.own(t, depth-1)
}

// own draws an expression in a way that only its type has.
func (g *gen) own(t *typ, depth int) code {
	switch t.kind {
	case intKind:
		return g.intExpr(depth)
	case stringKind:
		return g.textExpr(depth)
	case boolKind:
		return g.boolExpr(depth)
	case floatKind:
		return g.floatExpr(depth)
	case listKind:
		return g.listExpr(t, depth)
	case mapKind:
		return g.mapExpr(t, depth)
	case sumKind:
		return g.variantExpr(t.sum, depth)
	case recordKind:
		return g.recordExpr(t.record, depth)
	case functionKind:
		return g.lambda(t, depth)
	case anyKind:
		return g.anyExpr(depth)
	}
	return g.leaf(t)
}

// named lists the locals of a type; clean leaves only those that are surely trusted.
func (g *gen) named(t *typ, clean bool) []*local {
	var out []*local
	seen := map[string]bool{}
	for i := len(g.locals) - 1; i >= 0; i-- {
		l := g.locals[i]
		if !seen[l.name] && l.typ.is(t) && (l.clean || !clean) {
			out = append(out, l)
		}
		seen[l.name] = true
	}
	return out
}

// leaf draws a literal or a local.
func (g *gen) leaf(t *typ) code {
	if locals := g.named(t, false); len(locals) > 0 && g.pick(4) > 0 {
		return word(one(g, locals).name)
	}
	return g.literal(t)
}

// literal draws a value that is written down.
func (g *gen) literal(t *typ) code {
	switch t.kind {
	case intKind:
		switch n := g.pick(16); n {
		case 12:
			return word(one(g, []string{"0x1F", "1_000", "5s", "1min", "2h", "1d", "500ms", "100000000000000000000"}))
		case 13, 14, 15:
			return code{fmt.Sprint(12 - n), unaryLevel}
		default:
			return word(fmt.Sprint(n))
		}
	case stringKind:
		texts := []string{`"a"`, `"k"`, `""`, `"zz"`, `"h\u{e9} {{x}}"`, `"2"`, `"idle"`, `"{42}, {color: red}"`, `"""q "b" \d"""`}
		if g.inline > 0 { // such quotes cannot stand in a segment
			texts = texts[:len(texts)-1]
		}
		return word(one(g, texts))
	case boolKind:
		return word(one(g, []string{"true", "false"}))
	case floatKind:
		switch g.pick(4) {
		case 1:
			return code{"5%", loose}
		case 2:
			return code{"-2.5", unaryLevel}
		case 3:
			return word("1e3")
		}
		return word("1.5")
	case listKind:
		if g.coin(4) {
			return word("[]")
		}
		return word("[" + g.literal(t.elem).text + ", " + g.literal(t.elem).text + "]")
	case mapKind:
		return call("map", g.mapKey(t), g.literal(t.elem))
	case sumKind:
		return g.variant(t.sum, t.sum.variants[0], 0)
	case recordKind:
		return g.recordExpr(t.record, 0)
	case functionKind:
		return g.lambda(t, 0)
	case unitKind:
		return word("()")
	}
	return g.literal(one(g, []*typ{plain(intKind), plain(stringKind), plain(unitKind), listOf(plain(intKind)), mapOf(plain(stringKind)), plain(floatKind)}))
}

// key draws a text that others draw as well.
func (g *gen) key() code {
	if g.pick(3) == 2 {
		return g.leaf(plain(stringKind))
	}
	return word(one(g, []string{`"k"`, `"a"`, `"zz"`}))
}

func (g *gen) mapKey(t *typ) code {
	if t.intKey {
		return word(fmt.Sprint(g.pick(3)))
	}
	return g.key()
}

func (g *gen) slotKey(s *slot, depth int) code {
	if s.intKey || s.list {
		if g.pick(3) == 2 {
			return g.expr(plain(intKind), depth)
		}
		return code{one(g, []string{"0", "1", "-1"}), unaryLevel}
	}
	if g.coin(4) {
		return g.expr(plain(stringKind), depth)
	}
	return g.key()
}

// slotsOf lists the slots of the cell with a type of value.
func (g *gen) slotsOf(t *typ) []*slot {
	if g.cell == nil || g.pure || g.testing {
		return nil
	}
	var out []*slot
	for _, s := range g.cell.slots {
		if s.value.is(t) {
			out = append(out, s)
		}
	}
	return out
}

// anyway draws an expression in a way that every type has; ok is false where there is none.
func (g *gen) anyway(t *typ, depth int) (code, bool) {
	switch g.pick(12) {
	case 0:
		return code{"(" + g.expr(t, depth).text + ")", tight}, true
	case 1:
		return code{"if " + g.cond(depth).head() + " " + g.valueBlock(t, depth) + g.elseBlocks(t, depth), loose}, true
	case 2, 3:
		if slots := g.slotsOf(t); len(slots) > 0 {
			return orElse(g.slotGet(one(g, slots), depth), g.leaf(t)), true
		}
	case 4, 5:
		return g.handlerCall(t, depth)
	case 6:
		if f := g.functions(t); len(f) > 0 {
			return g.lambdaCall(one(g, f), depth), true
		}
	case 7:
		if !g.pure {
			r := code{"try " + g.valueBlock(t, depth), loose}
			if g.coin(2) {
				return code{r.at(tight) + "?", tight}, true
			}
			return orElse(code{r.at(tight) + ".value", tight}, g.leaf(t)), true
		}
	case 8:
		if !g.pure && g.inline == 0 {
			return g.matchExpr(t, depth), true
		}
	case 9:
		list := g.expr(listOf(t), depth)
		switch g.pick(4) {
		case 0:
			return orElse(call("nth", list, g.expr(plain(intKind), depth)), g.leaf(t)), true
		case 1:
			return index(list, code{one(g, []string{"0", "-1", "1"}), unaryLevel}), true
		case 2:
			return orElse(g.anyCall("find", list, g.lambda(function(plain(boolKind), t), depth)), g.leaf(t)), true
		}
		return orElse(method(list, "last"), g.leaf(t)), true
	case 10:
		m := g.expr(mapOf(t), depth)
		switch g.pick(4) {
		case 0:
			return orElse(index(m, g.key()), g.leaf(t)), true
		case 1:
			return orElse(method(m, "get", g.key()), g.leaf(t)), true
		case 2:
			return orElse(code{m.at(tight) + ".k", tight}, g.leaf(t)), true
		}
		return orElse(code{m.at(tight) + ".a", tight}, g.leaf(t)), true
	case 11:
		for _, f := range g.record.fields {
			if f.typ.is(t) {
				p := g.expr(g.recordType(), depth)
				return code{p.at(tight) + "." + f.name, tight}, true
			}
		}
	}
	return code{}, false
}

// functions lists the locals that hold a function with a result of the type.
func (g *gen) functions(t *typ) []*local {
	var out []*local
	for _, l := range g.locals {
		if l.typ.kind == functionKind && l.typ.elem.is(t) {
			out = append(out, l)
		}
	}
	return out
}

func function(result *typ, params ...*typ) *typ {
	return &typ{kind: functionKind, elem: result, params: params}
}

// slotGet reads an entry, which may be ().
func (g *gen) slotGet(s *slot, depth int) code {
	name := word(g.reads(s))
	k := g.slotKey(s, depth)
	switch {
	case s.list && g.coin(4):
		return one(g, []code{method(name, "last"), word(name.text + ".last")})
	case g.coin(3):
		return index(name, k)
	}
	return method(name, "get", k)
}

// cond draws a condition.
func (g *gen) cond(depth int) code { return g.expr(plain(boolKind), depth) }

// valueBlock is a block whose value has a type.
func (g *gen) valueBlock(t *typ, depth int) string {
	if g.inline > 0 || g.pure || g.coin(2) {
		return "{ " + g.expr(t, depth).text + " }"
	}
	return g.block(2, t)
}

// elseBlocks are the branches after the first.
func (g *gen) elseBlocks(t *typ, depth int) string {
	text := ""
	if g.coin(4) {
		text = " else if " + g.cond(depth).head() + " " + g.valueBlock(t, depth)
	}
	return text + " else " + g.valueBlock(t, depth)
}

// handlerCall calls an earlier handler that gives the type.
func (g *gen) handlerCall(t *typ, depth int) (code, bool) {
	if g.pure || g.without(Calls) {
		return code{}, false
	}
	var fitting []*handler
	for _, h := range g.callable() {
		if h.result.is(t) {
			fitting = append(fitting, h)
		}
	}
	if len(fitting) == 0 {
		return code{}, false
	}
	return g.callOf(one(g, fitting), depth), true
}

// callable lists the handlers that the body may call.
func (g *gen) callable() []*handler {
	var out []*handler
	for _, h := range g.handlers {
		if h == g.handler {
			break
		}
		if (h.outside || h.tool) && !g.testing || h.name == "gcd" || h.private && h.cell != g.cell {
			continue
		}
		if g.handler != nil && (g.handler.tool || g.handler.mutual != nil) && (h.fx.thinks || g.handler.mutual != nil) {
			continue // a tool runs while the model thinks
		}
		out = append(out, h)
	}
	return out
}

// callOf calls a handler, in one of the ways there are.
func (g *gen) callOf(h *handler, depth int) code {
	var args []code
	for i, p := range h.params {
		if i == 0 && h.counts {
			args = append(args, call("min", g.expr(plain(intKind), depth), word("3")))
			continue
		}
		args = append(args, g.expr(p.typ, depth))
	}
	g.fx.thinks = g.fx.thinks || h.fx.thinks
	if !h.private && !g.testing && g.coin(6) {
		g.noteCall(h)
		return call("delegate", append([]code{quote(h.cell.name), quote(h.name)}, args...)...)
	}
	g.noteCall(h)
	if h.cell == g.cell && !g.testing {
		return g.anyCall(h.name, args...)
	}
	if len(args) > 0 && g.coin(5) {
		rest := ""
		if len(args) > 1 {
			rest = call("", args[1:]...).text
		}
		return code{args[0].at(pipeLevel) + " |> " + h.cell.name + "." + h.name + rest, pipeLevel}
	}
	if !h.listens && g.coin(3) {
		return call(h.name, args...)
	}
	return call(h.cell.name+"."+h.name, args...)
}

// noteCall counts a call among the effects of the body.
func (g *gen) noteCall(h *handler) {
	switch {
	case h.private:
		g.fx.add(h.fx)
	case h.cell == g.cell:
		g.fx.calls[h.name] = true
	default:
		g.fx.calls[h.cell.name+"."+h.name] = true
	}
}

func (g *gen) lambdaCall(f *local, depth int) code {
	var args []code
	for _, p := range f.typ.params {
		args = append(args, g.expr(p, depth))
	}
	return call(f.name, args...)
}

// lambda draws a function value.
func (g *gen) lambda(t *typ, depth int) code {
	loops := g.loops
	g.loops = 0
	g.lambdas++
	defer func() { g.loops = loops; g.lambdas-- }()
	var out code
	g.scoped(func() {
		var names []string
		for _, p := range t.params {
			l := &local{name: g.fresh("x"), typ: p}
			g.bind(l)
			names = append(names, l.name)
		}
		head := strings.Join(names, ", ")
		if len(names) != 1 {
			head = "(" + head + ")"
		}
		if g.inline == 0 && !g.pure && g.coin(3) {
			out = code{head + " => " + g.block(2, t.elem), loose}
			return
		}
		out = code{head + " => " + g.expr(t.elem, depth).text, loose}
	})
	return out
}

// variantExpr draws a variant.
func (g *gen) variantExpr(s *sum, depth int) code { return g.variant(s, one(g, s.variants), depth) }

func (g *gen) variant(s *sum, v *variant, depth int) code {
	if len(v.fields) == 0 {
		return word(s.ref(v))
	}
	var fields []string
	for _, f := range v.fields {
		text := g.expr(f.typ, depth).text
		if v.named {
			text = f.name + ": " + text
		}
		fields = append(fields, text)
	}
	if v.named {
		return code{s.ref(v) + " { " + strings.Join(fields, ", ") + " }", loose}
	}
	return word(s.ref(v) + "(" + strings.Join(fields, ", ") + ")")
}

func (g *gen) recordExpr(r *record, depth int) code {
	var fields []string
	for _, f := range r.fields {
		fields = append(fields, f.name+": "+g.expr(f.typ, depth).text)
	}
	return code{r.name + " { " + strings.Join(fields, ", ") + " }", loose}
}

// anyExpr draws a value of which nothing is known.
func (g *gen) anyExpr(depth int) code {
	if !g.pure && !g.without(Agents) && g.coin(4) {
		return call(g.effect("recall"), g.key())
	}
	if slots := g.allSlots(); len(slots) > 0 && g.coin(4) {
		s := one(g, slots)
		return one(g, []code{word(g.reads(s)), g.slotGet(s, depth)})
	}
	if g.coin(3) {
		return call("from_json", g.expr(plain(stringKind), depth))
	}
	if g.coin(3) {
		return word("()")
	}
	return g.expr(one(g, []*typ{plain(intKind), plain(stringKind), plain(boolKind), listOf(plain(stringKind)), mapOf(plain(intKind)), g.recordType()}), depth)
}

func (g *gen) allSlots() []*slot {
	if g.cell == nil || g.pure || g.testing {
		return nil
	}
	return g.cell.slots
}
