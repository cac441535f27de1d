package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"soma.cell/frontend/project"
)

// texts is a folder of files that exist in memory alone, by name.
type texts map[string]string

var _ project.Files = texts{}

// Stat knows the files; everything else does not exist.
func (t texts) Stat(name string) (os.FileInfo, error) {
	text, ok := t[filepath.Clean(name)]
	if !ok {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return textInfo{filepath.Base(name), int64(len(text))}, nil
}

// ReadFile gives the text of a file.
func (t texts) ReadFile(name string) ([]byte, error) {
	if _, err := t.Stat(name); err != nil {
		return nil, err
	}
	return []byte(t[filepath.Clean(name)]), nil
}

// Abs puts the folder at the root.
func (t texts) Abs(name string) (string, error) {
	return filepath.Join(string(filepath.Separator), name), nil
}

// textInfo is what is known of a text.
type textInfo struct {
	name string
	size int64
}

func (i textInfo) Name() string       { return i.name }
func (i textInfo) Size() int64        { return i.size }
func (i textInfo) Mode() fs.FileMode  { return fileMode }
func (i textInfo) ModTime() time.Time { return time.Time{} }
func (i textInfo) IsDir() bool        { return false }
func (i textInfo) Sys() any           { return nil }

// checkText checks a program that is one text. An empty edition is the default one.
func checkText(name, text, edition string) (*program, error) {
	files := texts{name: text}
	if edition != "" {
		files["soma.toml"] = editionManifest(edition)
	}
	return loadFrom(name, files)
}

// editionManifest is the smallest soma.toml that asks for an edition.
func editionManifest(edition string) string { return "[package]\nedition = \"" + edition + "\"\n" }
