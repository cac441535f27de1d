package format_test

import (
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/format"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

func parse(text string) (*syntax.File, []diag.Diagnostic) {
	return syntax.Parse(source.NewFile("app.cell", text))
}

// shape writes a tree without its places; loose leaves parentheses out too. Absent and empty
// lists are one.
func shape(tree any, loose bool) string {
	var out strings.Builder
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Interface, reflect.Pointer:
			if v.IsNil() {
				out.WriteString("nil")
				return
			}
			if n, ok := v.Interface().(*big.Int); ok {
				out.WriteString(n.String())
				return
			}
			if p, ok := v.Interface().(*syntax.Paren); ok && loose {
				walk(reflect.ValueOf(p.X))
				return
			}
			walk(v.Elem())
		case reflect.Slice, reflect.Array:
			out.WriteByte('[')
			for i := range v.Len() {
				walk(v.Index(i))
				out.WriteByte(' ')
			}
			out.WriteByte(']')
		case reflect.Struct:
			out.WriteString("(" + v.Type().Name())
			for i := range v.NumField() {
				switch v.Field(i).Interface().(type) {
				case syntax.Place, source.Span, *source.File:
					continue
				}
				out.WriteByte(' ')
				walk(v.Field(i))
			}
			out.WriteByte(')')
		case reflect.String:
			out.WriteString(strconv.Quote(v.String()))
		default:
			fmt.Fprint(&out, v.Interface())
		}
	}
	walk(reflect.ValueOf(tree))
	return out.String()
}

// difference shows two shapes from where they part.
func difference(got, want string) string {
	n := 0
	for n < min(len(got), len(want)) && got[n] == want[n] {
		n++
	}
	from := max(0, n-40)
	return fmt.Sprintf(" got …%s\nwant …%s", got[from:min(len(got), n+120)], want[from:min(len(want), n+120)])
}

// TB is what rapid and the testing package share.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// roundTrip writes a tree and reads it back: the tree is the same, and the second text too.
func roundTrip(t TB, f *syntax.File, loose bool) *syntax.File {
	t.Helper()
	text := format.File(f)
	back, found := parse(text)
	for _, d := range found {
		t.Fatalf("%s: %s %s\n%s", d.Span, d.Code, d.Message, text)
	}
	if got, want := shape(back, loose), shape(f, loose); got != want {
		t.Fatalf("another tree comes back:\n%s\n%s", difference(got, want), text)
	}
	if again := format.File(back); again != text {
		t.Fatalf("the second text is another:\n%s\n%s", text, again)
	}
	return back
}

// programs gives every program of the repository, by name: files, those inside of archives,
// the blocks of the books and the examples of the codes.
func programs(t *testing.T) map[string]string {
	t.Helper()
	const root = "../.."
	out := map[string]string{}
	for _, e := range diag.Table() {
		out[string(e.Code)+" wrong"], out[string(e.Code)+" right"] = e.Wrong, e.Right
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root:
			return filepath.SkipDir
		}
		data := func() string {
			text, readErr := os.ReadFile(path)
			err = readErr
			return string(text)
		}
		switch filepath.Ext(path) {
		case ".cell":
			for i, part := range strings.Split(data(), "\n---\n") {
				out[fmt.Sprintf("%s#%d", path, i)] = part
			}
		case ".txtar":
			for _, f := range txtar.Parse([]byte(data())).Files {
				if strings.HasSuffix(f.Name, ".cell") {
					out[path+"/"+f.Name] = string(f.Data)
				}
			}
		case ".md":
			for i, block := range strings.Split(data(), "\n```soma")[1:] {
				_, block, _ = strings.Cut(block, "\n")
				out[fmt.Sprintf("%s#%d", path, i)], _, _ = strings.Cut(block, "```")
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Every program there is that parses comes back as it was.
func TestProgramsOfTheRepository(t *testing.T) {
	n := 0
	for name, text := range programs(t) {
		f, found := parse(text)
		if len(found) > 0 {
			continue
		}
		n++
		t.Run(name, func(t *testing.T) { roundTrip(t, f, false) })
	}
	if n < 200 {
		t.Errorf("only %d programs parse", n)
	}
}
