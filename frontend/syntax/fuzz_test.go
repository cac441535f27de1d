package syntax

import (
	"os"
	"testing"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/internal/expect"
	"soma.cell/frontend/source"
)

// FuzzParse holds for every text: Parse ends without a panic, each diagnostic stands in the
// file and has a code of the table, and the place of each node lies in that of its parent.
func FuzzParse(f *testing.F) {
	for _, e := range diag.Table() {
		if len(e.Wrong) < 2000 {
			f.Add(e.Wrong)
		}
		f.Add(e.Right)
	}
	for _, p := range expect.Programs(f, "testdata/errors.cell") {
		f.Add(p.Text)
	}
	whole, err := os.ReadFile("testdata/whole.cell")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(whole))
	codes := map[diag.Code]bool{}
	for _, e := range diag.Table() {
		codes[e.Code] = true
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, list := parse(text)
		if len(list) > maxErrors {
			t.Fatalf("%d diagnostics", len(list))
		}
		for _, d := range list {
			if !codes[d.Code] {
				t.Fatalf("code %q is not in the table", d.Code)
			}
			checkSpan(t, text, d.Span)
			for _, e := range d.Edits {
				checkSpan(t, text, e.Span)
			}
		}
		for _, d := range file.Decls {
			checkDecl(t, len(list) == 0, text, d)
		}
		if len(list) == 0 && len(file.Decls)+len(file.Uses) == 0 {
			t.Fatal("an empty file without a diagnostic")
		}
	})
}

func checkSpan(t *testing.T, text string, s source.Span) {
	t.Helper()
	if s.File == nil || s.Start < 0 || s.End < s.Start || s.End > len(text) {
		t.Fatalf("the span %d..%d is outside the file of %d bytes", s.Start, s.End, len(text))
	}
}

// checkDecl checks the nodes of bodies and rules, which hold all the depth.
func checkDecl(t *testing.T, faultless bool, text string, d *Decl) {
	checkSpan(t, text, d.At)
	for _, h := range d.Handlers {
		within(t, d.At, h)
		if h.Body != nil {
			within(t, h.At, h.Body)
			checkInside(t, faultless, h.Body)
		}
	}
	for _, timer := range d.Timers {
		within(t, d.At, timer)
		checkInside(t, faultless, timer.Body)
	}
	for _, r := range d.Rules {
		within(t, d.At, r)
		for _, s := range r.Items {
			within(t, r.At, s)
			checkInside(t, faultless, s)
		}
	}
	for _, m := range d.Memory {
		for _, i := range m.Invariants {
			within(t, m.At, i)
			within(t, i.At, i.Cond)
			checkInside(t, faultless, i.Cond)
		}
	}
	for _, m := range d.Machines {
		for _, e := range m.Edges {
			within(t, m.At, e)
		}
	}
	for _, in := range d.Interior {
		within(t, d.At, in)
		for _, c := range in.Cells {
			checkDecl(t, faultless, text, c)
		}
	}
}

func checkInside(t *testing.T, faultless bool, n Node) {
	Inspect(n, func(inner Node) bool {
		switch inner.(type) {
		case *BadExpr, *BadStmt:
			if faultless {
				t.Fatalf("a hole without a diagnostic at %v", inner.Span())
			}
		}
		for _, child := range children(inner) {
			if !isNil(child) {
				within(t, inner.Span(), child)
			}
		}
		return true
	})
}

func within(t *testing.T, outer source.Span, n Node) {
	t.Helper()
	s := n.Span()
	if s.File == nil || s.Start < outer.Start || s.End > outer.End || s.Start > s.End {
		t.Fatalf("%T at %d..%d is not inside its parent at %d..%d", n, s.Start, s.End, outer.Start, outer.End)
	}
}
