package kernel

import (
	"bytes"
	"strings"
	"testing"

	"soma.cell/ir"
	"soma.cell/ir/irtest"
	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// firstError is the first failure of an audit.
func firstError(r *Report) *Error {
	for _, e := range r.Errors {
		return e
	}
	for _, x := range r.Results {
		if x.Err != nil {
			return x.Err
		}
	}
	return nil
}

func find(c *cert.Certificate, id string) *cert.Obligation {
	for _, o := range c.Obligations {
		if o.ID == id {
			return o
		}
	}
	panic("no obligation " + id)
}

// TestFaults gives each kind of failure outside the rules of refutations a certificate that has
// it.
func TestFaults(t *testing.T) {
	whole, err := cert.Encode(depotCertificate(t))
	if err != nil {
		t.Fatal(err)
	}
	ctl := func(c *cert.Certificate, id string) *cert.CTL { return find(c, id).Evidence.Data.(*cert.CTL) }
	cases := func(c *cert.Certificate, id string) []cert.Case {
		return find(c, id).Evidence.Data.(*cert.Cases).Cases
	}
	for _, f := range []struct {
		name  string
		spoil func(c *cert.Certificate)
		want  ErrorKind
	}{
		{"no hash", func(c *cert.Certificate) { c.Sources[0].SHA256 = "ff" }, BadSource},
		{"an assumption less", func(c *cert.Certificate) { c.Assumptions = c.Assumptions[1:] }, BadAssumption},
		{"another assumption", func(c *cert.Certificate) { c.Assumptions[0] = "Nothing is assumed." }, BadAssumption},
		{"no system", func(c *cert.Certificate) { c.System = []byte("{}") }, BadSystem},
		{"property of no cell", func(c *cert.Certificate) { c.Properties[0].Cell = "Other" }, BadProperty},
		{"property that does not parse", func(c *cert.Certificate) { c.Properties[0].Text = "AG (sent" }, BadProperty},
		{"property over no state", func(c *cert.Certificate) { c.Properties[0].Text = "AG found" }, BadProperty},
		{"omission", func(c *cert.Certificate) { c.Obligations = c.Obligations[1:] }, BadList},
		{"duplicate", func(c *cert.Certificate) { c.Obligations = append(c.Obligations, c.Obligations[0]) }, BadList},
		{"extra", func(c *cert.Certificate) {
			o := *c.Obligations[0]
			o.ID = "Depot/receive/frame/2"
			c.Obligations = append(c.Obligations, &o)
		}, BadList},
		{"order", func(c *cert.Certificate) {
			c.Obligations[0], c.Obligations[1] = c.Obligations[1], c.Obligations[0]
		}, BadList},
		{"claim", func(c *cert.Certificate) { find(c, "Depot/receive/invariant/1").Claim = "all is well" }, BadClaim},
		{"site", func(c *cert.Certificate) { find(c, "Depot/receive/invariant/1").Site.Effect = 1 }, BadClaim},
		{"no site", func(c *cert.Certificate) { find(c, "Depot/receive/invariant/1").Site = nil }, BadClaim},
		{"no verdict", func(c *cert.Certificate) { find(c, "Depot/-/flow/1").Verdict = "yes" }, BadVerdict},
		{"enforced at run time, which it is not", func(c *cert.Certificate) {
			o := find(c, "Depot/-/flow/1")
			o.Verdict, o.Evidence = cert.RuntimeChecked, cert.Evidence{Class: cert.NoEvidence}
		}, BadVerdict},
		{"a reason against a proof", func(c *cert.Certificate) { find(c, "Depot/-/flow/1").Reason = "but" }, BadVerdict},
		{"proven without a condition", func(c *cert.Certificate) {
			o := find(c, "Depot/receive/invariant/4")
			o.Verdict, o.Reason, o.Evidence = cert.Proven, "", cert.Evidence{Class: cert.KernelChecked, Rule: cert.ByTrivial}
		}, NoCondition},
		{"a rule about sums at no end", func(c *cert.Certificate) {
			find(c, "Depot/receive/invariant/5").Evidence.Data = &cert.Cases{Cases: []cert.Case{}}
		}, BadCases},
		{"a rule about sums at another end", func(c *cert.Certificate) {
			find(c, "Depot/receive/invariant/5").Evidence.Data.(*cert.Cases).Cases[0].Site.Edge--
		}, BadCases},
		{"a rule about sums said to be trivial", func(c *cert.Certificate) {
			k := &find(c, "Depot/receive/invariant/5").Evidence.Data.(*cert.Cases).Cases[0]
			k.Rule, k.Refutation = cert.ByTrivial, nil
		}, NotTrivial},
		{"a rule about sums by the proof of another", func(c *cert.Certificate) {
			o := find(c, "Depot/book/invariant/2")
			o.Verdict, o.Reason, o.Evidence = cert.Proven, "", find(c, "Depot/receive/invariant/5").Evidence
		}, BadCases},
		{"a class too high", func(c *cert.Certificate) { find(c, "Depot/-/flow/1").Evidence.Class = cert.KernelChecked }, BadClass},
		{"a class too low", func(c *cert.Certificate) {
			find(c, "Depot/receive/invariant/1").Evidence.Class = cert.EngineTrusted
		}, BadClass},
		{"a rule of another kind", func(c *cert.Certificate) { find(c, "Depot/receive/frame/1").Evidence.Rule = cert.ByTrivial }, UnknownRule},
		{"an unknown rule", func(c *cert.Certificate) { find(c, "Depot/receive/invariant/1").Evidence = cert.Evidence{Rule: "luck"} }, UnknownRule},
		{"evidence of what is open", func(c *cert.Certificate) {
			find(c, "Depot/receive/invariant/3").Evidence = cert.Evidence{Class: cert.EngineTrusted, Rule: cert.ByEngine}
		}, UnknownRule},
		{"flow without a look at it", func(c *cert.Certificate) {
			find(c, "Depot/-/flow/1").Evidence = cert.Evidence{Class: cert.KernelChecked, Rule: cert.ByFlow}
		}, Untrusted},
		{"not trivial", func(c *cert.Certificate) {
			find(c, "Depot/receive/invariant/1").Evidence = cert.Evidence{Class: cert.KernelChecked, Rule: cert.ByTrivial}
		}, NotTrivial},
		{"another condition's refutation", func(c *cert.Certificate) {
			find(c, "Depot/receive/invariant/1").Evidence = find(c, "Depot/receive/invariant/2").Evidence
		}, NotAssumed},
		{"an empty script", func(c *cert.Certificate) {
			find(c, "Depot/receive/invariant/1").Evidence = cert.Evidence{Class: cert.SolverTrusted, Rule: cert.ByScript, Data: &cert.Script{}}
		}, BadLine},
		{"a script as checked", func(c *cert.Certificate) {
			find(c, "Depot/receive/invariant/1").Evidence = cert.Evidence{Class: cert.KernelChecked, Rule: cert.ByScript, Data: &cert.Script{Solver: "s", Text: "t"}}
		}, BadClass},
		{"a case too few", func(c *cert.Certificate) {
			d := find(c, "Depot/-/edge-taken/4").Evidence.Data.(*cert.Cases)
			d.Cases = d.Cases[1:]
		}, BadCases},
		{"a case of another place", func(c *cert.Certificate) { cases(c, "Depot/-/edge-taken/4")[0].Site.Edge = 1 }, BadCases},
		{"a case by two rules", func(c *cert.Certificate) {
			k := cases(c, "Depot/-/think-isolated/1")
			k[0].Script = &cert.Script{Solver: "s", Text: "t"}
		}, UnknownRule},
		{"a value that nothing lists", func(c *cert.Certificate) {
			k := cases(c, "Depot/-/think-isolated/1")
			k[0].Values = append([]string{"anywhere"}, k[0].Values...)
		}, BadCases},
		{"a run of another edge", func(c *cert.Certificate) {
			find(c, "Depot/-/edge-taken/1").Evidence.Data.(*cert.Run).To = "lost"
		}, BadRun},
		{"a run that calls a private handler", func(c *cert.Certificate) {
			find(c, "Depot/-/edge-taken/1").Evidence.Data.(*cert.Run).Calls[0] = cert.Call{Cell: "Depot", Handler: "_note"}
		}, BadRun},
		{"no labelling of the picture", func(c *cert.Certificate) {
			ctl(c, "Depot/-/temporal/5").Labellings = ctl(c, "Depot/-/temporal/5").Labellings[1:]
		}, BadGraph},
		{"a labelling of no graph", func(c *cert.Certificate) { ctl(c, "Depot/-/temporal/5").Labellings[1].Graph = "must" }, BadGraph},
		{"a state too few", func(c *cert.Certificate) {
			l := &ctl(c, "Depot/-/temporal/5").Labellings[0]
			l.States = l.States[1:]
		}, BadStates},
		{"another formula", func(c *cert.Certificate) {
			ctl(c, "Depot/-/temporal/5").Labellings[0].Nodes = ctl(c, "Depot/-/temporal/6").Labellings[0].Nodes
		}, BadFormula},
		{"a node too many", func(c *cert.Certificate) {
			l := &ctl(c, "Depot/-/temporal/5").Labellings[0]
			l.Nodes = append(l.Nodes, l.Nodes[0])
		}, BadFormula},
		{"a state too many in a set", func(c *cert.Certificate) {
			ctl(c, "Depot/-/temporal/1").Labellings[0].Nodes[1].Set = []int{0, 2}
		}, BadSet},
		{"a set out of order", func(c *cert.Certificate) {
			ctl(c, "Depot/-/temporal/1").Labellings[0].Nodes[0].Set = []int{1, 0, 2, 3}
		}, BadSet},
		{"a rank that does not fall", func(c *cert.Certificate) {
			for i := range ctl(c, "Depot/-/temporal/4").Labellings[0].Nodes[2].Rank {
				ctl(c, "Depot/-/temporal/4").Labellings[0].Nodes[2].Rank[i] = 1
			}
		}, BadRank},
		{"no ranks", func(c *cert.Certificate) { ctl(c, "Depot/-/temporal/4").Labellings[0].Nodes[2].Rank = nil }, BadRank},
		{"failure as proof", func(c *cert.Certificate) {
			o := find(c, "Depot/-/temporal/9")
			o.Verdict, o.Reason = cert.Proven, ""
		}, WrongAnswer},
		{"proof as failure", func(c *cert.Certificate) {
			o := find(c, "Depot/-/temporal/5")
			o.Verdict = cert.Refuted
		}, WrongAnswer},
		{"a path that starts elsewhere", func(c *cert.Certificate) {
			ctl(c, "Depot/-/temporal/9").Trace = &cert.Trace{Path: []string{"lost", "packed"}}
		}, BadTrace},
		{"a path over no edge", func(c *cert.Certificate) {
			ctl(c, "Depot/-/temporal/9").Trace = &cert.Trace{Path: []string{"packed", "delivered"}}
		}, BadTrace},
		{"a loop that does not close", func(c *cert.Certificate) {
			ctl(c, "Depot/-/temporal/9").Trace = &cert.Trace{Path: []string{"packed"}, Loop: []string{"sent", "delivered"}}
		}, BadTrace},
		{"a closed set that is left", func(c *cert.Certificate) {
			ctl(c, "Depot/-/temporal/9").Trace = &cert.Trace{Path: []string{"packed", "sent"}, Closed: []string{"sent"}}
		}, BadTrace},
		{"a trace through no state", func(c *cert.Certificate) {
			ctl(c, "Depot/-/temporal/9").Trace = &cert.Trace{Path: []string{"packed", "found"}}
		}, BadTrace},
	} {
		t.Run(f.name, func(t *testing.T) {
			c, err := cert.Decode(whole)
			if err != nil {
				t.Fatal(err)
			}
			f.spoil(c)
			if err := firstError(Audit(c)); err == nil || err.Kind != f.want {
				t.Errorf("%v, want %s", err, f.want)
			}
		})
	}
}

// TestTracesThatHold: lassos and closed sets are accepted.
func TestTracesThatHold(t *testing.T) {
	for _, trace := range []*cert.Trace{
		{Path: []string{"packed"}, Loop: []string{"lost", "packed"}},
		{Path: []string{"packed", "sent"}, Closed: []string{"delivered", "sent"}},
		{Path: []string{"packed", "sent", "delivered", "delivered"}},
	} {
		c := depotCertificate(t)
		find(c, "Depot/-/temporal/9").Evidence.Data.(*cert.CTL).Trace = trace
		if err := firstError(Audit(c)); err != nil {
			t.Errorf("%v: %v", trace, err)
		}
	}
}

// TestSystemFaults changes the system under evidence for the old one, so that some claim no
// longer follows.
func TestSystemFaults(t *testing.T) {
	automaton := func(s *ir.System, name string) *ir.Automaton {
		return s.Handler(ir.HandlerRef{Cell: "Depot", Handler: name, Arity: -1})
	}
	whole := depotCertificate(t)
	for _, f := range []struct {
		name  string
		spoil func(s *ir.System)
		want  ErrorKind
	}{
		{"frame without its writes", func(s *ir.System) { s.Cells[0].Signals[0].Frame.Writes = nil }, OutsideFrame},
		{"frame without what a private handler calls", func(s *ir.System) { s.Cells[0].Signals[1].Frame.Calls = nil }, OutsideFrame},
		{"frame with another edge", func(s *ir.System) { s.Cells[0].Signals[2].Frame.Moves[0].To = "lost" }, OutsideFrame},
		{"recursion", func(s *ir.System) {
			a := automaton(s, "_note")
			a.Edges[0].Effects = append([]ir.Effect{&ir.Call{Handler: a.Ref()}}, a.Edges[0].Effects...)
		}, NotStructural},
		{"a tool that calls back", func(s *ir.System) {
			f := automaton(s, "route").Edges[0].Effects[0].(*ir.Act)
			f.Tools = []ir.HandlerRef{automaton(s, "route").Ref()}
		}, NotStructural},
		{"no guard before the write", func(s *ir.System) { automaton(s, "receive").Edges[2].Guard = term.True }, NotAssumed},
		{"a rule too strong", func(s *ir.System) {
			s.Cells[0].Rules[0].Cond = term.Le(term.Int64(1), ir.EntryVal("stock", term.Int))
		}, NotAssumed},
		{"any target", func(s *ir.System) { automaton(s, "route").Edges[2].Guard = term.True }, NotAssumed},
		{"something unknown", func(s *ir.System) {
			e := automaton(s, "ship").Edges[0]
			e.Effects = append(e.Effects[:1:1], &ir.Unknown{Why: "who knows"}, e.Effects[1])
			s.Cells[0].Signals[2].Frame = nil // the frame fails first
			s.Cells[0].Signals = s.Cells[0].Signals[:2]
		}, BadList},
		{"another edge", func(s *ir.System) {
			s.Cells[0].Machine.Edges = append(s.Cells[0].Machine.Edges, &ir.MachineEdge{From: "delivered", To: "packed"})
		}, BadList},
		{"a name with a mark", func(s *ir.System) { s.Cells[0].Machine.States[2] = "{stuck}" }, BadSystem},
		{"a move along no edge", func(s *ir.System) {
			automaton(s, "ship").Edges[0].Effects[0].(*ir.Move).To = term.StringLit("delivered")
		}, IllFormed},
		{"a variable named like a fresh constant", func(s *ir.System) {
			a := automaton(s, "receive")
			a.Vars = append(a.Vars, ir.Var{Term: term.Var("n@0", term.Int)})
		}, IllFormed},
		{"a variable named like a way into a join", func(s *ir.System) {
			a := automaton(s, "receive")
			a.Vars = append(a.Vars, ir.Var{Term: term.Var("in", term.Bool)})
		}, IllFormed},
		{"a variable named like a slot", func(s *ir.System) {
			a := automaton(s, "receive")
			a.Vars = append(a.Vars, ir.Var{Term: term.Var("Depot.stock.val", term.Int)})
		}, IllFormed},
		{"a rule that counts and does not say so", func(s *ir.System) { s.Cells[0].Rules[2].Size = false }, BadSystem},
		{"a rule that sums and does not say so", func(s *ir.System) { s.Cells[0].Rules[4].Total = false }, BadSystem},
		{"a rule over entries that go away", func(s *ir.System) { s.Cells[0].Slots[0].Attrs = []string{"ttl(5s)"} }, IllFormed},
		{"a rule about counts, of entries that go away", func(s *ir.System) {
			s.Cells[0].Slots[1].Attrs = []string{"ttl(5s)"}
			s.Cells[0].Rules = []*ir.Rule{{Text: "many", Guards: []string{"reserved"}, Size: true,
				Cond: term.Le(term.Int64(1), ir.EntrySize("reserved"))}}
		}, IllFormed},
		{"a rule about sums, of entries that go away", func(s *ir.System) {
			s.Cells[0].Slots[1].Attrs = []string{"ttl(5s)"}
			s.Cells[0].Rules = s.Cells[0].Rules[4:]
		}, IllFormed},
		{"a rule about sums, of which a restart drops one", func(s *ir.System) {
			s.Cells[0].Slots[1].Attrs = []string{"ephemeral"}
			s.Cells[0].Rules = s.Cells[0].Rules[4:]
		}, IllFormed},
		{"a rule about counts that it does not judge", func(s *ir.System) {
			s.Cells[0].Rules[2].Cond = term.Lt(ir.EntrySize("stock"), ir.EntrySize("reserved"))
		}, IllFormed},
		{"a rule about the entry and the count, assumed", func(s *ir.System) {
			s.Cells[0].Rules[2].Cond = term.Lt(ir.EntryVal("stock", term.Int), ir.EntrySize("stock"))
		}, IllFormed},
		{"a rule over entries that a restart drops", func(s *ir.System) { s.Cells[0].Slots[1].Attrs = []string{"ephemeral"} }, IllFormed},
		{"a rule about a slot whose writes it does not judge", func(s *ir.System) { s.Cells[0].Rules[1].Guards = []string{"reserved"} }, IllFormed},
		{"a rule between lists, whose entries shift apart", func(s *ir.System) { lists(s).Guards = []string{"first", "second"} }, IllFormed},
		{"a rule about the index of a list", func(s *ir.System) {
			lists(s).Cond = term.Lt(ir.EntryKey(term.Int), ir.EntryVal("first", term.Int))
		}, IllFormed},
		{"a text that is not returned on every way", func(s *ir.System) {
			note := automaton(s, "_note")
			note.Result = term.String
			note.Edges[0].Effects = note.Edges[0].Effects[:1]
		}, IllFormed},
		{"a slot named like the key of a rule", func(s *ir.System) {
			s.Cells[0].Slots = append(s.Cells[0].Slots, &ir.Slot{Name: "!key", Value: term.Int})
		}, IllFormed},
	} {
		t.Run(f.name, func(t *testing.T) {
			c, s := *whole, depot()
			f.spoil(s)
			text, err := ir.Encode(s)
			if err != nil {
				t.Fatal(err)
			}
			c.System = text
			if err := firstError(Audit(&c)); err == nil || err.Kind != f.want {
				t.Errorf("%v, want %s", err, f.want)
			}
		})
	}
}

// lists adds two lists and a rule about the first.
func lists(s *ir.System) *ir.Rule {
	c := s.Cells[0]
	for _, name := range []string{"first", "second"} {
		c.Slots = append(c.Slots, &ir.Slot{Name: name, IsList: true, Value: term.Int, Type: "List<Int>"})
	}
	r := &ir.Rule{Text: "first > 0", Guards: []string{"first"}, Cond: term.Lt(term.Int64(0), ir.EntryVal("first", term.Int))}
	c.Rules = append(c.Rules, r)
	return r
}

// TestPlainFlows: literals at all sinks, or no source of untrusted values, need no derivation.
func TestPlainFlows(t *testing.T) {
	flow := func(spoil func(s *ir.System)) *Error {
		s := depot()
		spoil(s)
		c := (&maker{t: t}).certificate(s)
		find(c, "Depot/-/flow/1").Evidence = cert.Evidence{Class: cert.KernelChecked, Rule: cert.ByFlow}
		return firstErrorOf(Audit(c), "Depot/-/flow/1")
	}
	route := func(s *ir.System) *ir.Automaton { return s.Cells[0].Automata[4] }
	if err := flow(func(s *ir.System) { route(s).Edges[0].Effects[0].(*ir.Act).Class = "clock" }); err != nil {
		t.Error("nothing is untrusted: ", err)
	}
	if err := flow(func(s *ir.System) {
		s.Cells[0].Automata, s.Cells[0].Signals = s.Cells[0].Automata[:4], s.Cells[0].Signals[:3]
	}); err != nil {
		t.Error("all moves are literal: ", err)
	}
	if err := flow(func(s *ir.System) {
		f := route(s).Edges[0].Effects[0].(*ir.Act)
		f.Class, f.Tools = "clock", []ir.HandlerRef{s.Cells[0].Automata[0].Ref()}
	}); err == nil || err.Kind != Untrusted {
		t.Errorf("a model calls tools: %v", err)
	}
	if err := flow(func(s *ir.System) {
		ship := s.Cells[0].Automata[3]
		ship.Edges[0].Effects = append([]ir.Effect{&ir.Act{Builtin: "http_get", Class: "net", Args: []*term.Term{ship.Params[0]}, Sinks: []int{0}}}, ship.Edges[0].Effects...)
		s.Cells[0].Signals[2].Frame.Calls = []ir.FrameItem{{Name: "http_get"}}
	}); err == nil || err.Kind != Untrusted {
		t.Errorf("an address is computed: %v", err)
	}
}

// TestUnknownKeepsEdges: where some body does what is not known, nothing can be excluded.
func TestUnknownKeepsEdges(t *testing.T) {
	s := depot()
	p := irtest.NewPlaces("b.cell", 20)
	odd := irtest.Handler(p, "Depot", "odd")
	odd.Return(&ir.Unknown{Why: "who knows"})
	s.Cells[0].Automata = append(s.Cells[0].Automata, odd.Automaton)
	m := &maker{t: t}
	c := m.certificate(s)
	for _, id := range []string{"Depot/-/edge-taken/4", "Depot/-/think-isolated/1"} {
		o := find(c, id)
		if err := firstErrorOf(Audit(c), id); err == nil || err.Kind != NoCondition {
			t.Errorf("%s as %s: %v, want %s", id, o.Verdict, err, NoCondition)
		}
	}
}

func firstErrorOf(r *Report, id string) *Error {
	for _, x := range r.Results {
		if x.ID == id {
			return x.Err
		}
	}
	return nil
}

// TestNamesAreChecked turns round each name of a state wherever it stands outside the system.
func TestNamesAreChecked(t *testing.T) {
	c := depotCertificate(t)
	text, err := cert.Encode(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, state := range depot().Cells[0].Machine.States {
		turned := []byte(state)
		for i, j := 0, len(turned)-1; i < j; i, j = i+1, j-1 {
			turned[i], turned[j] = turned[j], turned[i]
		}
		from := bytes.Index(text, []byte(`"obligations"`))
		for at := bytes.Index(text[from:], []byte(state)); at >= 0; at = bytes.Index(text[from:], []byte(state)) {
			from += at
			changed := bytes.Clone(text)
			copy(changed[from:], turned)
			if read, err := cert.Decode(changed); err == nil && Audit(read).OK() {
				t.Errorf("%s turned round at %s is accepted", state, text[max(0, from-40):from+20])
			}
			from++
		}
	}
}

func TestReport(t *testing.T) {
	r := Audit(depotCertificate(t))
	if !r.OK() || r.Count(Checked)+r.Count(Trusted)+r.Count(Open) != len(r.Results) {
		t.Error("the counts do not add up")
	}
	if r.CountClass(cert.KernelChecked) != r.Count(Checked) || r.CountClass(cert.EngineTrusted) != r.Count(Trusted) {
		t.Error("the classes do not add up")
	}
	var outcomes []string
	for _, o := range []Outcome{Failed, Open, Trusted, Checked} {
		outcomes = append(outcomes, o.String())
	}
	if got := strings.Join(outcomes, " "); got != "failed open trusted checked" {
		t.Error(got)
	}
}

// Reachability by the edges that runs took: the states that they lead to, and nothing else.
func TestReachedByRuns(t *testing.T) {
	m := depot().Cells[0].Machine
	reached := func(state int, runs bool) *Error {
		c := depotCertificate(t)
		if !runs {
			for _, o := range c.Obligations {
				if o.Kind == cert.EdgeTaken && o.Verdict == cert.Proven {
					o.Verdict, o.Reason, o.Evidence = cert.Unknown, "no run was found", cert.Evidence{Class: cert.NoEvidence}
				}
			}
		}
		o := find(c, cert.ID("Depot", "", cert.Temporal, state+1))
		o.Verdict, o.Reason = cert.Proven, ""
		o.Evidence = cert.Evidence{Class: cert.EngineTrusted, Rule: cert.ByReach}
		for _, r := range Audit(c).Results {
			if r.ID == o.ID {
				return r.Err
			}
		}
		t.Fatal("no such obligation")
		return nil
	}
	for i, state := range m.States {
		if err := reached(i, true); err != nil {
			t.Errorf("%s: %v", state, err)
		}
		err := reached(i, false)
		if state == m.Initial && err != nil || state != m.Initial && (err == nil || err.Kind != WrongAnswer) {
			t.Errorf("%s without runs: %v", state, err)
		}
	}
	c := depotCertificate(t)
	find(c, cert.ID("Depot", "", cert.Temporal, len(m.States)+1)).Evidence = cert.Evidence{Class: cert.EngineTrusted, Rule: cert.ByReach}
	if err := firstError(Audit(c)); err == nil || err.Kind != UnknownRule {
		t.Errorf("another property by reach: %v, want %v", err, UnknownRule)
	}
}

// A certificate may be silent about an edge that no body takes. What then looks as if every state
// had a way out is not checked by that.
func TestSilenceDoesNotShowAWayOut(t *testing.T) {
	c := (&maker{t: t, taken: map[string]bool{}}).certificate(depot())
	for _, o := range c.Obligations {
		if o.Kind == cert.EdgeTaken {
			o.Verdict, o.Reason, o.Evidence = cert.Unknown, "who knows", cert.Evidence{Class: cert.NoEvidence}
		}
	}
	id := cert.ID("Depot", "", cert.Temporal, 5)
	o := find(c, id)
	if o.Claim != cert.ClaimTemporal("parcel", cert.PropertyDeadlock) {
		t.Fatal(o.Claim)
	}
	f, err := parseFormula(cert.PropertyDeadlock)
	if err != nil {
		t.Fatal(err)
	}
	data, graphs := &cert.CTL{}, newMachineGraphs(depot().Cells[0])
	for _, name := range []cert.Graph{cert.Declared, cert.May} {
		l, _ := naive(normal(f), graphs.graph(name), "packed")
		data.Labellings = append(data.Labellings, l)
	}
	o.Verdict, o.Reason = cert.Proven, ""
	o.Evidence = cert.Evidence{Class: cert.KernelChecked, Rule: cert.ByCTL, Data: data}
	if err := firstErrorOf(Audit(c), id); err == nil || err.Kind != BadClass {
		t.Errorf("%v, want %s", err, BadClass)
	}
}
