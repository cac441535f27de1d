package format

import (
	"fmt"
	"strings"

	"soma.cell/frontend/syntax"
)

// literal writes a string with its segments. It stands between plain quotes, unless a segment
// needs several lines, which only triple quotes admit.
func (p *printer) literal(s *syntax.String) {
	text, clash := p.quoted(s, `"`)
	if clash && !p.segment {
		text, _ = p.quoted(s, `"""`)
	}
	p.write(text)
}

// quoted writes a string between quotes of a kind; clash tells that a segment does not fit on
// one line.
func (p *printer) quoted(s *syntax.String, quotes string) (text string, clash bool) {
	plain := quotes == `"`
	var out strings.Builder
	out.WriteString(quotes)
	for _, part := range s.Segments {
		switch {
		case part.X != nil:
			inner := &printer{flat: plain || p.segment, segment: true, indent: p.indent + 1}
			inner.expr(part.X, anywhere)
			clash = clash || inner.clash
			e := inner.out.String()
			if plain {
				e = escapes.Replace(e)
			}
			if strings.Trim(e, "0123456789") == "" { // plain digits between braces are text
				e = " " + e + " "
			}
			out.WriteString("{" + e + "}")
		case plain:
			out.WriteString(escape(part.Text))
		default:
			out.WriteString(braces.Replace(part.Text))
		}
	}
	out.WriteString(quotes)
	return out.String(), clash
}

// text writes a string without interpolation.
func (p *printer) text(s string) { p.write(`"`, escape(s), `"`) }

var (
	escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	braces  = strings.NewReplacer("{", "{{", "}", "}}")
)

// escape writes the text of a string between plain quotes.
func escape(s string) string {
	var out strings.Builder
	for _, r := range s {
		switch r {
		case '\n':
			out.WriteString(`\n`)
		case '\t':
			out.WriteString(`\t`)
		case '\r':
			out.WriteString(`\r`)
		case 0:
			out.WriteString(`\0`)
		case '"', '\\':
			out.WriteString(`\` + string(r))
		case '{', '}':
			out.WriteString(string(r) + string(r))
		default:
			if r < ' ' || r == 0x7f {
				fmt.Fprintf(&out, `\u{%X}`, r)
			} else {
				out.WriteRune(r)
			}
		}
	}
	return out.String()
}

// isWord tells whether a tag may stand without quotes.
func isWord(s string) bool {
	for i, c := range s {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != "" && !syntax.Reserved(s)
}
