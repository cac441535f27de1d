package builtin

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// row is a builtin as the tables below state it: the signature carries name, parameters,
// result and, through them, the argument counts.
type row struct {
	signature string
	forms     []string // what the signature sums up, where its parts depend on each other
	doc       string
	class     Class // empty is Pure
	sinks     []int
	raises    []string
	refuses   bool
	lazy      []int
	reads     bool
}

// table is built on first use and never changed afterwards.
var table = sync.OnceValue(func() []*Builtin {
	var all []*Builtin
	for _, rows := range [][]row{textRows(), numberRows(), listRows(), agentRows(), outsideRows(), matrixRows()} {
		for _, r := range rows {
			all = append(all, r.build())
		}
	}
	slices.SortFunc(all, func(a, b *Builtin) int { return strings.Compare(a.Name, b.Name) })
	return all
})

// build reads the signatures of a row.
func (r row) build() *Builtin {
	name, whole := parseForm(r.signature)
	b := &Builtin{Name: name, Class: r.class, Doc: r.doc, Sinks: r.sinks, Raises: r.raises, Refuses: r.refuses, Lazy: r.lazy, Reads: r.reads}
	if b.Class == "" {
		b.Class = Pure
	}
	b.Min, b.Max = whole.fewest(), len(whole.Params)
	for _, p := range whole.Params {
		b.params = append(b.params, p.Type.Kinds())
		if p.Repeated {
			b.Max = -1
		}
	}
	b.Result = erased(whole.Result)
	for _, text := range r.forms {
		other, f := parseForm(text)
		if other != name {
			panic(fmt.Sprintf("builtin table: %q is no form of %s", text, name))
		}
		b.Forms = append(b.Forms, f)
	}
	if b.Forms == nil {
		b.Forms = []*Form{whole}
	}
	return b
}

// erased is a result by its kinds alone: "Int", "Int?", "String|List", "Any".
func erased(t Type) string {
	words := t.Kinds()
	if n := len(words) - 1; n == 1 && words[n] == "Unit" {
		return words[0] + "?"
	}
	return strings.Join(words, "|")
}
