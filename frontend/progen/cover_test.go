package progen_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"soma.cell/frontend/builtin"
	"soma.cell/frontend/progen"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// Together the programs use the whole language: every node of the tree, operator, form of
// assignment, operation on slots, meaning of a call, and effectful builtin occurs. The list of
// what there is comes from the sources and tables, so that what is added to the language is
// missed here.
func TestProgramsCoverTheLanguage(t *testing.T) {
	seen := counts{}
	for seed := range uint64(2000) {
		p := progen.New(progen.Seed(seed), progen.Options{Library: true})
		program, errs := resolved(p)
		if len(errs) > 0 {
			t.Fatalf("seed %d: %s: %s", seed, errs[0].Span, errs[0].Message)
		}
		for _, f := range program.Files {
			seen.tree(reflect.ValueOf(f), program.Info)
		}
	}
	wanted := append(nodeKinds(t), features()...)
	for _, b := range builtin.All() {
		if b.Class != builtin.Pure {
			wanted = append(wanted, "effect "+b.Name)
		}
	}
	slices.Sort(wanted)
	for _, what := range wanted {
		t.Logf("%7d %s", seen[what], what)
		if seen[what] == 0 {
			t.Errorf("no program has %s", what)
		}
	}
}

// features are what the kinds of nodes do not tell apart.
func features() []string {
	var out []string
	for op := syntax.OrOp; op <= syntax.RemOp; op++ {
		out = append(out, "operator "+op.String())
	}
	for _, target := range []string{"Name", "Index", "Field"} {
		out = append(out, "assign "+target+" =")
	}
	for _, op := range []string{"+", "-", "*", "/"} {
		out = append(out, "assign Name "+op+"=", "assign Index "+op+"=")
	}
	for _, op := range []string{"get", "set", "has", "delete", "len", "size", "keys", "values", "index", "value"} {
		out = append(out, "map slot "+op)
	}
	for _, op := range []string{"get", "set", "delete", "len", "size", "push", "append", "last", "index", "value"} {
		out = append(out, "list slot "+op)
	}
	for kind := resolve.CallBuiltin; kind <= resolve.CallValue; kind++ {
		out = append(out, fmt.Sprintf("callee %d", kind))
	}
	for kind := syntax.PlainCell; kind <= syntax.Flesh; kind++ {
		out = append(out, fmt.Sprintf("declaration %d", kind))
	}
	for kind := syntax.Reads; kind <= syntax.Calls; kind++ {
		out = append(out, fmt.Sprintf("clause %d", kind))
	}
	for kind := syntax.PropEventually; kind <= syntax.PropFair; kind++ {
		out = append(out, fmt.Sprintf("property %d", kind))
	}
	return append(out, "value get", "value has", "value last", "value size", "slot total", "state as a name", "computed move", "literal move",
		"declared move", "undeclared move", "wildcard", "guard", "typed machine", "interpolation", "triple quotes", "tool", "frame",
		"special value", "special key", "special size", "special status", "lambda of 2", "block lambda")
}

// nodeKinds reads the sources of the tree for the types that are nodes.
func nodeKinds(t *testing.T) []string {
	names, err := filepath.Glob("../syntax/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	node := func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		if s, ok := spec.Type.(*ast.StructType); ok && len(s.Fields.List) > 0 && len(s.Fields.List[0].Names) == 0 {
			embedded, ok := s.Fields.List[0].Type.(*ast.Ident)
			if ok && embedded.Name == "Place" && !strings.HasPrefix(spec.Name.Name, "Bad") && ast.IsExported(spec.Name.Name) {
				out = append(out, "node "+spec.Name.Name)
			}
		}
		return true
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, node)
	}
	if len(out) < 50 {
		t.Fatalf("only %d kinds of nodes found", len(out))
	}
	return out
}

// counts tells how often something occurs.
type counts map[string]int

