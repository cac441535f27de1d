package resolve

import (
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// mode tells what kind of text a walker reads; it decides which names and calls are fine.
type mode int

const (
	inBody mode = iota
	inInvariant
	inGuard
	inGiven
	inTest
)

// walker reads one body. It holds the lexical scope at the place it has reached.
type walker struct {
	r          *resolver
	cell       *Cell    // whose handlers and slots are meant by bare names
	handler    *Handler // nil outside handlers
	mode       mode
	scope      *scope
	assigned   map[string]bool // names that some assignment of the body changes
	seq        int             // names bound so far
	loops      int             // loops around this place, inside the innermost lambda
	lambdas    int             // block lambdas around this place
	dead       int             // statements around this place that control never comes to
	idle       bool            // nobody uses the value of the block that is read next
	lost       bool            // some name of the body means nothing: it may have meant any local
	unread     []*unreadLocal  // locals that nothing read, until the end of the body
	rule       *ruleReading    // in an invariant
	conditions map[string]bool // names that conditions of the body mention; nil until asked for
}

// scope is one lexical scope.
type scope struct {
	parent *scope
	locals map[string]*local
}

// local is a bound name.
type local struct {
	at  source.Span
	fn  bool // may hold a function
	seq int  // when the name was first bound in its scope

	let     *syntax.Let // the statement that binds it, nil for other locals
	outer   *local      // the local of that name in the scopes around
	hides   bool        // a parameter with the name of a slot, which is an error
	read    bool        // its value is used somewhere
	arity   int         // the number of parameters of the lambda it surely holds, else -1
	machine *Machine    // the machine whose state it surely holds, else nil
}

func (w *walker) push() { w.scope = &scope{parent: w.scope, locals: map[string]*local{}} }

func (w *walker) pop() {
	for _, name := range keysOf(w.scope.locals) {
		w.leave(w.scope.locals[name])
	}
	w.scope = w.scope.parent
}

// lookup finds a local in the scopes around this place, or nil.
func (w *walker) lookup(name string) *local {
	for s := w.scope; s != nil; s = s.parent {
		if l := s.locals[name]; l != nil {
			return l
		}
	}
	return nil
}

// bind makes a local; fn tells whether it may hold a function.
func (w *walker) bind(name syntax.Ident, fn bool) *local {
	w.seq++
	l := &local{at: name.At, fn: fn, seq: w.seq, arity: -1}
	if before := w.scope.locals[name.Name]; before != nil {
		l.seq = before.seq
		w.leave(before)
	} else {
		l.outer = w.lookup(name.Name)
	}
	if name.Name != "_" {
		w.scope.locals[name.Name] = l
	}
	return l
}

// visible lists the locals in scope.
func (w *walker) visible() []string {
	var out []string
	seen := map[string]bool{}
	for s := w.scope; s != nil; s = s.parent {
		for _, name := range keysOf(s.locals) {
			if !seen[name] {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	return out
}

// body resolves the body of a handler or timer.
func (r *resolver) body(h *Handler) {
	if h.Body == nil {
		return
	}
	r.walk(h, inBody)
}

func (r *resolver) walk(h *Handler, m mode) {
	w := &walker{r: r, cell: h.Cell, handler: h, mode: m, assigned: assignedNames(h.Body), idle: h.Timer != nil}
	w.push()
	for _, p := range h.Params {
		w.bind(p.Decl.Name, mayHold(p.Type)).hides = h.Cell.slot(p.Name) != nil
	}
	w.block(h.Body)
	if !w.lost && m == inBody {
		r.unread = append(r.unread, w.unread...)
	}
}
