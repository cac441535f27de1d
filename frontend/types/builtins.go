package types

import (
	"maps"
	"slices"

	"soma.cell/frontend/builtin"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// variables are the types of the type variables of a form, as its arguments bind them.
type variables map[string]*Type

// builtinCall goes over the call of a builtin. Its forms are tried on the arguments one after
// the other: an argument that no form takes which takes those before it is reported.
func (b *body) builtinCall(callee *resolve.Callee, args []syntax.Expr) *Type {
	f := callee.Builtin
	ts := make([]*Type, len(args))
	for i, x := range args {
		if _, lambda := syntax.Unparen(x).(*syntax.Lambda); !lambda || !f.Runs(i, len(args)) {
			ts[i] = b.expr(x)
		}
	}
	if b.replaced(callee) {
		b.lambdasOf(args, ts)
		return anything
	}
	forms := b.formsFor(f, args, ts)
	if forms == nil {
		b.lambdasOf(args, ts)
		return never
	}
	out := never
	for n, form := range forms {
		vars := variables{}
		for i := range args {
			if ts[i] != nil {
				vars.bind(form.Param(i, len(args)).Type, ts[i])
			}
		}
		for i, x := range args {
			p := form.Param(i, len(args)).Type
			term := p.Function()
			switch {
			case term == nil:
			case n == len(forms)-1: // a lambda is gone over once
				b.applied(f, x, p, vars)
			default:
				vars.bind(term.Gives, anything)
			}
		}
		if f.Name == "map" && form.Params[0].Repeated {
			if len(forms) == 1 {
				b.keys(args, ts)
			}
			out = join(out, pairs(args, ts))
		} else {
			out = join(out, vars.typ(form.Result))
		}
	}
	if f.Result == "Never" {
		b.dead = true
	}
	for _, t := range ts {
		if t != nil && t.Kinds == 0 {
			return never
		}
	}
	return out
}

// lambdasOf goes over the lambdas among the arguments that were not gone over.
func (b *body) lambdasOf(args []syntax.Expr, ts []*Type) {
	for i, x := range args {
		if ts[i] == nil {
			b.expr(x)
		}
	}
}

// formsFor gives the forms that take the arguments; nil when none does, which is reported.
func (b *body) formsFor(f *builtin.Builtin, args []syntax.Expr, ts []*Type) []*builtin.Form {
	var forms []*builtin.Form
	for _, form := range f.Forms {
		if form.Takes(len(args)) && !keepsFunction(f, form, ts) {
			forms = append(forms, form)
		}
	}
	for i, x := range args {
		t := ts[i]
		if t == nil {
			t = &Type{Kinds: Function}
		}
		var left []*builtin.Form
		var want builtin.Type
		for _, form := range forms {
			p := form.Param(i, len(args))
			want = append(want, p.Type...)
			if t.Kinds == 0 || builtinAccepts(p.Type, t) || p.Optional && t.may(Unit) || slices.Contains(f.Lazy, i) {
				left = append(left, form)
			}
		}
		if left == nil && forms != nil {
			b.report(builtinArgument(x, f, want, t))
			return nil
		}
		forms = left
	}
	return forms
}

// keys checks the keys of key, value arguments.
func (b *body) keys(args []syntax.Expr, ts []*Type) {
	for i := 0; i < len(args); i += 2 {
		if t := ts[i]; t != nil && t.Kinds != 0 && !t.may(String|Int) {
			b.report(badKey(args[i], t, "a map", nil))
		}
	}
}

// pairs is the map of key, value arguments, whose keys are known where they are literals.
func pairs(args []syntax.Expr, ts []*Type) *Type {
	var fields []field
	value, closed := never, true
	for i := 0; i+1 < len(args); i += 2 {
		t := ts[i+1]
		if t == nil {
			t = &Type{Kinds: Function}
		}
		value = join(value, t)
		key, ok := literal(args[i])
		if !ok {
			closed = false
			continue
		}
		fields = slices.DeleteFunc(fields, func(f field) bool { return f.name == key })
		fields = append(fields, field{key, t})
	}
	if !closed {
		return mapOf(value)
	}
	return mapWith(fields, "")
}

// literal is the text of a literal key.
func literal(x syntax.Expr) (string, bool) {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.String:
		return x.Literal()
	case *syntax.Int:
		return x.Value.String(), true
	}
	return "", false
}

