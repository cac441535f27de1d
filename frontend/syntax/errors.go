package syntax

import (
	"fmt"
	"strings"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/near"
	"soma.cell/frontend/source"
)

// All wording of lexer and parser. Each function builds one diagnostic.

func at(span source.Span, code diag.Code, format string, args ...any) diag.Diagnostic {
	return diag.Diagnostic{Code: code, Message: fmt.Sprintf(format, args...), Span: span}
}

func edit(d diag.Diagnostic, span source.Span, text string) diag.Diagnostic {
	d.Edits = append(d.Edits, diag.Edit{Span: span, New: text})
	return d
}

// quote shows source text in a message: on one line, cut when long, control characters
// escaped.
func quote(text string) string {
	const most = 40
	runes := []rune(source.Normalise(text[:min(len(text), 10*most)]))
	if len(runes) > most {
		runes = append(runes[:most-1], '…')
	}
	var b strings.Builder
	b.WriteByte('`')
	for _, r := range runes {
		if r < ' ' || r == 0x7f {
			fmt.Fprintf(&b, `\u{%X}`, r)
		} else {
			b.WriteRune(r)
		}
	}
	b.WriteByte('`')
	return b.String()
}

// --- text, words, numbers ---

func notText(span source.Span) diag.Diagnostic {
	b := span.Text()
	what := "a byte that is not UTF-8"
	if b == "\x00" {
		what = "a NUL byte"
	}
	return at(span, diag.NotText, "this is no source text: it holds %s (source files are UTF-8 text)", what)
}

func emptyFile(span source.Span) diag.Diagnostic {
	return at(span, diag.EmptyFile, "the file holds no cell: it declares at least one `cell`, `skeleton` or `flesh`")
}

func moreLeftOut(span source.Span) diag.Note {
	return diag.Note{Message: fmt.Sprintf("more errors follow from here on; only the first %d are shown", maxErrors), Span: span}
}

