package format

import (
	"strings"

	"soma.cell/frontend/syntax"
)

// block writes a block over several lines, or on one where everything is.
func (p *printer) block(b *syntax.Block) {
	if !p.flat {
		p.lines(len(b.Stmts), func(i int) { p.stmt(b.Stmts[i]) })
		return
	}
	p.side(len(b.Stmts), `-(["`, func(i int) bool {
		p.stmt(b.Stmts[i])
		return false
	})
}

// side writes n items between braces on one line. An item that starts with one of the clashing
// characters would be read as the end of the one before, unless that says it is closed.
func (p *printer) side(n int, clashing string, item func(i int) (closed bool)) {
	if n == 0 {
		p.write("{}")
		return
	}
	p.write("{ ")
	closed := true
	for i := range n {
		if i > 0 {
			p.write("  ")
		}
		start := p.out.Len()
		ends := item(i)
		if first := p.out.String()[start:]; !closed && first != "" && strings.IndexByte(clashing, first[0]) >= 0 {
			p.clash = true
		}
		closed = ends
	}
	p.write(" }")
}

func (p *printer) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Let:
		p.write("let ", s.Name.Name, " = ")
		p.expr(s.Value, anywhere)
	case *syntax.Assign:
		p.start(s.Target)
		p.write(" ", s.Op.String(), "= ")
		p.expr(s.Value, anywhere)
	case *syntax.ExprStmt:
		p.start(s.X)
	case *syntax.For:
		p.write("for ")
		p.bound(s.Bound)
		p.write(s.Var.Name, " in ")
		p.expr(s.In, header)
		p.write(" ")
		p.block(s.Body)
	case *syntax.While:
		p.write("while ")
		p.bound(s.Bound)
		p.expr(s.Cond, header)
		p.write(" ")
		p.block(s.Body)
	case *syntax.Break:
		p.write("break")
	case *syntax.Continue:
		p.write("continue")
	case *syntax.Return:
		p.write("return")
		if s.Value != nil {
			p.write(" ")
			p.expr(s.Value, anywhere)
		}
	case *syntax.Require:
		p.require(s)
	case *syntax.Ensure:
		p.write("ensure ")
		p.expr(s.Cond, anywhere)
	case *syntax.Emit:
		p.write("emit ", s.Event.Name)
		p.args(s.Args)
	default:
		p.rule(s)
	}
}

// rule writes a statement of a test cell.
func (p *printer) rule(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Mock:
		p.write("mock ")
		if s.Cell != nil {
			p.write(s.Cell.Name, ".")
		}
		p.write(s.Name.Name, " ")
		if s.Error {
			p.write("error ")
		}
		p.expr(s.Reply, anywhere)
	case *syntax.Assert:
		p.write("assert ")
		p.expr(s.Cond, anywhere)
	case *syntax.AssertFails:
		p.write("assert_fails ")
		p.expr(s.X, anywhere)
		if s.Matching != nil {
			p.write(" matching ")
			p.expr(s.Matching, anywhere)
		}
	case *syntax.Property:
		p.property(s)
	default:
		p.write(s.Span().Text())
	}
}

func (p *printer) property(s *syntax.Property) {
	p.write("property ")
	p.text(s.Name)
	p.write(" forall ", s.Var.Name, ": ")
	p.typ(s.Type)
	p.write(" in ")
	p.expr(s.Lo, context{level: syntax.AddLevel, followed: true})
	p.write("..")
	p.expr(s.Hi, context{level: syntax.AddLevel})
	if s.Count != nil {
		p.write(" count ")
		p.expr(s.Count, anywhere)
	}
	p.write(" ensures ")
	p.expr(s.Cond, anywhere)
}

func (p *printer) bound(x syntax.Expr) {
	if x == nil {
		return
	}
	p.write("[loop_bound(")
	p.expr(x, anywhere)
	p.write(")] ")
}

func (p *printer) require(s *syntax.Require) {
	p.write("require ")
	p.expr(s.Cond, context{elseFollows: true})
	p.write(" else ")
	if isWord(s.Tag.Name) {
		p.write(s.Tag.Name)
	} else {
		p.text(s.Tag.Name)
	}
	if s.Message != nil {
		p.write(" ")
		p.expr(s.Message, anywhere)
	}
}

// start writes an expression that starts a statement. An if or match there ends the statement
// before a minus or a bracket, unless it stands in parentheses.
func (p *printer) start(x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.If:
		p.ifElse(x, anywhere, x.Else == nil)
		return
	}
	p.expr(x, context{enclosed: cutOff(x)})
}

// cutOff finds the if or match at the left end of an expression before a minus or a bracket.
func cutOff(x syntax.Expr) syntax.Expr {
	var around syntax.Expr
	for {
		next := x
		switch x := x.(type) {
		case *syntax.Binary:
			next = x.X
		case *syntax.Pipe:
			next = x.X
		case *syntax.Method:
			next = x.X
		case *syntax.Field:
			next = x.X
		case *syntax.Index:
			next = x.X
		case *syntax.Propagate:
			next = x.X
		case *syntax.If, *syntax.Match:
			switch around := around.(type) {
			case *syntax.Index:
				return x
			case *syntax.Binary:
				if around.Op == syntax.SubOp {
					return x
				}
			}
			return nil
		default:
			return nil
		}
		around, x = x, next
	}
}
