package cert

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// sample has every type of evidence.
func sample() *Certificate {
	site := Site{Cell: "Depot", Automaton: 1, Edge: 2, Effect: 0}
	refutation := &Refutation{Terms: []string{"(var p Bool)"}, Lines: []Line{{Rule: "assume", Claim: 0}, {Rule: "linear", Claim: 0, From: []int{0}, Coef: []string{"1/2"}}}}
	obligation := func(e Evidence) *Obligation {
		return &Obligation{ID: "Depot/-/flow/1", Kind: Flow, Cell: "Depot", Site: &site, Claim: "a <= b & c", Verdict: Proven, Evidence: e}
	}
	return &Certificate{
		Schema: Schema, Tool: "soma 1", Sources: []Source{{Name: "a.cell", SHA256: "00"}},
		Assumptions: []string{"One at a time."}, Properties: []Property{{Cell: "Depot", Text: "AG a", Origin: "program"}},
		System: []byte(`{"cells":[]}`),
		Facts:  []Fact{{Cell: "Depot", Automaton: 1, At: 5, Text: "(<= 0 (var n Int))"}},
		Obligations: []*Obligation{
			obligation(Evidence{Class: NoEvidence}),
			obligation(Evidence{Class: KernelChecked, Rule: ByTrivial}),
			obligation(Evidence{Class: KernelChecked, Rule: ByRefutation, Data: refutation}),
			obligation(Evidence{Class: SolverTrusted, Rule: ByScript, Data: &Script{Solver: "z3", Text: "(check-sat)"}}),
			obligation(Evidence{Class: KernelChecked, Rule: ByCases, Data: &Cases{Cases: []Case{{Site: site, Values: []string{"a"}, Rule: ByRefutation, Refutation: refutation}}}}),
			obligation(Evidence{Class: KernelChecked, Rule: ByCTL, Data: &CTL{
				Labellings: []Labelling{{Graph: May, States: []string{"a"}, Nodes: []Node{{Op: "atom", Atom: "a", Left: -1, Right: -1, Set: []int{0}}}}},
				Trace:      &Trace{Path: []string{"a"}, Loop: []string{"b"}},
			}}),
			obligation(Evidence{Class: EngineTrusted, Rule: ByRun, Data: &Run{Calls: []Call{{Cell: "Depot", Handler: "ship", Args: []string{`"x"`}}}, From: "a", To: "b"}}),
			obligation(Evidence{Class: EngineTrusted, Rule: ByEngine}),
		},
	}
}

func TestRoundTrip(t *testing.T) {
	c := sample()
	text, err := Encode(c)
	if err != nil {
		t.Fatal(err)
	}
	read, err := Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(c, read) {
		t.Error("something was lost")
	}
	again, err := Encode(read)
	if err != nil || !bytes.Equal(text, again) {
		t.Error("the same content has two spellings")
	}
	if bytes.Contains(text, []byte(`\u003c`)) || !bytes.HasSuffix(text, []byte("}\n")) {
		t.Error("it is not written for people")
	}
}

func TestNilListsAreEmpty(t *testing.T) {
	c := &Certificate{Schema: Schema, System: []byte("{}"), Obligations: []*Obligation{{Evidence: Evidence{Rule: ByCTL, Data: &CTL{Labellings: []Labelling{{Nodes: []Node{{}}}}}}}}}
	text, err := Encode(c)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(text, []byte("null")) {
		t.Errorf("%s", text)
	}
	if _, err := Decode(text); err != nil {
		t.Error(err)
	}
}

// TestOneSpelling: nothing but the canonical document is accepted, and the error says why.
func TestOneSpelling(t *testing.T) {
	whole, err := Encode(sample())
	if err != nil {
		t.Fatal(err)
	}
	text := string(whole)
	for _, c := range []struct{ name, from, to, why string }{
		{"another schema", `soma-certificate/1`, `soma-certificate/2`, "schema"},
		{"an unknown field", `"tool":`, `"colour":"red","tool":`, "not written as"},
		{"an unknown field of evidence", `"class":`, `"weight":1,"class":`, "not written as"},
		{"an unknown field of data", `"graph":`, `"shape":1,"graph":`, "not written as"},
		{"a field twice", `"tool":"soma 1"`, `"tool":"soma 0","tool":"soma 1"`, "not written as"},
		{"a field in capitals", `"tool":`, `"Tool":`, "not written as"},
		{"white space", `"tool":`, `"tool": `, "not written as"},
		{"an escape", `soma 1`, `s\u006fma 1`, "not written as"},
		{"null for a list", `"assumptions":["One at a time."]`, `"assumptions":null`, "not written as"},
		{"null for an obligation", `"obligations":[`, `"obligations":[null,`, "null"},
		{"data where none belongs", `"rule":"trivial"`, `"rule":"trivial","data":{}`, "takes no data"},
		{"no data", `"rule":"trivial"`, `"rule":"ctl"`, "lacks its data"},
		{"a number for a text", `"tool":"soma 1"`, `"tool":1`, "cannot unmarshal"},
		{"a fraction for a line", `"claim":0`, `"claim":0.5`, "cannot unmarshal"},
		{"something after the end", "\n]}\n", "\n]}\n{}", "after top-level value"},
		{"no end", "\n]}\n", "", "unexpected"},
		{"white space after the end", "\n]}\n", "\n]}\n\n", "not written as"},
	} {
		changed := strings.Replace(text, c.from, c.to, 1)
		if changed == text {
			t.Fatalf("%s: nothing changed", c.name)
		}
		if _, err := Decode([]byte(changed)); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v, want %q", c.name, err, c.why)
		}
	}
}

func TestHostileDocuments(t *testing.T) {
	for name, text := range map[string]string{
		"empty":        "",
		"no object":    "[]",
		"deep":         strings.Repeat(`{"system":`, 200_000),
		"deep lists":   `{"schema":"` + Schema + `","system":` + strings.Repeat("[", 100_000),
		"many objects": `{"schema":"` + Schema + `","obligations":[` + strings.Repeat("{},", 1<<20) + "{}]}",
		"binary":       "\x00\xff\xfe{",
	} {
		if _, err := Decode([]byte(text)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	items := []byte(`{"sources":[` + strings.Repeat("1,", maxItems+1) + `1]}`)
	if _, err := Decode(items); err == nil || !strings.Contains(err.Error(), "items are too many") {
		t.Errorf("many items: %v", err)
	}
	if _, err := Decode(make([]byte, MaxSize+1)); err == nil || !strings.Contains(err.Error(), "too many") {
		t.Errorf("too large: %v", err)
	}
}

func TestIDs(t *testing.T) {
	if got := ID("Depot", "", Flow, 1) + " " + ID("Depot", "ship", Invariant, 2); got != "Depot/-/flow/1 Depot/ship/invariant/2" {
		t.Error(got)
	}
}
