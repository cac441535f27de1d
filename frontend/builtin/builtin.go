// Package builtin is the one table of builtin functions: signatures for checking,
// documentation for people, and effect classes for frames and proofs.
package builtin

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

// Builtin is one row of the table.
type Builtin struct {
	Name   string
	Class  Class
	Min    int      // fewest arguments
	Max    int      // most arguments, -1 for any number
	Params []string // "name: Type", "?" after the name of an optional one; for people and for checks of literal arguments
	Result string   // the type of the result: "Int", "String", "Bool", "List", "Map", "Any", "Int?" (or unit), …
	Doc    string   // one line
	// Sinks are the positions (from 0) of the arguments an untrusted value may not decide.
	Sinks []int
	// Raises lists the kinds the call may raise beside "type".
	Raises []string
	// Reads marks class machine builtins that read a machine and move nothing.
	Reads bool
}

// Lookup finds a builtin by name, or nil.
func Lookup(name string) *Builtin { return byName[name] }

// All returns the table sorted by name.
func All() []*Builtin { return sorted }
