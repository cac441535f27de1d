package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"soma.cell/frontend/builtin"
	"soma.cell/frontend/diag"
	"soma.cell/frontend/project"
	"soma.cell/frontend/syntax"
	"soma.cell/ir"
)

// What the corpus covers is measured on its syntax trees, and what there is to cover is read
// from the sources: a new node, builtin, kind or code without a program fails here.

const (
	syntaxFolder = "../../frontend/syntax"
	interpFolder = "../../interp"
)

// eachCorpusFile runs a function on each parsed file of the right programs.
func eachCorpusFile(t *testing.T, visit func(*syntax.File)) {
	t.Helper()
	for _, name := range corpusPrograms(t) {
		p, err := project.Load(filepath.Join(corpusFolder, name), project.Disk{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range p.Files {
			visit(f)
		}
	}
}

// walkTree visits every struct of a syntax tree, by reflection: no list of nodes to forget one in.
func walkTree(v reflect.Value, visit func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			walkTree(v.Elem(), visit)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			walkTree(v.Index(i), visit)
		}
	case reflect.Struct:
		if v.Type().PkgPath() != reflect.TypeFor[syntax.File]().PkgPath() {
			return
		}
		visit(v)
		for i := range v.NumField() {
			walkTree(v.Field(i), visit)
		}
	}
}

// goFiles parses the sources of a package without its tests.
func goFiles(t *testing.T, folder string) []*ast.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var out []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}

// partsOfNodes are the fields of all nodes of the tree, as "Node.Field", and the nodes without
// any, as "Node".
func partsOfNodes(t *testing.T) []string {
	var out []string
	for _, f := range goFiles(t, syntaxFolder) {
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			fields, ok := spec.Type.(*ast.StructType)
			if !ok || len(fields.Fields.List) == 0 || !embedsPlace(fields.Fields.List[0]) || strings.HasPrefix(spec.Name.Name, "Bad") {
				return true
			}
			if len(fields.Fields.List) == 1 {
				out = append(out, spec.Name.Name)
			}
			for _, field := range fields.Fields.List[1:] {
				for _, name := range field.Names {
					out = append(out, spec.Name.Name+"."+name.Name)
				}
			}
			return true
		})
	}
	if len(out) < 150 {
		t.Fatalf("only %d parts of nodes found", len(out))
	}
	return out
}

func embedsPlace(f *ast.Field) bool {
	name, ok := f.Type.(*ast.Ident)
	return ok && len(f.Names) == 0 && name.Name == "Place"
}

func TestCorpusHoldsEveryPartOfTheTree(t *testing.T) {
	seen := map[string]bool{}
	eachCorpusFile(t, func(f *syntax.File) {
		walkTree(reflect.ValueOf(f), func(v reflect.Value) {
			name := v.Type().Name()
			seen[name] = true
			for i := range v.NumField() {
				if !v.Field(i).IsZero() {
					seen[name+"."+v.Type().Field(i).Name] = true
				}
			}
		})
	})
	for _, part := range partsOfNodes(t) {
		if !seen[part] {
			t.Errorf("no program of the corpus holds %s", part)
		}
	}
}

// choicesOfNodes are the constants that tell nodes of one type apart, as "Type:Constant" in the
// order of their values.
func choicesOfNodes(t *testing.T) map[string][]string {
	out := map[string][]string{}
	for _, f := range goFiles(t, syntaxFolder) {
		for _, d := range f.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok || decl.Tok != token.CONST {
				continue
			}
			first := decl.Specs[0].(*ast.ValueSpec)
			kind, ok := first.Type.(*ast.Ident)
			if !ok || !ast.IsExported(kind.Name) {
				continue
			}
			for _, s := range decl.Specs {
				out[kind.Name] = append(out[kind.Name], s.(*ast.ValueSpec).Names[0].Name)
			}
		}
	}
	return out
}

func TestCorpusHoldsEveryKindOfNode(t *testing.T) {
	choices := choicesOfNodes(t)
	for _, kind := range []string{"DeclKind", "ClauseKind", "PropKind", "BinOp"} {
		if len(choices[kind]) < 4 {
			t.Fatalf("%s has the constants %v", kind, choices[kind])
		}
		seen := map[int]bool{}
		eachCorpusFile(t, func(f *syntax.File) {
			walkTree(reflect.ValueOf(f), func(v reflect.Value) {
				for i := range v.NumField() {
					if v.Field(i).Type().Name() == kind {
						seen[int(v.Field(i).Int())] = true
					}
				}
			})
		})
		for i, name := range choices[kind] {
			if !seen[i] {
				t.Errorf("no program of the corpus holds a node of %s %s", kind, name)
			}
		}
	}
}

// calledIn gathers the names that a tree calls: as functions, methods, fields and behind pipes.
func calledIn(node any) map[string]bool {
	out := map[string]bool{}
	walkTree(reflect.ValueOf(node), func(v reflect.Value) {
		switch n := v.Addr().Interface().(type) {
		case *syntax.Call:
			if name, ok := n.Fun.(*syntax.Name); ok {
				out[name.Name] = true
			}
		case *syntax.Method:
			out[n.Name.Name] = true
		}
	})
	return out
}

// unsupportedBuiltins are those that tests cannot run: the corpus holds that they are checked,
// and refused with their kind.
var unsupportedBuiltins = []string{"link", "publish", "subscribe", "ws_connect", "ws_send"}

