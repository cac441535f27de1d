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
	doc       string
	class     Class // empty is Pure
	sinks     []int
	raises    []string
	refuses   bool
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

// build reads the signature: name(p: T, q?: T, r...: T) -> T.
func (r row) build() *Builtin {
	head, result, ok := strings.Cut(r.signature, ") -> ")
	name, params, ok2 := strings.Cut(head, "(")
	if !ok || !ok2 {
		panic(fmt.Sprintf("builtin table: bad signature %q", r.signature))
	}
	b := &Builtin{Name: name, Class: r.class, Result: result, Doc: r.doc, Sinks: r.sinks, Raises: r.raises, Refuses: r.refuses, Reads: r.reads}
	if b.Class == "" {
		b.Class = Pure
	}
	if params != "" {
		b.Params = strings.Split(params, ", ")
	}
	repeated := false
	for _, p := range b.Params {
		name, _, ok := strings.Cut(p, ": ")
		switch {
		case !ok:
			panic(fmt.Sprintf("builtin table: parameter without type in %q", r.signature))
		case strings.HasSuffix(name, "..."):
			repeated = true
		case !strings.HasSuffix(name, "?"):
			b.Min++
		}
	}
	b.Max = len(b.Params)
	if repeated {
		b.Max = -1
	}
	return b
}
