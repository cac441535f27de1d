package diag

import (
	"embed"
	"strings"
)

// examples holds a file a code, named for it: the program that triggers it under
// "-- wrong --" and the repaired one under "-- right --".
//
//go:embed examples/*.txtar
var examples embed.FS

// illustrated fills in the example programs of entries whose examples are files.
func illustrated(entries []Entry) []Entry {
	for i := range entries {
		entries[i].Wrong, entries[i].Right = example(entries[i].Name)
	}
	return entries
}

// example reads the two programs of a code; a missing file is a broken table, which a test
// holds against every entry.
func example(name string) (wrong, right string) {
	data, err := examples.ReadFile("examples/" + name + ".txtar")
	if err != nil {
		panic("diagnostic table: " + err.Error())
	}
	_, text, _ := strings.Cut(string(data), "-- wrong --\n")
	wrong, right, _ = strings.Cut(text, "-- right --\n")
	return wrong, right
}
