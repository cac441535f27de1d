package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"soma.cell/smt"
	"soma.cell/smt/smtlib"
)

// asked are the questions to a solver, kept for those who want to ask another one.
type asked []smt.Query

// write writes each query as a script into a folder, numbered in the order of the questions.
// An empty name of the folder writes none.
func (a asked) write(folder string) error {
	if folder == "" {
		return nil
	}
	if err := os.MkdirAll(folder, folderMode); err != nil {
		return usageError(cannotWrite(folder, err))
	}
	for i, q := range a {
		var text bytes.Buffer
		if err := smtlib.Write(&text, q); err != nil {
			return err
		}
		name := fmt.Sprintf("%03d-%s.smt2", i+1, fileName(q.Name))
		if err := writeFile(filepath.Join(folder, name), text.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// folderMode is the mode of folders that soma makes.
const folderMode = 0o755

// fileName is a name with what file systems dislike replaced, and of bounded length.
func fileName(name string) string {
	const longest = 80
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '-'
	}, name)
	return clean[:min(len(clean), longest)]
}
