package kernel

import (
	"testing"

	"soma.cell/proofs/cert"
)

// FuzzAudit feeds the kernel altered certificates. Whatever comes, it must answer.
func FuzzAudit(f *testing.F) {
	text, err := cert.Encode(depotCertificate(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text, 0, []byte(nil))
	f.Add(text, len(text)/2, []byte(`"from":[0,1]`))
	f.Fuzz(func(t *testing.T, text []byte, at int, patch []byte) {
		if at >= 0 && at < len(text) {
			text = append([]byte(nil), text...)
			copy(text[at:], patch)
		}
		if c, err := cert.Decode(text); err == nil {
			Audit(c)
		}
	})
}
