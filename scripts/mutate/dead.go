package main

import (
	"fmt"
	"strings"

	"soma.cell/frontend/format"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/interp"
	"soma.cell/ir"
	"soma.cell/proofs"
	"soma.cell/proofs/obligation"
)

// deadCode are the claims about dead code, as runs can break them.
type deadCode struct {
	stmts map[int]string       // by where a statement begins
	ends  map[[2]string]string // by cell and handler: it never returns
}

// deadCode gathers what is said to be dead. A statement that was lowered more than once is dead where
// all its places are, and handlers of one name never return where none of them does. Operations that
// always fail are not among them.
func (c *claims) deadCode() deadCode {
	d := deadCode{map[int]string{}, map[[2]string]string{}}
	places, bodies := map[int]int{}, map[[2]string]int{}
	for _, cell := range c.program.system.Cells {
		for _, a := range cell.Automata {
			bodies[[2]string{a.Cell, a.Name}]++
			for _, s := range a.Stmts {
				if s.Loc != ir.Exit && !s.Behind {
					places[s.Span.Start]++
				}
			}
		}
	}
	for _, o := range c.report.Obligations {
		if o.Kind != obligation.DeadCode || o.Verdict != obligation.Proven || strings.HasPrefix(o.Claim, "no run gets past ") {
			continue
		}
		if handler := [2]string{o.Cell, o.Handler}; strings.HasPrefix(o.Claim, "no run of ") {
			if bodies[handler]--; bodies[handler] == 0 {
				d.ends[handler] = o.ID
			}
		} else if places[o.Span.Start]--; places[o.Span.Start] == 0 {
			d.stmts[o.Span.Start] = o.ID
		}
	}
	return d
}

// marked is the program with a print before each statement that is said to be dead, and the claim that
// each text it prints breaks; nil when nothing is said to be dead.
func (c *claims) marked() (*claims, error) {
	dead := c.deadCode().stmts
	if len(dead) == 0 {
		return nil, nil
	}
	marks := map[string]string{}
	tree, _ := syntax.Parse(c.program.file) // a tree of its own: it is changed in place
	before := func(at int) []syntax.Stmt {
		id := dead[at]
		if id == "" {
			return nil
		}
		text := fmt.Sprintf("%s %d", oddText, at)
		marks[text] = id
		delete(dead, at)
		return []syntax.Stmt{printing(text)}
	}
	mark := func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Block:
			var stmts []syntax.Stmt
			for _, s := range n.Stmts {
				stmts = append(append(stmts, before(s.Span().Start)...), s)
			}
			n.Stmts = stmts
		case *syntax.Arm:
			n.Value, n.Body = marked(before, n.Value, n.Body)
		case *syntax.Lambda:
			n.X, n.Body = marked(before, n.X, n.Body)
		}
		return true
	}
	for _, d := range tree.Decls {
		for _, h := range d.Handlers {
			syntax.Inspect(h.Body, mark)
		}
		for _, t := range d.Timers {
			syntax.Inspect(t.Body, mark)
		}
	}
	text := format.File(tree)
	p := read(source.NewFile(c.program.file.Name, text))
	if p == nil || len(dead) > 0 {
		return nil, fmt.Errorf("%s: %d dead statements are not marked:\n%s", c.program.file.Name, len(dead), text)
	}
	return &claims{program: p, report: &proofs.Report{}, marks: marks}, nil
}

// marked is an arm or a function that is an expression, as a block when the expression gets a mark.
func marked(before func(at int) []syntax.Stmt, x syntax.Expr, body *syntax.Block) (syntax.Expr, *syntax.Block) {
	if x == nil {
		return x, body
	}
	stmts := before(x.Span().Start)
	if stmts == nil {
		return x, body
	}
	place := syntax.Place{At: x.Span()}
	return nil, &syntax.Block{Place: place, Stmts: append(stmts, &syntax.ExprStmt{Place: place, X: x})}
}

// printing is a statement that prints a text.
func printing(text string) syntax.Stmt {
	tree, _ := syntax.Parse(source.NewFile("mark.cell", fmt.Sprintf("cell M { on m() { print(%q) } }", text)))
	return tree.Decls[0].Handlers[0].Body.Stmts[0]
}

// printed says which claim a text breaks that a marked program prints, "" for none.
func (c *claims) printed(args []interp.Value) string {
	if len(args) == 0 {
		return ""
	}
	return c.marks[interp.Render(args[0])]
}
