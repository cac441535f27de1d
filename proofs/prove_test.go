package proofs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	wantedLine = regexp.MustCompile(`//! verify: (.*)`)
	// judgedLine is what a line of the kinds that the programs of testdata/prove expect begins with.
	judgedLine = regexp.MustCompile(`^. (guard|invariant|dead code)\b`)
)

// TestProve holds what is said of the programs in testdata/prove against their comments
// `//! verify: MARK TEXT…`: each is the beginning of a line, in any order, and each line about a
// guard, a memory rule or dead code is one that some comment expects.
func TestProve(t *testing.T) {
	files, err := filepath.Glob("../testdata/prove/*.cell")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var wanted []string
			for _, m := range wantedLine.FindAllStringSubmatch(string(text), -1) {
				wanted = append(wanted, strings.TrimSpace(m[1]))
			}
			got := about(verified(t, string(text)), "")
			for _, g := range got {
				found := -1
				for i, w := range wanted {
					if strings.HasPrefix(g, w) {
						found = i
						break
					}
				}
				switch {
				case found >= 0:
					wanted = append(wanted[:found], wanted[found+1:]...)
				case judgedLine.MatchString(g):
					t.Errorf("not expected: %s", g)
				}
			}
			for _, w := range wanted {
				t.Errorf("missing: %s", w)
			}
		})
	}
}
