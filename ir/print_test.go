package ir_test

import (
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

var update = flag.Bool("update", false, "rewrite the expected files")

func TestPrint(t *testing.T) {
	var b strings.Builder
	if err := ir.Print(&b, depot()); err != nil {
		t.Fatal(err)
	}
	const file = "testdata/depot.ir"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("printed otherwise (-want +got):\n%s", diff)
	}
}

func TestPrintToleratesWhatIsMissing(t *testing.T) {
	s := &ir.System{Cells: []*ir.Cell{{Name: "A", Automata: []*ir.Automaton{{Cell: "A", Name: "f", Kind: 9, Result: term.Int,
		Params: []*term.Term{term.Var("x", term.Int)},
		Edges: []*ir.Edge{{Effects: []ir.Effect{&ir.Move{Cell: "B", Guards: []ir.EdgeGuard{{Edge: 7}}}, &ir.Write{}, &ir.Return{},
			&ir.Inspect{}, &ir.Bind{}, &ir.Havoc{Origin: 5}}}}, Loops: []*ir.Loop{{Kind: 8}}}}}}}
	var b strings.Builder
	if err := ir.Print(&b, s); err != nil || !strings.Contains(b.String(), "move B.?[?]") {
		t.Errorf("error %v, text:\n%s", err, b.String())
	}
}

type brokenWriter struct{}

var errBroken = errors.New("no room")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestPrintReportsTheWriter(t *testing.T) {
	if err := ir.Print(brokenWriter{}, depot()); !errors.Is(err, errBroken) {
		t.Errorf("error is %v", err)
	}
}

func TestAbstractions(t *testing.T) {
	counts, abstract, effects := ir.Abstractions(depot())
	want := []ir.Count{
		{Construct: "effect: call of a value", Times: 1},
		{Construct: "guard of a declared edge", Times: 1},
		{Construct: "rule: it reads another key", Times: 1},
		{Construct: "value: remainder of a negative number", Times: 1},
	}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if abstract != 2 || effects != 26 {
		t.Errorf("%d of %d effects are abstractions, not 2 of 26", abstract, effects)
	}
}
