package conform_test

import (
	"slices"
	"testing"

	"soma.cell/frontend/progen"
	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/frontend/source"
	"soma.cell/ir"
)

// TestDrawnProgramsConform runs random calls of random programs.
func TestDrawnProgramsConform(t *testing.T) {
	sum := newTally()
	for seed := uint64(1); sum.total < enough; seed++ {
		d := drawnBy(seed)
		r, wrong := d.run(t, nil)
		if wrong != "" {
			d, wrong = d.shrink(t, nil, wrong)
			t.Fatalf("seed %d: %s\n%s", seed, wrong, d.text)
		}
		if r != nil {
			sum.add(r)
		}
	}
	sum.judge(t)
}

// TestFailuresAreSmall holds that of a program which does not conform a small one is shown that
// does not either.
func TestFailuresAreSmall(t *testing.T) {
	forget := func(s *ir.System) { drop[*ir.Write]("").alter(s) }
	shrunk, before, after := 0, 0, 0
	for seed := uint64(1); shrunk < 3; seed++ {
		d := drawnBy(seed)
		_, wrong := d.run(t, forget)
		if wrong == "" {
			continue
		}
		shrunk++
		before += len(d.text)
		d, wrong = d.shrink(t, forget, wrong)
		after += len(d.text)
		if _, again := d.run(t, forget); again != wrong || wrong == "" {
			t.Errorf("seed %d: what is shown is not what the small program does wrong:\n%s\n%s", seed, wrong, again)
		}
		if _, again := d.run(t, nil); again != "" {
			t.Errorf("seed %d: without a fault the small program does not conform: %s", seed, again)
		}
	}
	t.Logf("%d bytes of programs, of %d", after, before)
	if 3*after > before {
		t.Errorf("programs of %d bytes stay as large as %d", before, after)
	}
}

// drawing is a drawn program, the choices that led to it, and what chance decides when it runs.
type drawing struct {
	text    string
	choices []int
	seed    uint64
}

func drawnBy(seed uint64) drawing {
	src := &choices{source: progen.Seed(seed)}
	return drawing{progen.New(src, progen.Options{}).Text, src.made, seed}
}

// run makes random calls; the runner is nil where the program has errors.
func (d drawing) run(t *testing.T, alter change) (*runner, string) {
	p := resolvetest.Try(source.NewFile("app.cell", d.text))
	if p == nil {
		return nil, ""
	}
	r := newRunner(t, p, d.seed, alter)
	if len(r.handlers()) == 0 {
		return nil, ""
	}
	for range 12 {
		if wrong := r.call(); wrong != "" {
			return r, wrong
		}
	}
	return r, ""
}

// maxTrials bounds how many programs are tried to find a small one.
const maxTrials = 1500

// shrink gives the smallest drawing found that is wrong too. It leaves out runs of choices, each
// length half of the one before, as delta debugging does (Zeller and Hildebrandt, TSE 2002), and
// then makes single choices the first.
func (d drawing) shrink(t *testing.T, alter change, wrong string) (drawing, string) {
	trials := 0
	try := func(made []int) bool {
		trials++
		src := &choices{replayed: made}
		smaller := drawing{progen.New(src, progen.Options{}).Text, src.made, d.seed}
		for n := len(smaller.choices); n > 0 && smaller.choices[n-1] == 0; n-- {
			smaller.choices = smaller.choices[:n-1]
		}
		if len(smaller.text) >= len(d.text) {
			return false
		}
		_, why := smaller.run(t, alter)
		if why != "" {
			d, wrong = smaller, why
		}
		return why != ""
	}
	for size := len(d.choices) / 2; size > 0; size /= 2 {
		for at := 0; at < len(d.choices) && trials < maxTrials; {
			end := min(at+size, len(d.choices))
			if !try(slices.Concat(d.choices[:at], d.choices[end:])) {
				at = end
			}
		}
	}
	for at := 0; at < len(d.choices) && trials < maxTrials; at++ {
		first := slices.Clone(d.choices)
		first[at] = 0
		try(first)
	}
	return d, wrong
}

// choices decides as it is told, or as a source does where there is one, and keeps what it decided. What
// it is not told is the first.
type choices struct {
	source   progen.Source
	replayed []int
	made     []int
}

func (c *choices) Int(n int) int {
	made := 0
	switch at := len(c.made); {
	case c.source != nil:
		made = c.source.Int(n)
	case at < len(c.replayed):
		made = c.replayed[at] % n
	}
	c.made = append(c.made, made)
	return made
}
