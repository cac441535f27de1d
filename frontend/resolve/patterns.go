package resolve

import (
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// findVariant finds what Name or Type::Name names. Nothing found is reported unless record
// is set and the name stands alone, as in a record of an undeclared name.
func (w *walker) findVariant(typ *syntax.Ident, name syntax.Ident, record bool) *Variant {
	if typ != nil {
		sum := w.r.types[typ.Name]
		if sum == nil {
			w.r.report(unknownSumType(*typ, w.r.nearest(typ.Name, among(w.r.types))))
			return nil
		}
		v := sum.Variant(name.Name)
		if v == nil {
			w.r.report(unknownVariant(name, sum, w.r.nearest(name.Name, sum.variantNames)))
		}
		return v
	}
	switch list := w.r.variants[name.Name]; len(list) {
	case 1:
		return list[0]
	case 0:
		if !record {
			w.r.report(undefinedVariant(name, w.r.cells[name.Name] != nil, w.r.nearest(name.Name, among(w.r.variants))))
		}
		return nil
	default:
		w.r.report(ambiguousVariant(name, list))
		return nil
	}
}

func (t *SumType) variantNames() []string {
	var out []string
	for _, v := range t.Variants {
		out = append(out, v.Name)
	}
	return out
}

// variantRef resolves a capitalised name as a value: a variant without fields.
func (w *walker) variantRef(x *syntax.VariantRef) {
	v := w.findVariant(x.Type, x.Name, false)
	if v == nil {
		return
	}
	w.r.info.Variants[x] = v
	if len(v.Fields) > 0 {
		w.r.report(variantForm(x.At, v))
	}
}

// tupleVariant resolves Declined("no").
func (w *walker) tupleVariant(x *syntax.Call, f *syntax.VariantRef) {
	v := w.findVariant(f.Type, f.Name, false)
	if v == nil {
		return
	}
	w.r.info.Variants[f] = v
	w.r.info.Calls[x] = &Callee{Kind: CallVariant, Variant: v}
	switch {
	case v.Struct:
		w.r.report(variantForm(f.At, v))
	case len(v.Fields) != len(x.Args):
		w.r.report(wrongCount(f.At, v.Name, len(v.Fields), len(v.Fields), len(x.Args), v.Decl.Name.At))
	}
}

// record resolves Name { f: e }: a struct variant, or a record of an undeclared name.
func (w *walker) record(x *syntax.Record) {
	for i, f := range x.Fields {
		for _, g := range x.Fields[:i] {
			if g.Name.Name == f.Name.Name {
				w.r.report(duplicate(f.Name, "field", g.Name.At))
			}
		}
		w.expr(f.Value)
	}
	v := w.findVariant(x.Type, x.Name, true)
	if v == nil {
		w.noVariant(x)
		return
	}
	w.r.info.Variants[x] = v
	if !v.Struct {
		w.r.report(variantForm(x.Name.At, v))
		return
	}
	given := map[string]bool{}
	for _, f := range x.Fields {
		given[f.Name.Name] = true
		field := v.field(f.Name.Name)
		if field == nil {
			w.r.report(unknownField(f.Name, v, w.r.nearest(f.Name.Name, v.fieldNames)))
			continue
		}
	}
	if missing := v.missing(given); len(missing) > 0 {
		w.r.report(missingFields(x.Name.At, v, missing))
	}
}

// noVariant judges a record whose name stands alone and is no variant's.
func (w *walker) noVariant(x *syntax.Record) {
	if x.Type != nil || len(w.r.variants[x.Name.Name]) > 0 {
		return
	}
	if sum := w.r.types[x.Name.Name]; sum != nil {
		w.r.report(recordOfSumType(x.Name, sum))
		return
	}
	w.nearVariant(x)
}

func (v *Variant) field(name string) *Param {
	for i := range v.Fields {
		if v.Struct && v.Fields[i].Name == name {
			return &v.Fields[i]
		}
	}
	return nil
}

func (v *Variant) fieldNames() []string {
	var out []string
	for _, f := range v.Fields {
		out = append(out, f.Name)
	}
	return out
}

// missing lists the fields of a struct variant that are not among the given ones.
func (v *Variant) missing(given map[string]bool) []string {
	var out []string
	for _, f := range v.Fields {
		if !given[f.Name] {
			out = append(out, f.Name)
		}
	}
	return out
}

// match resolves a match: each arm is a scope that its patterns bind in.
func (w *walker) match(x *syntax.Match) {
	idle := w.takeIdle()
	w.expr(x.X)
	for _, arm := range x.Arms {
		w.push()
		for _, p := range arm.Patterns {
			w.pattern(p)
		}
		if arm.Guard != nil {
			w.expr(arm.Guard)
		}
		if arm.Body != nil {
			w.idle = idle
			w.block(arm.Body)
		} else if arm.Value != nil {
			w.expr(arm.Value)
			if idle {
				w.unused(arm.Value)
			}
		}
		w.pop()
	}
	w.exhaustive(x)
	w.uselessArms(x)
	w.statesMatched(x)
}

func (w *walker) pattern(p syntax.Pattern) {
	switch p := p.(type) {
	case *syntax.Bind:
		w.bindPattern(syntax.Ident{Place: p.Place, Name: p.Name})
	case *syntax.PrefixPattern:
		w.bindPattern(p.Rest)
	case *syntax.MapPattern:
		w.repeatedFields(p.Fields)
		for _, f := range p.Fields {
			w.pattern(f.Value)
		}
	case *syntax.VariantPattern:
		w.variantPattern(p)
	}
}

func (w *walker) bindPattern(name syntax.Ident) {
	w.hidesSlot(name)
	if l := w.scope.locals[name.Name]; l != nil && name.Name != "_" {
		w.r.report(duplicate(name, "binding", l.at))
		return
	}
	w.bind(name, true)
}

func (w *walker) variantPattern(p *syntax.VariantPattern) {
	for _, a := range p.Args {
		w.pattern(a)
	}
	w.repeatedFields(p.Fields)
	for _, f := range p.Fields {
		if f.Value != nil {
			w.pattern(f.Value)
		}
	}
	v := w.findVariant(p.Type, p.Name, false)
	if v == nil {
		return
	}
	w.r.info.Variants[p] = v
	switch {
	case p.Struct:
		w.structPattern(p, v)
	case p.Tuple && v.Struct:
		w.r.report(variantForm(p.At, v))
	case p.Tuple && len(p.Args) != len(v.Fields):
		w.r.report(wrongCount(p.Name.At, v.Name, len(v.Fields), len(v.Fields), len(p.Args), v.Decl.Name.At))
	}
}

// structPattern wants every field of V { f, g: p } named, or a closing "..".
func (w *walker) structPattern(p *syntax.VariantPattern, v *Variant) {
	if !v.Struct {
		w.r.report(variantForm(p.Name.At, v))
		return
	}
	given := map[string]bool{}
	for _, f := range p.Fields {
		given[f.Name.Name] = true
		if v.field(f.Name.Name) == nil {
			d := unknownField(f.Name, v, w.r.nearest(f.Name.Name, v.fieldNames))
			if short(f) && len(d.Edits) == 1 {
				d.Edits[0].New += ": " + f.Name.Name // the name is bound, too
			}
			w.r.report(d)
		}
	}
	if missing := v.missing(given); len(missing) > 0 && !p.Rest {
		w.r.report(missingPatternFields(p, v, missing))
	}
}

// exhaustive wants a match whose arms are all variants of one type to name every variant.
// A variant counts as missing only when no arm without guard mentions it: whether nested
// patterns cover all its values is left to the runtime.
func (w *walker) exhaustive(x *syntax.Match) {
	var sum *SumType
	covered := map[*Variant]bool{}
	for _, arm := range x.Arms {
		for _, p := range arm.Patterns {
			vp, ok := p.(*syntax.VariantPattern)
			if !ok {
				if arm.Guard == nil || !irrefutable(p) {
					return
				}
				continue
			}
			v := w.r.info.Variants[vp]
			if v == nil || (sum != nil && sum != v.Type) {
				return
			}
			sum = v.Type
			if arm.Guard == nil {
				covered[v] = true
			}
		}
	}
	if sum == nil {
		return
	}
	var missing []string
	for _, v := range sum.Variants {
		if !covered[v] {
			missing = append(missing, v.Name)
		}
	}
	if len(missing) > 0 {
		w.r.report(missingArms(firstWord(x.At, "match"), sum, missing))
	}
}

// irrefutable tells whether a pattern takes every value.
func irrefutable(p syntax.Pattern) bool {
	switch p.(type) {
	case *syntax.Wildcard, *syntax.Bind:
		return true
	}
	return false
}

// firstWord narrows a span to the word it starts with.
func firstWord(at source.Span, word string) source.Span {
	return source.Span{File: at.File, Start: at.Start, End: min(at.End, at.Start+len(word))}
}
