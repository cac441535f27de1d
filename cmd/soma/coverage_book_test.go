package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// coverageBook says which programs and tests hold which part of the language.
const coverageBook = "../../docs/coverage.md"

func TestCoverageBook(t *testing.T) {
	data, err := os.ReadFile(coverageBook)
	if err != nil {
		t.Fatal(err)
	}
	book := string(data)
	for _, name := range corpusPrograms(t) {
		if !strings.Contains(book, "`"+strings.TrimSuffix(name, ".cell")+"`") {
			t.Errorf("docs/coverage.md does not name the program %s", name)
		}
	}
	language, err := os.ReadFile("../../docs/language.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(language), "\n") {
		if strings.HasPrefix(line, "## ") && !strings.Contains(book, "\n"+line+"\n") {
			t.Errorf("docs/coverage.md has no section %q", line)
		}
	}
	tests := testFunctions(t)
	for i, line := range strings.Split(book, "\n") {
		for j, word := range strings.Split(line, "`") {
			if j%2 == 0 {
				continue
			}
			switch {
			case strings.Contains(word, ".Test") || strings.Contains(word, ".Fuzz"):
				if !tests[word] {
					t.Errorf("docs/coverage.md:%d: there is no test %s", i+1, word)
				}
			case strings.Contains(word, "/"):
				if !existsInProject(word) {
					t.Errorf("docs/coverage.md:%d: there is no %s", i+1, word)
				}
			}
		}
	}
}

// existsInProject tells whether a path of the book names a program of the corpus or a file.
func existsInProject(name string) bool {
	for _, path := range []string{
		filepath.Join(corpusFolder, name), filepath.Join(corpusFolder, name+".cell"), filepath.Join("../..", name),
	} {
		if _, err := os.Stat(path); err == nil {
			return true
		}
	}
	return false
}

// testFunctions are the tests of the project, as "folder.TestName".
func testFunctions(t *testing.T) map[string]bool {
	out := map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel("../..", filepath.Dir(path))
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				out[folder+"."+fn.Name.Name] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
