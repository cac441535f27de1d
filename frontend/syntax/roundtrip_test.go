package syntax

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Expressions drawn at random are printed and parsed again: the tree is the same, and the
// place of each operand is its printed text.

const primaryLevel = unaryLevel + 1

// drawExpr draws an expression that may stand where a level is asked for; what binds less
// tightly comes in parentheses.
func drawExpr(t *rapid.T, depth, level int) Expr {
	if depth == 0 {
		return drawLeaf(t)
	}
	x, own := drawForm(t, depth-1)
	if own < level {
		return &Paren{X: x}
	}
	return x
}

func drawLeaf(t *rapid.T) Expr {
	switch rapid.IntRange(0, 7).Draw(t, "leaf") {
	case 0:
		return &Int{Value: big.NewInt(rapid.Int64Range(0, 1<<40).Draw(t, "int"))}
	case 1:
		return &Float{Value: float64(rapid.IntRange(0, 1000).Draw(t, "float")) + 0.5}
	case 2:
		return &Bool{Value: rapid.Bool().Draw(t, "bool")}
	case 3:
		return &Unit{}
	case 4:
		return &VariantRef{Name: Ident{Name: "Pending"}}
	case 5:
		return &String{Segments: drawText(t)}
	}
	return &Name{Name: drawName(t)}
}

func drawName(t *rapid.T) string {
	return rapid.SampledFrom([]string{"a", "b_1", "state", "_x", "guard", "matching", "think"}).Draw(t, "name")
}

func drawText(t *rapid.T) []Segment {
	text := rapid.StringOfN(rapid.SampledFrom([]rune("ab{}\"\\\n:,7é😀 ")), 0, 8, -1).Draw(t, "text")
	if text == "" {
		return nil
	}
	return []Segment{{Text: text}}
}

// drawForm draws an expression with operands, and tells the level it has.
func drawForm(t *rapid.T, depth int) (Expr, int) {
	sub := func(level int) Expr { return drawExpr(t, depth, level) }
	args := func() []Expr {
		var list []Expr
		for range rapid.IntRange(0, 2).Draw(t, "args") {
			list = append(list, sub(lowest))
		}
		return list
	}
	block := func() *Block { return &Block{Stmts: []Stmt{&ExprStmt{X: sub(lowest)}}} }
	switch rapid.IntRange(0, 14).Draw(t, "form") {
	case 0, 1, 2:
		op := BinOp(rapid.IntRange(int(OrOp), int(RemOp)).Draw(t, "op"))
		level := levelOf(op)
		left := level
		if level == compareLevel {
			left++
		}
		return &Binary{Op: op, X: sub(left), Y: sub(level + 1)}, level
	case 3:
		p := &Pipe{X: sub(pipeLevel), Call: &Call{Fun: &Name{Name: drawName(t)}, Args: args()}}
		if rapid.Bool().Draw(t, "qualified") {
			p.Cell = &Ident{Name: "Bank"}
		}
		return p, pipeLevel
	case 4:
		return &Unary{Not: rapid.Bool().Draw(t, "not"), X: sub(unaryLevel)}, unaryLevel
	case 5:
		return &Call{Fun: &Name{Name: drawName(t)}, Args: args()}, primaryLevel
	case 6:
		return &Method{X: sub(primaryLevel), Name: Ident{Name: "match"}, Args: args()}, primaryLevel
	case 7:
		return &Field{X: sub(primaryLevel), Name: Ident{Name: "Total"}}, primaryLevel
	case 8:
		return &Index{X: sub(primaryLevel), I: sub(lowest)}, primaryLevel
	case 9:
		return &Propagate{X: sub(primaryLevel)}, primaryLevel
	case 10:
		return &List{Items: args()}, primaryLevel
	case 11:
		return &Record{Name: Ident{Name: "Charged"}, Fields: []FieldInit{{Ident{Name: "if"}, sub(lowest)}, {Ident{Name: "b"}, sub(lowest)}}}, primaryLevel
	case 12:
		return &Lambda{Params: []Ident{{Name: "x"}}, X: sub(lowest)}, lowest - 1
	case 13:
		s := &String{Segments: drawText(t)}
		s.Segments = append(s.Segments, Segment{X: sub(lowest)})
		s.Segments = append(s.Segments, drawText(t)...)
		return s, primaryLevel
	}
	if rapid.Bool().Draw(t, "if") {
		return &If{Cond: &Paren{X: sub(lowest)}, Then: block(), Else: block()}, lowest - 1
	}
	return &Match{X: &Paren{X: sub(lowest)}, Arms: []*Arm{
		{Patterns: []Pattern{&Bind{Name: "k"}}, Guard: sub(lowest), Body: block()},
		{Patterns: []Pattern{&Wildcard{}}, Body: block()},
	}}, lowest - 1
}

