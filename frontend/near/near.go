// Package near finds the name that a misspelled one most likely meant.
package near

// Guess is what a name that nothing has may have meant.
type Guess struct {
	Name string // "" when nothing is near
	// Sure tells that it is one edit away, that no other candidate is, and that the name is
	// long enough for that to mean something: a machine may write it.
	Sure bool
}

const (
	shortest = 3   // the length from which on one edit tells a misspelling from another name
	longest  = 100 // of names that are compared
)

// Find guesses among candidates. The distance is the optimal string alignment distance
// (Damerau 1964): insertions, deletions, substitutions and swaps of neighbours; a third of the
// name's length is the most allowed, and a name with nothing in common is none. Of equally near
// names the first in the alphabet wins.
// Cost: the product of the lengths, for each candidate; very long names are not compared.
func Find(name string, candidates []string) Guess {
	length := len([]rune(name))
	if length > longest {
		return Guess{}
	}
	limit := min(max(1, length/3)+1, length)
	var best Guess
	least := limit
	for _, c := range candidates {
		if c == name || c == best.Name {
			continue
		}
		d := distance([]rune(name), []rune(c), limit)
		switch {
		case d < least:
			best, least = Guess{Name: c, Sure: d == 1 && length >= shortest}, d
		case d == least && d < limit:
			best.Sure = false
			if c < best.Name {
				best.Name = c
			}
		}
	}
	return best
}

// distance counts edits; anything from limit on may be reported as limit.
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
