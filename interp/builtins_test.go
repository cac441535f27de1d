package interp

import (
	"slices"
	"testing"

	"soma.cell/frontend/builtin"
)

// Every builtin of the table is run or listed as unsupported, and nothing else is.
func TestBuiltinsAreCovered(t *testing.T) {
	table := builtinTable()
	for _, b := range builtin.All() {
		_, runs := table[b.Name]
		refused := slices.Contains(unsupported(), b.Name)
		if runs == refused {
			t.Errorf("%s: runs %v, listed as unsupported %v", b.Name, runs, refused)
		}
		delete(table, b.Name)
	}
	for name := range table {
		t.Errorf("%s is no builtin of the language", name)
	}
}
