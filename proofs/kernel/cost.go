package kernel

import (
	"math"
	"math/big"
	"slices"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// What a call spends at most, derived anew: the longest way through a body. A loop adds its
// longest round as often as its bound says at its head, and takes one off again behind its test,
// where one round more is under way than done. Budgets, measures and values of variables do not
// count here: what rests on them is the engine's word.

// costEvidence: the most expensive call of the cell against the limit.
func (a *auditor) costEvidence(e *cert.Evidence, c *ir.Cell, l *ir.Limit) (cert.Class, *Error) {
	switch e.Rule {
	case cert.ByEngine:
		return cert.EngineTrusted, nil
	case cert.ByCost:
	default:
		return "", errRule(e.Rule)
	}
	s := &spender{auditor: a, key: l.Key, bills: map[*ir.Automaton]*bill{}, quiet: map[*ir.Automaton]bool{}}
	high := amount(0)
	for _, h := range c.Automata {
		if h.Public || h.Kind == ir.Timer {
			high = max(high, s.of(h).peak)
		}
	}
	if !a.budget.spend(0) {
		return "", errWork()
	}
	if high >= unbounded {
		return "", errUnbounded(l)
	}
	price := big.NewRat(1, 1)
	if l.Key == ir.CostUSD {
		price = big.NewRat(0, 1)
		if p := c.Limit(ir.CostPrice); p != nil {
			price = new(big.Rat).Quo(p.Value, big.NewRat(1000, 1))
		} else if high > 0 {
			return "", errUnbounded(l)
		}
	}
	if price.Mul(price, new(big.Rat).SetInt64(int64(high))).Cmp(l.Value) > 0 {
		return "", errDearer(l)
	}
	return cert.KernelChecked, nil
}

// amount counts what a key counts; unbounded is any number.
type amount int64

const (
	unbounded amount = math.MaxInt64
	most      amount = 1 << 60 // of what is told apart
	unreached amount = -1
)

func (x amount) plus(y amount) amount {
	if x >= most || y >= most || x+y >= most {
		return unbounded
	}
	return x + y
}

func (x amount) times(n int64) amount {
	switch {
	case x == 0 || n == 0:
		return 0
	case x >= most || int64(x) > int64(most)/n:
		return unbounded
	}
	return x * amount(n)
}

func (x amount) less(y amount) amount {
	if x >= most {
		return x
	}
	return x - y
}

// bill is what a call spends at most: when it returns (unreached when it never does), when it
// raises, and anywhere.
type bill struct{ returns, raises, peak amount }

// spender finds bills for one key.
type spender struct {
	*auditor
	key   ir.CostKey
	bills map[*ir.Automaton]*bill // nil while one is looked for
	quiet map[*ir.Automaton]bool
}

func (s *spender) of(a *ir.Automaton) bill {
	if s.isQuiet(a) {
		return bill{}
	}
	if b, ok := s.bills[a]; ok {
		if b == nil {
			return bill{unbounded, unbounded, unbounded}
		}
		return *b
	}
	s.bills[a] = nil
	b := s.body(a)
	s.bills[a] = &b
	return b
}

// isQuiet tells whether neither an automaton nor what it may start spends anything.
func (s *spender) isQuiet(a *ir.Automaton) bool {
	if quiet, ok := s.quiet[a]; ok {
		return quiet
	}
	seen := map[*ir.Automaton]bool{a: true}
	work := []*ir.Automaton{a}
	quiet := true
	for len(work) > 0 && quiet {
		h := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range h.Edges {
			for _, f := range e.Effects {
				act, ok := f.(*ir.Act)
				_, strange := f.(*ir.Unknown)
				quiet = quiet && !strange && (!ok || silent(act)) && s.budget.spend(1)
			}
		}
		for _, next := range s.calls(h) {
			if !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	s.quiet[a] = quiet
	return quiet
}

// silent: it asks no model, waits for nobody and sets no budget.
func silent(act *ir.Act) bool {
	switch act.Class {
	case "print", "clock", "random", "ids", "memory", "machine":
		return true
	case "budget":
		return act.Builtin != "set_budget"
	case "file":
		return act.Builtin != "read_stdin"
	}
	return false
}

// ways finds the longest ways through one automaton.
type ways struct {
	*spender
	a       *ir.Automaton
	leaving [][]*ir.Edge
	order   []ir.Loc
	loops   map[ir.Loc]*ir.Loop
	rounds  map[*ir.Loop]amount
}

func (s *spender) body(a *ir.Automaton) bill {
	w := &ways{spender: s, a: a, leaving: make([][]*ir.Edge, a.Locs), order: topological(a), loops: map[ir.Loc]*ir.Loop{}, rounds: map[*ir.Loop]amount{}}
	for _, e := range a.Edges {
		w.leaving[e.From] = append(w.leaving[e.From], e)
	}
	inner := slices.Clone(a.Loops) // the smaller first: what lies in a loop comes before it
	slices.SortStableFunc(inner, func(x, y *ir.Loop) int { return len(x.Body) - len(y.Body) })
	for _, l := range inner {
		_, w.rounds[l] = w.longest(l.Head, l)
		w.loops[l.Head] = l
	}
	spent, _ := w.longest(ir.Entry, nil)
	out := bill{returns: unreached}
	for _, e := range a.Edges {
		if spent[e.From] == unreached {
			continue
		}
		end, peak := w.edge(e, spent[e.From].plus(w.again(e)))
		out.peak = max(out.peak, peak)
		switch e.To {
		case ir.Exit:
			out.returns = max(out.returns, end)
		case ir.Raised:
			out.raises = max(out.raises, end)
		}
	}
	return out
}

// longest finds the longest ways from a location, in a loop or, from the entry, everywhere, and
// the longest that closes the loop.
func (w *ways) longest(start ir.Loc, loop *ir.Loop) (spent []amount, round amount) {
	if !w.budget.spend(w.a.Locs / 8) {
		return make([]amount, w.a.Locs), 0
	}
	spent = make([]amount, w.a.Locs)
	for l := range spent {
		spent[l] = unreached
	}
	spent[start] = 0
	round = 0
	for _, l := range w.order {
		if spent[l] == unreached || !w.budget.spend(1+len(w.leaving[l])) {
			continue
		}
		if inner := w.loops[l]; inner != nil && inner != loop {
			spent[l] = spent[l].plus(w.allRounds(inner))
		}
		for _, e := range w.leaving[l] {
			if e.Back && e.To != start || loop != nil && !inBody(loop, e.To) {
				continue
			}
			end, _ := w.edge(e, w.passed(e, loop, spent[l].plus(w.again(e))))
			if e.Back {
				round = max(round, end)
			} else {
				spent[e.To] = max(spent[e.To], end)
			}
		}
	}
	return spent, round
}

// allRounds is what the rounds of a loop spend in all.
func (w *ways) allRounds(l *ir.Loop) amount {
	switch r := w.rounds[l]; {
	case r == 0:
		return 0
	case l.Bound == nil:
		return unbounded
	default:
		return r.times(*l.Bound)
	}
}

// passed takes a round off where an edge leads from the test of a loop into its round. The loop
// that is being measured has none to take off.
func (w *ways) passed(e *ir.Edge, measured *ir.Loop, spent amount) amount {
	for _, l := range w.loopsOf(e.From) {
		if l != measured && e.From == l.Test && inBody(l, e.To) && !e.Back && w.allRounds(l) > 0 {
			spent = spent.less(w.rounds[l])
		}
	}
	return spent
}

// again gives a round back to an edge that raises loop_bound: it begins behind the test, when
// all rounds are done.
func (w *ways) again(e *ir.Edge) amount {
	raises := slices.ContainsFunc(e.Effects, func(f ir.Effect) bool {
		r, ok := f.(*ir.Raise)
		return ok && r.Kind == "loop_bound"
	})
	if !raises {
		return 0
	}
	var inner *ir.Loop // the bound is that of the innermost loop
	for _, l := range w.loopsOf(e.From) {
		if !inBody(l, e.To) && (inner == nil || len(l.Body) < len(inner.Body)) {
			inner = l
		}
	}
	if inner == nil {
		return 0
	}
	return w.rounds[inner]
}

// loopsOf are the loops around a location that have been measured.
func (w *ways) loopsOf(at ir.Loc) []*ir.Loop {
	var out []*ir.Loop
	w.budget.spend(len(w.loops) / 4)
	for _, l := range w.a.Loops {
		if w.loops[l.Head] != nil && inBody(l, at) {
			out = append(out, l)
		}
	}
	return out
}

func inBody(l *ir.Loop, at ir.Loc) bool {
	_, found := slices.BinarySearch(l.Body, at)
	return found
}

// edge is what is spent behind an edge, unreached where it cannot be passed, and at most on it.
func (w *ways) edge(e *ir.Edge, spent amount) (end, peak amount) {
	if refusal(e) {
		paid := amount(0)
		for _, beside := range w.leaving[e.From] {
			if len(beside.Effects) > 0 && !refusal(beside) {
				paid = max(paid, w.effect(beside.Effects[0]).raises)
			}
		}
		return spent.plus(paid), spent.plus(paid)
	}
	peak = spent
	for _, f := range e.Effects {
		b := w.effect(f)
		peak = max(peak, spent.plus(b.peak))
		if b.returns == unreached {
			return unreached, peak
		}
		spent = spent.plus(b.returns)
	}
	return spent, max(peak, spent)
}

func refusal(e *ir.Edge) bool {
	return slices.ContainsFunc(e.Effects, func(f ir.Effect) bool {
		r, ok := f.(*ir.Raise)
		return ok && r.Refusal
	})
}

func (s *spender) effect(f ir.Effect) bill {
	switch f := f.(type) {
	case *ir.Act:
		if silent(f) || f.Class == "budget" {
			return bill{}
		}
		return s.act(f)
	case *ir.Call:
		b := s.of(s.system.Handler(f.Handler))
		if f.Optional && b != (bill{}) {
			return bill{unbounded, unbounded, unbounded}
		}
		return b
	case *ir.Unknown:
		return bill{unbounded, unbounded, unbounded}
	}
	return bill{}
}

func (s *spender) act(f *ir.Act) bill {
	if f.Class == "model" {
		return s.think(f)
	}
	all := unbounded
	known := f.Class == "net" || f.Class == "human" || f.Class == "sleep" || f.Class == "file"
	switch {
	case known && s.key != ir.CostLatency:
		all = 0
	case f.Class == "sleep" && len(f.Args) > 0 && f.Args[0].Op == term.OpInt && f.Args[0].Int.IsInt64():
		all = amount(max(0, f.Args[0].Int.Int64())).plus(0)
	case f.Class == "net":
		position := map[string]int{"http_get": 1, "http_delete": 1, "http_post": 2, "http_put": 2, "http_patch": 2}[f.Builtin]
		if position > 0 && position < len(f.Args) {
			if n := entry(f.Args[position], "timeout"); n > 0 {
				all = amount(n).plus(0)
			}
		}
	}
	return bill{all, all, all}
}

// think is an answer, and another behind each call of a tool.
func (s *spender) think(f *ir.Act) bill {
	options, known := optionsOf(f)
	answer := unbounded
	switch {
	case s.key == ir.CostCalls:
		answer = 1
	case s.key == ir.CostLatency:
		answer = 0
	default:
		if n := entry(options, "max_tokens"); known && n > 0 {
			answer = amount(n).plus(0)
		}
	}
	first := answer
	if s.key == ir.CostLatency {
		first = unbounded
		if n := entry(options, "timeout"); known && n > 0 {
			first = amount(n).plus(0)
		}
	}
	tools := f.Tools
	if names, ok := allowed(options); known && ok {
		tools = slices.DeleteFunc(slices.Clone(tools), func(t ir.HandlerRef) bool { return !slices.Contains(names, t.Handler) })
	}
	if len(tools) == 0 {
		return bill{first, first, first}
	}
	tool, peak := amount(0), amount(0)
	for _, t := range tools {
		b := s.of(s.system.Handler(t))
		tool, peak = max(tool, b.returns, b.raises), max(peak, b.peak)
	}
	round := tool.plus(answer)
	if !known || has(options, "max_rounds") && entry(options, "max_rounds") < 0 {
		if round > 0 {
			return bill{unbounded, unbounded, unbounded}
		}
		return bill{first, first, first.plus(peak)}
	}
	n := int64(10)
	if has(options, "max_rounds") {
		n = entry(options, "max_rounds")
	}
	if n == 0 {
		return bill{first, first, first}
	}
	all := first.plus(round.times(n))
	return bill{all, all, max(all, first.plus(round.times(n-1)).plus(peak))}
}

// optionsOf is the map that holds the options of a think, nil without one; it is not known where
// an argument is neither a text nor a map that is written out.
func optionsOf(f *ir.Act) (options *term.Term, known bool) {
	for _, t := range f.Args[min(1, len(f.Args)):] {
		switch {
		case t.Sort.Kind == term.KindString || t.Op == term.OpUnit:
		case writtenOut(t):
			options = t
		default:
			return nil, false
		}
	}
	return options, true
}

// writtenOut: a map of distinct literal names.
func writtenOut(t *term.Term) bool {
	if t.Op != term.OpApp || t.Name != "map" || len(t.Args)%2 != 0 {
		return false
	}
	seen := map[string]bool{}
	for i := 0; i < len(t.Args); i += 2 {
		if t.Args[i].Op != term.OpString || seen[t.Args[i].Name] {
			return false
		}
		seen[t.Args[i].Name] = true
	}
	return true
}

func field(t *term.Term, name string) *term.Term {
	if t == nil || !writtenOut(t) {
		return nil
	}
	for i := 0; i < len(t.Args); i += 2 {
		if t.Args[i].Name == name {
			return unboxed(t.Args[i+1])
		}
	}
	return nil
}

func unboxed(t *term.Term) *term.Term {
	if t.Op == term.OpApp && (t.Name == "box:Int" || t.Name == "box:String") && len(t.Args) == 1 {
		return t.Args[0]
	}
	return t
}

func has(t *term.Term, name string) bool { return field(t, name) != nil }

// entry is the number under a name, -1 without one.
func entry(t *term.Term, name string) int64 {
	v := field(t, name)
	if v == nil || v.Op != term.OpInt || !v.Int.IsInt64() || v.Int.Sign() < 0 {
		return -1
	}
	return v.Int.Int64()
}

// allowed are the tools that the options list.
func allowed(options *term.Term) ([]string, bool) {
	list := field(options, "tools_allowed")
	if list == nil || list.Op != term.OpApp || list.Name != "list" {
		return nil, false
	}
	var names []string
	for _, item := range list.Args {
		item = unboxed(item)
		if item.Op != term.OpString {
			return nil, false
		}
		names = append(names, item.Name)
	}
	return names, true
}
