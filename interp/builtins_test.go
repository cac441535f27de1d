package interp

import (
	"slices"
	"testing"

	"soma.cell/frontend/builtin"
)

// Every builtin of the table is run or listed as unsupported, and nothing else is: what is
// unsupported parses and checks, and raises when it runs.
func TestBuiltinsAreCovered(t *testing.T) {
	unsupported := []string{"link", "publish", "subscribe", "ws_connect", "ws_send"}
	table := builtinTable()
	for _, b := range builtin.All() {
		_, runs := table[b.Name]
		refused := slices.Contains(unsupported, b.Name)
		if runs == refused {
			t.Errorf("%s: runs %v, listed as unsupported %v", b.Name, runs, refused)
		}
		delete(table, b.Name)
	}
	for name := range table {
		t.Errorf("%s is no builtin of the language", name)
	}
}
