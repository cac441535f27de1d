package main

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"soma.cell/scripts/bench/bigprog"
)

// A check takes about linear time in the length of a program, whatever its shape: none of these
// may take long. The limit is far above what they need and far below what it would take to look
// at each pair of their parts.
func TestLongProgramsAreCheckedInTime(t *testing.T) {
	for _, s := range bigprog.Shapes() {
		t.Run(s.Name, func(t *testing.T) {
			start := processorTime(t)
			p, err := checkText("app.cell", s.Text(s.Size), "")
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			renderDiagnostics(&out, p.findings)
			if d := processorTime(t) - start; d > 5*time.Second {
				t.Errorf("%v", d)
			}
			if p.sound() == s.Broken {
				t.Errorf("found:\n%s", out.String()[:min(out.Len(), 2000)])
			}
		})
	}
}

// processorTime is what this process has used of processors: it does not grow while others use them.
func processorTime(t *testing.T) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// The large program of the measurements says nothing, so that they measure the check of a sound one.
func TestTheLargeProgramIsSound(t *testing.T) {
	const cells = 8
	text := bigprog.Program(cells)
	for _, d := range findingsOfText(t, text, "") {
		t.Error(d.Span, d.Message)
	}
	if got := strings.Count(text, "\n") / cells; got < bigprog.LinesPerCell-10 || got > bigprog.LinesPerCell+10 {
		t.Errorf("a cell has %d lines, not about %d", got, bigprog.LinesPerCell)
	}
}
