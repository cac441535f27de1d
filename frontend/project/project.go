// Package project finds and reads what makes up a program: the entry file, the files it
// uses and the manifest soma.toml.
package project

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// MaxFileSize is the largest file that is read, in bytes.
const MaxFileSize = 16 << 20

const (
	manifestName = "soma.toml"
	defaultEntry = "app.cell"
)

// Files is the part of a file system that loading needs. Paths are those of the operating
// system.
type Files interface {
	Stat(name string) (os.FileInfo, error)
	ReadFile(name string) ([]byte, error)
	Abs(name string) (string, error)
}

// Disk is the file system of the machine.
type Disk struct{}

func (Disk) Stat(name string) (os.FileInfo, error)      { return os.Stat(name) }
func (Disk) ReadFile(name string) ([]byte, error)       { return os.ReadFile(name) }
func (Disk) ReadDir(name string) ([]os.DirEntry, error) { return os.ReadDir(name) }
func (Disk) Abs(name string) (string, error)            { return filepath.Abs(name) }

// Project is a program as files.
type Project struct {
	// Entry is the path of the entry file, as messages show it.
	Entry string
	// Files holds the parsed files, the entry first, then those it uses, nearest first.
	Files []*syntax.File
	// Manifest is never nil: without a soma.toml it holds the defaults.
	Manifest *Manifest
	// ManifestPath is where the manifest was found, or "".
	ManifestPath string
	// Diagnostics holds what parsing reported, and uses that name no file.
	Diagnostics []diag.Diagnostic
	// bindsVerify tells whether the entry is the file that [verify] speaks of.
	bindsVerify bool
}

// VerifyApplies tells whether the properties of the manifest bind this program: they bind
// the manifest's own entry when it names one, else the file at hand.
func (p *Project) VerifyApplies() bool { return p.bindsVerify }

// Load reads a program. The path names a .cell file, or a folder, which means the entry of
// its soma.toml or else its app.cell. Names in the result stay relative when the path is.
// The error is always an *Error: a path that cannot be read, a file that is too large, a
// manifest that does not parse. What is wrong inside of a source file is a diagnostic.
func Load(path string, files Files) (*Project, error) {
	l := &loader{files: files, seen: map[string]bool{}}
	info, err := files.Stat(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	if info.IsDir() {
		if path, err = l.entryOf(path); err != nil {
			return nil, err
		}
	}
	p := &Project{Entry: path}
	if p.ManifestPath, err = l.findManifest(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if p.Manifest, err = l.manifest(p.ManifestPath); err != nil {
		return nil, err
	}
	if p.bindsVerify, err = l.bindsVerify(p); err != nil {
		return nil, err
	}
	if err := l.readAll(p); err != nil {
		return nil, err
	}
	p.Diagnostics = diag.Sort(p.Diagnostics)
	return p, nil
}

// loader holds what one run of Load has read.
type loader struct {
	files Files
	seen  map[string]bool // absolute paths
}

// entryOf finds the file that a folder means.
func (l *loader) entryOf(folder string) (string, error) {
	name := defaultEntry
	manifest := filepath.Join(folder, manifestName)
	if l.isFile(manifest) {
		m, err := l.manifest(manifest)
		if err != nil {
			return "", err
		}
		if m.Package.Entry != "" {
			name = filepath.FromSlash(m.Package.Entry)
		}
	}
	entry := filepath.Join(folder, name)
	info, err := l.files.Stat(entry)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", unreadable(entry, err)
	case err != nil || info.IsDir():
		return "", noEntry(folder, name)
	}
	return entry, nil
}

func (l *loader) isFile(path string) bool {
	info, err := l.files.Stat(path)
	return err == nil && !info.IsDir()
}

// findManifest looks for soma.toml in a folder and its ancestors; "" when there is none.
func (l *loader) findManifest(folder string) (string, error) {
	abs, err := l.files.Abs(folder)
	if err != nil {
		return "", unreadable(folder, err)
	}
	for {
		if path := filepath.Join(folder, manifestName); l.isFile(path) {
			return path, nil
		}
		up := filepath.Dir(abs)
		if up == abs {
			return "", nil
		}
		abs, folder = up, above(folder)
	}
}

// above names the folder that holds another, without leaving the relative form.
func above(folder string) string {
	switch folder = filepath.Clean(folder); {
	case folder == ".":
		return ".."
	case filepath.Base(folder) == "..":
		return filepath.Join(folder, "..")
	}
	return filepath.Dir(folder)
}

func (l *loader) bindsVerify(p *Project) (bool, error) {
	if p.ManifestPath == "" {
		return false, nil
	}
	if p.Manifest.Package.Entry == "" {
		return true, nil
	}
	named := filepath.Join(filepath.Dir(p.ManifestPath), filepath.FromSlash(p.Manifest.Package.Entry))
	a, err := l.files.Abs(named)
	if err != nil {
		return false, unreadable(named, err)
	}
	b, err := l.files.Abs(p.Entry)
	if err != nil {
		return false, unreadable(p.Entry, err)
	}
	return a == b, nil
}

// readAll parses the entry and, file after file, what they use. A file is read once,
// however often and in whatever circle it is used.
func (l *loader) readAll(p *Project) error {
	if err := l.add(p, p.Entry); err != nil {
		return err
	}
	for i := 0; i < len(p.Files); i++ {
		for _, use := range p.Files[i].Uses {
			path, tried := l.find(p, p.Files[i].Source, use)
			if path == "" {
				p.Diagnostics = append(p.Diagnostics, missingUse(use, tried))
				continue
			}
			if err := l.add(p, path); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *loader) add(p *Project, path string) error {
	abs, err := l.files.Abs(path)
	if err != nil {
		return unreadable(path, err)
	}
	if l.seen[abs] {
		return nil
	}
	l.seen[abs] = true
	text, err := l.read(path)
	if err != nil {
		return err
	}
	file, problems := syntax.Parse(source.NewFile(path, text))
	p.Files = append(p.Files, file)
	p.Diagnostics = append(p.Diagnostics, problems...)
	return nil
}

func (l *loader) read(path string) (string, error) {
	info, err := l.files.Stat(path)
	switch {
	case err != nil:
		return "", unreadable(path, err)
	case !info.Mode().IsRegular(): // a pipe may keep us waiting, a device may never end
		return "", irregular(path)
	case info.Size() > MaxFileSize:
		return "", tooLarge(path, info.Size())
	}
	data, err := l.files.ReadFile(path)
	if err != nil {
		return "", unreadable(path, err)
	}
	if len(data) > MaxFileSize {
		return "", tooLarge(path, int64(len(data)))
	}
	return string(data), nil
}

// find looks up use a::b as a/b.cell beside the file that uses it, in the entry's folder,
// and in the folder of the manifest. It returns the paths tried where there is none.
func (l *loader) find(p *Project, from *source.File, use *syntax.Use) (path string, tried []string) {
	var parts []string
	for _, part := range use.Path {
		parts = append(parts, part.Name)
	}
	name := filepath.Join(parts...) + ".cell"
	folders := []string{filepath.Dir(from.Name), filepath.Dir(p.Entry)}
	if p.ManifestPath != "" {
		folders = append(folders, filepath.Dir(p.ManifestPath))
	}
	for i, folder := range folders {
		candidate := filepath.Join(folder, name)
		if i > 0 && contains(tried, candidate) {
			continue
		}
		if l.isFile(candidate) {
			return candidate, nil
		}
		tried = append(tried, candidate)
	}
	return "", tried
}

func contains(list []string, x string) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}
