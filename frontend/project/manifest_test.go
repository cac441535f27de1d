package project

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"soma.cell/frontend/syntax"
)

const full = `# a manifest with everything
[package]
name = "shop"
version = "1.2.0"
edition = "2027"
entry = "src/main.cell"

[agent]
provider = "openai"
model = "m"
url = "http://localhost"
key = "k"
mock = "echo"

[verify]
cells = ["Till", "Shop"]
deadlock_free = true
eventually = ["done", "lost"]
always = ["open", "done", "lost"]
never = ["gone"]
ctl = ["AG(open -> AF done)", "EF lost"]

[verify.after.paid]
never = ["open"]
eventually = ["done"]

[verify.before."done"]
requires = ["paid"]
requires_all = ["checked", "signed"]

[verify.after.Till.drawer.open]
never = ["never"]
[verify.before.drawer.never]
requires = ["x"]

[verify.rules]
zeta = "AG(till.open -> AF shop.shut)"
alpha = "AG true"

[verify.fairness]
strong = ["finish"]
weak = ["open -> paid"]

[dependencies]
other = "1"
[models.fast]
name = "x"
[peers]
[bus]
[compute]
[cluster]
size = 3
`

// render writes a property as a verify section of a program would.
func render(p *syntax.Prop) string {
	kinds := map[syntax.PropKind]string{syntax.PropEventually: "eventually", syntax.PropNever: "never", syntax.PropAlways: "always",
		syntax.PropAfterEventually: "after eventually", syntax.PropAfterNever: "after never", syntax.PropBeforeRequires: "before requires",
		syntax.PropBeforeRequiresAll: "before requires_all", syntax.PropCTL: "ctl", syntax.PropFair: "fair"}
	out := kinds[p.Kind]
	if p.Subject != nil {
		out += " " + p.Subject.Name
	}
	for _, s := range p.States {
		out += " " + s.Name
	}
	if p.Kind == syntax.PropFair {
		out += fmt.Sprint(" ", p.Strong)
		if p.Handler != nil {
			out += " " + p.Handler.Name
		} else {
			out += " " + p.Edge[0].Name + "->" + p.Edge[1].Name
		}
	}
	return fmt.Sprintf("%s%s @%d", out, p.CTL, p.At.From().Line)
}

func TestManifest(t *testing.T) {
	m, err := parseManifest("soma.toml", full)
	if err != nil {
		t.Fatal(err)
	}
	if m.Package != (Package{Name: "shop", Version: "1.2.0", Edition: "2027", Entry: "src/main.cell"}) {
		t.Errorf("package %+v", m.Package)
	}
	if m.Agent != (Agent{Provider: "openai", Model: "m", URL: "http://localhost", Key: "k", Mock: "echo"}) {
		t.Errorf("agent %+v", m.Agent)
	}
	var props []string
	for _, p := range m.Verify.Props {
		props = append(props, render(p))
	}
	want := []string{"eventually done lost @18", "always open done lost @19", "never gone @20",
		"ctlAG(open -> AF done) @21", "ctlEF lost @21",
		"after never paid open @24", "after eventually paid done @25",
		"before requires done paid @28", "before requires_all done checked signed @29",
		"after never Till.drawer.open never @32", "before requires drawer.never x @34",
		"fair true finish @41", "fair false open->paid @42"}
	if strings.Join(props, "\n") != strings.Join(want, "\n") {
		t.Errorf("properties\n%s\nwant\n%s", strings.Join(props, "\n"), strings.Join(want, "\n"))
	}
	v := m.Verify
	if !v.DeadlockFree || v.Empty() || len(v.Cells) != 2 || v.Cells[1].Name != "Shop" || v.Cells[1].At.From().Line != 16 {
		t.Errorf("verify %+v", v)
	}
	if len(v.Rules) != 2 || v.Rules[0].Name != "zeta" || v.Rules[1].Formula != "AG true" || v.Rules[1].At.From().Line != 38 {
		t.Errorf("rules %+v", v.Rules)
	}
}

func TestManifestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[package\nname = 1", "m:2:"},
		{"[package]\nname = \n", "m:2:"},
		{"[package]\nname = 3\n", "m:2:1: `package.name` must be a string"},
		{"[[package]]\nname = \"x\"\n", "m:1:1: `package` must be a table"},
		{"[package]\nname = { a = 1 }\n", "m:2:1: `package.name` must be a string"},
		{"[Package]\nedition = \"2027\"\n", "m:1:1: unknown table [Package]; did you mean [package]?"},
		{"[package]\nEdition = \"2027\"\n", "m:2:1: unknown key `Edition` in [package]"},
		{"[Verify]\nnever = [\"a\"]\n", "m:1:1: unknown table [Verify]"},
		{"[verify]\nNever = [\"a\"]\n", "m:2:1: unknown key `Never` in [verify]"},
		{"[verify.After.x]\nnever = [\"a\"]\n", "m:1:1: unknown table [verify.After.x]; did you mean [verify.after]?"},
		{"[verify.after.x]\nNever = [\"a\"]\n", "m:2:1: unknown key `Never` in [verify.after.x]"},
		{"verify = { Never = [\"a\"] }\n", "unknown key `Never` in [verify]"},
		{"[verify]\ndeadlock_free = \"yes\"\n", "m:2:1: `verify.deadlock_free` must be true or false"},
		{"[verify.after]\nx = 1\n", "m:2:1: `verify.after.x` must be a table"},
		{"[verify.after.m.x]\nnever = []\n", "m:2:1: the list `verify.after.m.x.never` is empty"},
		{"[verify.after.m.x]\nnevr = [\"a\"]\n", "m:2:1: unknown key `nevr` in [verify.after.m.x]"},
		{"[verify.before.C.m.x]\nrequires = \"a\"\n", "m:2:1: `verify.before.C.m.x.requires` must be a list of strings"},
		{"[verify.after.a.b.c.d]\nnever = [\"a\"]\n", "m:1:1: unknown table [verify.after.a.b.c.d]"},
		{"dependencies = 3\n", "m:1:1: `dependencies` must be a table"},
		{"[verify]\nnever = [\"a\"]\nnever = [\"b\"]\n", "m:3:"},
		{"[verify]\n[verify]\n", "m:2:"},
		{"[verify.fairness]\nstrong = [\"a -> b -> c\"]\n", "m:2:1: `a -> b -> c` is neither"},
		{"[verify.fairness]\nstrong = \"finish\"\n", "m:2:1: `verify.fairness.strong` must be a list of strings"},
		{"[[verify.rules]]\na = \"x\"\n", "m:1:1: `verify.rules` must be a table"},
		{"[agent.x]\na = 1\n", "m:1:1: unknown table [agent.x]"},
		{"\xEF\xBB\xBF[package]\r\nname = \"x\"\r\nbad = 1\r\n", "m:3:1: unknown key `bad` in [package]"},
		{"[package]\nname = \"\xff\"\n", "m:2:"},
		{"\x00", "m:1:1:"},
		{"[verify.rules]\nx = 1\n", "m:2:1: `verify.rules.x` must be a string"},
		{"[verify]\nnever = [\"a\", 1]\n", "m:2:1: `verify.never` must be a list of strings"},
		{"[package]\nnmae = \"x\"\n", "m:2:1: unknown key `nmae` in [package]; it has name, version, edition, entry; did you mean `name`?"},
		{"[packages]\nname = \"x\"\n", "m:1:1: unknown table [packages]; did you mean [package]?"},
		{"[package]\n[[extra]]\nname = \"x\"\n", "m:2:1: unknown table [extra]"},
		{"name = \"x\"\n", "m:1:1: the key `name` stands in no table"},
		{"[package]\nedition = \"2025\"\n", "m:2:1: unknown edition \"2025\""},
		{"[package]\nedition = \"\"\n", "unknown edition"},
		{"[agent]\n\n  tokens = 3\n", "m:3:3: unknown key `tokens` in [agent]"},
		{"[verify]\nevery = [\"a\"]\n", "m:2:1: unknown key `every` in [verify]"},
		{"[verify.afterwards.x]\nnever = [\"a\"]\n", "m:1:1: unknown table [verify.afterwards.x]"},
		{"[verify.after.x]\nalways = [\"a\"]\n", "m:2:1: unknown key `always` in [verify.after.x]"},
		{"[verify.before.x]\nrequire = [\"a\"]\n", "unknown key `require` in [verify.before.x]"},
		{"[verify.fairness]\nmild = [\"a\"]\n", "m:2:1: unknown key `mild` in [verify.fairness]"},
		{"[verify]\neventually = []\n", "m:2:1: the list `verify.eventually` is empty"},
		{"[verify]\nalways = []\n", "is empty"},
		{"[verify]\nnever = []\n", "is empty"},
		{"[verify]\nctl = []\n", "is empty"},
		{"[verify]\ncells = []\n", "is empty"},
		{"[verify.after.x]\nnever = []\n", "m:2:1: the list `verify.after.x.never` is empty"},
		{"[verify.before.x]\nrequires_all = []\n", "is empty"},
		{"[verify.fairness]\nweak = []\n", "is empty"},
		{"[verify.fairness]\nweak = [\"a -> \"]\n", "m:2:1: `a -> ` is neither a handler nor an edge"},
		{"[verify.fairness]\nweak = [\"a b\"]\n", "is neither"},
		{"[verify]\neventually = \"done\"\n", "m:2:1: `verify.eventually` must be a list of strings"},
	} {
		m, err := parseManifest("m", c.text)
		var typed *Error
		if !errors.As(err, &typed) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %+v, %v, want %s", c.text, m, err, c.want)
		}
	}
	for _, text := range []string{"", "# nothing\n", "[package]\n", "[models.a.b]\nx = 1\n", "[verify]\ndeadlock_free = false\n"} {
		if _, err := parseManifest("m", text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzManifest(f *testing.F) {
	f.Add(full)
	f.Add("[verify.after.\"a.b\"]\nnever = [\"x\"]\n")
	f.Add("verify = { after = { x = { never = [\"y\"] } } }\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := parseManifest("m", text)
		var typed *Error
		if (m == nil) != errors.As(err, &typed) {
			t.Fatalf("manifest %v, error %v", m, err)
		}
	})
}
