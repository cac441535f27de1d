package taint

import (
	"cmp"
	"slices"

	"soma.cell/ir"
)

// Derivation is the evidence of the analysis: levels that satisfy every flow of the program.
type Derivation struct {
	// Handlers has one typing for each handler and vector of argument levels.
	Handlers []Typing
	Stores   []StoreLevel
}

// Typing types the body of a handler for arguments of some levels.
type Typing struct {
	Handler   ir.HandlerRef
	Key       string // the handler with the levels of its arguments
	Arguments []Level
	Called    Level // Chosen when an untrusted value decides whether the call happens
	Repeated  Level // Chosen when one decides how often it happens
	Touched   Level // Chosen when one may decide whether it raises
	Fails     Level // Chosen when a test of one may undo what the call wrote
	Undone    Level // Chosen when such a test stands in a caller
	Result    Level
	// Symbols are the levels of the values that come into being in the body, in the order of
	// their birth: parameters and variables, then what effects and joins bring.
	Symbols []Level
}

// StoreLevel is the level of memory that outlives an invocation: "values Cell.slot",
// "keys Cell.slot", "shape Cell.slot", "machine Cell", "memory", "files", "numbers Cell".
type StoreLevel struct {
	Store string
	Level Level
}

func (s store) String() string {
	word := [...]string{"values", "keys", "shape", "machine", "memory", "files", "numbers"}[s.kind]
	if s.name == "" {
		return word
	}
	return word + " " + s.name
}

func (a *analysis) derivation() *Derivation {
	d := &Derivation{}
	for _, x := range a.order {
		d.Handlers = append(d.Handlers, x.typing())
	}
	for s, c := range a.stores {
		d.Stores = append(d.Stores, StoreLevel{s.String(), c.level})
	}
	slices.SortFunc(d.Stores, func(s, t StoreLevel) int { return cmp.Compare(s.Store, t.Store) })
	return d
}

func (x *instance) typing() Typing {
	t := Typing{
		Handler: x.r.g.a.Ref(), Key: x.key,
		Called: x.called.level, Repeated: x.repeated.level, Touched: x.touched.level,
		Fails: x.fails.level, Undone: x.undone.level, Result: x.result.level,
	}
	for i := range x.r.g.a.Params {
		t.Arguments = append(t.Arguments, x.syms[x.r.param(i)].level)
	}
	for _, c := range x.syms {
		t.Symbols = append(t.Symbols, c.level)
	}
	return t
}

// Verify checks a derivation against a system: every flow, taken by itself, leads to a place of
// a level at least as high, every call meets a typing of the callee, and no sink is above what
// it allows. The error says what does not hold.
func Verify(sys *ir.System, d *Derivation) error {
	if firstSource(sys) == nil {
		return nil
	}
	a := prepare(sys)
	if len(d.Handlers) < len(a.order) {
		return errHandlers(len(d.Handlers), len(a.order))
	}
	for _, t := range d.Handlers {
		if err := a.assume(t); err != nil {
			return err
		}
	}
	stores := map[string]Level{}
	for _, s := range d.Stores {
		stores[s.Store] = s.Level
	}
	for _, s := range a.allStores() {
		a.store(s).level = stores[s.String()]
	}
	for _, x := range a.order {
		x.begin()
	}
	a.changed = false
	a.assemble()
	a.round()
	if a.changed {
		return errUnstable()
	}
	// Trust no level without its reasons: only whether a sink is above its level is asked.
	var err error
	a.eachSink(func(x *instance, s *sinkSite, l label) {
		if !s.kind.allows(l.level) && err == nil {
			err = errSink(Finding{Kind: s.kind, Builtin: s.builtin, Span: s.span, Origin: Origin{Builtin: "a source"}})
		}
	})
	return err
}

// assume takes over the levels of a typing.
func (a *analysis) assume(t Typing) error {
	auto := a.sys.Handler(t.Handler)
	if auto == nil {
		return errUnknownHandler(t.Handler.String())
	}
	r := a.routines[auto]
	if len(t.Symbols) != len(r.g.symbols) {
		return errSymbols(t.Handler.String(), len(t.Symbols), len(r.g.symbols))
	}
	x := a.instances[t.Key]
	if x == nil {
		x = a.newInstance(t.Key, r)
	}
	for i, c := range x.syms {
		c.level = max(c.level, min(t.Symbols[i], c.max))
	}
	x.called.level = max(x.called.level, t.Called)
	x.repeated.level = max(x.repeated.level, t.Repeated)
	x.touched.level = max(x.touched.level, t.Touched)
	x.fails.level = max(x.fails.level, t.Fails)
	x.undone.level = max(x.undone.level, t.Undone)
	x.result.level = max(x.result.level, min(t.Result, x.result.max))
	return nil
}

// allStores lists the stores that some flow names.
func (a *analysis) allStores() []store {
	seen := map[store]bool{}
	var out []store
	add := func(s store) {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	for _, r := range a.ordered {
		for _, f := range r.flows {
			if f.to.kind == toStore {
				add(f.to.st)
			}
			for _, in := range f.in {
				if in.kind == fromStore {
					add(in.st)
				}
			}
		}
	}
	return out
}
