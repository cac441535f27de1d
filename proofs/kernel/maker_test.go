package kernel

import (
	"fmt"
	"slices"
	"testing"

	"soma.cell/ir"
	"soma.cell/ir/irtest"
	"soma.cell/proofs/cert"
	"soma.cell/smt/refute"
	"soma.cell/smt/term"
)

// A maker writes certificates for tests: it answers each question by the engine of smt/refute
// and by labelling graphs the naive way.

// toCert writes a proof in the form of certificates.
func toCert(p *refute.Proof) *cert.Refutation {
	bank, r := term.NewBank(), &cert.Refutation{}
	for _, l := range p.Lines {
		line := cert.Line{Rule: string(l.Rule), Claim: bank.Add(l.Claim), From: l.From}
		for _, k := range l.Coef {
			line.Coef = append(line.Coef, k.RatString())
		}
		r.Lines = append(r.Lines, line)
	}
	r.Terms = bank.Nodes()
	return r
}

// maker makes the evidence; taken lists the edges "a → b" that a run was seen to take.
type maker struct {
	t          testing.TB
	a          *auditor
	properties []cert.Property
	taken      map[string]bool
	dead       []string // ids of dead-code obligations to claim
	facts      []cert.Fact
	unproven   []string // the cases of facts for which there is no refutation: ID at edge
}

func (m *maker) certificate(s *ir.System) *cert.Certificate {
	m.t.Helper()
	encoded, err := ir.Encode(s)
	if err != nil {
		m.t.Fatal(err)
	}
	c := &cert.Certificate{
		Schema: cert.Schema, Tool: "maker", System: encoded, Properties: m.properties, Facts: m.facts,
		Sources:     []cert.Source{{Name: "a.cell", SHA256: "00000000000000000000000000000000000000000000000000000000000000ff"}},
		Assumptions: cert.Assumptions(),
	}
	system, failed := readSystem(encoded)
	if failed != nil {
		m.t.Fatal(failed)
	}
	m.a = newAuditor(c, system)
	m.a.dead = map[string]bool{}
	for _, id := range m.dead {
		m.a.dead[id] = true
	}
	questions, failed := m.a.questions()
	if failed != nil {
		m.t.Fatal(failed)
	}
	for _, q := range questions {
		o := q.Obligation
		m.answer(&o, m.a.system.Find(o.Cell))
		c.Obligations = append(c.Obligations, &o)
		if q.judge(&o).Outcome == Failed && o.Kind == cert.Termination { // fills the graphs
			o.Evidence = cert.Evidence{Class: cert.EngineTrusted, Rule: cert.ByEngine}
		}
	}
	return c
}

func (m *maker) answer(o *cert.Obligation, c *ir.Cell) {
	o.Verdict, o.Evidence.Class = cert.Proven, cert.KernelChecked
	switch o.Kind {
	case cert.Frame:
		o.Evidence.Rule = cert.ByFrame
	case cert.Termination:
		o.Evidence.Rule = cert.ByTermination
	case cert.Flow:
		o.Evidence = cert.Evidence{Class: cert.EngineTrusted, Rule: cert.ByEngine}
	case cert.FactKind:
		m.fact(o, c)
	case cert.Invariant:
		if o.Site == nil {
			m.commit(o)
			return
		}
		m.single(o, m.invariant(o))
	case cert.EdgeDeclared:
		p := m.place(*o.Site)
		f := p.effect.(*ir.Move)
		m.single(o, m.a.target(p, f, entered(m.a.system.Find(f.Cell).Machine)))
	case cert.Guard:
		m.guard(o)
	case cert.Ensure:
		m.single(o, m.a.ensured(m.place(*o.Site)))
	case cert.DeadCode:
		for n, s := range m.a.system.Handler(ir.HandlerRef{Cell: o.Cell, Handler: o.Handler, Arity: -1}).Stmts {
			if o.Claim == cert.ClaimDeadCode(o.Handler, n+1, s) {
				m.single(o, m.a.generator.begins(m.a.system.Handler(ir.HandlerRef{Cell: o.Cell, Handler: o.Handler, Arity: -1}), s))
			}
		}
	case cert.EdgeTaken:
		m.edge(o, c)
	case cert.ThinkIsolated:
		m.isolation(o, c)
	case cert.Temporal:
		m.temporal(o, c)
	}
}

func (m *maker) place(s cert.Site) place {
	a := m.a.system.Find(s.Cell).Automata[s.Automaton]
	return place{a, s, a.Edges[s.Edge].Effects[s.Effect]}
}

