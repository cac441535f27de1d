package ir_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

func encode(t testing.TB, s *ir.System) []byte {
	t.Helper()
	data, err := ir.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// sameSystem compares systems but for the texts of files, which an encoded system leaves out.
var sameSystem = cmp.Options{
	cmp.Comparer(func(a, b *term.Term) bool { return a == b || a != nil && b != nil && a.Equal(b) }),
	cmp.Comparer(func(a, b *big.Rat) bool { return a.Cmp(b) == 0 }),
	cmp.Comparer(func(a, b *term.Sort) bool { return a == b || a != nil && b != nil && a.Same(b) }),
	cmp.Comparer(func(a, b source.Span) bool {
		return a.Start == b.Start && a.End == b.End && a.IsZero() == b.IsZero() && (a.IsZero() || a.File.Name == b.File.Name)
	}),
}

func TestRoundTrip(t *testing.T) {
	want := depot()
	data := encode(t, want)
	got, err := ir.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, sameSystem); diff != "" {
		t.Errorf("decoded otherwise (-want +got):\n%s", diff)
	}
	if again := encode(t, got); !bytes.Equal(data, again) {
		t.Errorf("encoded otherwise the second time:\n%s\n%s", data, again)
	}
	if !bytes.Equal(data, encode(t, depot())) {
		t.Error("two equal systems are encoded differently")
	}
}

