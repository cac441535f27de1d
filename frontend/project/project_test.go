package project

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/internal/expect"
	"soma.cell/frontend/source"
)

// tree is a file system in memory with a working folder.
type tree struct {
	files fstest.MapFS
	cwd   string
}

func (t tree) rooted(name string) (string, error) {
	abs, err := t.Abs(name)
	if abs = strings.TrimPrefix(filepath.ToSlash(abs), "/"); abs == "" {
		abs = "."
	}
	return abs, err
}

func (t tree) Stat(name string) (os.FileInfo, error) {
	abs, err := t.rooted(name)
	if err != nil {
		return nil, err
	}
	return t.files.Stat(abs)
}

func (t tree) ReadFile(name string) ([]byte, error) {
	abs, err := t.rooted(name)
	if err != nil {
		return nil, err
	}
	if f := t.files[abs]; f != nil && f.Mode&0o400 == 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return t.files.ReadFile(abs)
}

func (t tree) ReadDir(name string) ([]os.DirEntry, error) {
	abs, err := t.rooted(name)
	if err != nil {
		return nil, err
	}
	return t.files.ReadDir(abs)
}

func (t tree) Abs(name string) (string, error) {
	if filepath.IsAbs(name) {
		return filepath.Clean(name), nil
	}
	return filepath.Join(t.cwd, name), nil
}

