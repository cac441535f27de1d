package kernel

import (
	"testing"

	"soma.cell/proofs/cert"
)

// FuzzAudit feeds the kernel a certificate with some bytes replaced. Whatever comes, it must
// answer.
func FuzzAudit(f *testing.F) {
	whole, err := cert.Encode(depotCertificate(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(0), uint8(0), []byte(nil))
	f.Add(uint32(len(whole)/2), uint8(4), []byte(`"from":[0,1]`))
	f.Fuzz(func(t *testing.T, at uint32, drop uint8, patch []byte) {
		i := int(at) % len(whole)
		j := min(i+int(drop), len(whole))
		text := append(append(append([]byte(nil), whole[:i]...), patch...), whole[j:]...)
		c, err := cert.Decode(text)
		if err == nil {
			Audit(c)
		}
	})
}
