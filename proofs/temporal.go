package proofs

import (
	"sort"

	"soma.cell/ctl"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
)

// reading is a property's truth for the implementation.
type reading int

const (
	unsure reading = iota // the three graphs do not decide it
	holds
	fails
)

// propertyResult is a property of a machine, decided on its graphs.
type propertyResult struct {
	ob       *obligation.Obligation
	title    string
	formula  *ctl.Formula
	declared *ctl.Result // on the picture
	reading  reading     // for the implementation
	vacuous  bool        // its subject is unreachable
	trace    *ctl.Trace  // against it: on the picture, else on the may-graph
}

// properties decides the machine checks and the properties asked for.
func (v *verifier) properties(mr *machineResult) error {
	check := func(text string, f *ctl.Formula) error {
		r, err := v.property(mr, text, text, f, "")
		mr.checks = append(mr.checks, r)
		return err
	}
	reach := reachability{declared: mr.graphs.declared.Reachable(), may: mr.graphs.may.Reachable(), must: mr.graphs.must.Reachable()}
	for i := range mr.m.States {
		r, err := v.reachable(mr, i, reach)
		if err != nil {
			return err
		}
		mr.checks = append(mr.checks, r)
	}
	if err := check(cert.PropertyDeadlock, ctl.AG(ctl.Not(ctl.Atom(cert.AtomStuck)))); err != nil {
		return err
	}
	goal, text := cert.AtomInitial, cert.PropertyHome
	if mr.hasTerminal() {
		goal, text = cert.AtomTerminal, cert.PropertyLive
	}
	if err := check(text, ctl.AG(ctl.EF(ctl.Atom(goal)))); err != nil {
		return err
	}
	for _, p := range v.opts.Properties {
		if p.Cell != mr.cell.Name {
			continue
		}
		f, err := ctl.Parse(p.CTL)
		if err != nil {
			return err
		}
		r, err := v.property(mr, p.Title, p.CTL, f, p.Subject)
		if err != nil {
			return err
		}
		mr.asked = append(mr.asked, r)
	}
	return nil
}

func (mr *machineResult) hasTerminal() bool {
	return !mr.where(mr.graphs.declared.Stutters).Empty()
}

// reachability is what each graph reaches.
type reachability struct{ declared, may, must *ctl.Set }

// reachable decides EF s for one state from what the graphs reach: a check of its own for
// each state would cost the square of their number.
func (v *verifier) reachable(mr *machineResult, i int, reach reachability) (*propertyResult, error) {
	state := mr.m.States[i]
	r := &propertyResult{title: cert.PropertyReachable(state), formula: ctl.EF(ctl.Atom(state))}
	if !reach.declared.Has(i) {
		return v.property(mr, r.title, r.title, r.formula, "")
	}
	r.ob = v.add(&obligation.Obligation{
		Kind: obligation.Temporal, Cell: mr.cell.Name, Span: mr.m.Span,
		Claim: cert.ClaimTemporal(mr.m.Name, r.title),
	})
	switch {
	case reach.must.Has(i):
		r.reading = holds
		r.ob.Verdict = obligation.Proven
		r.ob.Evidence = obligation.Evidence{Class: obligation.EngineTrusted, Rule: string(cert.ByReach)}
	case !reach.may.Has(i):
		r.reading = fails
		r.ob.Reason = notShown(true)
	default:
		r.ob.Reason = notShown(false)
	}
	return r, nil
}

// property decides one property. Universal parts are read on the may-graph, existential ones
// on the must-graph; what both readings leave open is unsure.
func (v *verifier) property(mr *machineResult, title, text string, f *ctl.Formula, subject string) (*propertyResult, error) {
	r := &propertyResult{title: title, formula: f}
	r.ob = v.add(&obligation.Obligation{
		Kind: obligation.Temporal, Cell: mr.cell.Name, Span: mr.m.Span,
		Claim: cert.ClaimTemporal(mr.m.Name, text),
	})
	atoms := mr.atoms(f)
	var err error
	if r.declared, err = ctl.Check(mr.graphs.declared, atoms, f); err != nil {
		return nil, err
	}
	if r.reading, err = mr.implementation(f, atoms); err != nil {
		return nil, err
	}
	if subject != "" {
		if r.vacuous, err = mr.unreachable(subject); err != nil {
			return nil, err
		}
	}
	switch {
	case !r.declared.Holds():
		r.ob.Verdict = obligation.Refuted
		r.trace, _ = ctl.Counterexample(r.declared)
		r.ob.Evidence = obligation.Evidence{Class: obligation.KernelChecked, Rule: string(cert.ByCTL), Data: mr.refutation(r)}
	case r.reading == holds:
		r.ob.Verdict = obligation.Proven
		return r, v.temporalEvidence(mr, r, atoms)
	default:
		r.ob.Reason = notShown(r.reading == fails)
		if res, err := ctl.Check(mr.graphs.held, atoms, f); err == nil && !res.Holds() {
			r.trace, _ = ctl.Counterexample(res)
		}
	}
	return r, nil
}

