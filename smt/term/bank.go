package term

import "strconv"

// Bank is a table of terms in which each distinct subterm stands once: node i is a text such as
// "(<= #3 #7)" that names its arguments by earlier indices. It keeps the size of a shared term,
// where Text would write it out as a tree.
type Bank struct {
	nodes  []string
	terms  []*Term
	byNode map[string]int // a node's text is its identity, as its arguments are already unique
	seen   map[*Term]int
}

// NewBank is an empty table.
func NewBank() *Bank { return &Bank{byNode: map[string]int{}, seen: map[*Term]int{}} }

// ParseBank reads a table back. Each node may refer to earlier ones only; it is checked as Parse
// checks a term.
func ParseBank(nodes []string) (*Bank, error) {
	b := NewBank()
	for i, node := range nodes {
		t, err := parse(node, b.terms)
		if err != nil {
			return nil, errNode(i, err)
		}
		b.append(node, t)
	}
	return b, nil
}

// Add returns the index of the term, entering it and its subterms where they are missing.
func (b *Bank) Add(t *Term) int {
	type frame struct {
		term *Term
		args []string
	}
	stack := []frame{{term: t}}
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if _, ok := b.seen[f.term]; ok {
			stack = stack[:len(stack)-1]
			continue
		}
		if next := len(f.args); next < len(f.term.Args) {
			arg := f.term.Args[next]
			if i, ok := b.seen[arg]; ok {
				f.args = append(f.args, reference(i))
			} else {
				stack = append(stack, frame{term: arg})
			}
			continue
		}
		b.enter(f.term, f.term.node(f.args))
		stack = stack[:len(stack)-1]
	}
	return b.seen[t]
}

func (b *Bank) enter(t *Term, node string) {
	i, ok := b.byNode[node]
	if !ok {
		i = b.append(node, t)
	}
	b.seen[t] = i
}

func (b *Bank) append(node string, t *Term) int {
	i := len(b.nodes)
	b.nodes = append(b.nodes, node)
	b.terms = append(b.terms, t)
	if _, ok := b.byNode[node]; !ok {
		b.byNode[node] = i
		b.seen[t] = i
	}
	return i
}

// Len is the number of nodes.
func (b *Bank) Len() int { return len(b.nodes) }

// Nodes are the texts of the table, in order. The slice is the bank's own.
func (b *Bank) Nodes() []string { return b.nodes }

// Term is the term at an index, or nil when there is none.
func (b *Bank) Term(i int) *Term {
	if i < 0 || i >= len(b.terms) {
		return nil
	}
	return b.terms[i]
}

func reference(i int) string { return "#" + strconv.Itoa(i) }