// invariant finds the rule of an obligation by its claim.
func (m *maker) invariant(o *cert.Obligation) *condition {
	p := m.place(*o.Site)
	if f, ok := p.effect.(*ir.Move); ok {
		c := m.a.system.Find(f.Cell)
		for _, r := range stateRules(c) {
			if o.Claim == cert.ClaimStateRule(o.Handler, c.Machine.Name, r.Text) {
				return m.a.generator.invariant(p.automaton, p.site.Edge, p.site.Effect, r)
			}
		}
		return &condition{goal: term.False}
	}
	ref, _, _ := changedSlot(p.effect)
	for _, r := range m.a.system.Find(ref.Cell).Rules {
		if statable(r) && o.Claim == cert.ClaimInvariant(o.Handler, ref.Slot, r.Text) {
			return m.a.generator.invariant(p.automaton, p.site.Edge, p.site.Effect, r)
		}
	}
	return &condition{goal: term.False}
}

// commit answers a rule about sums, found by its claim, at each end of the body.
func (m *maker) commit(o *cert.Obligation) {
	cases := &cert.Cases{Cases: []cert.Case{}}
	for _, c := range m.a.system.Cells {
		for _, r := range c.Rules {
			if o.Claim != cert.ClaimTotal(o.Handler, r.Text) {
				continue
			}
			for n, a := range m.a.system.Find(o.Cell).Automata {
				for e, edge := range a.Edges {
					if a.Name != o.Handler || edge.To != ir.Exit {
						continue
					}
					k, ok := m.solve(m.a.generator.commit(a, e, c.Name, r))
					if !ok {
						o.Verdict, o.Reason, o.Evidence = cert.RuntimeChecked, "not shown", cert.Evidence{Class: cert.NoEvidence}
						return
					}
					k.Site = cert.Site{Cell: o.Cell, Automaton: n, Edge: e, Effect: len(edge.Effects)}
					cases.Cases = append(cases.Cases, k)
				}
			}
		}
	}
	o.Evidence.Rule, o.Evidence.Data = cert.ByCases, cases
}

// fact answers a fact, found by its claim; a case without a refutation is said to be trivial.
func (m *maker) fact(o *cert.Obligation, c *ir.Cell) {
	cases := &cert.Cases{Cases: []cert.Case{}}
	for _, f := range m.a.facts[c] {
		if o.Claim != cert.ClaimFact(f.automaton.Name, f.at, f.text) {
			continue
		}
		for _, p := range m.a.generator.shownAt(c, f) {
			k, ok := m.solve(m.a.generator.keeps(f, p.site.Edge))
			if !ok {
				k.Rule = cert.ByTrivial
				m.unproven = append(m.unproven, fmt.Sprintf("%s at %d", o.ID, p.site.Edge))
			}
			k.Site = p.site
			cases.Cases = append(cases.Cases, k)
		}
	}
	o.Evidence.Rule, o.Evidence.Data = cert.ByCases, cases
}

// single answers one condition; what is not refuted is left to the runtime.
func (m *maker) single(o *cert.Obligation, c *condition) {
	k, ok := m.solve(c)
	switch {
	case !ok:
		o.Verdict, o.Reason, o.Evidence = cert.RuntimeChecked, "not shown", cert.Evidence{Class: cert.NoEvidence}
	case k.Rule == cert.ByTrivial:
		o.Evidence.Rule = cert.ByTrivial
	default:
		o.Evidence.Rule, o.Evidence.Data = k.Rule, k.Refutation
	}
}

// guard finds the guard of an obligation by its claim.
func (m *maker) guard(o *cert.Obligation) {
	p := m.place(*o.Site)
	f := p.effect.(*ir.Move)
	machine := m.a.system.Find(f.Cell).Machine
	for i, e := range machine.Edges {
		if guard := knownGuard(f, i); guard != nil && o.Claim == cert.ClaimGuard(o.Handler, machine.Name, e.From, e.To, e.Guard) {
			m.single(o, m.a.guard(p, f, i, guard))
			return
		}
	}
	m.single(o, &condition{goal: term.False})
}

func (m *maker) solve(c *condition) (cert.Case, bool) {
	if c.trivial() {
		return cert.Case{Rule: cert.ByTrivial}, true
	}
	p, err := refute.Refute(c.negated(), refute.DefaultLimits())
	if err != nil {
		return cert.Case{}, false
	}
	return cert.Case{Rule: cert.ByRefutation, Refutation: toCert(p)}, true
}