func (mr *machineResult) unreachable(subject string) (bool, error) {
	f, err := ctl.Parse(subject)
	if err != nil {
		return false, err
	}
	res, err := ctl.Check(mr.graphs.declared, mr.atoms(f), ctl.EF(f))
	return err == nil && !res.Holds(), err
}

// implementation is the three-valued truth for what the bodies do.
func (mr *machineResult) implementation(f *ctl.Formula, atoms map[string]*ctl.Set) (reading, error) {
	initial := mr.index[mr.m.Initial]
	yes, err := mr.surely(ctl.NNF(f), atoms)
	if err != nil {
		return unsure, err
	}
	if yes.Has(initial) {
		return holds, nil
	}
	no, err := mr.surely(ctl.NNF(ctl.Not(f)), atoms)
	if err != nil {
		return unsure, err
	}
	if no.Has(initial) {
		return fails, nil
	}
	return unsure, nil
}

// surely is a set of states in which the formula, in negation normal form, holds whatever
// the program does between the must-graph and the may-graph. By induction: the sets of the
// operands are such sets, the operators are monotone in them, every path of the program is
// one of held, and every path of must that stays out of its extra state is taken by the
// program edge by edge. That one instance takes it, or goes on at all where another did, is
// assumed (docs/proofs.md): only what says that something never happens needs no such
// assumption.
func (mr *machineResult) surely(f *ctl.Formula, atoms map[string]*ctl.Set) (*ctl.Set, error) {
	n := len(mr.m.States)
	operand := func(g *ctl.Formula) (*ctl.Set, error) {
		if g == nil {
			return ctl.NewSet(n), nil
		}
		return mr.surely(g, atoms)
	}
	var left, right *ctl.Set
	var err error
	if f.Op != ctl.OpNot {
		if left, err = operand(f.Left); err != nil {
			return nil, err
		}
		if right, err = operand(f.Right); err != nil {
			return nil, err
		}
	}
	l, r := ctl.Atom("l"), ctl.Atom("r")
	universal := func(g *ctl.Formula) (*ctl.Set, error) {
		return label(mr.graphs.held, map[string]*ctl.Set{"l": left, "r": right}, g)
	}
	existential := func(g *ctl.Formula) (*ctl.Set, error) {
		s, err := label(mr.graphs.must, map[string]*ctl.Set{"l": resize(left, n+1), "r": resize(right, n+1)}, g)
		if err != nil {
			return nil, err
		}
		return resize(s, n), nil
	}
	switch f.Op {
	case ctl.OpAX:
		return universal(ctl.AX(l))
	case ctl.OpAU:
		return universal(ctl.AU(l, r))
	case ctl.OpAR:
		return universal(ctl.AR(l, r))
	case ctl.OpEX:
		return existential(ctl.EX(l))
	case ctl.OpEU:
		return existential(ctl.EU(l, r))
	case ctl.OpER:
		return existential(ctl.ER(l, r))
	case ctl.OpAnd:
		return left.And(right), nil
	case ctl.OpOr:
		return left.Or(right), nil
	}
	if f.Op == ctl.OpNot && f.Left.Name == cert.AtomStuck {
		// That no handler was shown to be unable to leave does not say that one can.
		return mr.where(func(i int) bool { return mr.graphs.declared.Stutters(i) || mr.graphs.left.Has(i) }), nil
	}
	return label(mr.graphs.declared, atoms, f) // true, false, an atom or its negation
}

func label(s *ctl.Structure, atoms map[string]*ctl.Set, f *ctl.Formula) (*ctl.Set, error) {
	res, err := ctl.Check(s, atoms, f)
	if err != nil {
		return nil, err
	}
	return res.Root().Set, nil
}

