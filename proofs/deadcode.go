package proofs

import (
	"slices"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
	"soma.cell/proofs/vc"
	"soma.cell/smt/term"
)

// Dead code is looked for at the places where statements begin: is what is known there
// contradictory? The last statements are asked about first, since a place that may be reached may be
// reached with all that dominate it; so most bodies cost a question or two. What is not shown to
// be dead is no obligation.

// mostPlaces bounds the work on a body: locations times statements.
const mostPlaces = 1 << 16

// deadResult is what is known of the statements of a body.
type deadResult struct {
	a    *ir.Automaton
	lead *branches
	obs  []*obligation.Obligation // one a statement
	dead []bool
	cut  string // why the search ended early, "" when it did not
}

// deadCode plans to look for the statements that no run reaches. Without a solver there is no
// looking.
func (v *verifier) deadCode() {
	if v.opts.Solver == nil {
		return
	}
	for _, c := range v.sys.Cells {
		for _, a := range c.Automata {
			res := &deadResult{a: a, dead: make([]bool, len(a.Stmts))}
			for _, s := range a.Stmts {
				ob := &obligation.Obligation{Kind: obligation.DeadCode, Cell: a.Cell, Handler: a.Name, Span: s.Span}
				n := v.number(ob)
				ob.Claim = cert.ClaimDeadCode(a.Name, n, s)
				res.obs = append(res.obs, ob)
			}
			if len(a.Stmts) == 0 || a.Locs*len(a.Stmts) > mostPlaces {
				continue
			}
			v.deadIn = append(v.deadIn, res)
			body := v.body(a)
			v.later(func(t *task) error { return t.deadStmts(res, body) })
		}
	}
}

// deadStmts decides which statements of a body no run reaches. It stops at what a limit leaves open.
func (v *task) deadStmts(res *deadResult, body *vc.Body) error {
	res.lead = branchesOf(res.a)
	alive := make([]bool, len(res.obs))
	for i := len(res.obs) - 1; i >= 0; i-- {
		if alive[i] {
			continue
		}
		ans := answer{verdict: obligation.Proven, class: obligation.KernelChecked, rule: cert.ByTrivial}
		if site, reached := body.Begins(res.a.Stmts[i]); reached {
			if len(site.Assume) == 0 {
				continue
			}
			var err error
			if ans, err = v.discharge(question{name: res.obs[i].ID, site: site, assume: site.Assume, goal: term.False}); err != nil {
				return err
			}
		}
		switch ans.verdict {
		case obligation.Proven:
			settle(res.obs[i], ans)
			res.dead[i] = true
		case obligation.Refuted:
			for j := range alive {
				alive[j] = alive[j] || res.dominates(j, i)
			}
		default:
			res.cut = ans.reason
			return nil
		}
	}
	return nil
}

// dominates tells whether every way to statement i passes the place where statement j begins.
func (res *deadResult) dominates(j, i int) bool {
	first, then := res.a.Stmts[j], res.a.Stmts[i]
	if first.Loc == then.Loc {
		return first.Effect <= then.Effect
	}
	for l := then.Loc; l != ir.Entry && l >= 0; l = res.lead.idom[l] {
		if l == first.Loc {
			return true
		}
	}
	return first.Loc == ir.Entry
}

// fileDead files what is dead, in the order of the system.
func (v *verifier) fileDead() {
	for _, res := range v.deadIn {
		for i, ob := range res.obs {
			if res.dead[i] {
				v.list = append(v.list, ob)
			}
		}
	}
}

// reported are the statements that a line names: of what is dead, the first of each region. A
// statement that was lowered twice is dead only where all its places are.
func (res *deadResult) reported() []int {
	type place struct {
		start, end int
		operation  bool
	}
	lives := map[place]bool{}
	key := func(i int) place {
		return place{res.obs[i].Span.Start, res.obs[i].Span.End, res.a.Stmts[i].Behind}
	}
	for i := range res.obs {
		lives[key(i)] = lives[key(i)] || !res.dead[i]
	}
	var out []int
	named := map[place]bool{}
	for i := range res.obs {
		if lives[key(i)] || named[key(i)] {
			continue
		}
		behind := false
		for j := range res.obs {
			behind = behind || j != i && res.dead[j] && !lives[key(j)] && res.dominates(j, i) && (j < i || !res.dominates(i, j))
		}
		if !behind {
			named[key(i)] = true
			out = append(out, i)
		}
	}
	return out
}

// saysRefused tells whether some line says already of a body that what it does can only be refused.
func (v *verifier) saysRefused(a *ir.Automaton) bool {
	for _, s := range v.moveSites {
		if s.a != a {
			continue
		}
		if _, refused := v.refusedLine(s); refused {
			return true
		}
		for _, g := range s.guards {
			if g.broken {
				return true
			}
		}
	}
	return slices.ContainsFunc(v.invs, func(res *invariantResult) bool { return res.literal && res.a == a }) ||
		slices.ContainsFunc(v.ensured, func(s *ensureSite) bool { return s.broken && s.a == a })
}

// failure is the kind of error that keeps a run from the place behind an operation, "" where it may be
// one of several.
func failure(a *ir.Automaton, behind ir.Stmt) string {
	kind := ""
	for loc := behind.Loc; ; {
		in := slices.IndexFunc(a.Edges, func(e *ir.Edge) bool { return e.To == loc && !e.Back && e.Span == behind.Span })
		if in < 0 {
			return kind
		}
		guard := a.Edges[in].Guard
		loc = a.Edges[in].From
		for _, e := range a.Edges {
			if e.From != loc || len(e.Effects) == 0 || !guard.Equal(term.Not(e.Guard)) {
				continue
			}
			raise, ok := e.Effects[0].(*ir.Raise)
			switch {
			case !ok:
			case guard == term.False:
				return raise.Kind
			case kind != "" && kind != raise.Kind:
				return ""
			default:
				kind = raise.Kind
			}
		}
	}
}

// deadLines name the dead code of a cell.
func (v *verifier) deadLines(c *ir.Cell) []Line {
	var lines []Line
	for _, res := range v.deadIn {
		if res.a.Cell != c.Name {
			continue
		}
		for _, i := range res.reported() {
			text := lineDead(res.a.Name, res.obs[i].Span.Normal())
			switch s := res.a.Stmts[i]; {
			case s.Behind:
				text = lineAlwaysFails(res.a.Name, s.Span.Normal(), failure(res.a, s))
			case s.Loc == ir.Exit && v.saysRefused(res.a):
				continue
			case s.Loc == ir.Exit:
				text = lineOnlyFails(res.a.Name)
			}
			l := line(Open, text, res.obs[i])
			l.Span = res.obs[i].Span
			lines = append(lines, l)
		}
		if res.cut != "" {
			l := line(Remarked, lineDeadCut(res.a.Name, res.cut))
			l.Span = res.a.Span
			lines = append(lines, l)
		}
	}
	return lines
}