func (m *maker) edge(o *cert.Obligation, c *ir.Cell) {
	for i, e := range c.Machine.Edges {
		if o.Claim != cert.ClaimEdgeTaken(c.Machine.Name, e.From, e.To) {
			continue
		}
		if m.taken[e.From+" → "+e.To] {
			o.Evidence = cert.Evidence{Class: cert.EngineTrusted, Rule: cert.ByRun, Data: &cert.Run{
				Calls: []cert.Call{{Cell: c.Name, Handler: "ship", Args: []string{`"p1"`}}}, From: e.From, To: e.To,
			}}
			return
		}
		cases := &cert.Cases{Cases: []cert.Case{}}
		for _, p := range m.a.moves(c) {
			k, ok := m.solve(m.a.generator.condition(p.automaton, p.site.Edge, p.site.Effect, func(s *site) *term.Term {
				return term.Not(s.takes(p.effect.(*ir.Move), i))
			}))
			if !ok {
				o.Verdict, o.Reason, o.Evidence = cert.Unknown, "no run was found", cert.Evidence{Class: cert.NoEvidence}
				return
			}
			k.Site = p.site
			cases.Cases = append(cases.Cases, k)
		}
		o.Verdict, o.Reason = cert.Refuted, "no handler takes it"
		o.Evidence.Rule, o.Evidence.Data = cert.ByCases, cases
	}
}

func (m *maker) isolation(o *cert.Obligation, c *ir.Cell) {
	cases := &cert.Cases{Cases: []cert.Case{}}
	for _, p := range m.a.moves(c) {
		f := p.effect.(*ir.Move)
		if f.To.IsLiteral() {
			continue
		}
		values := slices.Sorted(slices.Values(c.Machine.States))
		k, ok := m.solve(m.a.target(p, f, values))
		if !ok {
			o.Verdict, o.Reason, o.Evidence = cert.RuntimeChecked, "not listed", cert.Evidence{Class: cert.NoEvidence}
			return
		}
		k.Site, k.Values = p.site, values
		cases.Cases = append(cases.Cases, k)
	}
	o.Evidence.Rule, o.Evidence.Data = cert.ByCases, cases
}

func (m *maker) temporal(o *cert.Obligation, c *ir.Cell) {
	f := m.formula(o, c)
	graphs := m.a.machines[c]
	declared, ok := naive(f, graphs.graph(cert.Declared), c.Machine.Initial)
	data := &cert.CTL{Labellings: []cert.Labelling{declared}}
	o.Evidence.Rule, o.Evidence.Data = cert.ByCTL, data
	if !ok {
		o.Verdict, o.Reason = cert.Refuted, "it fails"
		return
	}
	name := cert.Implementation
	if safety(f) {
		name = cert.May
	}
	second, ok := naive(f, graphs.graph(name), c.Machine.Initial)
	if !ok {
		o.Verdict, o.Reason, o.Evidence = cert.Unknown, "not shown", cert.Evidence{Class: cert.NoEvidence}
		return
	}
	if name == cert.Implementation {
		o.Evidence.Class = cert.EngineTrusted
	}
	data.Labellings = append(data.Labellings, second)
}

// formula is the formula of a temporal obligation, found by its text.
func (m *maker) formula(o *cert.Obligation, c *ir.Cell) *formula {
	text := o.Claim[len(c.Machine.Name)+2:]
	f, err := parseFormula(text)
	if err != nil {
		m.t.Fatalf("%s: %v", text, err)
	}
	return normal(f)
}

// naive labels a graph by iterating the fixpoint equations; the rank of a state is the round
// in which it entered.
func naive(f *formula, g *graph, initial string) (cert.Labelling, bool) {
	l := cert.Labelling{Graph: g.name, States: g.states}
	number := map[*formula]int{}
	sets := map[*formula][]bool{}
	var visit func(f *formula) int
	visit = func(f *formula) int {
		if f == nil {
			return -1
		}
		if i, ok := number[f]; ok {
			return i
		}
		n := cert.Node{Op: f.op, Atom: f.atom, Left: visit(f.left), Right: visit(f.right), Set: []int{}}
		set, rank := naiveSet(f, g, sets)
		for s, in := range set {
			if in {
				n.Set = append(n.Set, s)
			}
		}
		n.Rank, sets[f], number[f] = rank, set, len(l.Nodes)
		l.Nodes = append(l.Nodes, n)
		return number[f]
	}
	root := visit(f)
	return l, slices.Contains(l.Nodes[root].Set, g.index[initial])
}