func TestDecodeIgnoresLayout(t *testing.T) {
	data := encode(t, depot())
	var wide bytes.Buffer
	if err := json.Indent(&wide, data, "", "\t"); err != nil {
		t.Fatal(err)
	}
	var escaped bytes.Buffer
	json.HTMLEscape(&escaped, wide.Bytes())
	if escaped.Len() == wide.Len() {
		t.Fatal("the fixture holds nothing to escape")
	}
	if _, err := ir.Decode(escaped.Bytes()); err != nil {
		t.Error(err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	good := string(encode(t, depot()))
	for _, c := range []struct{ name, old, new, why string }{
		{"no JSON", good, "{", "unexpected EOF"},
		{"nothing", good, "", "EOF"},
		{"more than one document", good, good + "{}", "not as a system is written"},
		{"unknown field", `"cells":`, `"extra":1,"cells":`, `unknown field "extra"`},
		{"unknown effect", `"do":"push"`, `"do":"shove"`, `unknown effect "shove"`},
		{"field of another effect", `"do":"begin"`, `"do":"begin","why":"x"`, "not as a system is written"},
		{"repeated field", `"do":"begin"`, `"do":"begin","do":"begin"`, "not as a system is written"},
		{"other spelling of a field", `"do":"begin"`, `"Do":"begin"`, "not as a system is written"},
		{"unused term", `],"cells"`, `,"(int 7777)"],"cells"`, "not as a system is written"},
		{"unused file", `"files":[`, `"files":["other.cell",`, "not as a system is written"},
		{"malformed term", `"terms":[`, `"terms":["(frob 1)",`, `unknown operator "frob"`},
		{"reference past the table", `"guard":"#`, `"guard":"#99`, "names no term"},
		{"reference without a mark", `"guard":"#`, `"guard":"`, "names no term"},
		{"missing guard", `"guard":"#`, `"cond":null,"guard":"","x":"`, `unknown field "x"`},
		{"ill-sorted guard", `"terms":["(int 0)","(var stock! Int)","(<= #0 #1)"`, `"terms":["(int 0)","(var stock! Int)","(+ #0 #1)"`, "condition has sort Int, not Bool"},
		{"unknown sort", `"value":"Int"`, `"value":"Number"`, `sort "Number"`},
		{"sort that smuggles a term", `"value":"Int"`, `"value":"Int) (int 1"`, "sort"},
		{"unknown kind", `"kind":"timer"`, `"kind":"alarm"`, `"alarm" is none of handler, timer`},
		{"unknown kind of loop", `"kind":"while"`, `"kind":"until"`, `"until" is none of for, while, lambda`},
		{"unknown origin", `"origin":"abstraction"`, `"origin":"guess"`, `"guess" is none of`},
		{"place in no file", `"at":[0,`, `"at":[5,`, "lies in no file"},
		{"place that ends before it starts", `"at":[0,0,4]`, `"at":[0,9,4]`, "lies in no file"},
		{"place of four numbers", `"at":[0,0,4]`, `"at":[0,0,4,4]`, "not as a system is written"},
		{"location out of range", `"from":0,"to":3`, `"from":0,"to":333`, "location 333"},
		{"very many locations", `"locs":4`, `"locs":99999999999`, "locations are not between"},
		{"call without a handler", `"do":"call","handler":`, `"do":"call","tools":[null],"handler":`, "not as a system is written"},
		{"no handler at all", `"do":"unknown"`, `"do":"call"`, "without a handler"},
		{"effect that is null", `{"do":"begin"`, `null,{"do":"begin"`, "unknown effect"},
		{"cell that is null", `"cells":[`, `"cells":[null,`, "not as a system is written"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := strings.Replace(good, c.old, c.new, 1)
			if bad == good {
				t.Fatalf("the fixture does not hold %s", c.old)
			}
			_, err := ir.Decode([]byte(bad))
			if err == nil {
				t.Fatal("it is accepted")
			}
			for _, why := range strings.Split(c.why, "|") {
				if strings.Contains(err.Error(), why) {
					return
				}
			}
			t.Errorf("refused for another reason: %v", err)
		})
	}
}

func TestDecodeRefusesLargeInput(t *testing.T) {
	if _, err := ir.Decode(bytes.Repeat([]byte(" "), ir.MaxEncoded+1)); err == nil || !strings.Contains(err.Error(), "more than the bound") {
		t.Errorf("error is %v", err)
	}
}

func TestEncodeRefuses(t *testing.T) {
	deep := term.Var("x", term.Int)
	for range term.MaxDepth + 1 {
		deep = term.Add(deep, term.Int64(1))
	}
	edge := func(e *ir.Edge) *ir.System {
		return &ir.System{Cells: []*ir.Cell{{Name: "A", Automata: []*ir.Automaton{{Cell: "A", Name: "f", Result: term.Int, Edges: []*ir.Edge{e}}}}}}
	}
	file := source.NewFile("a.cell", "")
	for _, c := range []struct {
		name, why string
		edge      *ir.Edge
	}{
		{"nil effect", "effect is missing", &ir.Edge{Effects: []ir.Effect{nil}}},
		{"nil argument", "a term is missing", &ir.Edge{Effects: []ir.Effect{&ir.Emit{Args: []*term.Term{nil}}}}},
		{"ill-sorted term", "argument 1", &ir.Edge{Guard: term.Not(term.Int64(1))}},
		{"deep term", "too deep", &ir.Edge{Guard: term.Eq(deep, term.Int64(1))}},
		{"unknown origin", "unknown kind 7", &ir.Edge{Effects: []ir.Effect{&ir.Havoc{Origin: 7}}}},
		{"place that ends before it starts", "lies in no file", &ir.Edge{Span: source.Span{File: file, Start: 3, End: 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ir.Encode(edge(c.edge))
			if err == nil || !strings.Contains(err.Error(), c.why) {
				t.Errorf("error is %v", err)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encode(f, depot()))
	f.Add([]byte(`{"files":[],"terms":[],"cells":[]}`))
	f.Add([]byte(`{"files":["a"],"terms":["true"],"cells":[{"name":"A","automata":[{"cell":"A","name":"f","kind":"handler","result":"Int","locs":3}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ir.Decode(data)
		if err != nil {
			return
		}
		first := encode(t, s)
		again, err := ir.Decode(first)
		if err != nil {
			t.Fatalf("what was written is refused: %v", err)
		}
		if second := encode(t, again); !bytes.Equal(first, second) {
			t.Fatalf("written otherwise the second time:\n%s\n%s", first, second)
		}
	})
}
