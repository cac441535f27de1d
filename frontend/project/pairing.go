package project

import (
	"os"
	"path/filepath"
	"strings"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/syntax"
)

// maxCandidates bounds the files that are read in search of a skeleton.
const maxCandidates = 100

// Folders are files whose folders can be listed.
type Folders interface {
	Files
	ReadDir(name string) ([]os.DirEntry, error) // sorted by name
}

// ExplainFlesh adds to each finding about a flesh without its skeleton the place of the
// skeleton, when a file is known that brings the two together: the entry of the manifest,
// or another source file in the folder of the one that holds the flesh.
func (p *Project) ExplainFlesh(found []diag.Diagnostic, files Folders) []diag.Diagnostic {
	for i, d := range found {
		if d.Code != diag.MissingSkeleton || len(d.Notes) > 0 {
			continue
		}
		if pair, skeleton := p.pairing(d.Span.Text(), d.Span.File.Name, files); pair != nil {
			found[i].Notes = []diag.Note{fleshPairedBy(pair.Entry, skeleton)}
		}
	}
	return found
}

// pairing finds a program that holds both the file of a flesh and the skeleton of its name.
func (p *Project) pairing(name, holder string, files Folders) (*Project, *syntax.Decl) {
	l := &loader{files: files}
	for _, path := range candidates(p, holder, files) {
		other := &Project{Entry: path, ManifestPath: p.ManifestPath}
		l.seen = map[string]bool{}
		if l.readAll(other) != nil {
			continue
		}
		abs, err := files.Abs(holder)
		if err != nil || !l.seen[abs] {
			continue
		}
		for _, f := range other.Files {
			for _, d := range f.Decls {
				if d.Name.Name == name && (d.Kind == syntax.Skeleton || d.Kind == syntax.AgentSkeleton) {
					return other, d
				}
			}
		}
	}
	return nil, nil
}

// candidates lists the files that may use the holder of a flesh.
func candidates(p *Project, holder string, files Folders) []string {
	var out []string
	if p.ManifestPath != "" && p.Manifest.Package.Entry != "" {
		out = append(out, filepath.Join(filepath.Dir(p.ManifestPath), filepath.FromSlash(p.Manifest.Package.Entry)))
	}
	folder := filepath.Dir(holder)
	entries, err := files.ReadDir(folder)
	if err != nil {
		return out
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		if !e.IsDir() && strings.HasSuffix(path, ".cell") && path != filepath.Clean(holder) && len(out) < maxCandidates {
			out = append(out, path)
		}
	}
	return out
}