func naiveSet(f *formula, g *graph, sets map[*formula][]bool) (set []bool, rank []int) {
	set = make([]bool, len(g.states))
	left, right := sets[f.left], sets[f.right]
	exists := func(s int, in []bool) bool { return slices.ContainsFunc(g.some[s], func(t int) bool { return in[t] }) }
	always := func(s int, in []bool) bool { return !slices.ContainsFunc(g.all[s], func(t int) bool { return !in[t] }) }
	alwaysSome := func(s int, in []bool) bool {
		return !slices.ContainsFunc(g.some[s], func(t int) bool { return !in[t] })
	}
	existsAll := func(s int, in []bool) bool { return slices.ContainsFunc(g.all[s], func(t int) bool { return in[t] }) }
	for s := range set {
		switch f.op {
		case "true":
			set[s] = true
		case "atom":
			set[s] = g.holds(f.atom, s)
		case "not":
			set[s] = !left[s]
		case "and":
			set[s] = left[s] && right[s]
		case "or":
			set[s] = left[s] || right[s]
		case "EX":
			set[s] = exists(s, left)
		case "AX":
			set[s] = always(s, left)
		}
	}
	grow := func(p, q func(int) bool, step func(int, []bool) bool) (in []bool) {
		in, rank = make([]bool, len(set)), make([]int, len(set))
		for s := range in {
			in[s], rank[s] = q(s), -1
			if in[s] {
				rank[s] = 0
			}
		}
		for round, more := 1, true; more; round++ {
			more = false
			before := slices.Clone(in)
			for s := range in {
				if !in[s] && p(s) && step(s, before) {
					in[s], rank[s], more = true, round, true
				}
			}
		}
		return in
	}
	of := func(b []bool) func(int) bool { return func(s int) bool { return b[s] } }
	not := func(b []bool) func(int) bool { return func(s int) bool { return !b[s] } }
	switch f.op {
	case "EU":
		set = grow(of(left), of(right), exists)
	case "AU":
		set = grow(of(left), of(right), always)
	case "ER":
		set = grow(not(left), not(right), alwaysSome)
	case "AR":
		set = grow(not(left), not(right), existsAll)
	}
	if f.op == "ER" || f.op == "AR" {
		for s := range set {
			set[s] = !set[s]
		}
	}
	return set, rank
}

