package syntax

import (
	"fmt"
	"strconv"
	"strings"
)

// dump prints a tree as an S-expression, for tests.
func dump(n any) string {
	switch n := n.(type) {
	case nil:
		return "nil"
	case Ident:
		return n.Name
	case *Name:
		return n.Name
	case *Int:
		return n.Value.String()
	case *Float:
		return strconv.FormatFloat(n.Value, 'g', -1, 64) + "f"
	case *Bool:
		return strconv.FormatBool(n.Value)
	case *Unit:
		return "()"
	case *String:
		return dumpString(n)
	case *List:
		return form("list", items(n.Items)...)
	case *Record:
		var parts []string
		for _, f := range n.Fields {
			parts = append(parts, f.Name.Name+":"+dump(f.Value))
		}
		return form("record "+typed(n.Type, n.Name), parts...)
	case *VariantRef:
		return typed(n.Type, n.Name)
	case *Unary:
		return form(map[bool]string{true: "!", false: "neg"}[n.Not], dump(n.X))
	case *Binary:
		return form(n.Op.String(), dump(n.X), dump(n.Y))
	case *Call:
		return form("call "+dump(n.Fun), items(n.Args)...)
	case *Method:
		return form("method "+dump(n.X)+" "+n.Name.Name, items(n.Args)...)
	case *Field:
		return form("field", dump(n.X), n.Name.Name)
	case *Index:
		return form("index", dump(n.X), dump(n.I))
	case *Pipe:
		cell := ""
		if n.Cell != nil {
			cell = n.Cell.Name + "."
		}
		return form("pipe", dump(n.X), cell+dump(n.Call))
	case *Propagate:
		return form("?", dump(n.X))
	case *Lambda:
		var names []string
		for _, p := range n.Params {
			names = append(names, p.Name)
		}
		body := dump(n.X)
		if n.Body != nil {
			body = dump(n.Body)
		}
		return form("fn "+strings.Join(names, ","), body)
	case *If:
		parts := []string{dump(n.Cond), dump(n.Then)}
		if n.Else != nil {
			parts = append(parts, dump(n.Else))
		}
		return form("if", parts...)
	case *Try:
		return form("try", dump(n.Body))
	case *Match:
		parts := []string{dump(n.X)}
		for _, a := range n.Arms {
			parts = append(parts, dump(a))
		}
		return form("match", parts...)
	case *Arm:
		var pats []string
		for _, p := range n.Patterns {
			pats = append(pats, dump(p))
		}
		out := strings.Join(pats, "|")
		if n.Guard != nil {
			out += " if " + dump(n.Guard)
		}
		if n.Body != nil {
			return form("arm", out, dump(n.Body))
		}
		return form("arm", out, dump(n.Value))
	case *Paren:
		return form("paren", dump(n.X))
	case *BadExpr:
		return "BAD"
	case *Block:
		var parts []string
		for _, s := range n.Stmts {
			parts = append(parts, dump(s))
		}
		return "{" + strings.Join(parts, "; ") + "}"
	case Stmt:
		return dumpStmt(n)
	case Pattern:
		return dumpPattern(n)
	}
	return fmt.Sprintf("?%T", n)
}

func dumpStmt(s Stmt) string {
	switch s := s.(type) {
	case *Let:
		return form("let", s.Name.Name, dump(s.Value))
	case *Assign:
		return form(s.Op.String()+"=", dump(s.Target), dump(s.Value))
	case *ExprStmt:
		return dump(s.X)
	case *For:
		return form("for", bound(s.Bound)+s.Var.Name, dump(s.In), dump(s.Body))
	case *While:
		return form("while", bound(s.Bound)+dump(s.Cond), dump(s.Body))
	case *Break:
		return "break"
	case *Continue:
		return "continue"
	case *Return:
		return form("return", dump(s.Value))
	case *Require:
		return form("require", dump(s.Cond), s.Tag.Name, dump(s.Message))
	case *Ensure:
		return form("ensure", dump(s.Cond))
	case *Emit:
		return form("emit "+s.Event.Name, items(s.Args)...)
	case *Mock:
		name := s.Name.Name
		if s.Cell != nil {
			name = s.Cell.Name + "." + name
		}
		if s.Error {
			name += " error"
		}
		return form("mock", name, dump(s.Reply))
	case *Assert:
		return form("assert", dump(s.Cond))
	case *AssertFails:
		return form("assert_fails", dump(s.X), dump(s.Matching))
	case *Property:
		return form("property", strconv.Quote(s.Name), s.Var.Name+":"+s.Type.At.Text(), dump(s.Lo), dump(s.Hi), dump(s.Count), dump(s.Cond))
	case *BadStmt:
		return "BAD"
	}
	return fmt.Sprintf("?%T", s)
}

func dumpPattern(p Pattern) string {
	switch p := p.(type) {
	case *LiteralPattern:
		return dump(p.Value)
	case *Wildcard:
		return "_"
	case *Bind:
		return p.Name
	case *RangePattern:
		return p.Lo.String() + ".." + p.Hi.String()
	case *PrefixPattern:
		return strconv.Quote(p.Prefix) + "+" + p.Rest.Name
	case *MapPattern:
		return form("map", dumpFields(p.Fields)...)
	case *VariantPattern:
		parts := dumpFields(p.Fields)
		for _, a := range p.Args {
			parts = append(parts, dump(a))
		}
		if p.Rest {
			parts = append(parts, "..")
		}
		name := typed(p.Type, p.Name)
		switch {
		case p.Tuple:
			return form(name+"()", parts...)
		case p.Struct:
			return form(name+"{}", parts...)
		}
		return name
	}
	return fmt.Sprintf("?%T", p)
}

func dumpString(s *String) string {
	if text, ok := s.Literal(); ok {
		return strconv.Quote(text)
	}
	var parts []string
	for _, seg := range s.Segments {
		if seg.X != nil {
			parts = append(parts, dump(seg.X))
		} else {
			parts = append(parts, strconv.Quote(seg.Text))
		}
	}
	return form("str", parts...)
}

func form(head string, parts ...string) string {
	return "(" + strings.Join(append([]string{head}, parts...), " ") + ")"
}

func items(list []Expr) []string {
	var out []string
	for _, x := range list {
		out = append(out, dump(x))
	}
	return out
}

func dumpFields(list []FieldPattern) []string {
	var out []string
	for _, f := range list {
		out = append(out, f.Name.Name+":"+dump(f.Value))
	}
	return out
}

func typed(owner *Ident, name Ident) string {
	if owner != nil {
		return owner.Name + "::" + name.Name
	}
	return name.Name
}

func bound(x Expr) string {
	if x == nil {
		return ""
	}
	return "[" + dump(x) + "] "
}
