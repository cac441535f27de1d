package main

import (
	"fmt"
	"strings"
)

// outline is indented text in the making.
type outline struct{ strings.Builder }

// line adds a line at a depth of indentation. What the program wrote is made printable.
func (o *outline) line(depth int, format string, args ...any) {
	o.WriteString(strings.Repeat("    ", depth))
	o.WriteString(printable(fmt.Sprintf(format, args...)))
	o.WriteByte('\n')
}

// blank adds an empty line.
func (o *outline) blank() { o.WriteByte('\n') }
