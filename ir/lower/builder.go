package lower

import (
	"strconv"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// builder makes one automaton. It stands at a location with effects not yet put on an edge;
// code after a return or raise stands at a location that no edge enters.
type builder struct {
	*lowerer
	handler  *resolve.Handler // nil in rules
	a        *ir.Automaton
	cur      ir.Loc
	pending  []ir.Effect
	env      *scope
	loops    []*loopFrame
	tries    []*tryFrame             // the open tries, innermost last
	names    map[string]int          // how often each variable name was taken
	taken    []string                // the names taken, in order
	assigned map[string]bool         // names that some statement of the body assigns
	rule     *ruleScope              // set while a memory rule is lowered
	inGuard  bool                    // set while an edge's guard is lowered
	asides   int                     // how many right sides around are lowered that a run may skip
	inlined  int                     // depth of lambda bodies being inlined
	lambdas  map[*syntax.Lambda]bool // lambdas whose bodies are being inlined
	escapes  map[*syntax.Lambda]bool // lambdas known to escape
	escaped  map[*syntax.Lambda]bool // lambdas found to escape
	callers  []*scope                // the scopes that call the bodies being inlined
	shared   map[string]bool         // locals that kept functions assign (shared.go)
	gathered map[string]*term.Term   // what was assigned to locals of which they speak
	later    bool                    // in a function that runs later
	unsteady map[string]bool         // names assigned, or bound more than once
	behind   ir.Loc                  // where the operation at hand goes on if it does not raise; Entry where nothing is known of that

	functions map[*syntax.Lambda]int // numbers of the lambdas lowered so far
}

func (l *lowerer) newBuilder(h *resolve.Handler, a *ir.Automaton) *builder {
	a.Locs = int(ir.FirstLoc)
	b := &builder{lowerer: l, handler: h, a: a, names: map[string]int{}, lambdas: map[*syntax.Lambda]bool{}, escaped: map[*syntax.Lambda]bool{},
		functions: map[*syntax.Lambda]int{}}
	b.cur = ir.Entry
	b.env = &scope{}
	return b
}

// bodyWith lowers a handler or timer, given the lambdas that escape in it. It tells which
// others do.
func (l *lowerer) bodyWith(h *resolve.Handler, escapes map[*syntax.Lambda]bool) (*ir.Automaton, map[*syntax.Lambda]bool) {
	a := &ir.Automaton{
		Cell:   h.Cell.Name,
		Name:   h.Name,
		Public: h.Public,
		Tool:   h.Signal != nil && h.Signal.Tool,
		Span:   h.Span(),
		Body:   h.Body.At,
	}
	if h.Timer != nil {
		a.Kind = ir.Timer
	}
	b := l.newBuilder(h, a)
	b.escapes = escapes
	b.assigned = assignedNames(h.Body)
	for i, p := range h.Params {
		a.Params = append(a.Params, b.variable(p.Name, sortOf(p.Type), spanOfParam(h, i)))
	}
	b.share(h)
	for i, p := range h.Params {
		b.bind(p.Name, value{t: a.Params[i], typ: p.Type}, spanOfParam(h, i))
	}
	result := b.block(h.Body, true)
	b.ret(result, h.Body.At)
	a.Stmts = append(a.Stmts, ir.Stmt{Loc: ir.Exit, Span: a.Span})
	prune(a)
	giveAny(a)
	a.Result = resultSort(a)
	closeLoops(a)
	return a, b.escaped
}

// spanOfParam is where the body itself names the parameter.
func spanOfParam(h *resolve.Handler, i int) source.Span {
	if h.Decl != nil && i < len(h.Decl.Params) {
		return h.Decl.Params[i].Name.At
	}
	return h.Span()
}

// variable declares a variable named after a source name, or after a temporary.
func (b *builder) variable(name string, s *term.Sort, at source.Span) *term.Term {
	b.names[name]++
	b.taken = append(b.taken, name)
	unique := name
	if n := b.names[name]; n > 1 {
		unique = name + "'" + strconv.Itoa(n)
	}
	v := term.Var(unique, s)
	b.a.Vars = append(b.a.Vars, ir.Var{Term: v, Source: name, Span: at})
	return v
}

// temp declares a variable without a name in the source.
func (b *builder) temp(s *term.Sort, at source.Span) *term.Term {
	v := b.variable("$", s, at)
	b.a.Vars[len(b.a.Vars)-1].Source = ""
	return v
}

// --- statements ---

// place is where the builder stands.
type place struct {
	loc     ir.Loc
	effects int
}

func (b *builder) place() place { return place{b.cur, len(b.pending)} }

// begins notes that a statement begins here.
func (b *builder) begins(span source.Span) {
	if b.rule == nil && !b.inGuard && b.place() != (place{loc: ir.Entry}) {
		b.a.Stmts = append(b.a.Stmts, ir.Stmt{Loc: b.cur, Effect: len(b.pending), Span: span})
	}
}

// mayEndAfter tells whether a run may have ended since it was at a place.
func (b *builder) mayEndAfter(p place) bool {
	if b.cur != p.loc || len(b.pending) < p.effects {
		return true
	}
	for _, e := range b.pending[p.effects:] {
		switch e.(type) {
		case *ir.Bind, *ir.Havoc:
		default:
			return true
		}
	}
	return false
}

// --- locations and edges ---

func (b *builder) newLoc() ir.Loc {
	b.a.Locs++
	return ir.Loc(b.a.Locs - 1)
}

// emit adds an effect at the current place.
func (b *builder) emit(e ir.Effect) { b.pending = append(b.pending, e) }

func (b *builder) at(s source.Span) ir.At { return ir.At{Span: s, InGuard: b.inGuard} }

func (b *builder) edge(e *ir.Edge) *ir.Edge {
	if e.Guard == nil {
		e.Guard = term.True
	}
	b.a.Edges = append(b.a.Edges, e)
	return e
}

// flush puts the pending effects on an edge and returns the location after them.
func (b *builder) flush(span source.Span) ir.Loc {
	if len(b.pending) > 0 {
		to := b.newLoc()
		b.edge(&ir.Edge{From: b.cur, To: to, Effects: b.pending, Span: span})
		b.cur, b.pending = to, nil
	}
	return b.cur
}

// jump leads the current path to a location and leaves none.
func (b *builder) jump(to ir.Loc, span source.Span) *ir.Edge {
	e := b.edge(&ir.Edge{From: b.cur, To: to, Effects: b.pending, Span: span})
	b.pending = nil
	b.cur = b.newLoc()
	return e
}

// when opens a guarded edge from a location and stands behind it.
func (b *builder) when(from ir.Loc, guard *term.Term, span source.Span) *ir.Edge {
	b.cur, b.pending = b.newLoc(), nil
	return b.edge(&ir.Edge{From: from, To: b.cur, Guard: guard, Span: span})
}

// mayRaise adds an edge on which the next effect, or the current expression, raises. The
// path that goes on is not narrowed. A try may catch any kind.
func (b *builder) mayRaise(kind string, span source.Span) {
	if b.rule != nil {
		b.rule.raises = true
		return
	}
	b.raiseEdge(b.flush(span), term.True, &ir.Raise{At: b.at(span), Kind: kind}, "", span)
}

// mayBeRefused adds an edge on which the next effect is refused: by rules, by a machine, by what is
// called.
func (b *builder) mayBeRefused(kind string, span source.Span) {
	if b.rule == nil {
		b.raiseEdge(b.flush(span), term.True, &ir.Raise{At: b.at(span), Kind: kind, Refusal: true}, "", span)
	}
}

// raiseWhen adds an edge on which an error of the kind is raised where cond holds. It does not hold
// on the path that goes on, unless that may skip what raises.
func (b *builder) raiseWhen(cond *term.Term, kind string, span source.Span) {
	if cond == term.False {
		return
	}
	if b.rule != nil {
		b.rule.raises = true
		return
	}
	from := b.flush(span)
	b.raiseEdge(from, cond, &ir.Raise{At: b.at(span), Kind: kind}, kind, span)
	if b.asides == 0 && !b.inGuard {
		b.when(from, term.Not(cond), span)
		b.behind = b.cur
	}
}

// operation lowers an operation on values that are there, and notes the place behind one that raises in
// known cases.
func (b *builder) operation(span source.Span, lower func() value) value {
	b.behind = ir.Entry
	v := lower()
	if b.behind != ir.Entry {
		b.a.Stmts = append(b.a.Stmts, ir.Stmt{Loc: b.behind, Behind: true, Span: span})
	}
	return v
}

// raiseEdge adds an edge on which an error is raised; caught is the kind that a try is sure
// to catch, if any.
func (b *builder) raiseEdge(from ir.Loc, cond *term.Term, raise *ir.Raise, caught string, span source.Span) {
	e := b.edge(&ir.Edge{From: from, To: ir.Raised, Guard: cond, Span: span})
	e.Effects = []ir.Effect{raise}
	if len(b.tries) > 0 {
		b.fail(e, caught, span)
	}
}

// raise ends the path with an error.
func (b *builder) raise(raise *ir.Raise) {
	from := b.flush(raise.Span)
	b.raiseEdge(from, term.True, raise, raise.Kind, raise.Span)
	b.cur = b.newLoc()
}

// ret ends the path with a result, closing the transactions that the body opened.
func (b *builder) ret(v value, span source.Span) {
	for range b.tries {
		b.emit(&ir.Commit{At: at(span)})
	}
	t := b.plain(v)
	b.emit(&ir.Return{At: at(span), Value: t})
	b.jump(ir.Exit, span)
}
