package format_test

import (
	"math/big"

	"pgregory.net/rapid"

	"soma.cell/frontend/syntax"
)

// What stands in bodies, drawn from the grammar.

// --- statements ---

func (d *drawing) block(depth int) *syntax.Block {
	b := &syntax.Block{}
	if !d.single {
		b.Stmts = many(d, 3, func() syntax.Stmt { return d.stmt(depth) })
	}
	switch d.int(0, 3) {
	case 0:
		b.Stmts = append(b.Stmts, &syntax.Return{})
	case 1:
		b.Stmts = append(b.Stmts, &syntax.ExprStmt{X: d.expr(depth - 1)})
	}
	return b
}

func (d *drawing) stmt(depth int) syntax.Stmt {
	if depth <= 0 {
		return &syntax.ExprStmt{X: d.call(0)}
	}
	depth--
	switch d.int(0, 11) {
	case 0:
		return &syntax.Let{Name: d.id(), Value: d.expr(depth)}
	case 1:
		op := of(d, syntax.NoOp, syntax.AddOp, syntax.SubOp, syntax.MulOp, syntax.DivOp)
		return &syntax.Assign{Target: d.place(depth), Op: op, Value: d.expr(depth)}
	case 2:
		return &syntax.For{Bound: d.bound(), Var: d.id(), In: d.expr(depth), Body: d.block(depth)}
	case 3:
		return &syntax.While{Bound: d.bound(), Cond: d.expr(depth), Body: d.block(depth)}
	case 4:
		return of[syntax.Stmt](d, &syntax.Break{}, &syntax.Continue{})
	case 5:
		return &syntax.Return{Value: d.expr(depth)}
	case 6:
		r := &syntax.Require{Cond: d.expr(depth), Tag: of(d, d.word(), syntax.Ident{Name: d.plain()})}
		if d.bool() {
			r.Message = d.str(depth)
		}
		return r
	case 7:
		return &syntax.Ensure{Cond: d.expr(depth)}
	case 8:
		return &syntax.Emit{Event: d.id(), Args: d.args(depth)}
	case 9:
		return &syntax.ExprStmt{X: &syntax.Propagate{X: d.branching(depth)}}
	case 10: // what hangs on a choice at the start
		return &syntax.ExprStmt{X: &syntax.Method{X: d.branching(depth), Name: d.word(), Args: d.args(0)}}
	}
	return &syntax.ExprStmt{X: d.call(depth)}
}

func (d *drawing) place(depth int) syntax.Expr {
	switch d.int(0, 2) {
	case 0:
		return &syntax.Index{X: d.expr(depth), I: d.expr(depth)}
	case 1:
		return &syntax.Field{X: d.expr(depth), Name: d.word()}
	}
	return &syntax.Name{Name: d.id().Name}
}

func (d *drawing) bound() syntax.Expr {
	if d.bool() {
		return nil
	}
	return &syntax.Int{Value: big.NewInt(int64(d.int(1, 1000)))}
}

func (d *drawing) rule() syntax.Stmt {
	switch d.int(0, 5) {
	case 0:
		return &syntax.Mock{Cell: maybe(d, func() *syntax.Ident { return ref(d.cap()) }), Name: d.id(), Reply: d.expr(2)}
	case 1:
		return &syntax.Mock{Name: d.id(), Error: true, Reply: d.str(1)}
	case 2:
		return &syntax.Assert{Cond: d.expr(3)}
	case 3:
		a := &syntax.AssertFails{X: d.expr(3)}
		if d.bool() {
			a.Matching = d.str(1)
		}
		return a
	case 4:
		p := &syntax.Property{Name: d.plain(), Var: d.id(), Type: d.typ(), Lo: d.expr(2), Hi: d.expr(2), Cond: d.expr(3)}
		if d.bool() {
			p.Count = d.expr(1)
		}
		return p
	}
	return &syntax.Let{Name: d.id(), Value: d.expr(3)}
}

// --- expressions ---

func (d *drawing) args(depth int) []syntax.Expr {
	return many(d, 3, func() syntax.Expr { return d.expr(depth) })
}

