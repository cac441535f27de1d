package taint

import (
	"strings"

	"soma.cell/smt/term"
)

// Endorsement: what a passed test says of the values in it. A value is trusted from a test on
// when the test leaves it only values that the program lists:
//
//   - it equals a literal, or one of several (contains([…], v), the arms of a match);
//   - it is a number between two trusted bounds;
//   - it is a text that begins with a literal address or folder (for URLs and paths).
//
// assume is sound: it never claims more than the truth of the test implies. What it does not
// understand says nothing. A test of lowercase(v) is one of that value, not of v, because the
// two are different values.
//
// Cost: linear in the size of the test, up to a limit past which it says nothing.

// maxTest bounds the nodes of one test that are looked at.
const maxTest = 4000

type assumer struct {
	bank *bank
	fuel int
}

// assume is what holds when, beside f, the Bool v is true (or false); nil when it cannot be.
func (b *bank) assume(f *facts, v value, is bool) *facts {
	a := &assumer{bank: b, fuel: maxTest}
	g := a.assume(f, v, is)
	if a.fuel <= 0 {
		return f
	}
	return g
}

func (a *assumer) assume(f *facts, v value, is bool) *facts {
	if a.fuel--; a.fuel <= 0 || f == nil {
		return f
	}
	n := a.bank.at(v)
	switch n.op {
	case term.OpTrue, term.OpFalse:
		if (n.op == term.OpTrue) != is {
			return nil
		}
	case term.OpUnit: // counts as false
		if is {
			return nil
		}
	case term.OpNot:
		return a.assume(f, n.args[0], !is)
	case term.OpAnd:
		return a.connective(f, n.args, is, is)
	case term.OpOr:
		return a.connective(f, n.args, is, !is)
	case term.OpImplies:
		if !is {
			return a.assume(a.assume(f, n.args[0], true), n.args[1], false)
		}
		return a.assume(f, n.args[0], false).either(a.assume(f, n.args[1], true))
	case term.OpIte:
		yes := a.assume(a.assume(f, n.args[0], true), n.args[1], is)
		return yes.either(a.assume(a.assume(f, n.args[0], false), n.args[2], is))
	case term.OpEq:
		return a.equal(f, n.args[0], n.args[1], is)
	case term.OpLe, term.OpLt:
		if is {
			return a.order(f, n.args[0], n.args[1])
		}
		return a.order(f, n.args[1], n.args[0])
	case term.OpFLe, term.OpFLt: // a failed comparison may be one with not-a-number
		if is {
			return a.order(f, n.args[0], n.args[1])
		}
	case term.OpFEq:
		if is {
			return a.listed(f, n.args[0], n.args[1])
		}
	case term.OpApp:
		return a.function(f, n, is)
	case term.OpVar:
		if n.call != nil {
			return n.call.apply(a.bank, f, n.args, is)
		}
	}
	return f
}

// connective assumes the parts, each with the given truth: all of them, or at least one.
func (a *assumer) connective(f *facts, parts []value, is, all bool) *facts {
	if all {
		for _, p := range parts {
			f = a.assume(f, p, is)
		}
		return f
	}
	var out *facts
	for _, p := range parts {
		out = out.either(a.assume(f, p, is))
	}
	return out
}

func (a *assumer) equal(f *facts, x, y value, is bool) *facts {
	nx, ny := a.bank.at(x), a.bank.at(y)
	if nx.sort.Kind == term.KindBool {
		switch {
		case ny.op == term.OpTrue || ny.op == term.OpFalse:
			return a.assume(f, x, is == (ny.op == term.OpTrue))
		case nx.op == term.OpTrue || nx.op == term.OpFalse:
			return a.assume(f, y, is == (nx.op == term.OpTrue))
		}
		return f
	}
	if !is {
		return f
	}
	f = a.listed(f, x, y)
	if nx.sort.Kind == term.KindInt {
		f = a.order(a.order(f, x, y), y, x)
	}
	return f
}

// listed notes that two values are equal, one of them built of literals.
func (a *assumer) listed(f *facts, x, y value) *facts {
	list := func(c *fact) { c.listed = true }
	switch {
	case a.bank.at(y).fixed:
		return f.with(x, list)
	case a.bank.at(x).fixed:
		return f.with(y, list)
	}
	return f
}

// order notes lo <= hi between numbers.
func (a *assumer) order(f *facts, lo, hi value) *facts {
	f = f.with(hi, func(c *fact) { c.lo = c.lo.tighten(a.by(lo)...) })
	return f.with(lo, func(c *fact) { c.hi = c.hi.tighten(a.by(hi)...) })
}

func (a *assumer) by(v value) []value {
	if a.bank.at(v).lit != nil {
		return nil
	}
	return []value{v}
}

func (a *assumer) function(f *facts, n *node, is bool) *facts {
	switch {
	case (n.name == "truth" || n.name == "unbox:Bool") && len(n.args) == 1:
		return a.assume(f, n.args[0], is)
	case !is:
	case n.name == "in range" && a.bank.at(n.args[1]).fixed && a.bank.at(n.args[2]).fixed:
		return f.with(n.args[0], func(c *fact) { c.listed = true })
	case len(n.args) != 2:
	case n.name == "eq" || n.name == "str_eq" || n.name == "fits":
		return a.listed(f, n.args[0], n.args[1])
	case n.name == "op:<" || n.name == "op:<=":
		if a.numeric(n.args[0]) || a.numeric(n.args[1]) {
			return a.order(f, n.args[0], n.args[1])
		}
	case n.name == "contains":
		if list := a.bank.at(n.args[0]); list.op == term.OpApp && list.name == "list" && list.fixed {
			return f.with(n.args[1], func(c *fact) { c.listed = true })
		}
	case n.name == "starts_with" || n.name == "has prefix":
		if p := a.bank.at(n.args[1]); p.op == term.OpString && pinsPlace(p.lit.Name) {
			return f.with(n.args[0], func(c *fact) { c.prefixed = true })
		}
	}
	return f
}

// numeric tells whether a value is surely a number: then so is what it was compared with.
func (a *assumer) numeric(v value) bool {
	switch a.bank.at(v).sort.Kind {
	case term.KindInt, term.KindFloat:
		return true
	}
	return false
}

// pinsPlace tells whether every text that begins with the prefix stays at one address or in
// one folder: "https://host/" does, "https://" and "https://host" and "/" do not.
func pinsPlace(prefix string) bool {
	if !strings.HasSuffix(prefix, "/") || strings.ContainsAny(prefix, "\\ \t\r\n") {
		return false
	}
	rest := prefix
	if i := strings.Index(prefix, ":"); i >= 0 && !strings.Contains(prefix[:i], "/") {
		if rest = prefix[i+1:]; !strings.HasPrefix(rest, "//") {
			return false
		}
		return !strings.HasPrefix(rest, "///") && rest != "//"
	}
	for _, part := range strings.Split(rest, "/") {
		if part != "" && part != "." && part != ".." {
			return true
		}
	}
	return false
}

// holds tells whether the facts make a value one of finitely many, given which values are
// trusted.
func (f *facts) holds(v value, trusted func(value) bool) bool {
	c, ok := f.of.at(v)
	if !ok {
		return false
	}
	if c.listed {
		return true
	}
	if !c.lo.set || !c.hi.set {
		return false
	}
	for _, by := range union(c.lo.by, c.hi.by) {
		if !trusted(by) {
			return false
		}
	}
	return true
}
