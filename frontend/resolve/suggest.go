package resolve

import (
	"maps"
	"slices"

	"soma.cell/frontend/near"
)

// nearest guesses what a misspelled name meant.
func nearest(name string, candidates []string) near.Guess { return near.Find(name, candidates) }

// keysOf lists the keys of a map in order.
func keysOf[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
