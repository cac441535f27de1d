package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"soma.cell/frontend/project"
	"soma.cell/ir"
	"soma.cell/proofs/cert"
)

// compareSources reads the program of a certificate again, from a folder that stands for the
// one in which it was verified: its files, the system that they lower to, and the properties
// that they and their manifest ask for must be those of the certificate.
func (r *audited) compareSources(c *cert.Certificate, folder string) error {
	files := rooted{folder}
	for _, s := range c.Sources {
		text, err := files.ReadFile(s.Name)
		if err != nil {
			return usageError(cannotRead(filepath.Join(folder, s.Name), err))
		}
		if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != s.SHA256 {
			r.mismatches = append(r.mismatches, otherSource(s.Name))
		}
	}
	if len(c.Sources) == 0 {
		r.mismatches = append(r.mismatches, noSources)
	}
	if len(r.mismatches) > 0 {
		return nil
	}
	p, err := loadFrom(c.Sources[0].Name, files)
	if err != nil {
		return err
	}
	if !p.sound() || p.system == nil {
		r.mismatches = append(r.mismatches, failsCheck(p.name))
		return nil
	}
	if !slices.Equal(p.sources(), c.Sources) {
		r.mismatches = append(r.mismatches, otherFiles)
	}
	again, err := ir.Encode(p.system)
	if err != nil {
		return err
	}
	var claimed bytes.Buffer
	if err := json.Compact(&claimed, c.System); err != nil || !bytes.Equal(claimed.Bytes(), again) {
		r.mismatches = append(r.mismatches, otherSystem)
	}
	return r.compareProperties(c, p)
}

// compareProperties holds the properties of a certificate against those that the program and
// its manifest ask for. Others may be there when they say that they come from a command line.
func (r *audited) compareProperties(c *cert.Certificate, p *program) error {
	q, err := p.questions(nil)
	var misfit *misfit
	switch {
	case errors.As(err, &misfit):
		r.mismatches = append(r.mismatches, misfit.Error())
		return nil
	case err != nil:
		return err
	}
	given := map[cert.Property]int{}
	for _, g := range c.Properties {
		given[g]++
	}
	for _, w := range q.properties {
		g := cert.Property{Cell: w.Cell, Text: w.CTL, Origin: w.Origin}
		if given[g]--; given[g] < 0 {
			r.mismatches = append(r.mismatches, propertyLeftOut(g))
		}
	}
	for _, g := range c.Properties {
		if given[g] > 0 && g.Origin != originCommand {
			r.mismatches = append(r.mismatches, propertyNotAsked(g))
		}
	}
	for _, rule := range q.rules {
		r.undecided = append(r.undecided, ruleUndecided(rule.Name, rule.Formula))
	}
	return nil
}

// rooted is a part of the disk: the names of a program's files inside of a folder.
type rooted struct{ folder string }

func (r rooted) Stat(name string) (os.FileInfo, error) { return os.Stat(filepath.Join(r.folder, name)) }
func (r rooted) ReadFile(name string) ([]byte, error) {
	return readUpTo(filepath.Join(r.folder, name), project.MaxFileSize)
}
func (r rooted) Abs(name string) (string, error) { return filepath.Abs(filepath.Join(r.folder, name)) }

var _ project.Files = rooted{}
