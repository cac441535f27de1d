package resolve

import (
	"soma.cell/frontend/builtin"
	"soma.cell/frontend/near"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// application is a call in any of its three forms, f(a), x.f(a) and x |> f(a).
type application struct {
	node     syntax.Expr // the key in Info.Calls
	name     syntax.Ident
	receiver syntax.Expr // nil in f(a)
	args     []syntax.Expr
}

// all lists the arguments, the receiver first.
func (a *application) all() []syntax.Expr {
	if a.receiver == nil {
		return a.args
	}
	return append([]syntax.Expr{a.receiver}, a.args...)
}

func (w *walker) call(x *syntax.Call) {
	switch f := x.Fun.(type) {
	case *syntax.Name:
		w.apply(&application{node: x, name: syntax.Ident{Place: f.Place, Name: f.Name}, args: x.Args})
	case *syntax.VariantRef:
		w.exprs(x.Args)
		w.tupleVariant(x, f)
	default:
		w.expr(x.Fun)
		w.exprs(x.Args)
	}
}

func (w *walker) pipe(x *syntax.Pipe) {
	if x.Call == nil {
		w.expr(x.X)
		return
	}
	f, ok := x.Call.Fun.(*syntax.Name)
	if !ok {
		w.expr(x.X)
		w.exprs(x.Call.Args)
		return
	}
	a := &application{node: x, name: syntax.Ident{Place: f.Place, Name: f.Name}, receiver: x.X, args: x.Call.Args}
	if x.Cell != nil {
		w.exprs(a.all())
		w.cellCall(a, *x.Cell, len(x.Call.Args)+1)
		return
	}
	w.apply(a)
}

func (w *walker) method(x *syntax.Method) {
	if ref, ok := x.X.(*syntax.VariantRef); ok && ref.Type == nil {
		if w.r.cells[ref.Name.Name] != nil || len(w.r.variants[ref.Name.Name]) == 0 {
			w.exprs(x.Args)
			w.cellCall(&application{node: x, name: x.Name, args: x.Args}, ref.Name, len(x.Args))
			return
		}
	}
	if slot := w.slotOf(x.X); slot != nil && w.slotCall(x, slot) {
		return
	}
	a := &application{node: x, name: x.Name, receiver: x.X, args: x.Args}
	if _, found := w.near(a.name.Name, len(x.Args)+1); !found && len(w.others(a.name.Name, len(x.Args)+1)) == 0 {
		switch {
		case updateWord(x.Name.Name):
			w.exprs(a.all())
			if !w.faulty(x.X) {
				w.r.report(valueUpdate(x))
			}
			return
		case valueOp(x.Name.Name, len(x.Args)):
			w.exprs(a.all())
			w.r.info.Calls[x] = &Callee{Kind: CallValue, Op: x.Name.Name, Receiver: true}
			return
		}
	}
	w.apply(a)
}

// faulty tells whether an expression is a name that was reported: it is bound nowhere, it is a
// function, or it hides a slot.
func (w *walker) faulty(x syntax.Expr) bool {
	name, ok := x.(*syntax.Name)
	if !ok {
		return false
	}
	ref, l := w.r.info.Names[name], w.lookup(name.Name)
	return ref == nil || ref.Kind == RefBuiltin || l != nil && l.hides
}

// updateWord tells whether a method would change its receiver, as only slots allow.
func updateWord(name string) bool { return name == "set" || name == "delete" || name == "append" }

// valueOp tells whether a map or list value has the operation.
func valueOp(name string, args int) bool {
	switch name {
	case "get", "has":
		return args == 1
	case "size", "last":
		return args == 0
	}
	return false
}

// slotOps gives the argument count of an operation on a slot; ok is false when the kind of
// slot has none of that name.
func slotOps(list bool, op string) (args int, ok bool) {
	switch op {
	case "get", "delete":
		return 1, true
	case "set":
		return 2, true
	case "len", "size":
		return 0, true
	case "has":
		return 1, !list
	case "keys", "values":
		return 0, !list
	case "push", "append":
		return 1, list
	case "last":
		return 0, list
	}
	return 0, false
}

// slotOpNames lists the operations of a kind of slot.
func slotOpNames(list bool) []string {
	if list {
		return []string{"push", "append", "get", "set", "delete", "last", "len"}
	}
	return []string{"get", "set", "has", "delete", "keys", "values", "len"}
}

// slotCall resolves s.op(args); false means that op is none of a slot, so that the slot is
// read as a value.
func (w *walker) slotCall(x *syntax.Method, slot *Slot) bool {
	op := x.Name.Name
	want, ok := slotOps(slot.IsList, op)
	if !ok {
		if _, other := slotOps(!slot.IsList, op); !other && w.means(op, len(x.Args)+1) {
			return false
		}
		w.slotUsed(x.X, slot, op)
		w.exprs(x.Args)
		w.lost = true
		w.r.report(unknownSlotOperation(x, slot, w.r.nearest(op, these(slotOpNames(slot.IsList)))))
		return true
	}
	w.slotUsed(x.X, slot, op)
	w.exprs(x.Args)
	if len(x.Args) != want {
		w.r.report(wrongCount(x.Name.At, slot.Name+"."+op, want, want, len(x.Args), source.Span{}))
		return true
	}
	if writesSlot(op) {
		w.impure(x.Name)
	}
	w.r.info.Calls[x] = &Callee{Kind: CallSlot, Slot: slot, Op: op, Receiver: true}
	return true
}

// means tells whether anything can be called by a name, with whatever count.
func (w *walker) means(name string, n int) bool {
	_, found := w.near(name, n)
	return found || w.callable(name)
}

func writesSlot(op string) bool {
	switch op {
	case "set", "delete", "push", "append":
		return true
	}
	return false
}

// cellCall resolves Cell.f(args) of n arguments, a piped receiver included.
func (w *walker) cellCall(a *application, cell syntax.Ident, n int) {
	c := w.r.cells[cell.Name]
	if c == nil {
		w.unknownCell(cell)
		return
	}
	h := c.handler(a.name.Name, n)
	if h == nil {
		if w.r.excused[a.name.Name] {
			return
		}
		if named := c.named(a.name.Name); len(named) > 0 {
			w.r.report(handlerCount(a.name, named, n))
		} else {
			w.r.report(unknownCellHandler(a.name, c, w.r.nearest(a.name.Name, c.handlerNames)))
		}
		return
	}
	w.settle(a, &Callee{Kind: CallHandler, Handler: h, Receiver: a.receiver != nil})
}

// unknownCell reports the name of a cell that is not there.
func (w *walker) unknownCell(cell syntax.Ident) {
	if !w.r.excused[cell.Name] {
		w.r.report(unknownCell(cell, w.r.nearest(cell.Name, among(w.r.cells))))
	}
}

// near finds what a name calls without looking into other cells: a local that may hold a
// function, the cell's own handler, a builtin.
func (w *walker) near(name string, n int) (*Callee, bool) {
	if l := w.lookup(name); l != nil && l.fn {
		l.read = true
		return &Callee{Kind: CallLambda}, true
	}
	if h := w.cell.handler(name, n); h != nil {
		return &Callee{Kind: CallHandler, Handler: h}, true
	}
	if b := builtin.Lookup(name); b != nil && b.Accepts(n) {
		return &Callee{Kind: CallBuiltin, Builtin: b}, true
	}
	return nil, false
}

// others finds the handlers of other cells with a name and an argument count.
func (w *walker) others(name string, n int) []*Handler {
	var out []*Handler
	for _, h := range w.r.handlers[name] {
		if h.Cell != w.cell && len(h.Params) == n {
			out = append(out, h)
		}
	}
	return out
}

// apply resolves a call by a bare name.
func (w *walker) apply(a *application) {
	name, all := a.name.Name, a.all()
	if name == "total" && w.total(a, all) {
		return
	}
	c, found := w.near(name, len(all))
	if !found {
		c = w.far(a, len(all))
	} else if c.Kind == CallBuiltin {
		if o := w.others(name, len(all)); len(o) > 0 {
			w.r.report(builtinWins(a.name, o[0]))
		}
	}
	if c == nil {
		w.exprs(all)
		return
	}
	if c.Kind == CallLambda && !w.lambdaTakes(a, len(all)) {
		w.exprs(all)
		return
	}
	c.Receiver = a.receiver != nil
	if c.Kind == CallBuiltin && c.Builtin.Class == builtin.Machine {
		w.machineCall(a, c, all)
		return
	}
	w.exprs(all)
	w.settle(a, c)
}

// lambdaTakes tells whether a local that surely holds a lambda may be called with n arguments.
func (w *walker) lambdaTakes(a *application, n int) bool {
	l := w.lookup(a.name.Name)
	if l.arity < 0 || l.arity == n {
		return true
	}
	w.r.report(wrongCount(a.name.At, a.name.Name, l.arity, l.arity, n, l.at))
	return false
}

// far finds a callee in the other cells, or reports why there is none.
func (w *walker) far(a *application, n int) *Callee {
	name := a.name.Name
	switch o := w.others(name, n); len(o) {
	case 1:
		return &Callee{Kind: CallHandler, Handler: o[0]}
	case 0:
	default:
		w.r.report(ambiguousCall(a.name, o))
		return nil
	}
	w.lost = true
	if w.r.excused[name] {
		return nil
	}
	b := builtin.Lookup(name)
	switch l := w.lookup(name); {
	case l != nil:
		w.r.report(calledValue(a.name))
	case len(w.cell.named(name)) > 0:
		w.r.report(handlerCount(a.name, w.cell.named(name), n))
	case b != nil:
		w.r.report(wrongCount(a.name.At, name, b.Min, b.Max, n, source.Span{}))
	case len(w.r.handlers[name]) > 0:
		w.r.report(handlerCount(a.name, w.r.handlers[name], n))
	default:
		w.r.report(undefinedFunction(a.name, w.r.nearest(name, w.r.calleeNames, w.visible)))
	}
	return nil
}

// settle records a callee and checks what is known of it.
func (w *walker) settle(a *application, c *Callee) {
	w.pure(a.name, c)
	if c.Kind == CallBuiltin {
		all := a.all()
		switch c.Builtin.Name {
		case "delegate":
			if len(all) >= 2 && !w.delegate(a, c, all) {
				return
			}
		case "map":
			if len(all)%2 == 1 {
				w.r.report(oddMap(a.name))
				return
			}
		}
		w.builtinTexts(c.Builtin.Name, all)
	}
	w.r.info.Calls[a.node] = c
}

// pure refuses effects where a rule or a guard is read.
func (w *walker) pure(name syntax.Ident, c *Callee) {
	if w.mode != inInvariant && w.mode != inGuard && w.mode != inGiven {
		return
	}
	bad := c.Kind == CallHandler
	if c.Kind == CallBuiltin {
		switch class := c.Builtin.Class; class {
		case builtin.Pure:
		case builtin.Machine:
			bad = !c.Builtin.Reads
		case builtin.Random, builtin.Clock:
			bad = w.mode != inGuard
		default:
			bad = true
		}
	}
	if bad {
		w.impure(name)
	}
}

// impure reports an effect where only reading is allowed.
func (w *walker) impure(what syntax.Ident) {
	switch w.mode {
	case inInvariant:
		w.r.report(impureInvariant(what))
	case inGuard:
		w.r.report(impureGuard(what))
	case inGiven:
		w.r.report(impureGiven(what))
	}
}

// delegate gives delegate("Cell", "handler", …) its target when both names are literal.
// False means that there is no such target.
func (w *walker) delegate(a *application, c *Callee, all []syntax.Expr) bool {
	cellName, ok1 := literalText(all[0])
	handlerName, ok2 := literalText(all[1])
	if !ok1 {
		return true
	}
	cell := w.r.cells[cellName]
	if cell == nil {
		w.unknownCell(syntax.Ident{Place: syntax.Place{At: all[0].Span()}, Name: cellName})
		return false
	}
	if !ok2 {
		return true
	}
	h := cell.handler(handlerName, len(all)-2)
	if h == nil && w.r.excused[handlerName] {
		return false
	}
	if h == nil {
		if named := cell.named(handlerName); len(named) > 0 {
			w.r.report(handlerCount(a.name, named, len(all)-2))
		} else {
			w.r.report(unknownCellHandler(syntax.Ident{Place: syntax.Place{At: all[1].Span()}, Name: handlerName}, cell, w.r.nearest(handlerName, cell.handlerNames)))
		}
		return false
	}
	c.Kind, c.Handler = CallCellAs, h
	return true
}

// literalText gives the text of a string literal without interpolation.
func literalText(x syntax.Expr) (string, bool) {
	if s, ok := syntax.Unparen(x).(*syntax.String); ok {
		return s.Literal()
	}
	return "", false
}

// total resolves total(slot), the sum that rules between totals speak of. False means that
// some other function of the name is called.
func (w *walker) total(a *application, all []syntax.Expr) bool {
	if _, found := w.near("total", len(all)); found || len(w.r.handlers["total"]) > 0 {
		return false
	}
	if w.mode != inInvariant {
		w.exprs(all)
		w.r.report(misplacedTotal(a.name))
		return true
	}
	var slot *Slot
	if len(all) == 1 {
		slot = w.slotOf(all[0])
	}
	if slot == nil {
		arg, guess := w.nearestSlot(all)
		w.r.report(totalOfNoSlot(a.name, arg, guess))
		return true
	}
	w.rule.totals = append(w.rule.totals, a.name)
	w.slotUsed(all[0], slot, "total")
	if slot.IsList || (slot.Value.Kind != IntType && slot.Value.Kind != AnyType) {
		w.r.report(totalOfNoInts(a.name, slot))
	}
	w.r.info.Calls[a.node] = &Callee{Kind: CallSlot, Slot: slot, Op: "total", Receiver: a.receiver != nil}
	return true
}

// nearestSlot guesses which slot total was to sum.
func (w *walker) nearestSlot(all []syntax.Expr) (syntax.Ident, near.Guess) {
	if len(all) == 1 {
		if x, ok := syntax.Unparen(all[0]).(*syntax.Name); ok {
			return syntax.Ident{Place: x.Place, Name: x.Name}, w.r.nearest(x.Name, w.cell.slotNames)
		}
	}
	return syntax.Ident{}, near.Guess{}
}
