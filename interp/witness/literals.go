package witness

import (
	"math/big"
	"slices"

	"soma.cell/frontend/syntax"
	"soma.cell/interp"
)

// literals are the constants of a piece of program, each once, in order of source.
type literals struct {
	texts  []string
	ints   []interp.Int
	floats []float64
	fields []string // names of fields and keys that are read
}

func (l *literals) text(s string) {
	if !slices.Contains(l.texts, s) {
		l.texts = append(l.texts, s)
	}
}

func (l *literals) integer(n *big.Int) {
	if !slices.ContainsFunc(l.ints, func(x interp.Int) bool { return x.Big().Cmp(n) == 0 }) {
		l.ints = append(l.ints, interp.BigInt(n))
	}
}

func (l *literals) float(f float64) {
	if !slices.Contains(l.floats, f) {
		l.floats = append(l.floats, f)
	}
}

func (l *literals) field(name string) {
	if !slices.Contains(l.fields, name) {
		l.fields = append(l.fields, name)
	}
}

// merge adds what other holds.
func (l *literals) merge(other *literals) {
	for _, s := range other.texts {
		l.text(s)
	}
	for _, n := range other.ints {
		l.integer(n.Big())
	}
	for _, f := range other.floats {
		l.float(f)
	}
	for _, f := range other.fields {
		l.field(f)
	}
}

// read collects the literals of a node and everything inside it.
func (l *literals) read(n syntax.Node) {
	syntax.Inspect(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.String:
			if s, ok := n.Literal(); ok {
				l.text(s)
			}
		case *syntax.Int:
			l.integer(n.Value)
		case *syntax.Float:
			l.float(n.Value)
		case *syntax.Field:
			l.field(n.Name.Name)
		case *syntax.RangePattern:
			l.integer(n.Lo)
			l.integer(n.Hi)
		case *syntax.PrefixPattern:
			l.text(n.Prefix)
		case *syntax.MapPattern:
			for _, f := range n.Fields {
				l.field(f.Name.Name)
			}
		case *syntax.Method:
			l.key(n)
		}
		return true
	})
}

// key takes the key of m.get("k") for a field.
func (l *literals) key(m *syntax.Method) {
	if m.Name.Name != "get" || len(m.Args) != 1 {
		return
	}
	if s, ok := m.Args[0].(*syntax.String); ok {
		if text, ok := s.Literal(); ok {
			l.field(text)
		}
	}
}
