package resolve_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"soma.cell/frontend/source"
)

// Of whole programs from which one token was taken, nearly all get one finding, or two where the
// token declared something that is used; none gets a flood.
func TestOneLostTokenGivesFewFindings(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/examples/*.cell")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	token := regexp.MustCompile(`"(?:[^"\\]|\\.)*"|//[^\n]*|\w+|->|=>|==|[^\s\w]`)
	const most, every = 5, 3
	programs, many := 0, 0
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		if _, found := check(source.NewFile(path, text)); len(found) > 0 {
			continue // it needs other files
		}
		for i, at := range token.FindAllStringIndex(text, -1) {
			if i%every != 0 {
				continue
			}
			f := source.NewFile(filepath.Base(path), text[:at[0]]+text[at[1]:])
			_, found := check(f)
			programs++
			if len(found) > 2 {
				many++
			}
			if len(found) > most {
				t.Errorf("%s:%d: without %s there are %d findings: %v", path, f.Position(at[0]).Line, text[at[0]:at[1]], len(found), found)
			}
		}
	}
	if programs < 500 || many*100 > programs*3 {
		t.Errorf("%d of %d programs get more than two findings", many, programs)
	}
}
