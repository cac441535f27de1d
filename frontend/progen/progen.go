// Package progen draws valid programs for tests: whole programs that pass the check, terminate,
// and together use the whole language.
//
// Generation is directed by types: an expression of a wanted type is drawn over the names,
// slots and handlers that give one. First comes a plan (cells, slots, machines, the signatures
// of handlers, callees before their callers), then the bodies, which note what they do; frames
// are written from these notes. Loops are bounded, recursion counts down, and other calls go
// from a handler to an earlier one only, so that every program ends. What may be untrusted does
// not come to where the language wants trusted values.
package progen

import (
	"fmt"
	"strings"

	"soma.cell/frontend/source"
)

// Feature is a part of the language that a program may do without.
type Feature uint

// The features that can be left out.
const (
	Agents     Feature = 1 << iota // agents, tools, the model, budgets, what is remembered
	Outside                        // files, network, printing, time, chance, people
	Machines                       // state machines
	Rules                          // invariants of memory
	Frames                         // faces with frames, skeletons
	Sums                           // sum types
	Lambdas                        // functions as values
	Calls                          // calls between handlers, events, delegates, recursion
	Timers                         // every and after
	Tests                          // test cells
	Properties                     // verify sections
)

// Options shape the programs. The zero value draws from the whole language.
type Options struct {
	Without Feature
	Size    int  // 1 is small; 0 means 2
	Library bool // some cells may stand in a file of their own
}

// Program is a drawn program.
type Program struct {
	Text    string // the entry file
	Library string // the file lib/part.cell that the entry uses; empty without one
}

// Files are the files of the program, the entry first.
func (p *Program) Files() []*source.File {
	files := []*source.File{source.NewFile("app.cell", p.Text)}
	if p.Library != "" {
		files = append(files, source.NewFile("lib/part.cell", p.Library))
	}
	return files
}

// New draws a program.
func New(src Source, o Options) *Program {
	if o.Size == 0 {
		o.Size = 2
	}
	g := &gen{src: src, o: o, record: &record{"Point", []field{{"x", plain(intKind)}, {"label", plain(stringKind)}}}}
	g.drawSums()
	g.plan()
	for _, h := range g.handlers {
		g.drawBody(h)
	}
	return g.print()
}

// gen is the state of one generation.
type gen struct {
	src Source
	o   Options

	sums     []*sum
	record   *record
	cells    []*cell
	handlers []*handler // callees before callers
	events   []*event
	names    int  // fresh names given so far
	blind    bool // some calls have computed names: they may run anything with any argument

	// Of the body that is being drawn:
	cell    *cell
	handler *handler // nil in rules, guards and tests
	fx      *effects
	locals  []*local
	fuel    int // how many more expressions and statements may be more than leaves
	indent  int
	loops   int // around the place, up to the innermost function
	lambdas int
	inline  int  // where only a line without statements fits
	pure    bool // where nothing may happen: rules, guards
	testing bool // among the rules of a test
}

// local is a name that is bound at the place.
type local struct {
	name  string
	typ   *typ
	set   bool // may be assigned
	clean bool // surely trusted
}

func (g *gen) pick(n int) int { return g.src.Int(n) }

// coin is true once in n times.
func (g *gen) coin(n int) bool { return g.pick(n) == n-1 }

func (g *gen) without(f Feature) bool { return g.o.Without&f != 0 }

// fresh gives a name that nothing else has.
func (g *gen) fresh(prefix string) string {
	g.names++
	return fmt.Sprintf("%s%d", prefix, g.names)
}

func (g *gen) bind(l *local) { g.locals = append(g.locals, l) }

// scoped draws something whose names end with it.
func (g *gen) scoped(draw func()) {
	n := len(g.locals)
	draw()
	g.locals = g.locals[:n]
}

// line is a line at the present depth.
func (g *gen) line(text string) string { return strings.Repeat("    ", g.indent) + text + "\n" }

func one[T any](g *gen, list []T) T { return list[g.pick(len(list))] }