// keepsFunction tells whether a form merely keeps what is surely a function, where another one
// of the builtin calls it: that is the one meant.
func keepsFunction(f *builtin.Builtin, form *builtin.Form, ts []*Type) bool {
	for i, t := range ts {
		if (t == nil || t.Kinds == Function) && f.Runs(i, len(ts)) && form.Param(i, len(ts)).Type.Function() == nil {
			return true
		}
	}
	return false
}

// applied goes over a function that a builtin calls, and binds what it gives. A function of
// another number of parameters fails at its first call, and so does one that gives what the
// builtin does not take.
func (b *body) applied(f *builtin.Builtin, x syntax.Expr, p builtin.Type, vars variables) {
	lambda, _ := syntax.Unparen(x).(*syntax.Lambda)
	arity := -1
	if lambda != nil {
		arity = len(lambda.Params)
	} else if t := b.types[x]; t != nil && t.is(Function) && t.function != nil {
		arity = t.function.params
	}
	term := p.Function()
	for i := range p {
		if p[i].Takes != nil && len(p[i].Takes) == arity {
			term = &p[i]
		}
	}
	if arity >= 0 && len(term.Takes) != arity {
		b.report(functionArity(x, f, term, arity))
	}
	t := b.types[x]
	if lambda != nil {
		// What the function gives may come back to it.
		seen := maps.Clone(vars)
		seen.bind(term.Gives, anything)
		var params []*Type
		for _, takes := range term.Takes {
			params = append(params, seen.typ(takes))
		}
		t = b.lambda(lambda, params)
		b.types[x] = t
		b.types[lambda] = t
	}
	given := anything
	if t != nil && t.function != nil {
		given = t.function.result
	}
	if wantsBool(term) {
		if lambda != nil && given.Kinds != 0 && !given.may(Bool|Unit) && arity == len(term.Takes) {
			b.report(notBool(lambdaResult(lambda), given))
		}
		return
	}
	vars.bind(term.Gives, given)
}

func wantsBool(f *builtin.Term) bool { return len(f.Gives) == 1 && f.Gives[0].Word == "Bool" }

// lambdaResult is the expression that a lambda gives the value of, for messages.
func lambdaResult(x *syntax.Lambda) syntax.Expr {
	if x.Body == nil {
		return x.X
	}
	if n := len(x.Body.Stmts); n > 0 {
		if s, ok := x.Body.Stmts[n-1].(*syntax.ExprStmt); ok {
			return s.X
		}
	}
	return x
}

// bind notes what a type of a form says of its variables where an argument is of type t.
func (v variables) bind(p builtin.Type, t *Type) {
	for _, term := range p {
		switch {
		case builtin.Variable(term.Word):
			v[term.Word] = join(orNever(v[term.Word]), t)
		case term.Word == "List" && len(term.Args) == 1 && t.may(List):
			v.bind(term.Args[0], t.elemType())
		case term.Word == "Map" && len(term.Args) == 1 && t.may(Map):
			v.bind(term.Args[0], t.valueType())
		}
	}
}

// typ is a type of a form with its variables put in. A variable that nothing binds stands for
// the items of something that has none.
func (v variables) typ(p builtin.Type) *Type {
	out := never
	for _, term := range p {
		out = join(out, v.term(term))
	}
	return out
}

func (v variables) term(term builtin.Term) *Type {
	switch {
	case builtin.Variable(term.Word):
		return orNever(v[term.Word])
	case term.Shape:
		var fields []field
		for _, f := range term.Fields {
			fields = append(fields, field{f.Name, v.typ(f.Type)})
		}
		return mapWith(fields, "")
	case term.Word == "List" && len(term.Args) == 1:
		return listOf(v.typ(term.Args[0]))
	case term.Word == "Map" && len(term.Args) == 1:
		return mapOf(v.typ(term.Args[0]))
	case term.Word == "Float":
		return floating
	case term.Word == "Any":
		return anything
	}
	return &Type{Kinds: kindsOf(term.Word)}
}
