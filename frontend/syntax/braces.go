package syntax

// brace is a { of a literal with the } that matches it, -1 when there is none.
type brace struct {
	start, end int
	colon      bool // a : stands outside all brackets, braces and strings inside
	brackets   int  // open ( and [ while scanning
}

// braceScan is one pass over a literal from a { to its }: the braces it saw outside
// strings, in order, each with its match.
type braceScan struct {
	braces []brace
	next   int // first brace not yet asked for
	end    int // where the pass stopped
}

// match finds the match of the { at pos, from an earlier pass where one saw it. Positions
// are asked for in rising order.
func (c *cutter) match(pos int) brace {
	live := c.passes[:0]
	for _, s := range c.passes {
		if pos < s.end {
			live = append(live, s)
		}
	}
	c.passes = live
	for _, s := range c.passes {
		for s.next < len(s.braces) && s.braces[s.next].start < pos {
			s.next++
		}
		if s.next < len(s.braces) && s.braces[s.next].start == pos {
			return s.braces[s.next]
		}
	}
	s := c.scanBraces(pos)
	c.passes = append(c.passes, s)
	return s.braces[0]
}

// scanBraces passes over the literal from a {, as the inside of a segment. It stops at the
// match, at a backslash outside a string, or at a string that does not end on its line.
func (c *cutter) scanBraces(pos int) *braceScan {
	s := &braceScan{}
	var open []int // indices of open braces
	for pos < c.end {
		b, width := c.decoded(pos)
		var top *brace
		if len(open) > 0 {
			top = &s.braces[open[len(open)-1]]
		}
		switch b {
		case '{':
			open = append(open, len(s.braces))
			s.braces = append(s.braces, brace{start: pos, end: -1})
		case '}':
			top.end = pos
			open = open[:len(open)-1]
		case '(', '[':
			top.brackets++
		case ')', ']':
			top.brackets = max(0, top.brackets-1)
		case ':':
			if pos+1 < c.end && c.text[pos+1] == ':' {
				width = 2
			} else if top.brackets == 0 {
				top.colon = true
			}
		case '"':
			width = c.stringWidth(pos)
		case '\\':
			width = 0
		}
		pos += width
		if width == 0 || len(open) == 0 {
			break
		}
	}
	s.end = pos
	return s
}

// stringWidth is the width of the string that starts at pos inside a segment, 0 when it
// does not end.
func (c *cutter) stringWidth(start int) int {
	_, width := c.decoded(start)
	for pos := start + width; pos < c.end; {
		b, width := c.decoded(pos)
		pos += width
		switch b {
		case '"':
			return pos - start
		case '\n':
			return 0
		case '\\':
			if pos < c.end {
				_, width = c.decoded(pos)
				pos += width
			}
		}
	}
	return 0
}