func junk(span source.Span, text string, f fault) diag.Diagnostic {
	if f == badSingleQuote {
		d := at(span, diag.SingleQuotes, "a string stands between double quotes: `\"…\"`")
		if len(text) > 1 && !strings.ContainsAny(text, `"\`) {
			d = edit(d, span, `"`+text[1:len(text)-1]+`"`)
		}
		return d
	}
	hint := ""
	switch text {
	case "#":
		hint = "; a comment starts with `//`"
	case "&":
		hint = "; the logical and is `&&`"
	case "|":
		hint = "; the logical or is `||`"
	case "^":
		hint = "; the exclusive or of bits is `bxor(a, b)`"
	case "~":
		hint = "; the complement of bits is `bnot(a)`"
	case "“", "”", "„":
		hint = "; a string stands between plain double quotes"
	}
	return at(span, diag.UnexpectedCharacter, "unexpected character %s%s", quote(text), hint)
}

func semicolon(span source.Span) diag.Diagnostic {
	d := at(span, diag.Semicolon, "there are no semicolons: a statement ends where the next begins; leave `;` out")
	return edit(d, span, "")
}

func openCommentAt(span source.Span) diag.Diagnostic {
	return at(span, diag.UnterminatedComment, "the comment that starts here is never closed with `*/`")
}

func invalidNumber(span source.Span, text string) diag.Diagnostic {
	return at(span, diag.InvalidNumber, "invalid number %s", quote(text))
}

func longNumber(span source.Span, text string) diag.Diagnostic {
	return at(span, diag.InvalidNumber, "the number %s is too long: the limit is 300,000 characters", quote(text))
}

func numberRange(span source.Span, text string) diag.Diagnostic {
	return at(span, diag.InvalidNumber, "the number %s is out of the range of Float", quote(text))
}

func unknownUnit(span source.Span, text string) diag.Diagnostic {
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz")
	var names []string
	for _, u := range units {
		names = append(names, "`"+u.name+"`")
	}
	d := at(span, diag.UnknownUnit, "unknown unit in %s: the units are %s", quote(text), strings.Join(names, ", "))
	if own := foreignUnits[text[len(digits):]]; own != "" {
		d.Fix = "write `" + digits + own + "`"
		d = edit(d, span, digits+own)
	}
	return d
}

// --- strings ---

func unterminatedString(span source.Span, triple bool) diag.Diagnostic {
	if triple {
		return at(span, diag.UnterminatedString, "the string that starts here is never closed with `\"\"\"`")
	}
	return at(span, diag.UnterminatedString, "the string that starts here does not end on its line; text over several lines stands between `\"\"\"`")
}

func unknownEscape(span source.Span, text string) diag.Diagnostic {
	d := at(span, diag.UnknownEscape, "unknown escape %s: the escapes are `\\n \\t \\r \\0 \\\" \\\\ \\{ \\u{1F600}`; a backslash is `\\\\`", quote(text))
	return edit(d, source.Span{File: span.File, Start: span.Start, End: span.Start}, `\`)
}

func badInterpolation(span source.Span, segment, expr string) diag.Diagnostic {
	return at(span, diag.BadInterpolation, "%s is not one expression: something follows %s; a literal brace is written `{{`", quote("{"+segment+"}"), quote(expr))
}

func quotesInSegment(span source.Span) diag.Diagnostic {
	return at(span, diag.BadInterpolation, "the string ends inside `{…}`: quotes in a segment are written `\\\"`, or the string stands between `\"\"\"`")
}

func adjacentStrings(span, gap source.Span) diag.Diagnostic {
	d := at(span, diag.AdjacentStrings, "two strings side by side are not joined: write `+` between them")
	return edit(d, gap, " + ")
}

func plainTextNeeded(span source.Span, role string) diag.Diagnostic {
	return at(span, diag.PlainTextNeeded, "%s is plain text: it cannot hold `{…}`", role)
}

// --- limits ---

func nestingTooDeep(span source.Span) diag.Diagnostic {
	return at(span, diag.NestingTooDeep, "too deeply nested: the limit is %d levels", maxNesting)
}

func chainTooLong(span source.Span) diag.Diagnostic {
	return at(span, diag.ChainTooLong, "this chain is too long: the limit is 10,000 links")
}

// --- structure ---

func unexpected(span source.Span, want, found string) diag.Diagnostic {
	return at(span, diag.Unexpected, "expected %s, found %s", want, found)
}

func expectedExpression(span source.Span, found string) diag.Diagnostic {
	return at(span, diag.ExpectedExpression, "expected an expression, found %s", found)
}

func expectedPattern(span source.Span, found string) diag.Diagnostic {
	return at(span, diag.ExpectedPattern, "expected a pattern, found %s", found)
}

func unclosed(open, noticed source.Span) diag.Diagnostic {
	d := at(open, diag.Unclosed, "%s is never closed", quote(open.Text()))
	d.Notes = []diag.Note{{Message: "noticed here", Span: noticed}}
	return d
}

func armComma(span source.Span) diag.Diagnostic {
	d := at(span, diag.Unexpected, "the arms of a match are not separated by commas; leave `,` out")
	return edit(d, span, "")
}

func clauseComma(span source.Span) diag.Diagnostic {
	d := at(span, diag.Unexpected, "the clauses of a frame are not separated by commas; leave `,` out")
	return edit(d, span, "")
}

// aPeriod is what a timer wants.
const aPeriod = "a duration such as `30s`"

func unknownKind(span source.Span, word, first string) diag.Diagnostic {
	kinds := map[string]string{"cell": "`cell`, `cell agent`, `cell type` or `cell test`", "skeleton": "`skeleton`, `skeleton cell` or `skeleton agent`", "flesh": "`flesh`"}
	return at(span, diag.Unexpected, "there is no %s: the word before the name is %s", quote(first+" "+word), kinds[first])
}

func typeBrackets(span source.Span) diag.Diagnostic {
	return at(span, diag.Unexpected, "the types inside of a type stand between `<` and `>`: `Map<String, Int>`")
}

func foreignFrameSlot(span source.Span) diag.Diagnostic {
	return at(span, diag.Unexpected, "a frame speaks of the slots of its own cell, not of %s: call a handler of the other cell, `calls Cell.handler`", quote(span.Text()))
}

func nestedHandler(span source.Span) diag.Diagnostic {
	return at(span, diag.MisplacedSection, "a handler stands beside the other sections of its cell, not inside of them; a face declares it with `signal`")
}

func nestedDecl(span source.Span) diag.Diagnostic {
	return at(span, diag.MisplacedSection, "%s stands inside of another declaration: cells are nested in `interior { … }`", quote(span.Text()))
}

func guardForm(span source.Span, found string) diag.Diagnostic {
	return at(span, diag.Unexpected, "a guard is written `a -> b { guard { … } }`, without %s", found)
}

func messageForm(span source.Span, tag string) diag.Diagnostic {
	return at(span, diag.Unexpected, "the message stands behind the tag without brackets: `else %s \"…\"`", tag)
}

func eventOfCell(span source.Span, event string) diag.Diagnostic {
	return at(span, diag.Unexpected, "an event belongs to no cell: `emit %s(…)` runs every cell's `on %s`", event, event)
}

func statementInArm(span source.Span, found string) diag.Diagnostic {
	return at(span, diag.ExpectedExpression, "expected an expression, found %s; in an arm, statements stand in braces: `pattern -> { … }`", found)
}

func exceptWithoutWildcard(span source.Span) diag.Diagnostic {
	return at(span, diag.Unexpected, "only the wildcard takes exceptions: `* -> state except [a, b]`")
}

func reservedWord(span source.Span, word, role string) diag.Diagnostic {
	return at(span, diag.ReservedWord, "%s is a word of the language and cannot be %s", quote(word), role)
}

func wrongCase(span source.Span, word, role, right string) diag.Diagnostic {
	want := "a small letter"
	if right != "" && 'A' <= right[0] && right[0] <= 'Z' {
		want = "a capital"
	}
	d := at(span, diag.WrongCase, "%s starts with %s, unlike %s", role, want, quote(word))
	if right != "" && right != word {
		d.Fix = "write `" + right + "`"
	}
	return d
}

func boundField(span source.Span, name string) diag.Diagnostic {
	return at(span, diag.WrongCase, "the name that %s gives its value to starts with a small letter: write `%s: %s`", quote(name), name, lowerFirst(name))
}

func idleValue(span source.Span) diag.Diagnostic {
	return at(span, diag.IdleValue, "nothing uses the value of %s; bind it with `let`, return it or leave it out", quote(span.Text()))
}

// comparisonChain is about the second comparison of a chain. Where both ask for an order and
// what stands between them is a name or a number, there is no doubt what is meant.
func comparisonChain(span source.Span, middle Expr, ordered bool) diag.Diagnostic {
	text := middle.Span().Text()
	d := at(span, diag.ComparisonChain, "comparisons do not chain: write `… && %s …`", source.Normalise(text)+" "+span.Text())
	switch middle.(type) {
	case *Name, *Int, *Float:
		if ordered {
			d = edit(d, source.Span{File: span.File, Start: span.Start, End: span.Start}, "&& "+text+" ")
		}
	}
	return d
}

func notCallable(span source.Span, fun string) diag.Diagnostic {
	return at(span, diag.NotCallable, "only names are called: bind it first, `let f = %s`", strings.Trim(quote(fun), "`"))
}

func notAssignable(span source.Span) diag.Diagnostic {
	return at(span, diag.NotAssignable, "%s is no place: a name, a field `x.f` or an index `x[i]` takes a value", quote(span.Text()))
}

func assignInCondition(span source.Span) diag.Diagnostic {
	return edit(at(span, diag.AssignInCondition, "a condition compares with `==`; `=` assigns"), span, "==")
}

func pipeTarget(span source.Span) diag.Diagnostic {
	return at(span, diag.PipeTarget, "on the right of `|>` stands a function with its further arguments, `x |> f(a)`; put the pipe in parentheses to go on with its result")
}

func zeroPeriod(span source.Span) diag.Diagnostic {
	return at(span, diag.ZeroPeriod, "the period of a timer must be positive")
}

func badLoopBound(span source.Span) diag.Diagnostic {
	return at(span, diag.BadLoopBound, "`loop_bound` takes a positive Int literal, not %s", quote(span.Text()))
}

func alternativeBinding(span source.Span, name string) diag.Diagnostic {
	return at(span, diag.AlternativeBinding, "the alternatives of an arm cannot bind %s: which one fits is open; write an arm for each", quote(name))
}

func emptyStateList(span source.Span) diag.Diagnostic {
	return at(span, diag.EmptyStateList, "the list of states is empty: name at least one")
}

// --- declarations ---

func outsideDeclaration(span source.Span, found string, section bool) diag.Diagnostic {
	if section {
		return at(span, diag.OutsideDeclaration, "%s stands outside a cell: a file holds `use`, `cell`, `skeleton` and `flesh`, and this belongs inside one of them", found)
	}
	return at(span, diag.OutsideDeclaration, "expected `use`, `cell`, `skeleton` or `flesh`, found %s", found)
}

// declNames names the kinds of declarations, by DeclKind.
var declNames = [...]string{"a cell", "a cell agent", "a cell type", "a cell test", "a skeleton", "a skeleton agent", "a flesh"}

// sectionNames lists the sections of each kind in the order in which they are usually written.
func sectionNames(kind DeclKind) []string {
	var out []string
	for _, word := range []string{"memory", "state", "face", "on", "every", "after", "verify", "interior", "cost", "scale", "rules", "variants"} {
		if containsKind(sectionWords[word], kind) {
			out = append(out, word)
		}
	}
	return out
}

// sectionsOf is the list as messages show it.
func sectionsOf(kind DeclKind) string { return "`" + strings.Join(sectionNames(kind), "`, `") + "`" }

func unknownSection(span source.Span, word string, kind DeclKind) diag.Diagnostic {
	d := at(span, diag.UnknownSection, "%s opens no section; the sections of %s are %s", quote(word), declNames[kind], sectionsOf(kind))
	guess := near.Find(word, sectionNames(kind))
	if guess.Name != "" {
		d.Message += "; did you mean `" + guess.Name + "`?"
	}
	if guess.Sure {
		d = edit(d, span, guess.Name)
	}
	return d
}

func misplacedSection(span source.Span, word string, kind DeclKind) diag.Diagnostic {
	return at(span, diag.MisplacedSection, "%s has no %s section; its sections are %s", declNames[kind], quote(word), sectionsOf(kind))
}

func misplacedTestWord(span source.Span, word string) diag.Diagnostic {
	hint := ""
	if word == "assert" {
		hint = "; a handler checks with `ensure` or `require`"
	}
	return at(span, diag.MisplacedTestWord, "%s stands directly in the `rules` of a `cell test`%s", quote(word), hint)
}

func bareRule(span source.Span) diag.Diagnostic {
	return at(span, diag.BareRule, "%s alone is no rule: assert something about it, or bind it with `let`", quote(span.Text()))
}

// --- words and forms of other languages ---

func foreignNull(span source.Span, word string) diag.Diagnostic {
	return edit(at(span, diag.ForeignNull, "there is no %s: the absent value is `()`", quote(word)), span, "()")
}

func strictEquality(span source.Span, own string) diag.Diagnostic {
	return edit(at(span, diag.StrictEquality, "there is no %s: `%s` compares structurally", quote(span.Text()), own), span, own)
}

func powerSign(span source.Span) diag.Diagnostic {
	return at(span, diag.ExpectedExpression, "there is no `**`: write `ipow(a, b)` for Ints, `pow(a, b)` for Floats")
}

func foreignElif(span source.Span, word string) diag.Diagnostic {
	return edit(at(span, diag.ForeignElif, "there is no %s: write `else if`", quote(word)), span, "else if")
}

func foreignHandler(span source.Span, word string) diag.Diagnostic {
	return edit(at(span, diag.ForeignFunction, "there is no %s: a handler is declared with `on name(p: T) { … }`", quote(word)), span, "on")
}

func foreignFunction(span source.Span, word string) diag.Diagnostic {
	return at(span, diag.ForeignFunction, "there is no %s: a function value is written `x => e`, a handler `on name(p: T) { … }`", quote(word))
}

func foreignLet(span source.Span, word string) diag.Diagnostic {
	d := at(span, diag.ForeignLet, "there is no %s: a local is bound with `let x = e` and assigned with `x = e`", quote(word))
	if word == "mut" {
		return edit(d, source.Span{File: span.File, Start: span.Start, End: span.End + 1}, "")
	}
	return edit(d, span, "let")
}

func typedLet(span source.Span, name, typ string) diag.Diagnostic {
	d := at(span, diag.ForeignLet, "a local has no declared type: write `let %s = …` without `: %s`", name, typ)
	return edit(d, span, "")
}

func wordOperator(span source.Span, word, own string) diag.Diagnostic {
	d := at(span, diag.WordOperator, "there is no %s: write `%s`", quote(word), own)
	return edit(d, span, own)
}

func ternary(span source.Span, form string) diag.Diagnostic {
	return edit(at(span, diag.Ternary, "there is no `c ? a : b`: write %s", quote(form)), span, form)
}

func mapLiteral(span source.Span, pairs []string) diag.Diagnostic {
	form := "map(" + strings.Join(pairs, ", ") + ")"
	return edit(at(span, diag.MapLiteral, "there is no map literal: write %s", quote(form)), span, form)
}

func sliceSyntax(span source.Span, xs string, bounds []string) diag.Diagnostic {
	form := "slice(" + xs + ", " + strings.Join(bounds, ", ") + ")"
	return edit(at(span, diag.SliceSyntax, "there is no `xs[a:b]`: write %s", quote(form)), span, form)
}

func fatArrowArm(span source.Span) diag.Diagnostic {
	return edit(at(span, diag.FatArrowArm, "an arm is written `pattern -> value`, not `=>`"), span, "->")
}

func handlerResult(span source.Span, name string) diag.Diagnostic {
	d := at(span, diag.HandlerResult, "a handler states no result type: `signal %s(…) %s` in the face does", name, source.Normalise(span.Text()))
	return edit(d, span, "")
}

func finalStates(span source.Span, word string) diag.Diagnostic {
	d := at(span, diag.FinalStates, "there is no %s: a state without an outgoing edge is terminal; leave the line out", quote(word+":"))
	return edit(d, span, "")
}

func increment(span source.Span, op string) diag.Diagnostic {
	return at(span, diag.Increment, "there is no `%s%s`: write `x %s= 1`", op, op, op)
}

func foreignStatement(span source.Span, word, form string) diag.Diagnostic {
	return at(span, diag.ForeignStatement, "there is no %s: write `%s`", quote(word), form)
}

func countingLoop(span source.Span, name string) diag.Diagnostic {
	return at(span, diag.ForeignStatement, "a loop runs over a value: write `for %s in range(0, n) { … }`", name)
}