// files builds a tree; its working folder is /work.
func files(texts map[string]string) tree {
	t := tree{files: fstest.MapFS{}, cwd: "/work"}
	for name, text := range texts {
		t.files[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return t
}

const hello = "cell Hello {\n    on hi() {\n        return 1\n    }\n}\n"

func names(p *Project) string {
	var out []string
	for _, f := range p.Files {
		out = append(out, f.Source.Name)
	}
	return strings.Join(out, " ")
}

func TestEntryAndNames(t *testing.T) {
	world := files(map[string]string{
		"work/one.cell":           hello,
		"work/app/app.cell":       hello,
		"work/shop/soma.toml":     "[package]\nentry = \"src/main.cell\"\n",
		"work/shop/src/main.cell": hello,
		"work/empty/readme":       "",
		"soma.toml":               "[package]\nedition = \"2027\"\n",
	})
	for _, c := range []struct{ path, entry, manifest, edition string }{
		{"one.cell", "one.cell", "../soma.toml", "2027"},
		{"./one.cell", "./one.cell", "../soma.toml", "2027"},
		{"/work/one.cell", "/work/one.cell", "/soma.toml", "2027"},
		{"app", "app/app.cell", "../soma.toml", "2027"},
		{"shop", "shop/src/main.cell", "shop/soma.toml", "2026"},
		{"shop/src/main.cell", "shop/src/main.cell", "shop/soma.toml", "2026"},
		{"../work/one.cell", "../work/one.cell", "../soma.toml", "2027"},
	} {
		p, err := Load(c.path, world)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		if p.Entry != c.entry || p.ManifestPath != c.manifest || p.Manifest.Package.Edition != c.edition || names(p) != c.entry {
			t.Errorf("%s: entry %s (%s), manifest %s, edition %s", c.path, p.Entry, names(p), p.ManifestPath, p.Manifest.Package.Edition)
		}
	}
	if _, err := Load("empty", world); err == nil || err.Error() != "empty: the folder holds no app.cell" {
		t.Errorf("a folder without an entry: %v", err)
	}
}

// locked is a file system with a folder whose files may not be seen.
type locked struct {
	tree
	folder string
}

func (l locked) Stat(name string) (os.FileInfo, error) {
	if filepath.Dir(name) == l.folder {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrPermission}
	}
	return l.tree.Stat(name)
}

func TestLockedFolder(t *testing.T) {
	world := locked{files(map[string]string{"work/app/app.cell": hello}), "app"}
	if _, err := Load("app", world); err == nil || err.Error() != "app/app.cell: may not be read" {
		t.Errorf("a folder that may not be searched: %v", err)
	}
}

func TestWithoutManifest(t *testing.T) {
	p, err := Load("a.cell", files(map[string]string{"work/a.cell": hello}))
	if err != nil {
		t.Fatal(err)
	}
	if p.ManifestPath != "" || p.Manifest.Package.Edition != "2026" || p.VerifyApplies() || !p.Manifest.Verify.Empty() {
		t.Errorf("project %+v, manifest %+v", p, p.Manifest)
	}
}

func TestUses(t *testing.T) {
	world := files(map[string]string{
		"work/soma.toml":         "[package]\nname = \"x\"\n",
		"work/src/main.cell":     "use lib::a\nuse b\nuse top::t\n" + hello,
		"work/src/lib/a.cell":    "use b\nuse deep\nuse lib::a\n" + hello,
		"work/src/lib/deep.cell": "use b\n" + hello,
		"work/src/b.cell":        "use main\n" + hello,
		"work/top/t.cell":        hello,
	})
	p, err := Load("src/main.cell", world)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := names(p), "src/main.cell src/lib/a.cell src/b.cell top/t.cell src/lib/deep.cell"; got != want {
		t.Errorf("files %s, want %s", got, want)
	}
	if len(p.Diagnostics) > 0 {
		t.Errorf("diagnostics %v", p.Diagnostics)
	}
}

// A file beside the one that uses it comes before one in the entry's folder, and that before one in
// the folder of the manifest.
func TestUsesNearestFirst(t *testing.T) {
	everywhere := map[string]string{
		"work/soma.toml":          "[package]\nname = \"x\"\n",
		"work/src/main.cell":      "use lib::a\n" + hello,
		"work/src/lib/a.cell":     "use b::c\n" + hello,
		"work/src/lib/b/c.cell":   hello,
		"work/src/b/c.cell":       hello,
		"work/b/c.cell":           hello,
		"b/c.cell":                hello, // above the manifest, which is never asked
		"work/src/lib/c.cell":     hello,
		"work/src/lib/a/b/c.cell": hello,
	}
	for _, want := range []string{"src/lib/b/c.cell", "src/b/c.cell", "b/c.cell"} {
		p, err := Load("src/main.cell", files(everywhere))
		if err != nil {
			t.Fatal(err)
		}
		if got := names(p); got != "src/main.cell src/lib/a.cell "+want || len(p.Diagnostics) > 0 {
			t.Errorf("files %s, want %s at the end; %v", got, want, p.Diagnostics)
		}
		delete(everywhere, "work/"+want)
	}
	p, err := Load("src/main.cell", files(everywhere))
	if err != nil || len(p.Diagnostics) != 1 || p.Diagnostics[0].Code != diag.MissingUse {
		t.Errorf("error %v, diagnostics %v", err, p.Diagnostics)
	}
}

func TestMissingUse(t *testing.T) {
	world := files(map[string]string{
		"work/soma.toml":      "[package]\nname = \"x\"\n",
		"work/src/main.cell":  "use lib::a\nuse gone::x //! E0270 tried src/gone/x.cell, gone/x.cell\n" + hello,
		"work/src/lib/a.cell": "use y //! E0270 there is no file for `y`: tried src/lib/y.cell, src/y.cell, y.cell\n" + hello,
	})
	p, err := Load("src/main.cell", world)
	if err != nil {
		t.Fatal(err)
	}
	expect.Check(t, sources(p), p.Diagnostics)
}

func sources(p *Project) []*source.File {
	var out []*source.File
	for _, f := range p.Files {
		out = append(out, f.Source)
	}
	return out
}

// What the table says of a missing use.
func TestTableExample(t *testing.T) {
	e, _ := diag.Lookup(diag.MissingUse)
	for text, want := range map[string]int{e.Wrong: 1, e.Right: 0} {
		p, err := Load("app.cell", files(map[string]string{"work/app.cell": text}))
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Diagnostics) != want || want == 1 && p.Diagnostics[0].Code != diag.MissingUse {
			t.Errorf("diagnostics %v of\n%s", p.Diagnostics, text)
		}
	}
}

