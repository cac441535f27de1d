package soma_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "soma.cell"

// arrows says which packages of this module a package may import; the longest pattern that
// fits a package decides. "p/..." is p and everything below it.
var arrows = map[string][]string{
	"frontend/source":  {},
	"frontend/builtin": {},
	"frontend/near":    {},
	"frontend/diag":    {"frontend/source"},
	"frontend/syntax":  {"frontend/source", "frontend/diag", "frontend/near"},
	"frontend/format":  {"frontend/syntax"},
	"frontend/project": {"frontend/source", "frontend/diag", "frontend/near", "frontend/syntax"},
	"frontend/resolve": {"frontend/source", "frontend/diag", "frontend/near", "frontend/syntax", "frontend/builtin"},
	"frontend/types":   {"frontend/source", "frontend/diag", "frontend/syntax", "frontend/builtin", "frontend/resolve"},
	"frontend/...":     {"frontend/..."}, // support of tests

	"smt/term":         {},
	"smt":              {"smt/term"},
	"smt/refute":       {"smt/term"},
	"smt/smtlib":       {"smt", "smt/term", "smt/internal/ascii"},
	"smt/z3":           {"smt", "smt/term", "smt/internal/ascii"},
	"smt/internal/...": {"smt/term"},

	"ir":             {"frontend/source", "smt/term"},
	"ir/conform":     {"ir", "smt/term"},
	"ir/effects":     {"ir", "frontend/source", "smt/term"},
	"ir/irtest":      {"ir", "frontend/source", "smt/term"},
	"ir/lower":       {"ir", "frontend/...", "smt/term"},
	"ctl":            {},
	"taint":          {"ir", "frontend/diag", "frontend/source", "smt/term", "proofs/obligation"},
	"interp":         {"frontend/..."},
	"interp/...":     {"interp", "frontend/..."},
	"cmd/soma":       {"..."},
	"scripts/...":    {"smt/...", "ir/lower", "frontend/...", "scripts/bench/..."},
	"scripts/mutate": {"frontend/...", "ctl", "interp", "interp/interptest", "ir", "ir/lower", "proofs", "proofs/...", "smt/...", "taint"},

	"proofs/obligation":  {"frontend/source"},
	"proofs/frame":       {"proofs/obligation", "proofs/cert", "ir", "ir/effects", "smt/term", "frontend/diag", "frontend/source"},
	"proofs/termination": {"proofs/obligation", "proofs/cert", "ir", "ir/effects", "smt/term"},
	"proofs/cost":        {"proofs/obligation", "proofs/cert", "proofs/termination", "ir", "ir/effects", "smt/term", "frontend/source"},
	"proofs/vc":          {"ir", "smt/term"},
	"proofs/facts":       {"proofs/vc", "proofs/workers", "ir", "smt", "smt/term"},
	"proofs/workers":     {},
	"proofs": {"proofs/obligation", "proofs/workers", "proofs/cert", "proofs/frame", "proofs/cost", "proofs/vc", "proofs/facts", "ctl", "smt/...", "taint", "ir", "ir/effects",
		"frontend/source"},
	"proofs/internal/...": {},
	"proofs/cert":         {"ir"},
	// The checker of evidence shares nothing with what produced it.
	"proofs/kernel": {"proofs/cert", "ir", "smt/term"},
}

// outside says which packages may import a module of others.
var outside = map[string][]string{
	"github.com/BurntSushi/toml":           {"frontend/project"},
	"github.com/ebitengine/purego":         {"smt/z3"},
	"github.com/urfave/cli/v2":             {"cmd/soma"},
	"github.com/awalterschulze/gographviz": {"cmd/soma"},
	"github.com/rogpeppe/go-internal":      {"cmd/soma"},
	"github.com/owenrumney/go-sarif/v3":    {"cmd/soma"},
	// What only tests import may use rapid.
	"pgregory.net/rapid": {"smt/internal/termtest", "proofs/internal/randprog", "frontend/progen"},
}

