package project

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"

	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// DefaultEdition holds where a manifest names none.
const DefaultEdition = "2026"

// Manifest is a validated soma.toml.
type Manifest struct {
	Package Package
	Agent   Agent
	Verify  Verify
}

// Package is the table [package].
type Package struct {
	Name, Version, Entry string
	Edition              string // "2026" or "2027"
}

// Agent is the table [agent]: where the model comes from. Mock is "" when it is not set.
type Agent struct {
	Provider, Model, URL, Key, Mock string
}

// Verify is the table [verify] with its subtables, in order of declaration.
type Verify struct {
	// Cells limits the properties to the machines of these cells; nil is all.
	Cells   []Name
	CellsAt source.Span
	// DeadlockFree asks for deadlock freedom.
	DeadlockFree bool
	// Props holds the properties of one machine and the fairness assumptions, in the form
	// that a verify section of a program has.
	Props []*syntax.Prop
	// Rules holds the properties over several machines.
	Rules []Rule
}

// Empty tells whether the table asks for nothing.
func (v *Verify) Empty() bool { return !v.DeadlockFree && len(v.Props) == 0 && len(v.Rules) == 0 }

// Name is a name in the manifest.
type Name struct {
	Name string
	At   source.Span
}

// Rule is an entry of [verify.rules].
type Rule struct {
	Name, Formula string
	At            source.Span
}

// manifest reads and validates a soma.toml; an empty path gives the defaults.
func (l *loader) manifest(path string) (*Manifest, error) {
	if path == "" {
		return &Manifest{Package: Package{Edition: DefaultEdition}}, nil
	}
	text, err := l.read(path)
	if err != nil {
		return nil, err
	}
	return parseManifest(path, text)
}

// table is soma.toml as the decoder fills it.
type table struct {
	Package struct {
		Name    string `toml:"name"`
		Version string `toml:"version"`
		Edition string `toml:"edition"`
		Entry   string `toml:"entry"`
	} `toml:"package"`
	Agent struct {
		Provider string `toml:"provider"`
		Model    string `toml:"model"`
		URL      string `toml:"url"`
		Key      string `toml:"key"`
		Mock     string `toml:"mock"`
	} `toml:"agent"`
	Verify struct {
		Cells        []string          `toml:"cells"`
		DeadlockFree bool              `toml:"deadlock_free"`
		Eventually   []string          `toml:"eventually"`
		Always       []string          `toml:"always"`
		Never        []string          `toml:"never"`
		CTL          []string          `toml:"ctl"`
		After        subjects          `toml:"after"`
		Before       subjects          `toml:"before"`
		Rules        map[string]string `toml:"rules"`
		Fairness     struct {
			Strong []string `toml:"strong"`
			Weak   []string `toml:"weak"`
		} `toml:"fairness"`
	} `toml:"verify"`
}

// subjects holds the tables of states, those of a machine's states inside of each other.
type subjects map[string]any

// parseManifest validates the text of a soma.toml.
func parseManifest(path, text string) (*Manifest, error) {
	root := map[string]any{}
	meta, err := toml.Decode(text, &root)
	if err != nil {
		return nil, decodeError(path, err)
	}
	var t table
	b := &builder{path: path, file: source.NewFile(path, text), table: &t, meta: meta}
	b.places = locate(b.file)
	if err := b.wellFormed(root); err != nil {
		return nil, err
	}
	if _, err := toml.Decode(text, &t); err != nil {
		return nil, decodeError(path, err)
	}
	m := &Manifest{
		Package: Package{Name: t.Package.Name, Version: t.Package.Version, Edition: t.Package.Edition,
			Entry: t.Package.Entry},
		Agent: Agent(t.Agent),
	}
	if m.Package.Entry != "" {
		m.Package.Entry = filepath.ToSlash(filepath.Clean(m.Package.Entry))
	}
	switch {
	case !meta.IsDefined("package", "edition"):
		m.Package.Edition = DefaultEdition
	case m.Package.Edition != "2026" && m.Package.Edition != "2027":
		return nil, unknownEdition(path, b.position("package", "edition"), m.Package.Edition)
	}
	if err := b.verify(&m.Verify); err != nil {
		return nil, err
	}
	return m, nil
}

func decodeError(path string, err error) *Error {
	var syntaxError toml.ParseError
	if errors.As(err, &syntaxError) {
		message := syntaxError.Message
		if message == "" {
			message = strings.TrimPrefix(err.Error(), "toml: ")
		}
		return brokenManifest(path, syntaxError.Position.Line, max(1, syntaxError.Position.Col), message, err)
	}
	return brokenManifest(path, 0, 0, strings.TrimPrefix(err.Error(), "toml: "), err)
}
