package z3

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"soma.cell/smt"
	"soma.cell/smt/internal/termtest"
	"soma.cell/smt/smtlib"
	"soma.cell/smt/term"
)

// evalScript runs an SMT-LIB script by Z3's own reader.
func evalScript(t fatal, s *Solver, script string) string {
	t.Helper()
	var functions struct {
		EvalSMTLIB2 proc `c:"Z3_eval_smtlib2_string"`
	}
	handle, err := open("")
	if err != nil {
		t.Fatal(err)
	}
	if err := resolve(handle, reflect.ValueOf(&functions).Elem()); err != nil {
		t.Fatal(err)
	}
	x, err := newContext(s.lib, smt.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.close()
	out := goString(x.result(functions.EvalSMTLIB2, uintptr(unsafe.Pointer(cString(script)))))
	if x.err != nil {
		t.Fatalf("%v\n%s\n%s", x.err, out, script)
	}
	return strings.TrimSpace(out)
}

func compareScript(t fatal, s *Solver, q smt.Query) {
	t.Helper()
	var script bytes.Buffer
	if err := smtlib.Write(&script, q); err != nil {
		t.Fatal(err)
	}
	if got, want := evalScript(t, s, script.String()), ask(t, s, q).Verdict.String(); got != want {
		t.Fatalf("the script is %q, the query %q:\n%s", got, want, &script)
	}
}

// TestScriptsMeanTheSame compares the verdict on random queries with that on their scripts. What
// the variables are is fixed, or doubles would take long; the twins leave it open.
func TestScriptsMeanTheSame(t *testing.T) {
	solver := openSolver(t, smt.Limits{})
	rapid.Check(t, func(t *rapid.T) {
		facts := termtest.RandomModel(t).Facts()
		compareScript(t, solver, smt.Query{Name: "random\nquery", Assert: []*term.Term{
			termtest.Term(t, term.Bool, 3), term.And(facts...),
		}})
	})
}
