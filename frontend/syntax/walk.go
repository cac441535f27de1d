package syntax

// Inspect visits n and everything inside it, in source order, as long as visit says so:
// where it answers false, the inside of that node is skipped. Nil nodes are not visited.
func Inspect(n Node, visit func(Node) bool) {
	if isNil(n) || !visit(n) {
		return
	}
	for _, child := range children(n) {
		Inspect(child, visit)
	}
}

func isNil(n Node) bool {
	switch n := n.(type) {
	case nil:
		return true
	case *Block:
		return n == nil
	case *Call:
		return n == nil
	}
	return false
}

func children(n Node) []Node {
	switch n := n.(type) {
	case Expr:
		return insideExpr(n)
	case Stmt:
		return insideStmt(n)
	case Pattern:
		return insidePattern(n)
	case *Block:
		return nodes(n.Stmts)
	case *Arm:
		out := append(nodes(n.Patterns), n.Guard, n.Value)
		return append(out, n.Body)
	}
	return nil
}

func insideExpr(x Expr) []Node {
	switch x := x.(type) {
	case *String:
		var out []Node
		for _, s := range x.Segments {
			out = append(out, s.X)
		}
		return out
	case *List:
		return nodes(x.Items)
	case *Record:
		var out []Node
		for _, f := range x.Fields {
			out = append(out, f.Value)
		}
		return out
	case *Unary:
		return []Node{x.X}
	case *Binary:
		return []Node{x.X, x.Y}
	case *Call:
		return append([]Node{x.Fun}, nodes(x.Args)...)
	case *Method:
		return append([]Node{x.X}, nodes(x.Args)...)
	case *Field:
		return []Node{x.X}
	case *Index:
		return []Node{x.X, x.I}
	case *Pipe:
		return []Node{x.X, x.Call}
	case *Propagate:
		return []Node{x.X}
	case *Lambda:
		return []Node{x.X, x.Body}
	case *If:
		return []Node{x.Cond, x.Then, x.Else}
	case *Try:
		return []Node{x.Body}
	case *Match:
		return append([]Node{x.X}, nodes(x.Arms)...)
	case *Paren:
		return []Node{x.X}
	}
	return nil
}

func insideStmt(s Stmt) []Node {
	switch s := s.(type) {
	case *Let:
		return []Node{s.Value}
	case *Assign:
		return []Node{s.Target, s.Value}
	case *ExprStmt:
		return []Node{s.X}
	case *For:
		return []Node{s.Bound, s.In, s.Body}
	case *While:
		return []Node{s.Bound, s.Cond, s.Body}
	case *Return:
		return []Node{s.Value}
	case *Require:
		return []Node{s.Cond, s.Message}
	case *Ensure:
		return []Node{s.Cond}
	case *Emit:
		return nodes(s.Args)
	case *Mock:
		return []Node{s.Reply}
	case *Assert:
		return []Node{s.Cond}
	case *AssertFails:
		return []Node{s.X, s.Matching}
	case *Property:
		return []Node{s.Lo, s.Hi, s.Count, s.Cond}
	}
	return nil
}

func insidePattern(p Pattern) []Node {
	switch p := p.(type) {
	case *LiteralPattern:
		return []Node{p.Value}
	case *MapPattern:
		return fieldPatterns(p.Fields)
	case *VariantPattern:
		return append(nodes(p.Args), fieldPatterns(p.Fields)...)
	}
	return nil
}

func fieldPatterns(fields []FieldPattern) []Node {
	var out []Node
	for _, f := range fields {
		out = append(out, f.Value)
	}
	return out
}

func nodes[T Node](list []T) []Node {
	out := make([]Node, 0, len(list)+3)
	for _, n := range list {
		out = append(out, n)
	}
	return out
}
