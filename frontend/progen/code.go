package progen

import "strings"

// code is the text of an expression with how tightly its outermost operator binds.
type code struct {
	text string
	prec int
}

// Levels of expressions, loosest first. What reaches far to the right, or ends in a brace,
// stands in parentheses wherever an operator or the head of a statement is around it.
const (
	loose = iota
	orLevel
	andLevel
	coalesceLevel
	compareLevel
	pipeLevel
	addLevel
	mulLevel
	unaryLevel
	tight
)

// at is the text where an operand of a level is wanted.
func (c code) at(level int) string {
	if c.prec < level {
		return "(" + c.text + ")"
	}
	return c.text
}

// head is the text in the head of a statement.
func (c code) head() string { return c.at(orLevel) }

// binary joins two operands; operators lean left, and comparisons do not chain.
func binary(a code, op string, level int, b code) code {
	left := level
	if level == compareLevel {
		left++
	}
	return code{a.at(left) + " " + op + " " + b.at(level+1), level}
}

func call(name string, args ...code) code {
	var list []string
	for _, a := range args {
		list = append(list, a.text)
	}
	return code{name + "(" + strings.Join(list, ", ") + ")", tight}
}

func method(x code, name string, args ...code) code {
	c := call(name, args...)
	return code{x.at(tight) + "." + c.text, tight}
}

func index(x, i code) code { return code{x.at(tight) + "[" + i.text + "]", tight} }

func word(text string) code { return code{text, tight} }

// orElse is x ?? y.
func orElse(x, y code) code { return binary(x, "??", coalesceLevel, y) }

// quote is the literal of a text.
func quote(text string) code {
	return word(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `{`, `\{`, "\n", `\n`).Replace(text) + `"`)
}

// segment is an expression inside a string that quotes delimit.
func segment(c code) string {
	return "{" + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(c.text) + "}"
}

// anyCall writes a call of one or more arguments in one of its forms: f(a, b), a.f(b), a |> f(b).
func (g *gen) anyCall(name string, args ...code) code {
	if len(args) == 0 {
		return call(name)
	}
	switch g.pick(6) {
	case 4:
		if args[0].prec == tight { // a number's method would look like a fraction
			return method(code{args[0].text, unlessDigit(args[0].text)}, name, args[1:]...)
		}
	case 5:
		text := args[0].at(pipeLevel) + " |> " + name
		if len(args) > 1 {
			text = args[0].at(pipeLevel) + " |> " + call(name, args[1:]...).text
		}
		return code{text, pipeLevel}
	}
	return call(name, args...)
}

// unlessDigit is the level of an operand of a dot: numbers stand in parentheses there.
func unlessDigit(text string) int {
	if text[0] >= '0' && text[0] <= '9' {
		return loose
	}
	return tight
}
