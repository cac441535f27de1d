package taint

import (
	"cmp"
	"slices"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/proofs/obligation"
)

// SinkKind says what an argument decides.
type SinkKind int

const (
	MoveTarget SinkKind = iota // the state an instance moves to
	MoveSource                 // the state a move starts from
	URL
	Path
	Budget
	Delegate // the cell or handler that a delegate runs
)

// allows tells whether a sink accepts values of a level.
func (k SinkKind) allows(l Level) bool {
	return l <= Chosen || l == Prefixed && (k == URL || k == Path)
}

// Finding is a sink that an untrusted value decides. Notes are the calls and slots the value
// came through, in its order.
type Finding struct {
	Cell    string
	Kind    SinkKind
	Builtin string
	Span    source.Span // the argument
	Origin  Origin
	Notes   []diag.Note
}

// Choice is a place where an untrusted value chooses among values of the program.
type Choice struct {
	Cell string
	Span source.Span // the argument of a sink, or the handler whose result it is
	Text string
}

// Result is what the analysis found.
type Result struct {
	Findings    []Finding
	Diagnostics []diag.Diagnostic // E0113 errors, or in edition 2026 W0018 warnings
	Choices     []Choice
	Derivation  *Derivation
	// Obligations has one for each cell, in order of cells.
	Obligations []obligation.Obligation
}

// Check types a system. Edition decides whether a finding is an error ("2027") or a warning.
func Check(sys *ir.System, edition string) *Result {
	a := &analysis{sys: sys}
	if firstSource(sys) != nil { // else there is nothing to follow
		a = analyse(sys)
	}
	r := &Result{Findings: a.findings(), Choices: a.choices(), Derivation: a.derivation()}
	for _, f := range r.Findings {
		r.Diagnostics = append(r.Diagnostics, diagnose(f, edition))
	}
	r.Obligations = obligations(a, r)
	return r
}

// findings lists the sinks above their level, each place once, in source order.
func (a *analysis) findings() []Finding {
	var out []Finding
	a.eachSink(func(x *instance, s *sinkSite, l label) {
		if s.kind.allows(l.level) {
			return
		}
		origin, steps := l.trace()
		out = append(out, Finding{
			Cell: x.r.g.a.Cell, Kind: s.kind, Builtin: s.builtin,
			Span: s.span, Origin: *origin, Notes: notes(origin, steps),
		})
	})
	slices.SortStableFunc(out, func(f, g Finding) int {
		return cmp.Or(source.Compare(f.Span, g.Span), cmp.Compare(f.Kind, g.Kind))
	})
	return slices.CompactFunc(out, func(f, g Finding) bool { return f.Span == g.Span && f.Kind == g.Kind })
}

func (a *analysis) eachSink(f func(*instance, *sinkSite, label)) {
	for _, x := range a.order {
		for _, s := range x.r.sinks {
			f(x, s, x.eval(s.facts, s.v))
		}
	}
}

// choices lists the sinks and results of handlers whose value an untrusted party chose among
// values of the program, each place once, in source order.
func (a *analysis) choices() []Choice {
	var out []Choice
	add := func(x *instance, at source.Span, l label, text func(*Origin) string) {
		if l.level == Chosen {
			origin, _ := l.trace()
			out = append(out, Choice{x.r.g.a.Cell, at, text(origin)})
		}
	}
	a.eachSink(func(x *instance, s *sinkSite, l label) {
		add(x, s.span, l, func(o *Origin) string { return choiceAtSink(s, o) })
	})
	for _, r := range a.ordered {
		x := a.instances[instanceKey(r, make([]label, len(r.g.a.Params)), label{})]
		add(x, r.g.a.Span, x.result.label(), func(o *Origin) string { return choiceOfResult(r.g.a.Name, o) })
	}
	slices.SortStableFunc(out, func(c, d Choice) int {
		return cmp.Or(source.Compare(c.Span, d.Span), cmp.Compare(c.Text, d.Text))
	})
	return slices.CompactFunc(out, func(c, d Choice) bool { return c.Span == d.Span && c.Text == d.Text })
}

func diagnose(f Finding, edition string) diag.Diagnostic {
	d := diag.Diagnostic{Code: diag.UntrustedValue, Message: message(f), Span: f.Span, Fix: fix(f.Kind), Notes: f.Notes}
	if edition != "2027" {
		d.Code, d.Severity, d.Message = diag.UntrustedValueSoon, diag.Warning, later(d.Message)
	}
	return d
}

// obligations states for each cell that no untrusted value decides a sink.
func obligations(a *analysis, r *Result) []obligation.Obligation {
	var out []obligation.Obligation
	for _, c := range a.sys.Cells {
		o := obligation.Obligation{
			ID: c.Name + "/-/flow/1", Kind: obligation.Flow, Cell: c.Name, Claim: claim(c.Name),
			Span: c.Span, Verdict: obligation.Proven,
			Evidence: obligation.Evidence{Class: obligation.EngineTrusted, Rule: "flow", Data: r.Derivation},
		}
		if plain(a.sys, c) {
			o.Evidence = obligation.Evidence{Class: obligation.KernelChecked, Rule: "flow"}
		}
		for _, f := range r.Findings {
			if f.Cell == c.Name {
				o.Verdict, o.Reason, o.Span, o.Evidence = obligation.Unknown, reason(f), f.Span, obligation.Evidence{}
				break
			}
		}
		out = append(out, o)
	}
	return out
}