func levelOf(op BinOp) int {
	for k := tokEOF; k <= tokSemi; k++ {
		if o, level := binaryOp(k); o == op && level > 0 && k != tokPipe {
			return level
		}
	}
	return 0
}

// show prints a tree.
func show(x Expr) string {
	list := func(items []Expr) string {
		var parts []string
		for _, i := range items {
			parts = append(parts, show(i))
		}
		return strings.Join(parts, ", ")
	}
	switch x := x.(type) {
	case *Int:
		return x.Value.String()
	case *Float:
		return strings.TrimSuffix(dump(x), "f")
	case *Bool, *Unit, *Name, *VariantRef:
		return dump(x)
	case *Paren:
		return "(" + show(x.X) + ")"
	case *Binary:
		return show(x.X) + " " + x.Op.String() + " " + show(x.Y)
	case *Pipe:
		cell := ""
		if x.Cell != nil {
			cell = x.Cell.Name + "."
		}
		return show(x.X) + " |> " + cell + show(x.Call)
	case *Unary:
		return map[bool]string{true: "!", false: "- "}[x.Not] + show(x.X)
	case *Call:
		return show(x.Fun) + "(" + list(x.Args) + ")"
	case *Method:
		return show(x.X) + "." + x.Name.Name + "(" + list(x.Args) + ")"
	case *Field:
		return show(x.X) + "." + x.Name.Name
	case *Index:
		return show(x.X) + "[" + show(x.I) + "]"
	case *Propagate:
		inner := show(x.X)
		if strings.HasSuffix(inner, "?") {
			inner += " " // ?? is an operator
		}
		return inner + "?"
	case *List:
		return "[" + list(x.Items) + "]"
	case *Record:
		var parts []string
		for _, f := range x.Fields {
			parts = append(parts, f.Name.Name+": "+show(f.Value))
		}
		return x.Name.Name + " { " + strings.Join(parts, ", ") + " }"
	case *Lambda:
		return "x => " + show(x.X)
	case *If:
		return "if " + show(x.Cond) + " " + showBlock(x.Then) + " else " + showBlock(x.Else.(*Block))
	case *Match:
		return "match " + show(x.X) + " { k if " + show(x.Arms[0].Guard) + " -> " + showBlock(x.Arms[0].Body) + " _ -> " + showBlock(x.Arms[1].Body) + " }"
	case *String:
		return showString(x)
	}
	return "?"
}

func showBlock(b *Block) string { return "{ " + show(b.Stmts[0].(*ExprStmt).X) + " }" }

func showString(s *String) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, seg := range s.Segments {
		if seg.X == nil {
			b.WriteString(strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "{", "{{", "}", "}}").Replace(seg.Text))
			continue
		}
		inner := show(seg.X)
		b.WriteString("{ " + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(inner) + " }")
	}
	b.WriteByte('"')
	return b.String()
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawExpr(t, rapid.IntRange(0, 5).Draw(t, "depth"), lowest)
		text := show(want)
		f, list := parse(inBody("return " + text))
		if len(list) > 0 {
			t.Fatalf("%s\n%s: %s", text, briefly(list), list[0].Message)
		}
		got := f.Decls[0].Handlers[0].Body.Stmts[0].(*Return).Value
		if dump(got) != dump(want) {
			t.Fatalf("%s\n got %s\nwant %s", text, dump(got), dump(want))
		}
		samePlaces(t, got, want)
	})
}

// samePlaces compares the source text of each node outside strings with its printed form.
func samePlaces(t *rapid.T, got, want Expr) {
	if got.Span().Text() != show(want) {
		t.Fatalf("the place of %s covers %q", show(want), got.Span().Text())
	}
	if _, isString := got.(*String); isString {
		return
	}
	g, w := operands(got), operands(want)
	for i := range g {
		samePlaces(t, g[i], w[i])
	}
}

// operands lists the expressions directly inside x.
func operands(x Expr) []Expr {
	var out []Expr
	var collect func(n Node)
	collect = func(n Node) {
		for _, child := range children(n) {
			switch child := child.(type) {
			case nil:
			case Expr:
				if !isNil(child) {
					out = append(out, child)
				}
			default:
				if !isNil(child) {
					collect(child)
				}
			}
		}
	}
	collect(x)
	return out
}
