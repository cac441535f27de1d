package kernel

import (
	"testing"

	"soma.cell/proofs/cert"
)

func TestDepotHolds(t *testing.T) {
	c := depotCertificate(t)
	text, err := cert.Encode(c)
	if err != nil {
		t.Fatal(err)
	}
	read, err := cert.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	r := Audit(read)
	for _, e := range r.Errors {
		t.Error(e)
	}
	for _, x := range r.Results {
		t.Logf("%-40s %-10s %-15s %s", x.ID, x.Outcome, x.Verdict, x.Rule)
		if x.Err != nil {
			t.Errorf("%s: %v", x.ID, x.Err)
		}
	}
}
