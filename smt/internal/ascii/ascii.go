// Package ascii writes any text in printable ASCII, for solvers.
//
// A byte either stands for itself or is written as "%" and two hexadecimal digits. No code is
// the beginning of another, so the code is injective and the code of a concatenation is the
// concatenation of the codes: equations between texts hold exactly when they hold between the
// codes. It works on bytes, as the concatenation of texts does, and so needs no valid UTF-8. None
// of the characters it uses is special in SMT-LIB's texts and quoted symbols.
package ascii

import "strings"

const digits = "0123456789ABCDEF"

// plain tells whether a byte stands for itself.
func plain(c byte) bool { return ' ' <= c && c <= '~' && strings.IndexByte(`%"\|`, c) < 0 }

// Encode is the code of a text.
func Encode(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; plain(c) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}

// Decode is the text of a code, and false for a text that Encode does not make.
func Decode(code string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(code); i++ {
		c := code[i]
		if plain(c) {
			b.WriteByte(c)
			continue
		}
		if c != '%' || i+2 >= len(code) {
			return "", false
		}
		high, low := strings.IndexByte(digits, code[i+1]), strings.IndexByte(digits, code[i+2])
		if high < 0 || low < 0 || plain(byte(high<<4|low)) {
			return "", false
		}
		b.WriteByte(byte(high<<4 | low))
		i += 2
	}
	return b.String(), true
}