func TestImportsFollowTheArrows(t *testing.T) {
	imports := importGraph(t)
	if len(imports) < 10 {
		t.Fatalf("only %d packages found", len(imports))
	}
	for _, pkg := range slices.Sorted(maps.Keys(imports)) {
		allowed, known := allowedFor(pkg)
		if !known {
			t.Errorf("package %s has no place in the picture: give it one in arrows", pkg)
			continue
		}
		for _, imported := range imports[pkg] {
			if local, ok := strings.CutPrefix(imported, module+"/"); ok {
				if !slices.ContainsFunc(allowed, func(pattern string) bool { return fits(pattern, local) }) {
					t.Errorf("%s imports %s, against the arrows", pkg, local)
				}
				continue
			}
			if strings.Contains(strings.Split(imported, "/")[0], ".") && !mayUse(pkg, imported) {
				t.Errorf("%s imports %s, which is not among its libraries", pkg, imported)
			}
		}
	}
}

// machine says who may reach files, processes and the network: nothing that proves, nor the
// interpreter, to which they are handed.
var machine = map[string][]string{
	"os":       {"frontend/project", "frontend/internal/...", "interp/outside", "cmd/soma", "scripts/..."},
	"os/exec":  {"scripts/..."},
	"net":      {"interp/outside"},
	"net/http": {"interp/outside", "interp/llm"},
}

func TestFewReachTheMachine(t *testing.T) {
	imports := importGraph(t)
	for _, pkg := range slices.Sorted(maps.Keys(imports)) {
		for _, imported := range imports[pkg] {
			who, guarded := machine[imported]
			if guarded && !slices.ContainsFunc(who, func(pattern string) bool { return fits(pattern, pkg) }) {
				t.Errorf("%s imports %s, which reaches outside", pkg, imported)
			}
		}
	}
}

// TestArchitectureNamesEveryPackage holds the picture that people read to the packages there are.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.FieldsFunc(string(text), func(r rune) bool { return strings.ContainsRune(" \n,`()", r) })
	for _, pkg := range slices.Sorted(maps.Keys(importGraph(t))) {
		if pkg != "." && !slices.Contains(words, pkg) {
			t.Errorf("docs/architecture.md does not name %s", pkg)
		}
	}
}

// TestArrowsRefuse shows that the test above can fail.
func TestArrowsRefuse(t *testing.T) {
	for _, c := range []struct{ from, to string }{
		{"proofs/kernel", "proofs"}, {"proofs", "proofs/kernel"}, {"proofs/vc", "proofs/kernel"}, {"frontend/syntax", "frontend/resolve"}, {"smt/refute", "smt/z3"},
		{"proofs/kernel", "smt"}, {"proofs/kernel", "ir/lower"},
		{"proofs/kernel", "frontend/syntax"}, {"ir", "frontend/syntax"}, {"ctl", "ir"}, {"smt/z3", "ir"},
		{"interp", "ir"}, {"taint", "frontend/syntax"}, {"frontend/resolve", "interp"}, {"proofs", "cmd/soma"},
	} {
		allowed, _ := allowedFor(c.from)
		if slices.ContainsFunc(allowed, func(pattern string) bool { return fits(pattern, c.to) }) {
			t.Errorf("%s may import %s", c.from, c.to)
		}
	}
}

// importGraph reads the imports of every package, tests left out.
func importGraph(t *testing.T) map[string][]string {
	imports := map[string][]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
				return filepath.SkipDir
			}
			return nil
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := path.Dir(filepath.ToSlash(name))
		if imports[pkg] == nil {
			imports[pkg] = []string{}
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports[pkg] = append(imports[pkg], imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range imports {
		slices.Sort(imports[pkg])
		imports[pkg] = slices.Compact(imports[pkg])
	}
	return imports
}

func allowedFor(pkg string) (allowed []string, known bool) {
	best := ""
	for pattern := range arrows {
		if fits(pattern, pkg) && len(pattern) > len(best) {
			best = pattern
		}
	}
	return arrows[best], best != ""
}

func fits(pattern, pkg string) bool {
	base, below := strings.CutSuffix(pattern, "...")
	if !below {
		return pattern == pkg
	}
	return base == "" || pkg+"/" == base || strings.HasPrefix(pkg, base)
}

func mayUse(pkg, imported string) bool {
	for library, users := range outside {
		if imported == library || strings.HasPrefix(imported, library+"/") {
			return slices.Contains(users, pkg)
		}
	}
	return false
}
