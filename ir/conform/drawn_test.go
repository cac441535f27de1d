package conform_test

import (
	"testing"

	"soma.cell/frontend/progen"
	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/frontend/source"
)

// TestDrawnProgramsConform runs random calls of random programs.
func TestDrawnProgramsConform(t *testing.T) {
	sum := newTally()
	for seed := uint64(1); sum.total < 100_000; seed++ {
		text := progen.New(progen.Seed(seed), progen.Options{}).Text
		p := resolvetest.Try(source.NewFile("app.cell", text))
		if p == nil {
			continue
		}
		r := newRunner(t, p, seed, nil)
		for range 12 {
			if wrong := r.call(); wrong != "" {
				t.Fatalf("seed %d: %s\n%s", seed, wrong, text)
			}
		}
		sum.add(r)
	}
	sum.judge(t)
}
