package interp

import (
	"strings"

	"soma.cell/frontend/syntax"
)

// A matrix is a list of equal rows of numbers.

func matrixBuiltins() map[string]impl {
	return map[string]impl{
		"matrix": builtinMatrix, "mat": builtinMat, "reshape": builtinReshape, "transpose": builtinTranspose,
		"shape": builtinShape, "matmul": builtinMatmul, "det": builtinDet,
		"eye": builtinEye, "identity": builtinEye, "zeros": filled(0), "ones": filled(1),
		"diag": builtinDiag, "diag_sum": builtinDiagSum, "scale": builtinScale, "flatten_mat": builtinFlatten,
		"rows": func(c *call) (Value, error) {
			m, err := c.matrix(0)
			return NewInt(int64(len(m))), err
		},
		"cols": func(c *call) (Value, error) {
			m, err := c.matrix(0)
			if err != nil {
				return nil, err
			}
			return NewInt(int64(len(m[0]))), nil
		},
	}
}

// matrix reads an argument as rows; it has at least one of each.
func (c *call) matrix(i int) ([][]Value, error) {
	l, ok := c.args[i].(*List)
	if !ok || !isMatrix(l) {
		return nil, errArgument(c.name, i, "a matrix (a list of equal rows of numbers)", c.args[i])
	}
	return rowsOf(l), c.w.spend(l.Len() * l.items[0].(*List).Len())
}

func rowsOf(l *List) [][]Value {
	out := make([][]Value, l.Len())
	for i, row := range l.items {
		out[i] = row.(*List).items
	}
	return out
}

func matrixValue(rows [][]Value) Value {
	out := make([]Value, len(rows))
	for i, r := range rows {
		out[i] = NewList(r...)
	}
	return NewList(out...)
}

// builtinMatrix reads "1 2; 3 4", or checks a list of rows.
func builtinMatrix(c *call) (Value, error) {
	text, ok := c.args[0].(String)
	if !ok {
		rows, err := c.matrix(0)
		return matrixValue(rows), err
	}
	var rows [][]Value
	for _, line := range strings.Split(string(text), ";") {
		var row []Value
		for _, word := range strings.Fields(strings.ReplaceAll(line, ",", " ")) {
			var v Value = Unit{}
			if n, ok := parseInt(word); ok {
				v = n
			} else {
				v = parseFloat(word)
			}
			row = append(row, v)
		}
		rows = append(rows, row)
	}
	l := matrixValue(rows).(*List)
	if !isMatrix(l) {
		return nil, errRange("matrix: %q is no list of equal rows of numbers", clip(string(text)))
	}
	return l, nil
}

// size reads a number of rows or columns.
func (c *call) size(i int) (int, error) {
	n, err := c.small(i)
	if err == nil && (n < 1 || n > maxItems) {
		err = errRange("%s: a size must be in 1..%d", c.name, maxItems)
	}
	return n, err
}

func (c *call) sizes(i int) (rows, cols int, err error) {
	if rows, err = c.size(i); err == nil {
		cols, err = c.size(i + 1)
	}
	if err == nil && rows > maxItems/cols {
		err = errMemory()
	}
	return rows, cols, err
}

func (c *call) shaped(items []Value, rows, cols int) (Value, error) {
	if len(items) != rows*cols {
		return nil, errRange("%s: %d items do not make %d × %d", c.name, len(items), rows, cols)
	}
	out := make([][]Value, rows)
	for i := range out {
		out[i] = items[i*cols : (i+1)*cols : (i+1)*cols]
	}
	return matrixValue(out), nil
}

func builtinMat(c *call) (Value, error) {
	rows, cols, err := c.sizes(0)
	if err != nil {
		return nil, err
	}
	items, err := c.list(2)
	if err != nil {
		return nil, err
	}
	return c.shaped(items, rows, cols)
}

func builtinReshape(c *call) (Value, error) {
	v, err := builtinFlatten(c)
	if err != nil {
		return nil, err
	}
	rows, cols, err := c.sizes(1)
	if err != nil {
		return nil, err
	}
	return c.shaped(v.(*List).items, rows, cols)
}

func builtinTranspose(c *call) (Value, error) {
	m, err := c.matrix(0)
	if err != nil {
		return nil, err
	}
	out := make([][]Value, len(m[0]))
	for j := range out {
		for i := range m {
			out[j] = append(out[j], m[i][j])
		}
	}
	return matrixValue(out), nil
}

func builtinShape(c *call) (Value, error) {
	m, err := c.matrix(0)
	if err != nil {
		return nil, err
	}
	return NewList(NewInt(int64(len(m))), NewInt(int64(len(m[0])))), nil
}

func builtinMatmul(c *call) (Value, error) {
	for i := range c.args {
		if _, err := c.matrix(i); err != nil {
			return nil, err
		}
	}
	return c.w.matmul(c.args[0].(*List), c.args[1].(*List))
}

