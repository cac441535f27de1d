// Package builtin is the one table of builtin functions: signatures for checking,
// documentation for people, and effect classes for frames and proofs.
package builtin

import "sort"

// Class is the effect class of a builtin.
type Class string

const (
	Pure    Class = "pure"
	Model   Class = "model"
	Net     Class = "net"
	FileIO  Class = "file"
	Print   Class = "print"
	Clock   Class = "clock"
	Random  Class = "random"
	Sleep   Class = "sleep"
	IDs     Class = "ids"
	Memory  Class = "memory"
	Machine Class = "machine"
	Human   Class = "human"
	Call    Class = "call"
	Budget  Class = "budget"
)

// AnyKind stands in Raises for a call that may raise any kind at all.
const AnyKind = "*"

// Builtin is one row of the table.
type Builtin struct {
	Name   string
	Class  Class
	Min    int     // fewest arguments
	Max    int     // most arguments, -1 for any number
	Forms  []*Form // the ways to call it, with the types of what it takes and gives
	Result string  // the kinds of the result: "Int", "String", "Bool", "List", "Map", "Any", "Int?" (or unit), "String|List", …
	Doc    string  // one line
	// Sinks are the positions (from 0) of the arguments an untrusted value may not decide.
	Sinks []int
	// Raises lists the kinds the call may raise beside "type"; AnyKind is any of them.
	Raises []string
	// Refuses marks those that may raise "type" though each argument is of its parameter's type:
	// it is of Any but not every value serves, or the text is malformed.
	Refuses bool
	// Lazy are the positions of the arguments that are not looked at on every path: one of a
	// wrong type need not raise.
	Lazy []int
	// Reads marks class machine builtins that read a machine and move nothing.
	Reads bool

	params [][]string // the kinds that each parameter takes
}

// Lookup finds a builtin by name, or nil. Cost: a binary search.
func Lookup(name string) *Builtin {
	all := table()
	i := sort.Search(len(all), func(i int) bool { return all[i].Name >= name })
	if i < len(all) && all[i].Name == name {
		return all[i]
	}
	return nil
}

// All returns the table sorted by name. The caller must not change it.
func All() []*Builtin { return table() }

// Accepts tells whether the builtin takes n arguments.
func (b *Builtin) Accepts(n int) bool {
	return n >= b.Min && (b.Max < 0 || n <= b.Max)
}

// ParamTypes gives the kinds that the i-th parameter takes; the last parameter stands for all
// that follow when it is repeated. Nil means that there is no such parameter.
func (b *Builtin) ParamTypes(i int) []string {
	if i >= len(b.params) {
		if b.Max >= 0 || len(b.params) == 0 {
			return nil
		}
		i = len(b.params) - 1
	}
	return b.params[i]
}

// Signatures are the forms of the row as people read them:
// "substring(s: String, from: Int, to: Int) -> String".
func (b *Builtin) Signatures() []string {
	var out []string
	for _, f := range b.Forms {
		out = append(out, f.String())
	}
	return out
}

// Runs tells whether the builtin calls a function that is its i-th of n arguments.
func (b *Builtin) Runs(i, n int) bool {
	for _, f := range b.Forms {
		if p := f.Param(i, n); p != nil && p.Type.Function() != nil {
			return true
		}
	}
	return false
}

// CallsBack tells whether the builtin calls functions among its arguments.
func (b *Builtin) CallsBack() bool {
	for _, f := range b.Forms {
		for _, p := range f.Params {
			if p.Type.Function() != nil {
				return true
			}
		}
	}
	return false
}
