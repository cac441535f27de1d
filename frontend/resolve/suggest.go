package resolve

import (
	"maps"
	"slices"
)

// nearest finds the candidate that a misspelled name most likely meant, or "". The distance
// is the optimal string alignment distance (Damerau 1964): insertions, deletions,
// substitutions and swaps of neighbours; a third of the name's length is the most allowed. Of
// equally near names the first in the alphabet wins.
func nearest(name string, candidates []string) string {
	limit := max(1, len([]rune(name))/3) + 1
	best, least := "", limit
	for _, c := range candidates {
		if c == name {
			continue
		}
		if d := distance([]rune(name), []rune(c), limit); d < least || d == least && d < limit && c < best {
			best, least = c, d
		}
	}
	return best
}

// distance counts edits; anything from limit on may be reported as limit.
// Cost: the product of the lengths.
func distance(a, b []rune, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	before, above := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above = above, row
	}
	return above[len(b)]
}

// keysOf lists the keys of a map in order.
func keysOf[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