func (d *drawing) call(depth int) syntax.Expr {
	name := &syntax.Name{Name: of(d, "f", "think", "_g", "test")}
	switch d.int(0, 3) {
	case 0:
		p := &syntax.Pipe{X: d.expr(depth), Call: &syntax.Call{Fun: name, Args: d.args(depth)}}
		p.Cell = maybe(d, func() *syntax.Ident { return ref(d.cap()) })
		return p
	case 1:
		return &syntax.Method{X: d.expr(depth), Name: d.word(), Args: d.args(depth)}
	case 2:
		return &syntax.Propagate{X: &syntax.Try{Body: d.block(depth)}}
	}
	return &syntax.Call{Fun: name, Args: d.args(depth)}
}

func (d *drawing) branching(depth int) syntax.Expr {
	switch d.int(0, 4) {
	case 0, 1:
		return d.choice(depth)
	case 2, 3:
		return d.match(depth)
	}
	return &syntax.Index{X: d.match(depth), I: d.expr(0)}
}

func (d *drawing) choice(depth int) syntax.Expr {
	x := &syntax.If{Cond: d.expr(depth), Then: d.block(depth)}
	switch d.int(0, 2) {
	case 0:
		x.Else = d.block(depth)
	case 1:
		x.Else = &syntax.If{Cond: d.expr(depth), Then: d.block(depth)}
	}
	return x
}

func (d *drawing) match(depth int) syntax.Expr {
	arms := 3
	if d.single {
		arms = 1
	}
	return &syntax.Match{X: d.expr(depth), Arms: many(d, arms, func() *syntax.Arm {
		a := &syntax.Arm{}
		if d.bool() {
			a.Patterns = []syntax.Pattern{d.pattern(2)}
		} else {
			a.Patterns = some(d, 3, d.constant)
		}
		if d.bool() {
			a.Guard = d.expr(depth)
		}
		if d.bool() {
			a.Value = d.expr(depth)
		} else {
			a.Body = d.block(depth)
		}
		return a
	})}
}

func (d *drawing) expr(depth int) syntax.Expr {
	if depth <= 0 {
		return d.leaf()
	}
	depth--
	operand := func() syntax.Expr { return d.expr(depth) }
	switch d.int(0, 15) {
	case 0, 1, 2:
		op := syntax.BinOp(d.int(int(syntax.OrOp), int(syntax.RemOp)))
		return &syntax.Binary{Op: op, X: operand(), Y: operand()}
	case 3, 4:
		return d.call(depth)
	case 5:
		return &syntax.Unary{Not: d.bool(), X: operand()}
	case 6:
		return &syntax.Field{X: operand(), Name: d.word()}
	case 7:
		return &syntax.Index{X: operand(), I: operand()}
	case 8:
		return &syntax.Propagate{X: operand()}
	case 9:
		return &syntax.List{Items: d.args(depth)}
	case 10:
		r := &syntax.Record{Type: maybe(d, func() *syntax.Ident { return ref(d.cap()) }), Name: d.cap()}
		r.Fields = many(d, 2, func() syntax.FieldInit { return syntax.FieldInit{Name: d.word(), Value: operand()} })
		return r
	case 11:
		l := &syntax.Lambda{Params: some(d, 2, d.id)}
		if d.bool() {
			l.X = operand()
		} else {
			l.Body = d.block(depth)
		}
		return l
	case 12:
		return d.str(depth)
	case 13:
		return d.branching(depth)
	case 14:
		return &syntax.Call{Fun: d.variantRef(), Args: d.args(depth)}
	}
	return &syntax.Paren{X: operand()}
}

func (d *drawing) variantRef() *syntax.VariantRef {
	return &syntax.VariantRef{Type: maybe(d, func() *syntax.Ident { return ref(d.cap()) }), Name: d.cap()}
}

func (d *drawing) leaf() syntax.Expr {
	switch d.int(0, 8) {
	case 0:
		return d.integer(1)
	case 1:
		return d.float(1)
	case 2:
		return &syntax.Bool{Value: d.bool()}
	case 3:
		return &syntax.Unit{}
	case 4:
		return d.variantRef()
	case 5:
		return d.str(0)
	case 6:
		return d.duration(1)
	}
	return &syntax.Name{Name: d.id().Name}
}

