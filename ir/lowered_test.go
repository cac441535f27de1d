package ir_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"soma.cell/frontend/diag"
	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/ir/lower"
)

// TestLoweredPrograms takes the programs of the table of codes that hold no error, and says the
// same of each: it is valid, it is read back as it was written, it can be printed.
func TestLoweredPrograms(t *testing.T) {
	tried := 0
	for _, e := range diag.Table() {
		for _, text := range []string{e.Wrong, e.Right} {
			program := resolvetest.Try(source.NewFile("app.cell", text))
			if program == nil {
				continue
			}
			tried++
			s := lower.Program(program)
			data, err := ir.Encode(s)
			if err != nil {
				t.Errorf("%s: %v\n%s", e.Code, err, text)
				continue
			}
			back, err := ir.Decode(data)
			if err != nil {
				t.Errorf("%s: %v\n%s", e.Code, err, text)
				continue
			}
			if diff := cmp.Diff(s, back, sameSystem, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s: decoded otherwise (-want +got):\n%s", e.Code, diff)
			}
			if again, err := ir.Encode(back); err != nil || !bytes.Equal(data, again) {
				t.Errorf("%s: encoded otherwise the second time (%v)", e.Code, err)
			}
			if err := ir.Print(io.Discard, s); err != nil {
				t.Errorf("%s: %v", e.Code, err)
			}
		}
	}
	if tried < 50 {
		t.Errorf("only %d programs were tried", tried)
	}
}
