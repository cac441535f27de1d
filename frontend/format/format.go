// Package format writes syntax trees as source text in one canonical form.
//
// What is written reads back as the same tree, places and parentheses that change nothing
// aside: where a tree that was put together by hand needs parentheses, they are added. The
// form depends on the tree alone, so writing what was read back gives the same text.
//
// A tree does not hold comments, nor how a literal was spelled: numbers come in decimals,
// durations in the largest unit that fits, strings between plain quotes where they can be. Sections
// come in a fixed order.
package format

import (
	"strings"

	"soma.cell/frontend/syntax"
)

const (
	indentation = "    "
	width       = 100 // of a line that may hold a whole block
)

// File is the text of a file.
func File(f *syntax.File) string {
	p := &printer{}
	p.file(f)
	return p.out.String()
}

// Node is the text of a declaration, a signal, a type, a statement, an expression or a
// pattern, without a line break at its end. Other nodes give their source text.
func Node(n syntax.Node) string {
	p := &printer{}
	switch n := n.(type) {
	case *syntax.Decl:
		p.decl(n)
	case *syntax.Signal:
		p.signal(n)
	case *syntax.Type:
		p.typ(n)
	case syntax.Stmt:
		p.stmt(n)
	case syntax.Expr:
		p.expr(n, anywhere)
	case syntax.Pattern:
		p.pattern(n)
	default:
		return n.Span().Text()
	}
	return p.out.String()
}

// printer holds a text in the making.
type printer struct {
	out     strings.Builder
	line    int // where the current line starts
	indent  int
	bol     bool // the next word starts a line
	flat    bool // everything stands on one line
	clash   bool // flat: two neighbours would be read as one
	segment bool // inside a segment of a string
}

func (p *printer) write(parts ...string) {
	for _, s := range parts {
		if s == "" {
			continue
		}
		if p.bol {
			p.out.WriteString(strings.Repeat(indentation, p.indent))
			p.bol = false
		}
		if i := strings.LastIndexByte(s, '\n'); i >= 0 {
			p.line = p.out.Len() + i + 1
		}
		p.out.WriteString(s)
	}
}

func (p *printer) newline() {
	p.out.WriteByte('\n')
	p.line, p.bol = p.out.Len(), true
}

// column is the width of the line so far.
func (p *printer) column() int {
	if p.bol {
		return p.indent * len(indentation)
	}
	return p.out.Len() - p.line
}

// lines writes n items between braces, each on a line of its own.
func (p *printer) lines(n int, item func(i int)) {
	if n == 0 {
		p.write("{}")
		return
	}
	p.write("{")
	p.indent++
	for i := range n {
		p.newline()
		item(i)
	}
	p.indent--
	p.newline()
	p.write("}")
}

// list writes n items separated by commas.
func (p *printer) list(open string, n int, item func(i int), closing string) {
	p.write(open)
	for i := range n {
		if i > 0 {
			p.write(", ")
		}
		item(i)
	}
	p.write(closing)
}

// oneLine writes a small node on one line when there is room, and tells whether it did.
func (p *printer) oneLine(n syntax.Node, write func(*printer)) bool {
	if p.flat {
		write(p)
		return true
	}
	if !small(n) {
		return false
	}
	line := &printer{flat: true, segment: p.segment}
	write(line)
	if line.clash || p.column()+line.out.Len() > width {
		return false
	}
	p.write(line.out.String())
	return true
}

// small tells whether a node is worth a line: each block in it holds one statement at most.
func small(n syntax.Node) bool {
	const most = 40
	nodes := 0
	syntax.Inspect(n, func(inner syntax.Node) bool {
		switch inner := inner.(type) {
		case *syntax.Match, *syntax.For, *syntax.While:
			nodes = most
		case *syntax.Block:
			if len(inner.Stmts) > 1 {
				nodes = most
			}
		}
		nodes++
		return nodes < most
	})
	return nodes < most
}
