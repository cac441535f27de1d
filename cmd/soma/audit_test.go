package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"soma.cell/proofs/cert"
)

const sluice = `cell Sluice {
    state gate {
        initial: shut
        shut -> open
        open -> shut
    }
    verify { eventually [open] }
    on lift(id: String) { transition(id, "shut", "open") }
    on drop(id: String) { transition(id, "open", "shut") }
}
`

// An audit against the sources refuses a certificate that is whole by itself and is not about
// all that they ask for, or about more than they ask for.
func TestAuditAgainstSources(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	write(t, "sluice.cell", sluice)
	write(t, "soma.toml", "[package]\nname = \"sluice\"\nedition = \"2027\"\n\n[verify]\nctl = [\"AG EF shut\"]\nrules = { calm = \"AG !open\" }\n")
	write(t, "other.cell", "cell Other { on a() { return 1 } }\n")
	if out, status := soma("verify", "--cert", "whole.json", "sluice.cell"); status == statusUsage {
		t.Fatal(out)
	}
	audit := func(t *testing.T, spoil func(c *cert.Certificate)) (alone, compared string) {
		t.Helper()
		text, err := os.ReadFile("whole.json")
		if err != nil {
			t.Fatal(err)
		}
		c, err := cert.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		spoil(c)
		if text, err = cert.Encode(c); err != nil {
			t.Fatal(err)
		}
		write(t, "spoilt.json", string(text))
		alone, _ = soma("audit", "spoilt.json")
		compared, _ = soma("audit", "--source", ".", "spoilt.json")
		return alone, compared
	}
	ok := func(out string) bool { return strings.HasSuffix(out, "AUDIT OK\n") }
	alone, compared := audit(t, func(*cert.Certificate) {})
	if !ok(alone) || !ok(compared) {
		t.Fatalf("the certificate is refused:\n%s", compared)
	}
	if !strings.Contains(compared, "decided by nothing:\n  · rule calm: AG !open") {
		t.Errorf("a rule of the manifest is passed over:\n%s", compared)
	}
	for _, f := range []struct {
		name, want string
		spoil      func(c *cert.Certificate)
	}{
		{"the program's property is left out", "leaves out a property that the program asks for: AF open of Sluice",
			func(c *cert.Certificate) { dropProperty(c, 0) }},
		{"the manifest's property is left out", "leaves out a property that the manifest asks for: AG EF shut of Sluice",
			func(c *cert.Certificate) { dropProperty(c, 1) }},
		{"a property that nobody asked for", "the program does not ask for AG EF shut of Sluice",
			func(c *cert.Certificate) { c.Properties[1].Origin = originProgram }},
		{"a file that the program does not use", "made of other files",
			func(c *cert.Certificate) {
				o := c.Sources[0]
				o.Name = "./sluice.cell"
				c.Sources = append(c.Sources, o)
			}},
		{"no sources", "names no sources", func(c *cert.Certificate) { c.Sources = nil }},
		{"another digest", "its digest differs", func(c *cert.Certificate) { c.Sources[0].SHA256 = strings.Repeat("0", 64) }},
	} {
		t.Run(f.name, func(t *testing.T) {
			alone, compared := audit(t, f.spoil)
			if !ok(alone) {
				t.Errorf("without the sources there is nothing to see:\n%s", alone)
			}
			if ok(compared) || !strings.Contains(compared, f.want) {
				t.Errorf("want %q:\n%s", f.want, compared)
			}
		})
	}
}

// What is no certificate ends in one line and a status that is no success.
func TestAuditOfWhatIsNoCertificate(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "sluice.cell", sluice)
	if out, status := soma("verify", "--cert", "whole.json", "sluice.cell"); status == statusUsage {
		t.Fatal(out)
	}
	whole, err := os.ReadFile("whole.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"empty":          "",
		"blank":          "\n",
		"null":           "null",
		"a list":         "[]",
		"half":           string(whole[:len(whole)/2]),
		"almost":         string(whole[:len(whole)-1]),
		"more":           string(whole) + "]",
		"another schema": strings.Replace(string(whole), cert.Schema, "soma-certificate/2", 1),
		"nested":         strings.Repeat("[", 1<<19),
		"no text":        strings.Repeat("\x00\xff", 1<<16),
		"a field twice":  strings.Replace(string(whole), `"tool":`, `"tool":"x","tool":`, 1),
		"no system":      `{"schema":"soma-certificate/1"}`,
	} {
		write(t, "odd.json", text)
		out, status := soma("audit", "odd.json")
		if status != statusFailed || !strings.HasPrefix(out, "error: odd.json is no certificate: ") || strings.Count(out, "\n") != 1 {
			t.Errorf("%s: exit status %d:\n%s", name, status, out)
		}
	}
	if out, status := soma("audit", "."); status != statusUsage || strings.Count(out, "\n") != 1 {
		t.Errorf("a folder: exit status %d:\n%s", status, out)
	}
}

// dropProperty leaves a property and its obligation out, as if nobody had asked.
func dropProperty(c *cert.Certificate, i int) {
	n := len(c.Obligations) - len(c.Properties) + i
	for k := len(c.Obligations) - 1; k > n; k-- {
		c.Obligations[k].ID = c.Obligations[k-1].ID
	}
	c.Properties = slices.Delete(c.Properties, i, i+1)
	c.Obligations = slices.Delete(c.Obligations, n, n+1)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.FromSlash(name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// soma runs a command line.
func soma(args ...string) (out string, status int) {
	var b bytes.Buffer
	a := &app{out: &b, progress: &bytes.Buffer{}, lookup: os.LookupEnv, now: time.Now}
	status = a.run(context.Background(), args)
	return b.String(), status
}
