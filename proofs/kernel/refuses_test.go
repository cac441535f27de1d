package kernel

import (
	"testing"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
)

// refusesWith puts a system into a certificate, spoils it further (nil: no more) and holds that the
// audit refuses it for that reason.
func refusesWith(t *testing.T, c *cert.Certificate, s *ir.System, spoil func(*cert.Certificate), want ErrorKind) {
	t.Helper()
	text, err := ir.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	c.System = text
	if spoil != nil {
		spoil(c)
	}
	if err := firstError(Audit(c)); err == nil || err.Kind != want {
		t.Errorf("%v, want %s", err, want)
	}
}
