package format_test

import (
	"testing"

	"pgregory.net/rapid"

	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// Files drawn from the grammar, with no thought of parentheses or lines. What cannot be
// written at all is left out: a bare return before another statement, a value that nothing uses,
// and several statements inside of a string inside of a string.

// drawing draws one tree.
type drawing struct {
	t       *rapid.T
	single  bool // blocks hold one statement, matches one arm
	literal bool // inside a string
}

func (d *drawing) int(least, most int) int { return rapid.IntRange(least, most).Draw(d.t, "n") }

func (d *drawing) bool() bool { return rapid.Bool().Draw(d.t, "bool") }

func of[T any](d *drawing, list ...T) T { return rapid.SampledFrom(list).Draw(d.t, "of") }

// many draws up to most items.
func many[T any](d *drawing, most int, item func() T) []T {
	var out []T
	for range d.int(0, most) {
		out = append(out, item())
	}
	return out
}

// some draws at least one item.
func some[T any](d *drawing, most int, item func() T) []T {
	return append(many(d, most-1, item), item())
}

func maybe[T any](d *drawing, item func() *T) *T {
	if d.bool() {
		return item()
	}
	return nil
}

func (d *drawing) id() syntax.Ident {
	return syntax.Ident{Name: of(d, "a", "b_1", "_x", "state", "guard", "type", "rules", "initial", "x9")}
}

func (d *drawing) cap() syntax.Ident {
	return syntax.Ident{Name: of(d, "A", "Pending", "Charged", "B_2")}
}

func (d *drawing) word() syntax.Ident { return of(d, d.id(), d.cap(), syntax.Ident{Name: "if"}) }

func (d *drawing) stateName() syntax.Ident { return of(d, d.id(), d.cap()) }

func ref(id syntax.Ident) *syntax.Ident { return &id }

func (d *drawing) plain() string {
	return rapid.StringOfN(rapid.SampledFrom([]rune("ab{}\"\\\n\t\r\x00\x07:,7é😀 ")), 0, 8, -1).Draw(d.t, "text")
}

// Any tree comes back from its text, and what came back comes back in turn to the letter.
// The place of each expression covers the text that means it.
func TestDrawnFiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &drawing{t: t}
		back := roundTrip(t, d.file(), true)
		roundTrip(t, back, false)
		places(t, back)
	})
}

// places reads the text of each expression outside of strings by itself.
func places(t *rapid.T, f *syntax.File) {
	read := func(x syntax.Expr) {
		text := "cell A { on f() { return f(" + x.Span().Text() + ") } }"
		g, found := syntax.Parse(source.NewFile("part.cell", text))
		if len(found) > 0 {
			t.Fatalf("the place of %s covers %q: %v", shape(x, false), x.Span().Text(), found)
		}
		got := g.Decls[0].Handlers[0].Body.Stmts[0].(*syntax.Return).Value.(*syntax.Call).Args[0]
		if shape(got, false) != shape(x, false) {
			t.Fatalf("the place of %s covers %q", shape(x, false), x.Span().Text())
		}
	}
	var visit func(n syntax.Node) bool
	visit = func(n syntax.Node) bool {
		switch x := n.(type) {
		case *syntax.String, syntax.Pattern:
			return false
		case *syntax.Pipe: // its call is written without its first argument
			read(x)
			for _, inner := range append([]syntax.Expr{x.X}, x.Call.Args...) {
				syntax.Inspect(inner, visit)
			}
			return false
		case syntax.Expr:
			read(x)
		}
		return true
	}
	for _, d := range f.Decls {
		for _, h := range d.Handlers {
			syntax.Inspect(h.Body, visit)
		}
	}
}

// --- declarations ---

func (d *drawing) file() *syntax.File {
	return &syntax.File{
		Uses: many(d, 2, func() *syntax.Use { return &syntax.Use{Path: some(d, 3, d.id)} }),
		Decls: some(d, 3, func() *syntax.Decl {
			return d.decl(syntax.DeclKind(d.int(int(syntax.PlainCell), int(syntax.Flesh))), 2)
		}),
	}
}

func (d *drawing) decl(kind syntax.DeclKind, depth int) *syntax.Decl {
	out := &syntax.Decl{Kind: kind, Name: d.cap()}
	cell := kind == syntax.PlainCell || kind == syntax.AgentCell
	if cell || kind == syntax.Skeleton || kind == syntax.AgentSkeleton {
		out.Memory = many(d, 2, d.memory)
		out.Machines = many(d, 1, d.machine)
		out.Faces = many(d, 1, d.face)
		out.Verify = many(d, 1, func() *syntax.Verify { return &syntax.Verify{Props: many(d, 4, d.prop)} })
		out.Costs = many(d, 1, func() *syntax.Settings { return d.settings("cost") })
	}
	if cell {
		out.Costs = append(out.Costs, many(d, 1, func() *syntax.Settings { return d.settings("scale") })...)
		if depth > 0 {
			out.Interior = many(d, 1, func() *syntax.Interior {
				return &syntax.Interior{Cells: many(d, 2, func() *syntax.Decl { return d.decl(syntax.PlainCell, depth-1) })}
			})
		}
	}
	if cell || kind == syntax.Flesh || kind == syntax.TestCell {
		out.Handlers = many(d, 2, d.handler)
	}
	if cell || kind == syntax.Flesh {
		out.Timers = many(d, 1, d.timer)
	}
	switch kind {
	case syntax.TypeCell:
		out.Variants = many(d, 3, d.variant)
	case syntax.TestCell:
		out.Rules = many(d, 2, func() *syntax.Rules { return &syntax.Rules{Items: many(d, 4, d.rule)} })
	}
	return out
}

