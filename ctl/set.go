package ctl

import (
	"iter"
	"math/bits"
)

const wordBits = 64

// Set is a set of states 0 … Len()-1, held as a bit vector. Operations that
// combine sets return a new one and want operands of equal Len.
type Set struct {
	n     int
	words []uint64 // bits from n on are zero
}

// NewSet returns the empty set over n states.
func NewSet(n int) *Set {
	return &Set{n: n, words: make([]uint64, (n+wordBits-1)/wordBits)}
}

// SetOf returns the set over n states that holds the given ones.
func SetOf(n int, states ...int) *Set {
	s := NewSet(n)
	for _, state := range states {
		s.Add(state)
	}
	return s
}

// FullSet returns the set of all n states.
func FullSet(n int) *Set { return NewSet(n).Not() }

// Len is the number of states the set is drawn from, members or not.
func (s *Set) Len() int { return s.n }

// Add puts state into the set. Like a slice, it panics when state is not in
// 0 … Len()-1.
func (s *Set) Add(state int) {
	s.mustContain(state)
	s.words[state/wordBits] |= 1 << (state % wordBits)
}

// Remove takes state out of the set. Like a slice, it panics when state is not
// in 0 … Len()-1.
func (s *Set) Remove(state int) {
	s.mustContain(state)
	s.words[state/wordBits] &^= 1 << (state % wordBits)
}

// Has reports whether state is a member; what is out of range is not.
func (s *Set) Has(state int) bool {
	return state >= 0 && state < s.n && s.words[state/wordBits]&(1<<(state%wordBits)) != 0
}

// Count is the number of members.
func (s *Set) Count() int {
	count := 0
	for _, w := range s.words {
		count += bits.OnesCount64(w)
	}
	return count
}

// Empty reports whether there is no member.
func (s *Set) Empty() bool {
	for _, w := range s.words {
		if w != 0 {
			return false
		}
	}
	return true
}

// First is the lowest member, or -1 if there is none.
func (s *Set) First() int {
	for state := range s.All() {
		return state
	}
	return -1
}

// Equal reports whether both sets have the same Len and the same members.
func (s *Set) Equal(t *Set) bool {
	if s.n != t.n {
		return false
	}
	for i, w := range s.words {
		if w != t.words[i] {
			return false
		}
	}
	return true
}

// SubsetOf reports whether every member of s is one of t.
func (s *Set) SubsetOf(t *Set) bool {
	s.mustMatch(t)
	for i, w := range s.words {
		if w&^t.words[i] != 0 {
			return false
		}
	}
	return true
}

// And returns the intersection.
func (s *Set) And(t *Set) *Set {
	s.mustMatch(t)
	out := NewSet(s.n)
	for i, w := range s.words {
		out.words[i] = w & t.words[i]
	}
	return out
}

// Or returns the union.
func (s *Set) Or(t *Set) *Set {
	s.mustMatch(t)
	out := NewSet(s.n)
	for i, w := range s.words {
		out.words[i] = w | t.words[i]
	}
	return out
}

// Not returns the complement.
func (s *Set) Not() *Set {
	out := NewSet(s.n)
	for i, w := range s.words {
		out.words[i] = ^w
	}
	if rest := s.n % wordBits; rest != 0 {
		out.words[len(out.words)-1] &= 1<<rest - 1
	}
	return out
}

// All yields the members in ascending order.
func (s *Set) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range s.words {
			for ; w != 0; w &= w - 1 {
				if !yield(i*wordBits + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

func (s *Set) mustContain(state int) {
	if state < 0 || state >= s.n {
		panic(stateOutOfRange(state, s.n).Error())
	}
}

func (s *Set) mustMatch(t *Set) {
	if s.n != t.n {
		panic(setSizesDiffer(s.n, t.n).Error())
	}
}
