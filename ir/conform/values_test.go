package conform_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"soma.cell/frontend/builtin"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/interp"
	"soma.cell/ir/conform"
	"soma.cell/smt/term"
)

// values gives values of the interpreter as terms. Uninterpreted functions mean what the
// interpreter makes of them.
type values struct {
	t        testing.TB
	variants map[string]*resolve.Variant
	tokens   map[string]interp.Value // by the token's name
	helpers  map[string]*interp.World
	known    map[string]bool // names of pure builtins
}

func newValues(t testing.TB, p *resolve.Program) *values {
	v := &values{t: t, variants: map[string]*resolve.Variant{}, tokens: map[string]interp.Value{}, helpers: map[string]*interp.World{}, known: map[string]bool{}}
	for _, typ := range p.Types {
		for _, x := range typ.Variants {
			v.variants[typ.Name+"::"+x.Name] = x
		}
	}
	for _, f := range builtin.All() {
		if f.Class == builtin.Pure {
			v.known[f.Name] = true
		}
	}
	return v
}

func (v *values) Term(x conform.Value, s *term.Sort) *term.Term {
	switch x := x.(type) {
	case interp.Int:
		return boxed(term.IntLit(x.Big()), s)
	case interp.Float:
		return boxed(term.FloatLit(float64(x)), s)
	case interp.String:
		return boxed(term.StringLit(string(x)), s)
	case interp.Bool:
		return boxed(term.BoolLit(bool(x)), s)
	case interp.Unit:
		switch s.Kind {
		case term.KindUnit:
			return term.UnitLit
		case term.KindOpaque:
			return term.App("unit", term.Opaque)
		}
		return nil
	}
	if s.Kind != term.KindOpaque {
		return nil
	}
	name := key(x.(interp.Value))
	v.tokens["@"+name] = x.(interp.Value)
	return conform.Token(name)
}

func boxed(lit *term.Term, s *term.Sort) *term.Term {
	switch {
	case s.Same(lit.Sort):
		return lit
	case s.Kind == term.KindOpaque:
		return term.App("box:"+lit.Sort.String(), term.Opaque, lit)
	}
	return nil
}

