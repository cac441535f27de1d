package progen

import (
	"math/rand/v2"

	"pgregory.net/rapid"
)

// Source decides choices. The first alternative of every choice is the smallest, so a source
// that gives zeros draws a small program.
type Source interface {
	// Int gives a number of 0..n-1; n is positive.
	Int(n int) int
}

// Bytes decides by the bytes of a text, each byte a choice; when they are used up, every
// choice is 0. It serves fuzzing: the same bytes give the same choices.
func Bytes(data []byte) Source { return &byteSource{data} }

type byteSource struct{ rest []byte }

func (s *byteSource) Int(n int) int {
	if n == 1 || len(s.rest) == 0 {
		return 0
	}
	b := s.rest[0]
	s.rest = s.rest[1:]
	return int(b) % n
}

// Seed decides by chance, the same for the same seed.
func Seed(seed uint64) Source { return chance{rand.New(rand.NewPCG(seed, 0))} }

type chance struct{ *rand.Rand }

func (s chance) Int(n int) int { return s.IntN(n) }

// Rapid lets a property test decide, which then makes failures small.
func Rapid(t *rapid.T) Source { return drawn{t} }

type drawn struct{ t *rapid.T }

func (s drawn) Int(n int) int {
	if n == 1 {
		return 0
	}
	return rapid.IntRange(0, n-1).Draw(s.t, "choice")
}
