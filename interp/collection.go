package interp

// Lists and maps are immutable to whoever holds them, yet growing one in a loop must not copy
// it each time. The trick is that of Go's append, made safe: versions share a backing array,
// and a version may grow in place only while nobody has used the place after its end.

// List is a sequence of values.
type List struct {
	items []Value
	tail  *int // how much of the shared backing array is used; nil when it is not shared
	depth int
}

// NewList is a list of the items; the slice must not change afterwards.
func NewList(items ...Value) *List {
	return &List{items: items, depth: 1 + deepest(items)}
}

// Len is the number of items.
func (l *List) Len() int { return len(l.items) }

// At is the i-th item, from 0.
func (l *List) At(i int) Value { return l.items[i] }

// push is the list with v at its end.
func (l *List) push(v Value) *List {
	n := len(l.items)
	items, tail := l.items, l.tail
	if tail == nil || *tail != n || cap(items) == n {
		items = make([]Value, n, 2*n+4)
		copy(items, l.items)
		tail = new(int)
	}
	*tail = n + 1
	return &List{items: append(items, v), tail: tail, depth: max(l.depth, 1+depthOf(v))}
}

// with is the list with item i replaced.
func (l *List) with(i int, v Value) *List {
	items := append([]Value(nil), l.items...)
	items[i] = v
	return NewList(items...)
}

// Map is a map with text keys that keeps the order of insertion.
type Map struct {
	shape *shape
	vals  []Value
	tail  *int
	depth int
}

// shape is the keys that versions of a map share: a version of n entries owns the first n.
type shape struct {
	keys  []string
	index map[string]int
}

// NewMap is a map without entries.
func NewMap() *Map {
	return &Map{shape: &shape{index: map[string]int{}}, depth: 1}
}

// MapOf is a map of alternating keys and values.
func MapOf(pairs ...any) *Map {
	m := NewMap()
	for i := 0; i+1 < len(pairs); i += 2 {
		m = m.With(pairs[i].(string), pairs[i+1].(Value))
	}
	return m
}

// Len is the number of entries.
func (m *Map) Len() int { return len(m.vals) }

// Keys are the keys in order of insertion, not to be changed.
func (m *Map) Keys() []string { return m.shape.keys[:len(m.vals)] }

// Get finds an entry.
func (m *Map) Get(key string) (Value, bool) {
	i, ok := m.shape.index[key]
	if !ok || i >= len(m.vals) {
		return nil, false
	}
	return m.vals[i], true
}

// With is the map with an entry set; a new key goes last.
func (m *Map) With(key string, v Value) *Map {
	n := len(m.vals)
	depth := max(m.depth, 1+depthOf(v))
	if i, ok := m.shape.index[key]; ok && i < n {
		vals := append([]Value(nil), m.vals...)
		vals[i] = v
		return &Map{shape: m.shape, vals: vals, depth: 1 + deepest(vals)}
	}
	sh := m.shape
	if len(sh.keys) != n {
		sh = m.shape.fork(n)
	}
	sh.index[key] = n
	sh.keys = append(sh.keys, key)
	vals, tail := m.vals, m.tail
	if tail == nil || *tail != n || cap(vals) == n {
		vals = make([]Value, n, 2*n+4)
		copy(vals, m.vals)
		tail = new(int)
	}
	*tail = n + 1
	return &Map{shape: sh, vals: append(vals, v), tail: tail, depth: depth}
}

// Without is the map without the key.
func (m *Map) Without(key string) *Map {
	if _, ok := m.Get(key); !ok {
		return m
	}
	out := NewMap()
	for i, k := range m.Keys() {
		if k != key {
			out = out.With(k, m.vals[i])
		}
	}
	return out
}

func (s *shape) fork(n int) *shape {
	out := &shape{keys: append([]string(nil), s.keys[:n]...), index: make(map[string]int, n)}
	for i, k := range out.keys {
		out.index[k] = i
	}
	return out
}