// A builtin that computes stands in two assertions at least, one ordinary and one of an edge; one
// with an effect in a program whose tests run it.
func TestCorpusAssertsEveryBuiltin(t *testing.T) {
	asserted, called := map[string]int{}, map[string]bool{}
	eachCorpusFile(t, func(f *syntax.File) {
		for name := range calledIn(f) {
			called[name] = true
		}
		walkTree(reflect.ValueOf(f), func(v reflect.Value) {
			switch rule := v.Addr().Interface().(type) {
			case *syntax.Assert, *syntax.AssertFails, *syntax.Property:
				for name := range calledIn(rule) {
					asserted[name]++
				}
			}
		})
	})
	for _, b := range builtin.All() {
		switch {
		case !called[b.Name]:
			t.Errorf("no program of the corpus calls %s", b.Name)
		case b.Class == builtin.Pure && asserted[b.Name] < 2 && !slices.Contains(unsupportedBuiltins, b.Name):
			t.Errorf("%s stands in %d assertions of the corpus, wanted an ordinary and an edge case", b.Name, asserted[b.Name])
		}
	}
}

// kindsOfErrors are the kinds of the interpreter, its constants Kind…, and those of the table of
// builtins.
func kindsOfErrors(t *testing.T) []string {
	var out []string
	for _, b := range builtin.All() {
		for _, kind := range b.Raises {
			if kind != builtin.AnyKind && !slices.Contains(out, kind) {
				out = append(out, kind)
			}
		}
	}
	fromTable := len(out)
	for _, f := range goFiles(t, interpFolder) {
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || !strings.HasPrefix(spec.Names[0].Name, "Kind") || len(spec.Values) != 1 {
				return true
			}
			if text, ok := spec.Values[0].(*ast.BasicLit); ok {
				out = append(out, strings.Trim(text.Value, `"`))
			}
			return true
		})
	}
	if len(out)-fromTable < 15 {
		t.Fatalf("only the kinds %v", out)
	}
	return out
}

// kindsNotCaught and kindsNotAsserted are exceptions that the language makes.
var (
	kindsNotCaught = map[string]string{
		"stack_overflow":     "ends the whole invocation",
		"limit":              "ends the whole invocation",
		"undefined_variable": "the check finds every one before",
		"ambiguous_machine":  "the check finds every one before",
	}
	kindsNotAsserted = map[string]string{
		"limit":              "a limit of the toolkit satisfies no assertion",
		"unsupported":        "a limit of the toolkit satisfies no assertion",
		"undefined_variable": "a fault of the test satisfies no assertion",
		"undefined_function": "a fault of the test satisfies no assertion",
		"ambiguous_machine":  "a fault of the test satisfies no assertion",
	}
)

func TestCorpusRaisesEveryKind(t *testing.T) {
	caught, asserted := map[string]bool{}, map[string]bool{}
	eachCorpusFile(t, func(f *syntax.File) {
		walkTree(reflect.ValueOf(f), func(v reflect.Value) {
			switch n := v.Addr().Interface().(type) {
			case *syntax.Binary:
				field, ok := n.X.(*syntax.Field)
				if text, isText := n.Y.(*syntax.String); ok && isText && n.Op == syntax.EqOp && field.Name.Name == "kind" {
					kind, _ := text.Literal()
					caught[kind] = true
				}
			case *syntax.AssertFails:
				if text, ok := n.Matching.(*syntax.String); ok {
					matching, _ := text.Literal()
					kind, _, _ := strings.Cut(matching, ":")
					asserted[kind] = true
				}
			}
		})
	})
	for _, kind := range kindsOfErrors(t) {
		if !caught[kind] && kindsNotCaught[kind] == "" {
			t.Errorf("no program of the corpus catches the kind %s by name", kind)
		}
		if !asserted[kind] && kindsNotAsserted[kind] == "" {
			t.Errorf("no assert_fails of the corpus matches the kind %s", kind)
		}
	}
}

// Every code of the table is expected by a twin of the corpus, or by a program whose point it is.
func TestCorpusBreaksEveryRule(t *testing.T) {
	seen := map[string]bool{}
	mark := func(wanted []expectation) {
		for _, e := range wanted {
			seen[e.mark] = true
		}
	}
	for _, file := range corpusTwins(t) {
		original := readExample(t, corpusOriginal(file))
		forCorpusTwins(t, file, original, func(tw namedTwin) { mark(tw.wanted) })
	}
	for _, name := range corpusPrograms(t) {
		original := readExample(t, filepath.Join(corpusFolder, name))
		mark(wantedFindings(original.files[original.entry]))
	}
	for _, info := range diag.Table() {
		if !seen[string(info.Code)] {
			t.Errorf("nothing in the corpus is told %s (%s)", info.Code, info.Name)
		}
	}
}

// TestCorpusIsHardlyAbstracted holds that what the lowering does not know are at most five of a
// hundred effects of the corpus and the examples, and that the count sees some.
func TestCorpusIsHardlyAbstracted(t *testing.T) {
	files := exampleFiles(t)
	for _, name := range corpusPrograms(t) {
		files = append(files, filepath.Join(corpusFolder, name))
	}
	abstract, effects := 0, 0
	for _, file := range files {
		p, err := load(file)
		if err != nil {
			t.Fatal(err)
		}
		if p.system == nil {
			t.Errorf("%s is not lowered", file)
			continue
		}
		_, unknown, all := ir.Abstractions(p.system)
		abstract, effects = abstract+unknown, effects+all
	}
	t.Logf("%d of %d effects are abstractions", abstract, effects)
	if abstract == 0 || effects < 4000 || 20*abstract > effects {
		t.Errorf("%d of %d effects are abstractions, wanted some and at most 5 %%", abstract, effects)
	}
}
