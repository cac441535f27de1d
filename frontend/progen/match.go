package progen

import (
	"fmt"
	"strings"
)

// matchExpr draws a match whose value has a type.
func (g *gen) matchExpr(t *typ, depth int) code {
	return code{g.match(func() string {
		if g.coin(3) {
			return g.block(2, t)
		}
		return g.expr(t, depth).text
	}, depth), loose}
}

// matchStatement draws a match for what its arms do.
func (g *gen) matchStatement() string {
	return g.line(g.match(func() string { return g.block(2, nil) }, 2))
}

// match draws a match; arm draws the right side of each arm.
func (g *gen) match(arm func() string, depth int) string {
	t := g.valueType()
	subject := g.expr(t, depth)
	var b strings.Builder
	b.WriteString("match " + subject.head() + " {\n")
	g.indent++
	add := func(pattern string, names ...*local) {
		g.scoped(func() {
			for _, l := range names {
				g.bind(l)
			}
			b.WriteString(g.line(pattern + " -> " + arm()))
		})
	}
	whole := false
	switch t.kind {
	case intKind, floatKind:
		add("-1..1")
		add(one(g, []string{"3 || 5", "-2", "7", "2.5 || 0"}))
	case stringKind:
		rest := &local{name: g.fresh("rest"), typ: plain(stringKind), set: true}
		add(`"z" + `+rest.name, rest)
		add(one(g, []string{`"a" || "k"`, `"idle"`, `"x" + _ || ""`}))
	case boolKind:
		add("true")
		add("false")
	case mapKind:
		k, a := &local{name: "k", typ: t.elem}, &local{name: g.fresh("m"), typ: t.elem}
		add("{k, a: "+a.name+"}", k, a)
		add("{k: _}")
	case recordKind:
		x := &local{name: g.fresh("m"), typ: plain(intKind)}
		add(`{label: "a", x: `+x.name+"}", x)
	case sumKind:
		whole = true
		for _, v := range t.sum.variants {
			pattern, names := g.variantPattern(t.sum, v)
			if len(names) > 0 && g.coin(4) {
				add(pattern+" if "+g.guardOf(names), names...)
				pattern = g.openPattern(t.sum, v)
				names = nil
			}
			add(pattern, names...)
		}
	case anyKind:
		add("()")
		add(one(g, []string{"2.5", `"a"`, "0"}))
		n := &local{name: g.fresh("n"), typ: plain(anyKind)}
		add("{value: "+n.name+"}", n)
		add("true")
	}
	if v := (&local{name: g.fresh("m"), typ: t}); !whole && g.coin(2) {
		add(v.name+" if "+g.guardOf([]*local{v}), v)
	}
	if !whole || g.coin(4) {
		add("_")
	}
	g.indent--
	return b.String() + strings.Repeat("    ", g.indent) + "}"
}

// guardOf draws the guard of an arm over the names it binds.
func (g *gen) guardOf(names []*local) string {
	text := ""
	g.scoped(func() {
		for _, l := range names {
			g.bind(l)
		}
		g.inline++
		c := g.cond(1)
		g.inline--
		text = c.head()
		if strings.Contains(text, "=>") { // an arrow would end the guard
			text = "(" + text + ")"
		}
	})
	return text
}

// variantPattern names the fields of a variant.
func (g *gen) variantPattern(s *sum, v *variant) (string, []*local) {
	if len(v.fields) == 0 {
		return s.ref(v), nil
	}
	var parts []string
	var names []*local
	open := v.named && g.coin(2)
	for i, f := range v.fields {
		if open && i > 0 {
			break
		}
		l := &local{name: g.fresh("m"), typ: f.typ, set: true}
		part := l.name
		if v.named && g.coin(3) {
			l.name, part = f.name, f.name
		} else if v.named {
			part = f.name + ": " + part
		}
		parts, names = append(parts, part), append(names, l)
	}
	if open {
		parts = append(parts, "..")
	}
	if v.named {
		return s.ref(v) + " { " + strings.Join(parts, ", ") + " }", names
	}
	return s.ref(v) + "(" + strings.Join(parts, ", ") + ")", names
}

// openPattern fits every value of a variant.
func (g *gen) openPattern(s *sum, v *variant) string {
	switch {
	case v.named:
		return s.ref(v) + " { .. }"
	case len(v.fields) == 0:
		return s.ref(v)
	}
	return fmt.Sprintf("%s(%s)", s.ref(v), strings.TrimSuffix(strings.Repeat("_, ", len(v.fields)), ", "))
}
