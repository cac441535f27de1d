package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	wantedOfRuns = regexp.MustCompile(`//! runs: (. .*)`)
	// saysCan are the lines which say that something can happen, or is not known to.
	saysCan = regexp.MustCompile(`(?m)^  ([✓⚠✗·] (?:all states|state|edge|no deadlocks|deadlock:|liveness|guard|invariant) ?.*)$`)
)

// TestWhatCanHappenIsSeenInRuns holds what verify says with runs of the program: that an edge is taken, a
// state reached, a rule broken is said where a run does it, and nowhere else, however well it would
// fit what the solver knows. The lines stand in the programs, as `//! runs: MARK TEXT…`.
func TestWhatCanHappenIsSeenInRuns(t *testing.T) {
	files, err := filepath.Glob("../../testdata/prove/can_*.cell")
	if err != nil || len(files) != 2 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var wanted []string
			for _, m := range wantedOfRuns.FindAllStringSubmatch(string(text), -1) {
				wanted = append(wanted, m[1])
			}
			_, output := runSoma("verify", file)
			for _, m := range saysCan.FindAllStringSubmatch(output, -1) {
				i := slices.IndexFunc(wanted, func(w string) bool { return strings.HasPrefix(m[1], w) })
				if i < 0 {
					t.Errorf("not expected: %s", m[1])
					continue
				}
				wanted = slices.Delete(wanted, i, i+1)
			}
			for _, w := range wanted {
				t.Errorf("missing: %s", w)
			}
		})
	}
}
