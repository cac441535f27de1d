package main

import (
	"fmt"
	"math/big"

	"soma.cell/frontend/format"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// point is one small change of a program.
type point struct {
	what  string
	at    source.Position
	apply func()
}

// points are the changes of a tree, in order of source. Test cells stay as they are.
type points struct {
	list   []point
	states []string // of the machines of the file
}

func pointsOf(f *syntax.File) []point {
	p := &points{}
	each := func(visit func(*syntax.Decl)) {
		for _, d := range f.Decls {
			if d.Kind != syntax.TestCell {
				visit(d)
			}
		}
	}
	each(func(d *syntax.Decl) {
		for _, m := range d.Machines {
			for _, e := range m.Edges {
				p.states = append(p.states, e.To.Name)
			}
		}
	})
	each(p.decl)
	return p.list
}

// mutant is the text of a file with its i-th change made.
func mutant(f *source.File, i int) (point, string) {
	tree, _ := syntax.Parse(f) // a tree of its own: the change is made in place
	p := pointsOf(tree)[i]
	p.apply()
	return p, format.File(tree)
}

// changes is how many changes a file has.
func changes(f *source.File) int {
	tree, _ := syntax.Parse(f)
	return len(pointsOf(tree))
}

func (p *points) add(n syntax.Node, what string, apply func()) {
	p.list = append(p.list, point{what, n.Span().From(), apply})
}

func (p *points) decl(d *syntax.Decl) {
	for _, m := range d.Memory {
		for _, r := range m.Invariants {
			syntax.Inspect(r.Cond, p.node)
		}
	}
	for _, m := range d.Machines {
		for _, e := range m.Edges {
			p.edge(e)
		}
	}
	for _, h := range d.Handlers {
		syntax.Inspect(h.Body, p.node)
	}
	for _, t := range d.Timers {
		syntax.Inspect(t.Body, p.node)
	}
}

func (p *points) edge(e *syntax.EdgeRow) {
	if e.From != nil {
		p.add(e, "edge the other way", func() { e.From.Name, e.To.Name = e.To.Name, e.From.Name })
	}
	if e.Guard != nil {
		p.add(e.Guard, "no guard", func() { e.Guard = nil })
		syntax.Inspect(e.Guard, p.node)
	}
}

// instead are the operators that take the place of each.
var instead = map[syntax.BinOp][]syntax.BinOp{
	syntax.OrOp: {syntax.AndOp}, syntax.AndOp: {syntax.OrOp},
	syntax.EqOp: {syntax.NeOp}, syntax.NeOp: {syntax.EqOp},
	syntax.LtOp: {syntax.LeOp, syntax.GeOp}, syntax.LeOp: {syntax.LtOp, syntax.GtOp},
	syntax.GtOp: {syntax.GeOp, syntax.LeOp}, syntax.GeOp: {syntax.GtOp, syntax.LtOp},
	syntax.AddOp: {syntax.SubOp}, syntax.SubOp: {syntax.AddOp}, syntax.MulOp: {syntax.AddOp},
}

func (p *points) node(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Binary:
		for _, op := range instead[n.Op] {
			p.add(n, fmt.Sprintf("%v becomes %v", n.Op, op), func() { n.Op = op })
		}
	case *syntax.Int:
		p.integer(n)
	case *syntax.Bool:
		p.add(n, "the other Bool", func() { n.Value = !n.Value })
	case *syntax.String:
		p.text(n)
	case *syntax.Unary:
		if n.Not {
			p.add(n, "no negation", func() { n.X = not(n.X) })
		}
	case *syntax.If:
		p.add(n, "negated condition", func() { n.Cond = not(n.Cond) })
		if other, ok := n.Else.(*syntax.Block); ok {
			p.add(n, "branches swapped", func() { n.Then, n.Else = other, n.Then })
		}
	case *syntax.Require:
		p.add(n, "negated require", func() { n.Cond = not(n.Cond) })
	case *syntax.Call:
		p.args(n, n.Args)
	case *syntax.Method:
		p.args(n, n.Args)
	case *syntax.Match:
		p.arms(n)
	case *syntax.Assign:
		if ops := instead[n.Op]; len(ops) > 0 {
			p.add(n, fmt.Sprintf("%v= becomes %v=", n.Op, ops[0]), func() { n.Op = ops[0] })
		}
	case *syntax.Block:
		p.block(n)
	}
	return true
}

func not(x syntax.Expr) syntax.Expr {
	return &syntax.Unary{Place: syntax.Place{At: x.Span()}, Not: true, X: x}
}

func (p *points) integer(n *syntax.Int) {
	if n.Duration {
		return
	}
	for _, d := range []int64{1, -1} {
		if v := new(big.Int).Add(n.Value, big.NewInt(d)); v.Sign() >= 0 {
			p.add(n, fmt.Sprintf("%v becomes %v", n.Value, v), func() { n.Value = v })
		}
	}
}

// text makes a state another one.
func (p *points) text(n *syntax.String) {
	s, plain := n.Literal()
	for i, state := range p.states {
		if plain && s == state {
			if next := p.states[(i+1)%len(p.states)]; next != s {
				p.add(n, s+" becomes "+next, func() { n.Segments[0].Text = next })
			}
			return
		}
	}
}

func (p *points) args(n syntax.Node, args []syntax.Expr) {
	for i := range len(args) - 1 {
		p.add(n, "arguments swapped", func() { args[i], args[i+1] = args[i+1], args[i] })
	}
}

func (p *points) arms(m *syntax.Match) {
	for i := range len(m.Arms) - 1 {
		p.add(m.Arms[i], "arms swapped", func() { m.Arms[i], m.Arms[i+1] = m.Arms[i+1], m.Arms[i] })
	}
	for _, a := range m.Arms {
		if a.Guard != nil {
			p.add(a, "no guard of an arm", func() { a.Guard = nil })
		}
	}
}

func (p *points) block(b *syntax.Block) {
	for i, s := range b.Stmts {
		if !named(s) {
			p.add(s, "dropped", func() { b.Stmts = append(b.Stmts[:i:i], b.Stmts[i+1:]...) })
		}
		if i > 0 && !named(b.Stmts[i-1]) {
			p.add(s, "statements swapped", func() { b.Stmts[i-1], b.Stmts[i] = s, b.Stmts[i-1] })
		}
	}
}

// named tells whether what follows a statement needs it.
func named(s syntax.Stmt) bool {
	_, let := s.(*syntax.Let)
	return let
}
