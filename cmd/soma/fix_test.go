package main

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Of several files all are written or none: what stands in the way of one leaves the others as
// they were, whether it is met before anything is replaced or after.
func TestWriteFilesIsAllOrNothing(t *testing.T) {
	for name, last := range map[string]string{
		"a folder that is missing":      "nowhere/z.cell",
		"a file that vanished meantime": "z.cell",
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			first, second := writeTemp(t, folder, "a.cell", "one"), writeTemp(t, folder, "b.cell", "two")
			before := filesIn(t, folder)
			if err := writeFiles(map[string]string{first: "new", second: "new", filepath.Join(folder, last): "new"}); err == nil {
				t.Error("no error")
			}
			if d := cmp.Diff(before, filesIn(t, folder)); d != "" {
				t.Errorf("files changed:\n%s", d)
			}
			if err := writeFiles(map[string]string{first: "new", second: "newer"}); err != nil {
				t.Error(err)
			}
			if d := cmp.Diff(map[string]string{"/a.cell": "new", "/b.cell": "newer"}, filesIn(t, folder)); d != "" {
				t.Errorf("files written:\n%s", d)
			}
		})
	}
}
