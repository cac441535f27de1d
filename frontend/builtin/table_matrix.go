package builtin

// matrixRows are vectors and matrices; a matrix is a list of equal rows.
func matrixRows() []row {
	shape := []string{"range"}
	return []row{
		{signature: "matrix(rows: String|List) -> List", doc: "the matrix of \"1 2; 3 4\"", raises: shape},
		{signature: "mat(rows: Int, cols: Int, items: List) -> List", doc: "a matrix of a flat list", raises: shape},
		{signature: "reshape(xs: List, rows: Int, cols: Int) -> List", doc: "the same items in another shape", raises: shape},
		{signature: "transpose(m: List) -> List", doc: "rows and columns exchanged"},
		{signature: "shape(m: List) -> List<Int>", doc: "[rows, columns]"},
		{signature: "matmul(a: List, b: List) -> List", doc: "the matrix product", raises: shape},
		{signature: "det(m: List) -> Number", doc: "the determinant", raises: shape},
		{signature: "eye(n: Int) -> List", doc: "the identity matrix", raises: shape},
		{signature: "identity(n: Int) -> List", doc: "the identity matrix", raises: shape},
		{signature: "zeros(rows: Int, cols?: Int) -> List", doc: "a vector or matrix of zeros", raises: shape},
		{signature: "ones(rows: Int, cols?: Int) -> List", doc: "a vector or matrix of ones", raises: shape},
		{signature: "diag(x: List) -> List", doc: "a diagonal matrix, or the diagonal of a matrix"},
		{signature: "diag_sum(m: List) -> Number", doc: "the trace of a matrix", raises: shape},
		{signature: "rows(m: List) -> Int", doc: "the number of rows"},
		{signature: "cols(m: List) -> Int", doc: "the number of columns"},
		{signature: "scale(m: List, by: Number) -> List", doc: "every item times a number"},
		{signature: "flatten_mat(m: List) -> List", doc: "the rows one after the other"},
	}
}
