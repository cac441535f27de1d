package taint

// factTree is a map from values to facts that is never changed in place: what is made of a tree
// shares with it all that it leaves alone, and trees that are made of one are compared and joined
// in the time that their differences take. So the facts of a long body cost about what its tests
// add. A nil tree is empty.
//
// Big-endian Patricia trees: Okasaki and Gill, Fast Mergeable Integer Maps (ML workshop 1998).
// Values are numbered one by one, so a tree is as deep as the logarithm of their number, and its
// order is theirs. The same facts make the same tree.
type factTree struct {
	value value // of a leaf; of a fork what the values below have in common, zero from branch on
	fact  fact  // of a leaf
	// branch is the highest bit in which the values below a fork differ; 0 of a leaf.
	branch      value
	left, right *factTree // without that bit, and with it
}

// match tells whether a value has what the values below a fork have in common.
func (t *factTree) match(v value) bool { return v&^(t.branch<<1-1) == t.value }

// at is the fact about a value.
func (t *factTree) at(v value) (fact, bool) {
	for t != nil && t.branch != 0 {
		if v&t.branch == 0 {
			t = t.left
		} else {
			t = t.right
		}
	}
	if t == nil || t.value != v {
		return fact{}, false
	}
	return t.fact, true
}

// with is the tree in which the fact about a value is c.
func (t *factTree) with(v value, c fact) *factTree {
	leaf := &factTree{value: v, fact: c}
	switch {
	case t == nil || t.branch == 0 && t.value == v:
		return leaf
	case t.branch == 0 || !t.match(v):
		return fork(t, leaf)
	case v&t.branch == 0:
		return t.children(t.left.with(v, c), t.right)
	}
	return t.children(t.left, t.right.with(v, c))
}

// fork joins two trees, neither of which holds values that the other might.
func fork(a, b *factTree) *factTree {
	branch := value(1)
	for differ := (a.value ^ b.value) >> 1; differ != 0; differ >>= 1 {
		branch <<= 1
	}
	if a.value&branch != 0 {
		a, b = b, a
	}
	return &factTree{value: a.value &^ (branch<<1 - 1), branch: branch, left: a, right: b}
}

// children is a fork with other trees below it, which hold some of the values of the old ones.
func (t *factTree) children(left, right *factTree) *factTree {
	switch {
	case left == t.left && right == t.right:
		return t
	case left == nil:
		return right
	case right == nil:
		return left
	}
	return &factTree{value: t.value, branch: t.branch, left: left, right: right}
}

// each calls do for all facts in the order of their values.
func (t *factTree) each(do func(value, fact)) {
	switch {
	case t == nil:
	case t.branch == 0:
		do(t.value, t.fact)
	default:
		t.left.each(do)
		t.right.each(do)
	}
}

// filter keeps the facts that pass.
func (t *factTree) filter(keep func(value, fact) bool) *factTree {
	switch {
	case t == nil:
		return nil
	case t.branch != 0:
		return t.children(t.left.filter(keep), t.right.filter(keep))
	case keep(t.value, t.fact):
		return t
	}
	return nil
}

// both joins the facts about the values that two trees hold. What says nothing is left out.
func (t *factTree) both(u *factTree, join func(a, b fact) fact) *factTree {
	switch {
	case t == u || t == nil:
		return t
	case u == nil:
		return nil
	case t.branch == 0:
		c, ok := u.at(t.value)
		if !ok {
			return nil
		}
		return t.leaf(join(t.fact, c))
	case u.branch == 0:
		c, ok := t.at(u.value)
		if !ok {
			return nil
		}
		return u.leaf(join(c, u.fact))
	case t.branch == u.branch && t.value == u.value:
		return t.children(t.left.both(u.left, join), t.right.both(u.right, join))
	case t.branch > u.branch && t.match(u.value):
		if u.value&t.branch == 0 {
			return t.left.both(u, join)
		}
		return t.right.both(u, join)
	case u.branch > t.branch && u.match(t.value):
		if t.value&u.branch == 0 {
			return t.both(u.left, join)
		}
		return t.both(u.right, join)
	}
	return nil
}

// leaf is a leaf with another fact.
func (t *factTree) leaf(c fact) *factTree {
	switch {
	case c.equal(fact{}):
		return nil
	case c.equal(t.fact):
		return t
	}
	return &factTree{value: t.value, fact: c}
}

func (t *factTree) equal(u *factTree) bool {
	switch {
	case t == u:
		return true
	case t == nil || u == nil || t.value != u.value || t.branch != u.branch:
		return false
	case t.branch == 0:
		return t.fact.equal(u.fact)
	}
	return t.left.equal(u.left) && t.right.equal(u.right)
}