// key is a text that two values share only when they are the same in every respect.
func key(x interp.Value) string {
	switch x := x.(type) {
	case *interp.Function:
		return fmt.Sprintf("function%p", x)
	case *interp.List:
		var parts []string
		for i := range x.Len() {
			parts = append(parts, key(x.At(i)))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case *interp.Map:
		var parts []string
		for _, k := range x.Keys() {
			item, _ := x.Get(k)
			parts = append(parts, fmt.Sprintf("%x:%s", k, key(item)))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case *interp.Variant:
		parts := []string{x.Of.Type.Name + "::" + x.Of.Name}
		for _, f := range x.Fields {
			parts = append(parts, key(f))
		}
		return "<" + strings.Join(parts, ",") + ">"
	case interp.String:
		return fmt.Sprintf("s%x", string(x))
	}
	return fmt.Sprintf("%s:%s", x.Kind(), interp.Render(x))
}

func (v *values) value(t *term.Term) interp.Value {
	switch t.Op {
	case term.OpInt:
		return interp.BigInt(t.Int)
	case term.OpFloat:
		return interp.Float(t.Num)
	case term.OpString:
		return interp.String(t.Name)
	case term.OpTrue, term.OpFalse:
		return interp.Bool(t.Op == term.OpTrue)
	case term.OpUnit:
		return interp.Unit{}
	case term.OpApp:
		switch {
		case t.Name == "unit":
			return interp.Unit{}
		case len(t.Args) == 1:
			return v.value(t.Args[0])
		}
		return v.tokens[t.Name]
	}
	return nil
}

// Apply runs the function, as a small program of its own where it has a form in the language.
func (v *values) Apply(name string, s *term.Sort, args []*term.Term) *term.Term {
	xs := make([]interp.Value, len(args))
	for i, a := range args {
		if xs[i] = v.value(a); xs[i] == nil {
			return nil
		}
	}
	base, presence := strings.CutSuffix(name, "?")
	got := v.function(base, xs)
	switch {
	case got == nil:
		return nil
	case presence:
		return term.BoolLit(got.Kind() != interp.UnitKind)
	}
	return v.Term(got, s)
}

func (v *values) function(name string, xs []interp.Value) interp.Value {
	if of, ok := strings.CutPrefix(name, "variant:"); ok {
		return interp.NewVariant(v.variants[of], xs...)
	}
	if of, ok := strings.CutPrefix(name, "is variant:"); ok {
		x, ok := xs[0].(*interp.Variant)
		return interp.Bool(ok && x.Of == v.variants[of])
	}
	if op, ok := strings.CutPrefix(name, "op:"); ok {
		return v.run("a "+op+" b", xs...)
	}
	switch {
	case strings.HasPrefix(name, "text:"):
		return interp.String(interp.Render(xs[0]))
	case name == "record":
		if v.variants[interp.Render(xs[0])] != nil {
			return nil
		}
		m := interp.MapOf("_type", xs[0])
		for i := 1; i+1 < len(xs); i += 2 {
			m = m.With(interp.Render(xs[i]), xs[i+1])
		}
		return m
	case name == "list":
		return interp.NewList(xs...)
	case name == "eq":
		return v.run("a == b", xs...)
	case name == "neg":
		return v.run("-a", xs...)
	case name == "index":
		return v.run("a[b]", xs...)
	case name == "field":
		return v.run("a."+interp.Render(xs[1]), xs[0])
	case name == "fits":
		return v.run("if type_of(a) == type_of(b) || is_a(a, \"Int\") && is_a(b, \"Float\") || is_a(b, \"Int\") && is_a(a, \"Float\") { a == b } else { false }", xs...)
	case name == "in range":
		if xs[0].Kind() != interp.IntKind {
			return interp.Bool(false)
		}
		return v.run("b <= a && a <= c", xs...)
	case name == "has prefix":
		if xs[0].Kind() != interp.StringKind {
			return interp.Bool(false)
		}
		return v.run("starts_with(a, b)", xs...)
	case name == "after prefix":
		return v.run("substring(a, len(b), len(a))", xs...)
	case name == "has field":
		m, ok := xs[0].(*interp.Map)
		if ok {
			_, ok = m.Get(interp.Render(xs[1]))
		}
		return interp.Bool(ok)
	case name == "variant arg":
		x, ok := xs[0].(*interp.Variant)
		i, _ := xs[1].(interp.Int).Int64()
		if !ok || int(i) >= len(x.Fields) {
			return nil
		}
		return x.Fields[i]
	case name == "truth":
		switch x := xs[0].(type) {
		case interp.Bool:
			return x
		case interp.Unit:
			return interp.Bool(false)
		}
		return nil
	case name == "float":
		return v.run("a * 1.0", xs...)
	case v.known[name]:
		return v.run(name+"("+strings.Join(names(len(xs)), ", ")+")", xs...)
	}
	return nil
}

func names(n int) []string {
	var out []string
	for i := range n {
		out = append(out, string(rune('a'+i)))
	}
	return out
}

// run evaluates an expression over a, b, …; nil when it raises.
func (v *values) run(expr string, xs ...interp.Value) interp.Value {
	id := fmt.Sprintf("%s/%d", expr, len(xs))
	w, made := v.helpers[id]
	if !made {
		var params []string
		for _, n := range names(len(xs)) {
			params = append(params, n+": Any")
		}
		p := resolvetest.Drawn(v.t, "cell F { on f("+strings.Join(params, ", ")+") { return "+expr+" } }")
		if p != nil {
			w = interp.New(p, interp.Options{})
		}
		v.helpers[id] = w
	}
	if w == nil {
		return nil
	}
	got, err := w.Call(context.Background(), "F", "f", xs)
	if err != nil {
		return nil
	}
	return got
}
