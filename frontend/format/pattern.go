package format

import "soma.cell/frontend/syntax"

func (p *printer) pattern(pat syntax.Pattern) {
	switch pat := pat.(type) {
	case *syntax.LiteralPattern:
		p.bare(pat.Value, anywhere)
	case *syntax.Wildcard:
		p.write("_")
	case *syntax.Bind:
		p.write(pat.Name)
	case *syntax.RangePattern:
		p.write(pat.Lo.String(), "..", pat.Hi.String())
	case *syntax.PrefixPattern:
		p.text(pat.Prefix)
		p.write(" + ", pat.Rest.Name)
	case *syntax.MapPattern:
		p.fields(pat.Fields, false)
	case *syntax.VariantPattern:
		p.variant(pat.Type, pat.Name)
		switch {
		case pat.Tuple:
			p.list("(", len(pat.Args), func(i int) { p.pattern(pat.Args[i]) }, ")")
		case pat.Struct:
			p.write(" ")
			p.fields(pat.Fields, pat.Rest)
		}
	}
}

// fields writes the fields of a pattern; rest adds the dots that stand for the others.
func (p *printer) fields(list []syntax.FieldPattern, rest bool) {
	n := len(list)
	if rest {
		n++
	}
	if n == 0 {
		p.write("{}")
		return
	}
	p.list("{ ", n, func(i int) {
		if i == len(list) {
			p.write("..")
			return
		}
		p.write(list[i].Name.Name)
		if b, ok := list[i].Value.(*syntax.Bind); ok && b.Name == list[i].Name.Name {
			return
		}
		p.write(": ")
		p.pattern(list[i].Value)
	}, " }")
}
