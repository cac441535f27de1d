package lower

import (
	"hash/fnv"
	"iter"
)

// bindings is a map from names to values that is never changed: binding a name gives another
// map, which shares with the old one all but a path to the name. Thus a snapshot of a scope
// costs nothing, and where paths join, only the names are looked at that some path has bound
// anew: a body of n statements costs about n log n, however many locals it has.
//
// It is a treap (Seidel and Aragon, Algorithmica 16, 1996): a search tree by name that is a heap
// by rank. The rank is a hash of the name, so that maps of the same names have the same shape,
// and two of them are compared by walking both at once past what they share.
type bindings struct {
	name        string
	rank        uint32
	value       *value
	left, right *bindings
}

// find is the value of a name, or nil.
func (m *bindings) find(name string) *value {
	for m != nil && m.name != name {
		if name < m.name {
			m = m.left
		} else {
			m = m.right
		}
	}
	if m == nil {
		return nil
	}
	return m.value
}

// with is the map in which the name has the value.
func (m *bindings) with(name string, v *value) *bindings {
	return m.insert(&bindings{name: name, rank: rankOf(name), value: v})
}

// rankOf is FNV-1a, with the bits mixed once more because names differ in their last letters.
func rankOf(name string) uint32 {
	f := fnv.New32a()
	f.Write([]byte(name))
	h := f.Sum32()
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

func (m *bindings) insert(x *bindings) *bindings {
	if m == nil {
		return x
	}
	top := *m
	switch {
	case x.name == m.name:
		top.value = x.value
	case x.name < m.name:
		below := m.left.insert(x)
		if below.over(m) {
			top.left, below.right = below.right, &top
			return below
		}
		top.left = below
	default:
		below := m.right.insert(x)
		if below.over(m) {
			top.right, below.left = below.left, &top
			return below
		}
		top.right = below
	}
	return &top
}

// over tells which of two nodes stands above the other.
func (m *bindings) over(n *bindings) bool {
	return m.rank > n.rank || m.rank == n.rank && m.name < n.name
}

// all are the names with their values, sorted.
func (m *bindings) all() iter.Seq2[string, *value] {
	return func(yield func(string, *value) bool) { m.walk(yield) }
}

func (m *bindings) walk(yield func(string, *value) bool) bool {
	return m == nil || m.left.walk(yield) && yield(m.name, m.value) && m.right.walk(yield)
}

// changed adds the names of m whose value another map may have changed.
func (m *bindings) changed(other *bindings, add func(name string)) {
	switch {
	case m == other || m == nil:
	case other != nil && m.name == other.name:
		m.left.changed(other.left, add)
		if m.value != other.value {
			add(m.name)
		}
		m.right.changed(other.right, add)
	default: // maps of other names, whose shapes differ
		for name := range m.all() {
			add(name)
		}
	}
}
