package resolve

import (
	"maps"
	"slices"

	"soma.cell/frontend/near"
)

// maxGuessed names are compared with misspelled ones in a program; then no more guesses are
// made. A program in which everything is misspelled would else take quadratic time.
const maxGuessed = 300_000

// nearest guesses which of the candidates a misspelled name meant.
func (r *resolver) nearest(name string, candidates ...func() []string) near.Guess {
	var all []string
	for _, names := range candidates {
		if r.guessed < maxGuessed {
			list := names()
			r.guessed += len(list)
			all = append(all, list...)
		}
	}
	return near.Find(name, all)
}

// keysOf lists the keys of a map in order.
func keysOf[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// among are the names that a map has as keys.
func among[V any](m map[string]V) func() []string { return func() []string { return keysOf(m) } }

// these are names that are at hand.
func these(names []string) func() []string { return func() []string { return names } }
