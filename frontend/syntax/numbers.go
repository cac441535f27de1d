package syntax

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// unit is a unit of durations, in milliseconds.
type unit struct {
	name   string
	millis int64
}

var units = []unit{{"ms", 1}, {"s", 1000}, {"min", 60_000}, {"h", 3_600_000}, {"d", 86_400_000}}

// foreignUnits maps the ways other languages write units to the units of this one; those
// without a counterpart map to "".
var foreignUnits = map[string]string{
	"m": "min", "mins": "min", "minute": "min", "minutes": "min",
	"sec": "s", "secs": "s", "second": "s", "seconds": "s",
	"hr": "h", "hrs": "h", "hour": "h", "hours": "h",
	"day": "d", "days": "d", "milli": "ms", "millis": "ms", "msec": "ms",
	"us": "", "ns": "", "w": "", "week": "", "weeks": "", "mo": "", "month": "", "months": "", "y": "", "year": "", "years": "",
}

func unitMillis(name string) (int64, bool) {
	for _, u := range units {
		if u.name == name {
			return u.millis, true
		}
	}
	return 0, false
}

// scanNumber reads the longest run that looks like a number and decides what it is:
//
//	Int      := digits | "0x" hexdigits          digits may hold single _ between digits
//	Float    := digits "." digits [exp] | digits exp
//	Duration := digits unit
func (l *lexer) scanNumber(t *token) {
	t.kind = tokInt
	pos := t.start
	if strings.HasPrefix(l.text[pos:], "0x") || strings.HasPrefix(l.text[pos:], "0X") {
		t.end = l.wordEnd(pos)
		if !wellFormed(l.text[pos+2:t.end], isHexDigit, "") {
			t.fault = badNumber
		}
		return
	}
	pos = l.digitsEnd(pos)
	if pos+1 < len(l.text) && l.text[pos] == '.' && isDigit(l.text[pos+1]) {
		t.kind = tokFloat
		pos = l.digitsEnd(pos + 1)
	}
	if end := l.exponentEnd(pos); end > pos {
		t.kind = tokFloat
		pos = end
	}
	t.end = l.wordEnd(pos)
	if s := l.text[pos:t.end]; (s == "e" || s == "E") && t.end < len(l.text) && (l.text[t.end] == '+' || l.text[t.end] == '-') {
		t.end++ // an exponent without digits
	}
	if !wellFormed(l.text[t.start:pos], isDigit, ".eE+-") {
		t.fault = badNumber
	}
	suffix := l.text[pos:t.end]
	if suffix == "" {
		return
	}
	_, known := unitMillis(suffix)
	_, foreign := foreignUnits[suffix]
	switch {
	case known && t.kind == tokInt:
		t.kind = tokDuration
	case foreign && t.fault == noFault:
		t.fault = badUnit
	default:
		t.fault = badNumber
	}
}

func (l *lexer) digitsEnd(pos int) int {
	for pos < len(l.text) && (isDigit(l.text[pos]) || l.text[pos] == '_') {
		pos++
	}
	return pos
}

// exponentEnd is the end of an exponent at pos, or pos without one.
func (l *lexer) exponentEnd(pos int) int {
	at := pos
	if at < len(l.text) && (l.text[at] == 'e' || l.text[at] == 'E') {
		at++
		if at < len(l.text) && (l.text[at] == '+' || l.text[at] == '-') {
			at++
		}
		if at < len(l.text) && isDigit(l.text[at]) {
			return l.digitsEnd(at)
		}
	}
	return pos
}

// wellFormed tells whether s is not empty, holds only digits and the marks, and has each _
// between two digits.
func wellFormed(s string, digit func(byte) bool, marks string) bool {
	for i := 0; i < len(s); i++ {
		switch {
		case digit(s[i]) || strings.IndexByte(marks, s[i]) >= 0:
		case s[i] == '_' && i > 0 && digit(s[i-1]) && i+1 < len(s) && digit(s[i+1]):
		default:
			return false
		}
	}
	return s != ""
}

func isHexDigit(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// intValue is the value of an Int literal without fault.
func intValue(text string) *big.Int {
	text = strings.ReplaceAll(text, "_", "")
	if len(text) > 2 && (text[1] == 'x' || text[1] == 'X') {
		v, _ := new(big.Int).SetString(text[2:], 16)
		return v
	}
	return decimal(text)
}

// decimal reads decimal digits. Long literals are cut in halves, because reading them digit
// by digit takes quadratic time.
func decimal(digits string) *big.Int {
	const direct = 2000
	if len(digits) <= direct {
		v, _ := new(big.Int).SetString(digits, 10)
		return v
	}
	powers := map[int]*big.Int{}
	var read func(s string) *big.Int
	read = func(s string) *big.Int {
		low := direct
		for low*2 < len(s) {
			low *= 2
		}
		if len(s) <= direct {
			return decimal(s)
		}
		if powers[low] == nil {
			if half := powers[low/2]; half != nil {
				powers[low] = new(big.Int).Mul(half, half)
			} else {
				powers[low] = new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(low)), nil)
			}
		}
		high := read(s[:len(s)-low])
		high.Mul(high, powers[low])
		return high.Add(high, read(s[len(s)-low:]))
	}
	return read(digits)
}

// durationValue is the value of a duration literal in milliseconds.
func durationValue(text string) *big.Int {
	i := strings.IndexFunc(text, func(r rune) bool { return 'a' <= r && r <= 'z' })
	millis, _ := unitMillis(text[i:])
	v := intValue(text[:i])
	return v.Mul(v, big.NewInt(millis))
}

// floatValue is the value of a Float literal, nearest to what is written; ok is false when
// it is out of range.
func floatValue(text string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	return v, err == nil && !math.IsInf(v, 0)
}

// percentValue is the value of a percentage: the number before the sign, divided by 100
// before it is rounded to a Float.
func percentValue(text string) (v float64, ok bool) {
	text = strings.ReplaceAll(text, "_", "")
	exponent := -2
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		e, err := strconv.Atoi(text[i+1:])
		if err != nil {
			return 0, false
		}
		exponent += e
		text = text[:i]
	}
	return floatValue(text + "e" + strconv.Itoa(exponent))
}

// number parses a number. A % directly behind it makes a percentage where no operand can
// follow on its line.
//
//	Number := Int | Float | Duration | (Int | Float) "%"
func (p *parser) number() Expr {
	t, text := p.tok, p.text()
	from := p.here()
	p.advance()
	place := p.place(from)
	switch t.fault {
	case badNumber:
		p.report(invalidNumber(place.At, text))
		return &BadExpr{place}
	case badUnit:
		p.report(unknownUnit(place.At, text))
		return &BadExpr{place}
	}
	if len(text) > maxDigits {
		p.report(longNumber(place.At, text))
		return &BadExpr{place}
	}
	value, ok := 0.0, true
	switch {
	case t.kind == tokDuration:
		return &Int{place, durationValue(text), true}
	case p.percent(t, text):
		p.advance()
		place = p.place(from)
		value, ok = percentValue(text)
	case t.kind == tokInt:
		return &Int{place, intValue(text), false}
	default:
		value, ok = floatValue(text)
	}
	if !ok {
		p.report(numberRange(place.At, text))
	}
	return &Float{place, value}
}

// percent tells whether the current % belongs to the number t before it.
func (p *parser) percent(t token, text string) bool {
	if !p.is(tokRem) || p.tok.start != t.end || strings.HasPrefix(text, "0x") {
		return false
	}
	next := p.peek(1)
	return next.newline || !startsOperand(next) || reserved[p.textOf(next)]
}
