// Package bigprog writes large programs for measurements: sound ones of a realistic mix, and
// ones of an extreme shape. The same arguments give the same text.
package bigprog

import (
	"fmt"
	"strings"
)

// LinesPerCell is about how many lines Program writes for each cell.
const LinesPerCell = 419

// Program is a program of so many cells that passes the check without a finding. Cells have
// slots with rules, a machine, a face, and bodies with loops, matches, lists, texts, caught
// errors, moves, and calls within the cell and into earlier cells. Every fourth cell is a
// skeleton with its flesh, whose signals have frames.
func Program(cells int) string {
	w := &writer{}
	for i := range cells {
		if i > 0 {
			w.line("")
		}
		w.cell(i)
	}
	return w.String()
}

// writer is the text so far.
type writer struct {
	strings.Builder
}

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
}

// block writes lines that name the numbers of their cell and of their round: @ stands for the
// cell, # for the round, < for the round before and ^ for an earlier cell.
func (w *writer) block(cell, round int, text string) {
	fill := strings.NewReplacer(
		"@", fmt.Sprint(cell), "#", fmt.Sprint(round), "<<", fmt.Sprint(max(round-1, 0)), "^", fmt.Sprint(cell/2),
	)
	w.WriteString(fill.Replace(text))
}

// rounds is how often a cell repeats its bodies.
const rounds = 3

func (w *writer) cell(i int) {
	framed := i%4 == 3
	if framed {
		w.line("skeleton Cell%d {", i)
	} else {
		w.line("cell Cell%d {", i)
	}
	w.block(i, 0, memory)
	w.block(i, 0, machine)
	w.line("    face {")
	for r := range rounds {
		w.block(i, r, face(framed))
		if i > 0 {
			w.block(i, r, acrossFace)
		}
	}
	w.line("    }")
	if framed {
		w.line("}\n\nflesh Cell%d {", i)
	}
	for r := range rounds {
		text := bodies
		if i > 0 {
			text += across
		}
		if framed {
			text = untyped.Replace(text)
		}
		w.block(i, r, text)
	}
	w.line("}")
}

// untyped drops the types of parameters, which flesh leaves to the face.
var untyped = strings.NewReplacer("id: String", "id", "amount: Int", "amount", "n: Int", "n", "parts: Int", "parts", "text: String", "text", "list: List<Int>", "list")
