package outside_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"soma.cell/interp/outside"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestFolder(t *testing.T) {
	top := t.TempDir()
	home := filepath.Join(top, "home")
	write(t, filepath.Join(home, "a.txt"), "one")
	write(t, filepath.Join(home, "sub", "b.txt"), "two")
	write(t, filepath.Join(home, "sub", "a.txt"), "three")
	f := outside.Folder(home)
	for name, want := range map[string]string{"a.txt": "one", "sub/b.txt": "two", "sub/../a.txt": "one"} {
		if got, err := f.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if names, err := f.ReadDir("sub"); err != nil || strings.Join(names, " ") != "a.txt b.txt" {
		t.Errorf("%v, %v", names, err)
	}
	if names, err := f.ReadDir("."); err != nil || strings.Join(names, " ") != "a.txt" {
		t.Errorf("%v, %v", names, err)
	}
	if err := f.WriteFile("sub/c.txt", []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(home, "sub", "c.txt")); err != nil || string(got) != "new" {
		t.Errorf("%q, %v", got, err)
	}
}

// Nothing outside of the folder is read or written, whatever way a path takes, and no message
// tells where the folder lies.
func TestFolderConfines(t *testing.T) {
	top := t.TempDir()
	home := filepath.Join(top, "home")
	secret := filepath.Join(top, "secret.txt")
	write(t, secret, "secret")
	write(t, filepath.Join(home, "a.txt"), "one")
	if err := os.Symlink("../secret.txt", filepath.Join(home, "link.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("..", filepath.Join(home, "up")); err != nil {
		t.Fatal(err)
	}
	f := outside.Folder(home)
	for _, name := range []string{"../secret.txt", "x/../../secret.txt", secret, "link.txt", "up/secret.txt", "/etc/passwd", "", ".", "none.txt"} {
		got, err := f.ReadFile(name)
		if err == nil {
			t.Errorf("reads %s: %q", name, got)
		} else if name != secret && strings.Contains(err.Error(), top) {
			t.Errorf("%s: the message shows the folder: %v", name, err)
		}
		if err := f.WriteFile(name, []byte("gone")); err == nil && name != "none.txt" {
			t.Errorf("writes %s", name)
		}
	}
	for _, name := range []string{"..", "up", top, ""} {
		if names, err := f.ReadDir(name); err == nil {
			t.Errorf("lists %s: %v", name, names)
		}
	}
	if got, _ := os.ReadFile(secret); string(got) != "secret" {
		t.Errorf("the file outside is now %q", got)
	}
	if _, err := outside.Folder("").ReadFile("files_test.go"); err == nil {
		t.Error("no folder has files")
	}
}
