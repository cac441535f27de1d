package main

import (
	"fmt"
	"testing"

	"soma.cell/frontend/project"
	"soma.cell/frontend/resolve"
	"soma.cell/ir/lower"
	"soma.cell/scripts/bench/bigprog"
)

// BenchmarkCheck is the whole check of programs of 17,000, 34,000 and so on lines.
func BenchmarkCheck(b *testing.B) {
	for _, cells := range []int{40, 80, 160, 320, 640} {
		b.Run(fmt.Sprintf("cells=%d", cells), func(b *testing.B) {
			text := bigprog.Program(cells)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				p, err := checkText("app.cell", text, "")
				if err != nil || len(p.findings) > 0 {
					b.Fatal(err, briefly(p.findings))
				}
			}
		})
	}
}

// BenchmarkLower is the lowering of the same programs alone.
func BenchmarkLower(b *testing.B) {
	for _, cells := range []int{40, 80, 160, 320, 640} {
		b.Run(fmt.Sprintf("cells=%d", cells), func(b *testing.B) {
			text := bigprog.Program(cells)
			read, err := project.Load("app.cell", texts{"app.cell": text})
			if err != nil {
				b.Fatal(err)
			}
			resolved, _ := resolve.Resolve(read.Files, read.Manifest.Package.Edition)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				lower.Program(resolved)
			}
		})
	}
}
