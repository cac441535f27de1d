// Package types finds what is certain about the types of a program's values, and reports what
// surely raises kind "type".
//
// # Idea
//
// The language is typed at run time. Where parameters, slots, fields of variants and builtins
// state types, the runtime enforces them, and literals and operators do the rest: so much is
// known of many expressions without a type being written. The pass is an abstract
// interpretation of each body over sets of kinds (type.go), flow-sensitive for locals
// (state.go) and narrowed by tests (narrow.go). What a handler gives is inferred from its body,
// since nothing enforces what the face says of it.
//
// A Type always stands for at least the values that there can be. An operation is reported
// only when no value of the types of its operands would be taken: then it raises whenever it
// is reached, whatever the inputs. What may be absent is left to the runtime and the proofs.
// Inside try and assert_fails nothing is reported, since a failure may be what is wanted.
//
// # Cost
//
// Linear in the size of the program: types have a bounded size, states are changed in place and
// undone, so that branches cost what they change; a loop is gone over again only while the
// types of the locals that it assigns grow, at most maxRounds times before they are given up.
package types

import (
	"soma.cell/frontend/diag"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// Info holds the types of expressions that are evaluated somewhere; others have no entry.
type Info struct {
	Types map[syntax.Expr]*Type
}

// Check finds the types of a resolved program, which may have errors, and what is wrong.
func Check(p *resolve.Program) (*Info, []diag.Diagnostic) {
	c := &checker{
		prog: p, info: p.Info,
		types:   make(map[syntax.Expr]*Type, 2*(len(p.Info.Names)+len(p.Info.Calls))),
		results: map[*resolve.Handler]*Type{},
		mocked:  mockedIn(p),
	}
	for _, cell := range p.Cells {
		for _, h := range cell.Handlers {
			c.resultOf(h)
		}
	}
	for _, cell := range p.Cells {
		c.givens(cell)
		c.guards(cell)
		c.invariants(cell)
	}
	for _, t := range p.Tests {
		c.test(t)
	}
	return &Info{Types: c.types}, diag.Sort(c.diags)
}

// checker holds the tables of one run.
type checker struct {
	prog    *resolve.Program
	info    *resolve.Info
	types   map[syntax.Expr]*Type
	results map[*resolve.Handler]*Type // of handlers whose bodies were gone over; nil while one is
	mocked  mockedCallees
	diags   []diag.Diagnostic
	nesting int // of bodies that are gone over for the sake of others
}

// maxNesting bounds how far calls are followed at once; what is deeper is Any.
const maxNesting = 100

// resultOf is the type of what a handler gives, from its body. A body that is being gone over
// may give anything, so that recursion ends.
func (c *checker) resultOf(h *resolve.Handler) *Type {
	if t, seen := c.results[h]; seen {
		return orAny(t)
	}
	if c.nesting == maxNesting || h.Body == nil {
		return anything
	}
	c.nesting++
	c.results[h] = nil
	b := c.body(h.Body)
	b.handler = h
	c.results[h] = b.run(func() {
		for _, p := range h.Params {
			b.bind(p.Decl.Name, declared(p.Type))
		}
		b.give(h.Body)
	})
	c.nesting--
	return c.results[h]
}

// givens looks at the assumptions of a face; each sees its own name and those before it.
func (c *checker) givens(cell *resolve.Cell) {
	for i, given := range cell.Givens {
		if given.Decl.Cond == nil {
			continue
		}
		b := c.body(given.Decl.Cond)
		b.run(func() {
			for _, g := range cell.Givens[:i+1] {
				b.bind(g.Decl.Name, declared(g.Type))
			}
			b.condition(given.Decl.Cond)
		})
	}
}

// guards looks at the conditions of a cell's edges. Of what the callers bind nothing is known.
func (c *checker) guards(cell *resolve.Cell) {
	if cell.Machine == nil {
		return
	}
	for _, row := range cell.Machine.Decl.Edges {
		if row.Guard == nil {
			continue
		}
		b := c.body(row.Guard)
		b.special = func(name string) *Type {
			switch name {
			case "_id":
				return &Type{Kinds: String | Int}
			case "_from", "_to":
				return text
			}
			return anything
		}
		b.run(func() { b.condition(row.Guard) })
	}
}

// mockedCallees are the builtins that some test replaces, and whether any test replaces anything.
type mockedCallees struct {
	builtins map[string]bool
	any      bool
}

func mockedIn(p *resolve.Program) mockedCallees {
	out := mockedCallees{map[string]bool{}, len(p.Info.Mocks) > 0}
	for _, m := range p.Info.Mocks {
		if m.Builtin != nil {
			out.builtins[m.Builtin.Name] = true
		}
	}
	return out
}

// replaced tells whether a test may have put something else in the place of a callee. Bodies
// are judged as they run without mocks; rules of tests as they run with them, where what a
// handler gives may come from any mock that its callees reach.
func (b *body) replaced(callee *resolve.Callee) bool {
	switch {
	case !b.inTest:
		return false
	case callee.Handler != nil:
		return b.mocked.any
	}
	return callee.Builtin != nil && b.mocked.builtins[callee.Builtin.Name]
}

// report keeps a finding, unless it stands where nothing is reached or a failure is wanted.
func (b *body) report(d diag.Diagnostic) {
	if b.quiet == 0 && !b.dead {
		b.found = append(b.found, d)
	}
}

// span is the key of a local that has none.
type span = source.Span