func (d *drawing) integer(sign int64) *syntax.Int {
	n := new(big.Int).SetUint64(rapid.Uint64().Draw(d.t, "int"))
	if d.bool() {
		n = big.NewInt(int64(d.int(0, 20)))
	} else if d.bool() {
		n.Mul(n, n)
	}
	return &syntax.Int{Value: n.Mul(n, big.NewInt(sign))}
}

func (d *drawing) duration(sign int64) *syntax.Int {
	n := rapid.SampledFrom([]int64{1, 999, 1000, 60_000, 90_000, 3_600_000, 86_400_000}).Draw(d.t, "duration")
	return &syntax.Int{Value: big.NewInt(n * sign), Duration: true}
}

func (d *drawing) float(sign float64) *syntax.Float {
	return &syntax.Float{Value: sign * rapid.OneOf(rapid.Float64Range(0, 1e300), rapid.SampledFrom([]float64{0.5, 3, 1e21, 5e-324})).Draw(d.t, "float")}
}

// str draws a string. Where its segments may hold several statements its text is such that
// triple quotes can hold it.
func (d *drawing) str(depth int) syntax.Expr {
	outer := *d
	defer func() { *d = outer }()
	d.single = d.single || d.literal || depth == 0 || d.bool()
	d.literal = true
	text := d.plain
	if !d.single {
		text = func() string { return of(d, "a", "{}", "\\n", "\n", " ") }
	}
	s := &syntax.String{}
	add := func() {
		if t := text(); t != "" {
			s.Segments = append(s.Segments, syntax.Segment{Text: t})
		}
	}
	add()
	if depth > 0 {
		for range d.int(0, 2) {
			s.Segments = append(s.Segments, syntax.Segment{X: d.expr(depth - 1)})
			add()
		}
	}
	return s
}

// --- patterns ---

// constant draws a pattern that binds nothing.
func (d *drawing) constant() syntax.Pattern {
	lit := func(x syntax.Expr) syntax.Pattern { return &syntax.LiteralPattern{Value: x} }
	sign := of(d, int64(1), -1)
	switch d.int(0, 8) {
	case 0:
		return lit(d.integer(sign))
	case 1:
		return lit(d.float(float64(sign)))
	case 2:
		s := &syntax.String{}
		if t := d.plain(); t != "" {
			s.Segments = []syntax.Segment{{Text: t}}
		}
		return lit(s)
	case 3:
		return lit(&syntax.Bool{Value: d.bool()})
	case 4:
		return lit(&syntax.Unit{})
	case 5:
		return &syntax.RangePattern{Lo: d.integer(-1).Value, Hi: d.integer(sign).Value}
	case 6:
		return &syntax.VariantPattern{Type: maybe(d, func() *syntax.Ident { return ref(d.cap()) }), Name: d.cap()}
	case 7:
		return lit(d.duration(sign))
	}
	return &syntax.Wildcard{}
}

func (d *drawing) pattern(depth int) syntax.Pattern {
	if depth == 0 {
		return d.constant()
	}
	fields := func() []syntax.FieldPattern {
		return many(d, 2, func() syntax.FieldPattern {
			if d.bool() {
				id := d.id()
				return syntax.FieldPattern{Name: id, Value: &syntax.Bind{Name: id.Name}}
			}
			return syntax.FieldPattern{Name: d.word(), Value: d.pattern(depth - 1)}
		})
	}
	switch d.int(0, 5) {
	case 0:
		return &syntax.Bind{Name: d.id().Name}
	case 1:
		return &syntax.PrefixPattern{Prefix: d.plain(), Rest: d.id()}
	case 2:
		return &syntax.MapPattern{Fields: fields()}
	case 3:
		return &syntax.VariantPattern{Name: d.cap(), Tuple: true, Args: many(d, 2, func() syntax.Pattern { return d.pattern(depth - 1) })}
	case 4:
		return &syntax.VariantPattern{Name: d.cap(), Struct: true, Fields: fields(), Rest: d.bool()}
	}
	return d.constant()
}