// depot is a store of goods with parcels that are packed, sent and delivered. No handler takes
// the edge lost → packed.
func depot() *ir.System {
	p := irtest.NewPlaces("depot.cell", 400)
	stock, reserved := ir.SlotRef{Cell: "Depot", Slot: "stock"}, ir.SlotRef{Cell: "Depot", Slot: "reserved"}
	id, n := term.Var("id", term.String), term.Var("n", term.Int)
	amount := func(slot string) *term.Term {
		return term.Ite(ir.EntryHas(slot), ir.EntryVal(slot, term.Int), term.Int64(0))
	}
	c := &ir.Cell{
		Name: "Depot", Span: p.Next(),
		Slots: []*ir.Slot{
			{Name: "stock", Value: term.Int, Type: "Map<String, Int>", Span: p.Next()},
			{Name: "reserved", Value: term.Int, Type: "Map<String, Int>", Span: p.Next()},
		},
		Rules: []*ir.Rule{
			{Text: "stock >= 0", Guards: []string{"stock"}, Cond: term.Le(term.Int64(0), ir.EntryVal("stock", term.Int)), Span: p.Next()},
			{Text: "reserved <= stock", Guards: []string{"stock", "reserved"}, Cond: term.Le(amount("reserved"), amount("stock")), Span: p.Next()},
			{Text: "stock.size < 9", Guards: []string{"stock"}, Size: true, Cond: term.Lt(ir.EntrySize("stock"), term.Int64(9)), Span: p.Next()},
			{Text: "stock <= cap", Guards: []string{"stock"}, Cond: term.True, Abstract: "it reads elsewhere", Span: p.Next()},
			{Text: "total(reserved) <= total(stock)", Guards: []string{"stock", "reserved"}, Total: true,
				Cond: term.Le(ir.EntrySum("reserved"), ir.EntrySum("stock")), Span: p.Next()},
		},
		Machine: &ir.Machine{Name: "parcel", States: []string{"packed", "sent", "lost", "delivered"}, Initial: "packed", Span: p.Next()},
	}
	for _, e := range [][2]string{{"packed", "sent"}, {"packed", "lost"}, {"sent", "delivered"}, {"lost", "packed"}, {"lost", "delivered"}} {
		c.Machine.Edges = append(c.Machine.Edges, &ir.MachineEdge{From: e[0], To: e[1], Span: p.Next()})
	}

	receive := irtest.Handler(p, "Depot", "receive", id, n)
	has, val := receive.Local("has", term.Bool), receive.Local("val", term.Int)
	start := receive.Do(&ir.Read{Slot: stock, Key: id, Has: has, Val: val})
	receive.Edge(start, ir.Raised, term.Lt(n, term.Int64(0)))
	more := receive.Loc()
	receive.Edge(start, more, term.Not(term.Lt(n, term.Int64(0))))
	receive.Return(&ir.Write{Slot: stock, Key: id, Value: term.Add(term.Ite(has, val, term.Int64(0)), n)})

	book := irtest.Handler(p, "Depot", "book", id, n)
	sHas, sVal := book.Local("sh", term.Bool), book.Local("sv", term.Int)
	rHas, rVal := book.Local("rh", term.Bool), book.Local("rv", term.Int)
	start = book.Do(&ir.Read{Slot: stock, Key: id, Has: sHas, Val: sVal}, &ir.Read{Slot: reserved, Key: id, Has: rHas, Val: rVal})
	wanted := term.Add(term.Ite(rHas, rVal, term.Int64(0)), n)
	enough := term.Le(wanted, term.Ite(sHas, sVal, term.Int64(0)))
	yes, no := book.Loc(), book.Loc()
	book.Edge(start, yes, enough)
	book.Edge(start, no, term.Not(enough))
	done := book.Loc()
	book.Edge(yes, done, term.True, &ir.Write{Slot: reserved, Key: id, Value: wanted})
	book.Edge(no, done, term.True, &ir.Call{Handler: ir.HandlerRef{Cell: "Depot", Handler: "_note", Arity: 0}})
	book.Return()

	note := irtest.Handler(p, "Depot", "_note")
	note.Return(&ir.Act{Builtin: "print", Class: "output", Args: []*term.Term{term.StringLit("too many")}})

	ship := irtest.Handler(p, "Depot", "ship", id)
	ship.Return(&ir.Move{Cell: "Depot", ID: id, From: term.StringLit("packed"), To: term.StringLit("sent"), Literal: true})

	route := irtest.Handler(p, "Depot", "route", id)
	answer := route.Local("answer", term.String)
	start = route.Do(&ir.Act{Builtin: "think", Class: "model", Args: []*term.Term{id}, Result: answer})
	listed := term.Or(term.Eq(answer, term.StringLit("lost")), term.Eq(answer, term.StringLit("delivered")))
	route.Edge(start, ir.Raised, term.Not(listed))
	on := route.Loc()
	route.Edge(start, on, listed)
	route.Return(&ir.Move{Cell: "Depot", ID: id, To: answer})

	c.Automata = []*ir.Automaton{receive.Automaton, book.Automaton, note.Automaton, ship.Automaton, route.Automaton}
	c.Signals = []*ir.Signal{
		{Name: "receive", Params: []string{"id: String", "n: Int"}, Automaton: "receive", Frame: &ir.Frame{Writes: []ir.FrameItem{{Name: "stock"}}}},
		{Name: "book", Params: []string{"id: String", "n: Int"}, Automaton: "book", Frame: &ir.Frame{
			Reads: []ir.FrameItem{{Name: "stock"}}, Writes: []ir.FrameItem{{Name: "reserved"}}, Calls: []ir.FrameItem{{Name: "print"}}}},
		{Name: "ship", Params: []string{"id: String"}, Automaton: "ship", Frame: &ir.Frame{Moves: []ir.FrameItem{{From: "packed", To: "sent"}}}},
		{Name: "route", Params: []string{"id: String"}, Automaton: "route"},
	}
	return &ir.System{Cells: []*ir.Cell{c}}
}

// depotCertificate is a certificate of the depot that holds.
func depotCertificate(t testing.TB) *cert.Certificate {
	t.Helper()
	m := &maker{
		t: t,
		properties: []cert.Property{
			{Cell: "Depot", Text: "AG(sent -> AX !packed)", Origin: "program"},
			{Cell: "Depot", Text: "A[!delivered W (sent || Depot.parcel.lost)]", Origin: "manifest"},
			{Cell: "Depot", Text: "AG AF delivered", Origin: "program"},
			{Cell: "Depot", Text: "EF parcel.delivered && EX sent", Origin: "program"},
			{Cell: "Depot", Text: "E[packed U lost] <-> !EG sent", Origin: "program"},
		},
		taken: map[string]bool{"packed → sent": true, "sent → delivered": true, "packed → lost": true, "lost → delivered": true},
	}
	return m.certificate(depot())
}
