package ctl

import "slices"

// csr is a square relation in compressed sparse rows: the columns of row r are
// cols[start[r]:start[r+1]]. All operations take time linear in rows and entries.
type csr struct {
	start []int
	cols  []int32
}

// newCSR builds the relation of the pairs (rows[i], cols[i]) over n states by
// counting sort; entries of a row keep their order.
func newCSR(n int, rows, cols []int32) csr {
	m := csr{start: make([]int, n+1), cols: make([]int32, len(cols))}
	for _, r := range rows {
		m.start[r+1]++
	}
	for r := range n {
		m.start[r+1] += m.start[r]
	}
	next := slices.Clone(m.start[:n])
	for i, r := range rows {
		m.cols[next[r]] = cols[i]
		next[r]++
	}
	return m
}

func (m csr) len() int { return len(m.start) - 1 }

func (m csr) row(r int) []int32 { return m.cols[m.start[r]:m.start[r+1]:m.start[r+1]] }

// has looks col up in a row whose columns ascend.
func (m csr) has(r int, col int32) bool {
	_, found := slices.BinarySearch(m.row(r), col)
	return found
}

// transpose returns the converse relation; its columns ascend.
func (m csr) transpose() csr {
	rows := make([]int32, 0, len(m.cols))
	for r := range m.len() {
		for range m.row(r) {
			rows = append(rows, int32(r))
		}
	}
	return newCSR(m.len(), m.cols, rows)
}

// compact drops repeated entries of a relation whose columns ascend.
func (m csr) compact() csr {
	out := csr{start: make([]int, 1, len(m.start)), cols: make([]int32, 0, len(m.cols))}
	for r := range m.len() {
		row := m.row(r)
		for i, col := range row {
			if i == 0 || row[i-1] != col {
				out.cols = append(out.cols, col)
			}
		}
		out.start = append(out.start, len(out.cols))
	}
	return out
}

// total gives each empty row its own index as only column and returns the rows
// that were empty.
func (m csr) total() (csr, *Set) {
	empty := NewSet(m.len())
	out := csr{start: make([]int, 1, len(m.start)), cols: make([]int32, 0, len(m.cols))}
	for r := range m.len() {
		if row := m.row(r); len(row) > 0 {
			out.cols = append(out.cols, row...)
		} else {
			empty.Add(r)
			out.cols = append(out.cols, int32(r))
		}
		out.start = append(out.start, len(out.cols))
	}
	return out, empty
}
