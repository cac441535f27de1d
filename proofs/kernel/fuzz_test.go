package kernel

import (
	"bytes"
	"testing"

	"soma.cell/proofs/cert"
)

// FuzzAudit feeds the kernel a certificate with some bytes replaced, one of a depot or, with facts,
// one of a mill. Whatever comes, it must answer.
func FuzzAudit(f *testing.F) {
	depot, err := cert.Encode(depotCertificate(f))
	if err != nil {
		f.Fatal(err)
	}
	mill, err := cert.Encode(millCertificate(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(0), uint8(0), []byte(nil))
	f.Add(uint32(len(depot)/2), uint8(4), []byte(`"from":[0,1]`))
	f.Add(uint32(len(depot)+bytes.Index(mill, []byte("i@H3"))), uint8(4), []byte("n"))
	f.Fuzz(func(t *testing.T, at uint32, drop uint8, patch []byte) {
		whole, i := depot, int(at)%(len(depot)+len(mill))
		if i >= len(depot) {
			whole, i = mill, i-len(depot)
		}
		j := min(i+int(drop), len(whole))
		text := append(append(append([]byte(nil), whole[:i]...), patch...), whole[j:]...)
		c, err := cert.Decode(text)
		if err == nil {
			Audit(c)
		}
	})
}