func (d *drawing) typ() *syntax.Type { return d.typeOf(2) }

func (d *drawing) typeOf(depth int) *syntax.Type {
	t := &syntax.Type{Name: d.cap()}
	if depth > 0 {
		t.Args = many(d, 2, func() *syntax.Type { return d.typeOf(depth - 1) })
	}
	return t
}

func (d *drawing) attr() *syntax.Attr {
	return &syntax.Attr{Name: d.id(), Args: many(d, 2, func() syntax.Expr { return d.expr(1) })}
}

func (d *drawing) memory() *syntax.Memory {
	return &syntax.Memory{
		Slots: many(d, 3, func() *syntax.Slot {
			return &syntax.Slot{Name: d.id(), Type: d.typ(), Attrs: many(d, 2, d.attr)}
		}),
		Invariants: many(d, 2, func() *syntax.Invariant { return &syntax.Invariant{Cond: d.expr(3)} }),
	}
}

func (d *drawing) machine() *syntax.Machine {
	return &syntax.Machine{
		Name: d.id(), Type: maybe(d, d.typ),
		Initial: many(d, 2, func() *syntax.Ident { return ref(d.stateName()) }),
		Edges: many(d, 4, func() *syntax.EdgeRow {
			e := &syntax.EdgeRow{To: d.stateName()}
			if d.bool() {
				e.From = ref(d.stateName())
			} else {
				e.Except = many(d, 2, d.stateName)
			}
			if d.bool() {
				e.Guard = d.expr(2)
			}
			return e
		}),
	}
}

func (d *drawing) face() *syntax.Face {
	return &syntax.Face{
		Signals: many(d, 3, d.signal),
		Promises: many(d, 1, func() *syntax.Promise {
			if d.bool() {
				return &syntax.Promise{Text: d.plain(), Free: true}
			}
			return &syntax.Promise{Text: d.id().Name}
		}),
		Givens: many(d, 1, func() *syntax.Given {
			g := &syntax.Given{Name: d.id(), Type: d.typ()}
			if d.bool() {
				g.Cond = d.expr(2)
			}
			return g
		}),
	}
}

func (d *drawing) signal() *syntax.Signal {
	s := &syntax.Signal{Tool: d.bool(), Name: d.id(), Params: many(d, 2, d.param), Result: maybe(d, d.typ)}
	if s.Tool {
		s.Description = d.plain()
	}
	s.Clauses = many(d, 3, func() *syntax.Clause {
		kind := syntax.ClauseKind(d.int(int(syntax.Reads), int(syntax.Calls)))
		return &syntax.Clause{Kind: kind, Items: some(d, 3, func() *syntax.ClauseItem {
			switch {
			case kind == syntax.Moves:
				return &syntax.ClauseItem{Name: d.stateName(), To: ref(d.stateName())}
			case kind == syntax.Calls && d.bool():
				return &syntax.ClauseItem{Cell: ref(d.cap()), Name: d.id()}
			case kind == syntax.Calls:
				return &syntax.ClauseItem{Name: of(d, d.id(), syntax.Ident{Name: "emit"})}
			}
			return &syntax.ClauseItem{Name: d.id()}
		})}
	})
	return s
}

func (d *drawing) param() *syntax.Param { return &syntax.Param{Name: d.id(), Type: maybe(d, d.typ)} }

func (d *drawing) atom() syntax.Ident {
	return of(d, d.stateName(), syntax.Ident{Name: "m.open"}, syntax.Ident{Name: "Cell.m.open"})
}

func (d *drawing) prop() *syntax.Prop {
	p := &syntax.Prop{Kind: syntax.PropKind(d.int(int(syntax.PropEventually), int(syntax.PropFair)))}
	switch p.Kind {
	case syntax.PropCTL:
		p.Name, p.CTL = d.plain(), d.plain()
		return p
	case syntax.PropFair:
		p.Strong = d.bool()
		if d.bool() {
			p.Handler = ref(d.atom())
		} else {
			p.Edge = [2]syntax.Ident{d.atom(), d.atom()}
		}
		return p
	case syntax.PropEventually, syntax.PropNever, syntax.PropAlways:
	default:
		p.Subject = ref(d.atom())
	}
	p.States = some(d, 3, d.atom)
	return p
}

func (d *drawing) settings(name string) *syntax.Settings {
	return &syntax.Settings{Name: name, Pairs: many(d, 3, func() syntax.Setting {
		return syntax.Setting{Name: d.id(), Value: d.expr(2)}
	})}
}

func (d *drawing) handler() *syntax.Handler {
	return &syntax.Handler{Name: d.id(), Params: many(d, 3, d.param), Attrs: many(d, 1, d.attr), Body: d.block(4)}
}

func (d *drawing) timer() *syntax.Timer {
	return &syntax.Timer{Every: d.bool(), Period: d.duration(1), Body: d.block(2)}
}

func (d *drawing) variant() *syntax.Variant {
	v := &syntax.Variant{Name: d.cap()}
	switch d.int(0, 2) {
	case 0:
		v.Struct = true
		v.Fields = many(d, 2, func() *syntax.Param { return &syntax.Param{Name: d.word(), Type: d.typ()} })
	case 1:
		v.Fields = some(d, 2, func() *syntax.Param { return &syntax.Param{Type: d.typ()} })
	}
	return v
}