func (w *World) matmul(x, y *List) (Value, error) {
	a, b := rowsOf(x), rowsOf(y)
	if len(a[0]) != len(b) {
		return nil, errRange("the product of %d × %d and %d × %d does not exist", len(a), len(a[0]), len(b), len(b[0]))
	}
	out := make([][]Value, len(a))
	for i, row := range a {
		for j := range b[0] {
			if err := w.spend(len(b)); err != nil {
				return nil, err
			}
			v, err := dot(row, b, j)
			if err != nil {
				return nil, err
			}
			out[i] = append(out[i], v)
		}
	}
	return matrixValue(out), nil
}

// dot is a row times column j.
func dot(row []Value, b [][]Value, j int) (Value, error) {
	var sum Value = NewInt(0)
	for k, x := range row {
		p, err := arithmetic(syntax.MulOp, x, b[k][j])
		if err != nil {
			return nil, err
		}
		if sum, err = arithmetic(syntax.AddOp, sum, p); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

func (c *call) square() ([][]Value, error) {
	m, err := c.matrix(0)
	if err == nil && len(m) != len(m[0]) {
		err = errRange("%s needs a square matrix, this is %d × %d", c.name, len(m), len(m[0]))
	}
	return m, err
}

// builtinDet expands by Bareiss's elimination, which stays exact on Ints.
func builtinDet(c *call) (Value, error) {
	rows, err := c.square()
	if err != nil {
		return nil, err
	}
	n := len(rows)
	m := make([][]Value, n)
	for i, r := range rows {
		m[i] = append([]Value(nil), r...)
	}
	var previous Value = NewInt(1)
	negative := false
	for k := range n - 1 {
		p := k
		for p < n && same(m[p][k], NewInt(0)) {
			p++
		}
		if p == n {
			return NewInt(0), nil
		}
		if p != k {
			m[p], m[k], negative = m[k], m[p], !negative
		}
		if err := c.w.spend((n - k) * (n - k)); err != nil {
			return nil, err
		}
		if err := eliminate(m, k, previous); err != nil {
			return nil, err
		}
		previous = m[k][k]
	}
	d := m[n-1][n-1]
	if negative {
		return arithmetic(syntax.MulOp, d, NewInt(-1))
	}
	return d, nil
}

// eliminate is one step: m[i][j] = (m[i][j]·m[k][k] − m[i][k]·m[k][j]) / previous.
func eliminate(m [][]Value, k int, previous Value) error {
	for i := k + 1; i < len(m); i++ {
		for j := k + 1; j < len(m); j++ {
			a, err := arithmetic(syntax.MulOp, m[i][j], m[k][k])
			if err != nil {
				return err
			}
			b, err := arithmetic(syntax.MulOp, m[i][k], m[k][j])
			if err != nil {
				return err
			}
			if a, err = arithmetic(syntax.SubOp, a, b); err != nil {
				return err
			}
			if m[i][j], err = arithmetic(syntax.DivOp, a, previous); err != nil {
				return err
			}
		}
	}
	return nil
}

// diagonal is a matrix with these items on its diagonal.
func diagonal(items []Value) Value {
	rows := make([][]Value, len(items))
	for i := range rows {
		for j := range items {
			var v Value = NewInt(0)
			if i == j {
				v = items[i]
			}
			rows[i] = append(rows[i], v)
		}
	}
	return matrixValue(rows)
}

func repeated(v Value, n int) []Value {
	out := make([]Value, n)
	for i := range out {
		out[i] = v
	}
	return out
}

func builtinEye(c *call) (Value, error) {
	n, err := c.size(0)
	if err == nil && n > 2048 {
		err = errMemory()
	}
	if err != nil {
		return nil, err
	}
	return diagonal(repeated(NewInt(1), n)), nil
}

// filled is zeros or ones: a vector, or a matrix.
func filled(with int64) impl {
	return func(c *call) (Value, error) {
		if !c.has(len(c.args)-1) || len(c.args) == 1 {
			n, err := c.size(0)
			if err != nil {
				return nil, err
			}
			return NewList(repeated(NewInt(with), n)...), nil
		}
		rows, cols, err := c.sizes(0)
		if err != nil {
			return nil, err
		}
		return c.shaped(repeated(NewInt(with), rows*cols), rows, cols)
	}
}

// diagonalOf are the items on the diagonal.
func diagonalOf(m [][]Value) []Value {
	var out []Value
	for i := range min(len(m), len(m[0])) {
		out = append(out, m[i][i])
	}
	return out
}

func builtinDiag(c *call) (Value, error) {
	if l, ok := c.args[0].(*List); ok && numeric(l) {
		if l.Len() > 2048 {
			return nil, errMemory()
		}
		return diagonal(l.items), nil
	}
	m, err := c.matrix(0)
	if err != nil {
		return nil, err
	}
	return NewList(diagonalOf(m)...), nil
}

func builtinDiagSum(c *call) (Value, error) {
	m, err := c.square()
	if err != nil {
		return nil, err
	}
	return foldNumbers(syntax.AddOp, diagonalOf(m), 0)
}

func builtinScale(c *call) (Value, error) {
	if !isNumber(c.args[1]) {
		return nil, errArgument(c.name, 1, "a number", c.args[1])
	}
	if _, err := c.list(0); err != nil {
		return nil, err
	}
	return c.w.elementwise(syntax.MulOp, c.args[0], c.args[1])
}
