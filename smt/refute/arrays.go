package refute

import "soma.cell/smt/term"

// arrays instantiates the axiom of stores, after Stump, Barrett, Dill and Levitt (A decision
// procedure for an extensional theory of arrays, LICS 2001), where it can matter:
//
//   - at its own key, for each store;
//   - at the keys where an array equal to the store is read;
//   - at the keys where the array below it is read, when the store equals another term.
//
// It tells whether something was added.
func (b *branch) arrays() (more bool) {
	before := len(b.order)
	var stores, selects []int
	for _, id := range b.closure.nodes {
		switch b.e.bank.Term(id).Op {
		case term.OpStore:
			stores = append(stores, id)
		case term.OpSelect:
			selects = append(selects, id)
		}
	}
	for _, s := range stores {
		store := b.e.bank.Term(s)
		below := b.e.bank.Add(store.Args[0])
		b.instantiate(s, store.Args[1])
		shared := len(b.closure.members[b.closure.root[s]]) > 1
		for _, r := range selects {
			read := b.e.bank.Term(r)
			array := b.e.bank.Add(read.Args[0])
			if b.closure.same(array, s) || shared && b.closure.same(array, below) {
				b.instantiate(s, read.Args[1])
			}
		}
	}
	return len(b.order) > before
}

// instantiate states what store number s holds at a key.
func (b *branch) instantiate(s int, key *term.Term) {
	at := [2]int{s, b.e.bank.Add(key)}
	if b.instances[at] {
		return
	}
	b.instances[at] = true
	store := b.e.bank.Term(s)
	hit := term.Eq(store.Args[1], key)
	read := term.Select(store, key)
	b.axiom(Store, term.Implies(hit, term.Eq(read, store.Args[2])))
	b.axiom(Store, term.Implies(term.Not(hit), term.Eq(read, term.Select(store.Args[0], key))))
}
