package proofs

import (
	"testing"

	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/proofs/obligation"
	"soma.cell/smt"
)

// TestHandlersOfOneNameAreToldApart: where facts make the conditions be decided again, what was decided
// of a handler is not taken for another of the same name.
func TestHandlersOfOneNameAreToldApart(t *testing.T) {
	p := resolvetest.Program(t, `
cell Shop {
    memory {
        sold: Map<String, Int> [persistent]
        invariant sold <= 5
    }
    state parcel {
        initial: packed
        packed -> sent
        packed -> lost
    }
    on move(id: String) { transition(id, "sent") }
    on move(id: String, why: String) { transition(id, "lost") }
    on sell(id: String, n: Int) {
        let i = 0
        while i < n { if i == 5 { break }  i += 1 }
        sold.set(id, i)
    }
}`)
	r := decided(t, p, smt.Limits{})
	if r.Certificate.Facts == nil {
		t.Error("nothing was decided again")
	}
	for _, o := range r.Obligations {
		if o.Kind == obligation.EdgeTaken && o.Verdict == obligation.Refuted {
			t.Errorf("refuted: %s", o.Claim)
		}
		if o.Kind == obligation.Invariant && o.Verdict != obligation.Proven {
			t.Errorf("%v: %s", o.Verdict, o.Claim)
		}
	}
}