func TestUnreadable(t *testing.T) {
	world := files(map[string]string{"work/a.cell": hello, "work/b.cell": "use secret\n" + hello, "work/secret.cell": hello})
	world.files["work/secret.cell"].Mode = 0
	world.files["work/big.cell"] = &fstest.MapFile{Data: make([]byte, MaxFileSize+1), Mode: 0o644}
	world.files["work/pipe.cell"] = &fstest.MapFile{Mode: fs.ModeNamedPipe | 0o644}
	world.files["work/zero"] = &fstest.MapFile{Mode: fs.ModeDevice | fs.ModeCharDevice | 0o644}
	for path, want := range map[string]string{
		"pipe.cell":    "pipe.cell: is a pipe or a device; programs are read from files",
		"zero":         "zero: is a pipe or a device; programs are read from files",
		"nowhere.cell": "nowhere.cell: there is no such file",
		"secret.cell":  "secret.cell: may not be read",
		"b.cell":       "secret.cell: may not be read",
		"big.cell":     "big.cell: 16777217 bytes are too many: the limit is 16777216",
	} {
		_, err := Load(path, world)
		var typed *Error
		if !errors.As(err, &typed) || err.Error() != want {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

// A source file that does not parse is a matter of diagnostics.
func TestBrokenSource(t *testing.T) {
	p, err := Load("a.cell", files(map[string]string{"work/a.cell": "cell A {\n    on x( {\n    }\n}\n"}))
	if err != nil || len(p.Diagnostics) == 0 {
		t.Errorf("error %v, diagnostics %v", err, p)
	}
}

func TestVerifyBinds(t *testing.T) {
	const table = "[verify]\nnever = [\"lost\"]\n"
	for _, c := range []struct {
		manifest, path string
		want           bool
	}{
		{table, "a.cell", true},
		{table, "b.cell", true},
		{"[package]\nentry = \"a.cell\"\n" + table, "a.cell", true},
		{"[package]\nentry = \"./a.cell\"\n" + table, "/work/a.cell", true},
		{"[package]\nentry = \"a.cell\"\n" + table, "b.cell", false},
	} {
		p, err := Load(c.path, files(map[string]string{"work/a.cell": hello, "work/b.cell": hello, "work/soma.toml": c.manifest}))
		if err != nil {
			t.Fatal(err)
		}
		if p.VerifyApplies() != c.want {
			t.Errorf("%s under %q: applies %v", c.path, c.manifest, p.VerifyApplies())
		}
	}
}

const flesh, skeleton = "flesh Safe {\n    on look() {\n        return 1\n    }\n}\n", "skeleton Safe {\n    face { signal look() -> Int }\n}\n"

// A flesh that is checked alone is told which file pairs it, where one is known.
func TestExplainFlesh(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string // the file named, or ""
	}{
		{"nothing near", map[string]string{"work/a.cell": hello}, ""},
		{"a sibling uses it", map[string]string{"work/zoo.cell": "use body\n" + skeleton, "work/a.cell": hello}, "`zoo.cell`"},
		{"through another file", map[string]string{"work/app.cell": "use bones\nuse body\n", "work/bones.cell": skeleton}, "`app.cell`"},
		{"a sibling with the skeleton alone", map[string]string{"work/bones.cell": skeleton}, ""},
		{"the entry of the manifest", map[string]string{"work/soma.toml": "[package]\nentry = \"src/main.cell\"\n",
			"work/src/main.cell": "use body\n" + skeleton}, "`src/main.cell`"},
	} {
		c.files["work/body.cell"] = flesh
		world := files(c.files)
		p, err := Load("body.cell", world)
		if err != nil {
			t.Fatal(err)
		}
		found := []diag.Diagnostic{{Code: diag.MissingSkeleton, Span: p.Files[0].Decls[0].Name.At}, {Code: diag.WrongCount}}
		got := p.ExplainFlesh(found, world)
		switch notes := got[0].Notes; {
		case len(got[1].Notes) > 0:
			t.Errorf("%s: a note on another finding", c.name)
		case c.want == "" && len(notes) > 0, c.want != "" && (len(notes) != 1 || !strings.Contains(notes[0].Message, c.want)):
			t.Errorf("%s: notes %v, want %s", c.name, notes, c.want)
		}
	}
}
