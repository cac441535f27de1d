package resolve

import (
	"soma.cell/frontend/diag"
	"soma.cell/frontend/syntax"
)

// Resolution turns trees into a Program in four rounds, each of which needs only what the
// rounds before it have settled; within a round the order of declarations never matters, so
// cells may mention each other freely.
//
//  1. Declare (cells.go, types.go). Every cell, type, variant, slot, signal and handler
//     gets its object. A skeleton and its flesh become one Cell here: from then on nobody
//     needs to know that the text stood in two places. Types as written become Types.
//  2. Draw (machines.go, faces.go). Wildcards are expanded, frames point at slots, edges
//     and callees. Both need all names of round 1.
//  3. Read bodies (scope.go, names.go, calls.go, moves.go, stmts.go, patterns.go, functions.go,
//     tests.go). One walk a body with a chain of lexical scopes. The walk decides what each name and each call
//     means and writes that into the side tables of Info; the interpreter and the lowering
//     read the tables and never decide anew. A local is in scope only after its let and
//     inside its block, and a let always has a value: hence "bound on every path before the
//     call", which the names of a guard need, is the same as "in scope at the call", and no
//     flow analysis is wanted.
//  4. Judge (guards.go, invariants.go, verify.go). What needs all bodies: guards against the
//     scopes of the calls that take their edges, rules, properties.
//
// Every round goes on after an error, so that all independent errors come in one run; what
// is not understood gets no entry in the tables and no second message. A rule is reported
// only where it is certain: what may hold at run time is left to the runtime. What merely
// follows from a part that did not parse is taken out afterwards (echo.go).
//
// Cost: linear in the size of the program, apart from guards, which are judged at every move
// that may take their edge, and suggestions, which compare one wrong name with those in scope.

// Resolve gives every name of a program its meaning. The first file is the entry; its test
// cells alone are resolved. The edition is kept in the result. The Program is usable for
// reading even when there are errors, but must not be run or proven then.
func Resolve(files []*syntax.File, edition string) (*Program, []diag.Diagnostic) {
	r := &resolver{
		prog: &Program{Files: files, Edition: edition, Info: &Info{
			Calls:     map[syntax.Expr]*Callee{},
			Names:     map[*syntax.Name]*Ref{},
			Slots:     map[syntax.Expr]*SlotUse{},
			Variants:  map[syntax.Node]*Variant{},
			Listeners: map[*syntax.Emit][]*Handler{},
			Mocks:     map[*syntax.Mock]*Callee{},
		}},
		cells:    map[string]*Cell{},
		types:    map[string]*SumType{},
		variants: map[string][]*Variant{},
		records:  map[string]bool{},
		handlers: map[string][]*Handler{},
		slots:    map[string][]*Slot{},

		declared:    map[*Cell]map[string]bool{},
		excused:     map[string]bool{},
		callerNames: map[*syntax.Name]bool{},
	}
	r.info = r.prog.Info
	r.declare()
	r.draw()
	r.readBodies()
	r.judge()
	return r.prog, diag.Sort(r.diags)
}

// resolver holds the tables of one run.
type resolver struct {
	prog  *Program
	info  *Info
	diags []diag.Diagnostic

	cells    map[string]*Cell
	types    map[string]*SumType
	variants map[string][]*Variant
	records  map[string]bool       // names used as Name { f: e } that are no variant
	handlers map[string][]*Handler // of all cells but test cells
	slots    map[string][]*Slot    // of all cells
	machines []*Machine
	moves    []*moveSite // calls of transition in handlers

	declared    map[*Cell]map[string]bool // names in the faces of cells whose signals were missed
	excused     map[string]bool           // names of refused declarations: to miss them is no second error
	callerNames map[*syntax.Name]bool     // names of guards that whoever moves must bind
	unread      []*unreadLocal            // locals that no body reads
	guessed     int                       // names that misspelled ones were compared with
}

func (r *resolver) report(d diag.Diagnostic) { r.diags = append(r.diags, d) }

// draw is round 2.
func (r *resolver) draw() {
	for _, c := range r.prog.Cells {
		r.machine(c)
	}
	r.machines = r.prog.Machines()
	for _, c := range r.prog.Cells {
		r.face(c)
	}
	for _, c := range r.prog.Cells {
		r.frames(c)
	}
}

// readBodies is round 3.
func (r *resolver) readBodies() {
	for _, c := range r.prog.Cells {
		for _, h := range c.Handlers {
			r.body(h)
		}
		r.promises(c)
		r.givens(c)
		r.settings(c)
	}
	for _, t := range r.prog.Tests {
		r.test(t)
	}
}

// judge is round 4.
func (r *resolver) judge() {
	for _, c := range r.prog.Cells {
		r.guards(c)
		r.invariants(c)
		r.verify(c)
	}
	r.guardNames()
	r.unusedLets()
	r.unusedPrivates()
}

// decls lists the places that belong to a cell: its declaration and its flesh.
func (c *Cell) decls() []*syntax.Decl {
	if c.Flesh != nil {
		return []*syntax.Decl{c.Decl, c.Flesh}
	}
	return []*syntax.Decl{c.Decl}
}

// isSkeleton tells whether the cell was drawn as a skeleton.
func (c *Cell) isSkeleton() bool {
	return c.Decl.Kind == syntax.Skeleton || c.Decl.Kind == syntax.AgentSkeleton
}

// slot finds a slot of the cell, or nil.
func (c *Cell) slot(name string) *Slot { return c.slots[name] }

// named finds the handlers of a name, whatever their argument counts.
func (c *Cell) named(name string) []*Handler { return c.handlers[name] }

// handler finds the handler of a name and an argument count, or nil.
func (c *Cell) handler(name string, args int) *Handler {
	for _, h := range c.handlers[name] {
		if len(h.Params) == args {
			return h
		}
	}
	return nil
}