// tree counts what a part of a tree holds.
func (c counts) tree(v reflect.Value, info *resolve.Info) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		if n, ok := v.Interface().(syntax.Node); ok && v.Kind() == reflect.Pointer {
			c.node(n, info)
		}
		if v.Type().String() != "*source.File" && v.Type().String() != "*big.Int" {
			c.tree(v.Elem(), info)
		}
	case reflect.Struct:
		if v.Type().PkgPath() == reflect.TypeOf(syntax.File{}).PkgPath() {
			c["node "+v.Type().Name()]++
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				c.tree(v.Field(i), info)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			c.tree(v.Index(i), info)
		}
	}
}

// node counts the features of a node.
func (c counts) node(n syntax.Node, info *resolve.Info) {
	if x, ok := n.(syntax.Expr); ok {
		if callee := info.Calls[x]; callee != nil {
			c.callee(callee, x)
		}
		if use := info.Slots[x]; use != nil {
			c[slotKind(use.Slot)+" slot "+use.Op]++
		}
	}
	switch n := n.(type) {
	case *syntax.Binary:
		c["operator "+n.Op.String()]++
	case *syntax.Assign:
		c["assign "+reflect.TypeOf(n.Target).Elem().Name()+" "+n.Op.String()+"="]++
	case *syntax.Decl:
		c[fmt.Sprintf("declaration %d", n.Kind)]++
	case *syntax.Clause:
		c[fmt.Sprintf("clause %d", n.Kind)]++
	case *syntax.Prop:
		c[fmt.Sprintf("property %d", n.Kind)]++
	case *syntax.Name:
		switch ref := info.Names[n]; {
		case ref == nil:
		case ref.Kind == resolve.RefState:
			c["state as a name"]++
		case ref.Kind == resolve.RefSpecial:
			c["special "+n.Name]++
		case ref.Kind == resolve.RefSlot:
			c[slotKind(ref.Slot)+" slot value"]++
		}
	case *syntax.EdgeRow:
		if n.From == nil {
			c["wildcard"]++
		}
		if n.Guard != nil {
			c["guard"]++
		}
	case *syntax.Machine:
		if n.Type != nil {
			c["typed machine"]++
		}
	case *syntax.String:
		if _, literal := n.Literal(); !literal {
			c["interpolation"]++
		}
		if strings.HasPrefix(n.At.Text(), `"""`) {
			c["triple quotes"]++
		}
	case *syntax.Signal:
		if n.Tool {
			c["tool"]++
		}
		if len(n.Clauses) > 0 {
			c["frame"]++
		}
	case *syntax.Lambda:
		if len(n.Params) == 2 {
			c["lambda of 2"]++
		}
		if n.Body != nil {
			c["block lambda"]++
		}
	}
}

func (c counts) callee(callee *resolve.Callee, x syntax.Expr) {
	c[fmt.Sprintf("callee %d", callee.Kind)]++
	switch callee.Kind {
	case resolve.CallSlot:
		c[slotKind(callee.Slot)+" slot "+callee.Op]++
		if callee.Op == "total" {
			c["slot total"]++
		}
	case resolve.CallValue:
		c["value "+callee.Op]++
	case resolve.CallCellAs:
		c["effect delegate"]++
	case resolve.CallBuiltin:
		if callee.Builtin.Class != builtin.Pure {
			c["effect "+callee.Builtin.Name]++
		}
		if call, ok := x.(*syntax.Call); ok && callee.Builtin.Name == "transition" {
			c.move(call.Args)
		}
	}
}

func (c counts) move(args []syntax.Expr) {
	c[map[bool]string{true: "declared", false: "undeclared"}[len(args) == 3]+" move"]++
	text, ok := args[len(args)-1].(*syntax.String)
	literal := false
	if ok {
		_, literal = text.Literal()
	}
	c[map[bool]string{true: "literal", false: "computed"}[literal]+" move"]++
}

func slotKind(s *resolve.Slot) string {
	if s.IsList {
		return "list"
	}
	return "map"
}