// resize is a set over another number of states; states past the end are dropped.
func resize(s *ctl.Set, n int) *ctl.Set {
	out := ctl.NewSet(n)
	for i := range s.All() {
		if i < n {
			out.Add(i)
		}
	}
	return out
}

// temporalEvidence labels the picture, and the may-graph for safety properties, which any
// subset of its edges keeps. Whatever else is claimed of the implementation rests on runs.
func (v *verifier) temporalEvidence(mr *machineResult, r *propertyResult, atoms map[string]*ctl.Set) error {
	data := &cert.CTL{Labellings: []cert.Labelling{mr.labelling(cert.Declared, r.declared)}}
	class := obligation.EngineTrusted
	if safety(ctl.NNF(r.formula)) {
		res, err := ctl.Check(mr.graphs.may, atoms, r.formula)
		if err != nil {
			return err
		}
		data.Labellings = append(data.Labellings, mr.labelling(cert.May, res))
		class = mr.mayClass
	}
	r.ob.Evidence = obligation.Evidence{Class: class, Rule: string(cert.ByCTL), Data: data}
	return nil
}

// why says how far a property that holds does.
func (r *propertyResult) why() string {
	if safety(ctl.NNF(r.formula)) {
		return reasonHolds
	}
	return reasonByEdges
}

// safety tells whether a formula in negation normal form says of all paths that something
// never happens: only then does it survive the loss of edges.
func safety(f *ctl.Formula) bool {
	switch f.Op {
	case ctl.OpNot:
		return f.Left.Name != cert.AtomStuck // fewer edges leave more states stuck
	case ctl.OpTrue, ctl.OpFalse, ctl.OpAtom:
		return true
	case ctl.OpAnd, ctl.OpOr, ctl.OpAR:
		return safety(f.Left) && safety(f.Right)
	}
	return false
}

// labelling is a result as the certificate keeps it: over the reachable states, sorted.
func (mr *machineResult) labelling(g cert.Graph, res *ctl.Result) cert.Labelling {
	out := cert.Labelling{Graph: g}
	var reach []int
	for i := range res.Structure.Reachable().All() {
		reach = append(reach, i)
	}
	sort.Slice(reach, func(i, j int) bool { return mr.m.States[reach[i]] < mr.m.States[reach[j]] })
	for _, s := range reach {
		out.States = append(out.States, mr.m.States[s])
	}
	for _, n := range res.Nodes {
		node := cert.Node{Op: opName(n.Formula.Op), Left: n.Left, Right: n.Right, Set: []int{}}
		if n.Formula.Op == ctl.OpAtom {
			node.Atom = n.Formula.Name
		}
		for k, s := range reach {
			if n.Set.Has(s) {
				node.Set = append(node.Set, k)
			}
			if n.Rank != nil {
				node.Rank = append(node.Rank, int(n.Rank[s]))
			}
		}
		out.Nodes = append(out.Nodes, node)
	}
	return out
}

func opName(op ctl.Op) string {
	return map[ctl.Op]string{
		ctl.OpTrue: "true", ctl.OpFalse: "false", ctl.OpAtom: "atom", ctl.OpNot: "not", ctl.OpAnd: "and", ctl.OpOr: "or",
		ctl.OpEX: "EX", ctl.OpAX: "AX", ctl.OpEU: "EU", ctl.OpAU: "AU", ctl.OpER: "ER", ctl.OpAR: "AR",
	}[op]
}

// refutation is a failure on the picture, with its trace.
func (mr *machineResult) refutation(r *propertyResult) *cert.CTL {
	out := &cert.CTL{Labellings: []cert.Labelling{mr.labelling(cert.Declared, r.declared)}}
	if t := r.trace; t != nil {
		out.Trace = &cert.Trace{Path: mr.names(t.Prefix), Loop: mr.names(t.Loop)}
		if t.Closed != nil {
			for s := range t.Closed.All() {
				out.Trace.Closed = append(out.Trace.Closed, mr.m.States[s])
			}
			sort.Strings(out.Trace.Closed)
		}
	}
	return out
}

func (mr *machineResult) names(states []int) []string {
	var out []string
	for _, s := range states {
		out = append(out, mr.m.States[s])
	}
	return out
}
