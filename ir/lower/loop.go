package lower

import (
	"math/big"
	"slices"
	"sort"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// A loop is a head location, a body, and back edges. A local that the body assigns must
// have one shape at the head; the shape it has before the loop is tried first, and where
// the body ends with another, the body is lowered again with that local Opaque. Nested
// loops would double the work at each level, so from the fourth level on all locals that
// the body assigns are Opaque at once.

type loopFrame struct {
	breaks    []end
	continues []end
	tries     int // how many transactions were open outside the loop
	depth     int // how many scopes there were
}

const widenAt = 3

// loop lowers a loop whose rounds assign the locals names. round stands at the head, lowers one round, and returns the paths that
// leave the loop; it is called again when shapes clash.
func (b *builder) loop(names []string, info *ir.Loop, round func(head ir.Loc) (exits []end)) {
	widened := map[string]bool{}
	if len(b.loops) >= widenAt {
		for _, n := range names {
			widened[n] = true
		}
	}
	for {
		saved := b.checkpoint()
		clash := b.tryLoop(names, widened, info, round)
		if len(clash) == 0 {
			return
		}
		b.restore(saved)
		for _, n := range clash {
			widened[n] = true
		}
	}
}

// loopNames are the locals bound outside the loop that its body assigns, sorted.
func (b *builder) loopNames(body syntax.Node) []string {
	var out []string
	for name := range assignedNames(body) {
		if _, ok := b.env.find(name); ok && !b.shared[name] {
			out = append(out, name)
		}
	}
	sort.Strings(out)
	return out
}

// tryLoop lowers the loop once and returns the names whose shape did not hold.
func (b *builder) tryLoop(names []string, widened map[string]bool, info *ir.Loop, round func(ir.Loc) []end) []string {
	at := info.Span
	for _, n := range names {
		v, _ := b.env.find(n)
		// Unit, lambdas and literals have no variable that a round could assign.
		switch {
		case widened[n] || v.isUnit() || v.lambda != nil || v.t.Op != term.OpVar:
			out := b.fresh(n, term.Opaque, false, at)
			for _, e := range b.assign(out, v, at) {
				b.emit(e)
			}
			b.env.set(n, out)
		default:
			v.items, v.isList, v.fields, v.typ = nil, false, nil, nil
			b.env.set(n, v)
		}
	}
	head := b.newLoc()
	b.jump(head, at)
	b.cur = head
	loop := *info
	loop.Head, loop.Test = head, head
	b.a.Loops = append(b.a.Loops, &loop)

	frame := &loopFrame{tries: len(b.tries), depth: b.env.depth()}
	b.loops = append(b.loops, frame)
	outer := b.env.copy()
	exits := round(head)
	last := b.stop(unit())
	b.loops = b.loops[:len(b.loops)-1]

	clash := map[string]bool{}
	for _, e := range append([]end{last}, frame.continues...) {
		b.resume(e)
		for _, n := range names {
			to, _ := outer.find(n)
			v, _ := b.env.find(n)
			if !fits(to, v) || v.lambda != nil && !widened[n] {
				clash[n] = true
				continue
			}
			for _, eff := range b.assign(to, v, at) {
				b.emit(eff)
			}
		}
		b.flush(at) // nothing happens on a back edge itself
		b.jump(head, at).Back = true
	}
	b.env = outer
	b.merge(append(exits, frame.breaks...), at)
	var out []string
	for _, n := range names {
		if clash[n] {
			out = append(out, n)
		}
	}
	return out
}

func (s *scope) depth() int {
	n := 0
	for ; s != nil; s = s.up {
		n++
	}
	return n
}

// trim drops the scopes opened inside a loop.
func (s *scope) trim(depth int) *scope {
	for n := s.depth(); n > depth; n-- {
		s = s.up
	}
	return s
}

// leave lowers break and continue: transactions opened in the loop are closed.
func (b *builder) leave(again bool, span source.Span) {
	if len(b.loops) == 0 {
		return
	}
	f := b.loops[len(b.loops)-1]
	for range len(b.tries) - f.tries {
		b.emit(&ir.Commit{At: at(span)})
	}
	e := b.stop(unit())
	e.env = e.env.copy().trim(f.depth)
	if again {
		f.continues = append(f.continues, e)
	} else {
		f.breaks = append(f.breaks, e)
	}
	b.cur = b.newLoc()
}

// checkpoint and restore let a loop be lowered again.
type checkpoint struct {
	locs, edges, vars, loops int
	stmts                    int
	cur                      ir.Loc
	pending                  []ir.Effect
	env                      *scope
	taken                    int
	frames                   []loopFrame
	failed                   []int // paths caught so far by each open try
}

func (b *builder) checkpoint() checkpoint {
	c := checkpoint{
		locs: b.a.Locs, edges: len(b.a.Edges), vars: len(b.a.Vars), loops: len(b.a.Loops), stmts: len(b.a.Stmts),
		cur: b.cur, pending: append([]ir.Effect(nil), b.pending...), env: b.env.copy(), taken: len(b.taken),
	}
	for _, f := range b.loops {
		c.frames = append(c.frames, *f)
	}
	for _, f := range b.tries {
		c.failed = append(c.failed, len(f.failed))
	}
	return c
}

func (b *builder) restore(c checkpoint) {
	b.a.Locs, b.a.Edges, b.a.Vars, b.a.Loops = c.locs, b.a.Edges[:c.edges], b.a.Vars[:c.vars], b.a.Loops[:c.loops]
	b.a.Stmts = b.a.Stmts[:c.stmts]
	b.cur, b.pending, b.env = c.cur, c.pending, c.env
	for _, name := range b.taken[c.taken:] {
		b.names[name]--
	}
	b.taken = b.taken[:c.taken]
	for i, f := range c.frames {
		*b.loops[i] = f
	}
	for i, n := range c.failed {
		b.tries[i].failed = b.tries[i].failed[:n]
	}
}

// forLoop lowers for x in xs: the collection is finite, x is any of its elements; a range is
// counted.
func (b *builder) forLoop(s *syntax.For) {
	if lo, hi, ok := b.rangeOf(s.In); ok {
		b.rangeLoop(s, lo, hi)
		return
	}
	over := b.expr(s.In)
	b.mayRaise("type", s.In.Span())
	info := &ir.Loop{Kind: ir.ForLoop, Span: s.At, Bound: fewer(b.bound(s.Bound), length(over))}
	b.loop(b.loopNames(s.Body), info, func(head ir.Loc) []end {
		exit := b.exitFrom(head, nil, s.At)
		b.when(head, term.True, s.At)
		b.round(s, func() value { return b.element(over, s) })
		return []end{exit}
	})
}

// rangeLoop lowers for x in range(lo, hi): a counter of which the body knows nothing goes on before
// the body runs, so that continue and break leave it right. That it is no less than lo is said
// again in each round, for those who know nothing of the rounds before.
func (b *builder) rangeLoop(s *syntax.For, lo, hi *term.Term) {
	next := b.store("", of(lo), s.Var.At).t
	more := term.Lt(next, hi)
	info := &ir.Loop{Kind: ir.ForLoop, Span: s.At, Bound: fewer(b.bound(s.Bound), between(lo, hi)), Cond: more}
	b.loop(b.loopNames(s.Body), info, func(head ir.Loc) []end {
		exit := b.exitFrom(head, term.Not(more), s.At)
		b.when(head, term.And(term.Le(lo, next), more), s.At)
		b.round(s, func() value {
			x := b.store(s.Var.Name, of(next), s.Var.At)
			b.emit(&ir.Bind{At: b.at(s.Var.At), Var: next, Value: term.Add(next, term.Int64(1))})
			return x
		})
		return []end{exit}
	})
}

// round lowers one round of a for loop, whose variable gets what take gives.
func (b *builder) round(s *syntax.For, take func() value) {
	b.open()
	if s.Bound != nil {
		b.mayRaise("loop_bound", s.At)
	}
	b.bind(s.Var.Name, take(), s.Var.At)
	b.block(s.Body, false)
	b.close()
}

// element is any element of a collection.
func (b *builder) element(over value, s *syntax.For) value {
	sort, typ := term.Opaque, (*resolve.Type)(nil)
	if t := over.typ; t != nil && t.Kind == resolve.ListType && t.Elem != nil {
		typ, sort = t.Elem, sortOf(t.Elem)
	}
	if over.sort().Kind == term.KindString {
		sort = term.String
	}
	if sort.Kind == term.KindUnit {
		sort = term.Opaque
	}
	x := b.variable(s.Var.Name, sort, s.Var.At)
	b.emit(&ir.Havoc{At: b.at(s.Var.At), Var: x, Origin: ir.Environment, Why: "for", From: []*term.Term{b.plain(over)}})
	return value{t: x, typ: typ}
}

// rangeOf recognises range(a, b) over Ints, whose bounds are kept.
func (b *builder) rangeOf(x syntax.Expr) (lo, hi *term.Term, ok bool) {
	call, isCall := syntax.Unparen(x).(*syntax.Call)
	if !isCall || len(call.Args) != 2 {
		return nil, nil, false
	}
	c := b.info.Calls[call]
	if c == nil || c.Kind != resolve.CallBuiltin || c.Builtin.Name != "range" {
		return nil, nil, false
	}
	vs := b.values(call.Args)
	bounds := [2]*term.Term{}
	for i, v := range vs {
		t := b.convert(v, term.Int, call.Args[i].Span())
		bounds[i] = b.store("", of(t), call.At).t
		if t.IsLiteral() {
			bounds[i] = t
		}
	}
	return bounds[0], bounds[1], true
}

// between is how many numbers a literal range holds, nil when it is none or holds too many.
func between(lo, hi *term.Term) *int64 {
	if lo.Op != term.OpInt || hi.Op != term.OpInt {
		return nil
	}
	n := new(big.Int).Sub(hi.Int, lo.Int)
	if n.Sign() < 0 {
		n.SetInt64(0)
	}
	if !n.IsInt64() {
		return nil
	}
	rounds := n.Int64()
	return &rounds
}

// length is that of a list written out, here or where a name is bound to its literals; nil of
// other values.
func length(v value) *int64 {
	n := int64(len(v.items))
	switch {
	case v.has != nil:
		return nil
	case v.isList:
	case v.t != nil && v.t.Op == term.OpApp && v.t.Name == "list":
		n = int64(len(v.t.Args))
	default:
		return nil
	}
	return &n
}

// fewer is the smaller of two bounds of which each may be unknown.
func fewer(a, b *int64) *int64 {
	if a == nil || b != nil && *b < *a {
		return b
	}
	return a
}

// bound is the literal of loop_bound.
func (b *builder) bound(x syntax.Expr) *int64 {
	if lit, ok := x.(*syntax.Int); ok && lit.Value.IsInt64() {
		n := lit.Value.Int64()
		return &n
	}
	return nil
}

// exitFrom opens the path out of a loop and keeps it for later.
func (b *builder) exitFrom(head ir.Loc, cond *term.Term, span source.Span) end {
	e := b.when(head, term.True, span)
	if cond != nil {
		e.Guard = cond
	}
	return end{loc: b.cur, env: b.env.copy(), v: unit()}
}

// whileLoop lowers while c { … }; the condition is evaluated in each round.
func (b *builder) whileLoop(s *syntax.While) {
	info := &ir.Loop{Kind: ir.WhileLoop, Span: s.At, Bound: b.bound(s.Bound)}
	b.loop(b.loopNames(s), info, func(head ir.Loc) []end {
		loop := b.a.Loops[len(b.a.Loops)-1]
		var exits []end
		tests := b.conjuncts(s.Cond)
		for _, test := range tests {
			cond := b.condition(test)
			from := b.flush(test.Span())
			loop.Test = from // the last one decides
			if from == head && len(tests) == 1 {
				loop.Cond = cond
			}
			exits = append(exits, b.exitFrom(from, term.Not(cond), s.At))
			b.when(from, cond, test.Span()).Cond = test.Span()
		}
		if s.Bound != nil {
			b.mayRaise("loop_bound", s.At)
		}
		b.block(s.Body, false)
		return exits
	})
}

// conjuncts are the operands of && in a condition with effects: each is a test of its own, so that
// whoever passes the last has passed all.
func (b *builder) conjuncts(cond syntax.Expr) []syntax.Expr {
	var out []syntax.Expr
	if !b.effectFree(cond) {
		for {
			x, ok := syntax.Unparen(cond).(*syntax.Binary)
			if !ok || x.Op != syntax.AndOp {
				break
			}
			out = append(out, x.Y)
			cond = x.X
		}
	}
	out = append(out, cond)
	slices.Reverse(out)
	return out
}
