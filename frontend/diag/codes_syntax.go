package diag

import "strings"

// Codes of the lexer and the parser.
const (
	UnexpectedCharacter Code = "E0001"
	UnterminatedString  Code = "E0002"
	UnknownEscape       Code = "E0003"
	InvalidNumber       Code = "E0004"
	UnknownUnit         Code = "E0005"
	UnterminatedComment Code = "E0006"
	NotText             Code = "E0007"
	Semicolon           Code = "E0008"
	BadInterpolation    Code = "E0009"
	AdjacentStrings     Code = "E0010"
	NestingTooDeep      Code = "E0011"
	ChainTooLong        Code = "E0012"
	EmptyFile           Code = "E0013"
	Unexpected          Code = "E0014"
	ExpectedExpression  Code = "E0015"
	Unclosed            Code = "E0016"
	ReservedWord        Code = "E0017"
	WrongCase           Code = "E0018"
	IdleValue           Code = "E0019"
	ComparisonChain     Code = "E0020"
	NotCallable         Code = "E0021"
	NotAssignable       Code = "E0022"
	ZeroPeriod          Code = "E0023"
	BadLoopBound        Code = "E0024"
	UnknownSection      Code = "E0025"
	MisplacedSection    Code = "E0026"
	MisplacedTestWord   Code = "E0027"
	BareRule            Code = "E0028"
	AlternativeBinding  Code = "E0029"
	PipeTarget          Code = "E0030"
	PlainTextNeeded     Code = "E0031"
	EmptyStateList      Code = "E0032"
	OutsideDeclaration  Code = "E0033"
	ExpectedPattern     Code = "E0034"
)

// body wraps statements into the smallest program that holds them.
func body(stmts string) string {
	return "cell Lamp {\n    on turn(n: Int) {\n        " +
		strings.ReplaceAll(stmts, "\n", "\n        ") + "\n    }\n}\n"
}

// sections wraps sections into the smallest program that holds them.
func sections(text string) string {
	return "cell Lamp {\n    " + strings.ReplaceAll(text, "\n", "\n    ") +
		"\n    on turn(n: Int) {\n        return n + 1\n    }\n}\n"
}

func syntaxEntries() []Entry {
	return []Entry{
		{Code: UnexpectedCharacter, Name: "unexpected_character",
			Rule:  "A character that has no meaning in the language stands outside a string or comment.",
			Wrong: body("return n @ 2"), Right: body("return n * 2")},
		{Code: UnterminatedString, Name: "unterminated_string",
			Rule:  "A string ends on the line it starts on; text over several lines stands between triple quotes.",
			Wrong: body("return \"on"), Right: body("return \"on\"")},
		{Code: UnknownEscape, Name: "unknown_escape",
			Rule:  `The escapes of a string are \n \t \r \0 \" \\ \{ and \u{1F600}.`,
			Wrong: body(`return "a\d"`), Right: body(`return "a\\d"`)},
		{Code: InvalidNumber, Name: "invalid_number",
			Rule:  "A number is 12, 1_000, 0x1F, 1.5, 1e3, 5% or a duration such as 5s.",
			Wrong: body("return 12abc"), Right: body("return 12")},
		{Code: UnknownUnit, Name: "unknown_unit",
			Rule:  "The units of a duration are ms, s, min, h and d.",
			Wrong: body("return 90m"), Right: body("return 90min")},
		{Code: UnterminatedComment, Name: "unterminated_comment",
			Rule:  "A comment that starts with /* ends with */.",
			Wrong: body("return n") + "/* the end", Right: body("return n") + "/* the end */"},
		{Code: NotText, Name: "not_text",
			Rule:  "A source file is UTF-8 text without NUL bytes.",
			Wrong: body("return \"\x00\""), Right: body(`return "\0"`)},
		{Code: Semicolon, Name: "semicolon",
			Rule:  "Statements are not separated by semicolons: one ends where the next begins.",
			Wrong: body("let k = n;\nreturn k"), Right: body("let k = n\nreturn k")},
		{Code: BadInterpolation, Name: "bad_interpolation",
			Rule:  "What stands in {…} in a string is one expression; a literal brace is written {{.",
			Wrong: body(`return "{n junk}"`), Right: body(`return "{n} junk"`)},
		{Code: AdjacentStrings, Name: "adjacent_strings",
			Rule:  "Two strings side by side are not joined; + joins them.",
			Wrong: body(`return "a" "b"`), Right: body(`return "a" + "b"`)},
		{Code: NestingTooDeep, Name: "nesting_too_deep",
			Rule:  "Brackets, blocks and segments of strings may be nested 400 deep.",
			Wrong: body("return " + strings.Repeat("(", 401) + "n" + strings.Repeat(")", 401)),
			Right: body("return n")},
		{Code: ChainTooLong, Name: "chain_too_long",
			Rule:  "A chain of operators, pipes, methods or else if has at most 10,000 links.",
			Wrong: body("return n" + strings.Repeat("+n", 10_001)), Right: body("return n * 10_002")},
		{Code: EmptyFile, Name: "empty_file",
			Rule:  "A source file declares at least one cell, skeleton or flesh.",
			Wrong: "// nothing here yet\n", Right: body("return n")},
		{Code: Unexpected, Name: "unexpected",
			Rule:  "The grammar asks for something else at this place.",
			Wrong: body("for k of [1, 2] {\n    print(k)\n}"),
			Right: body("for k in [1, 2] {\n    print(k)\n}")},
		{Code: ExpectedExpression, Name: "expected_expression",
			Rule:  "An expression has to stand here.",
			Wrong: body("let k = n +\nreturn n"), Right: body("let k = n + 1\nreturn k")},
		{Code: Unclosed, Name: "unclosed",
			Rule:  "Every bracket and brace that is opened is closed.",
			Wrong: "cell Lamp {\n    on turn(n: Int) {\n        return n\n\n    on off(n: Int) {\n        return 0\n    }\n}\n",
			Right: "cell Lamp {\n    on turn(n: Int) {\n        return n\n    }\n\n    on off(n: Int) {\n        return 0\n    }\n}\n"},
		{Code: ReservedWord, Name: "reserved_word",
			Rule:  "The words of statements and literals are never names.",
			Wrong: body("let given = n\nreturn n"), Right: body("let base = n\nreturn base")},
		{Code: WrongCase, Name: "wrong_case",
			Rule:  "Types, cells and variants start with a capital letter, all other names with a small one.",
			Wrong: body("let Total = n\nreturn n"), Right: body("let total = n\nreturn total")},
		{Code: IdleValue, Name: "idle_value",
			Rule:  "A value that nothing uses may stand only as the last of its block.",
			Wrong: body("n + 1\nreturn n"), Right: body("let k = n + 1\nreturn k")},
		{Code: ComparisonChain, Name: "comparison_chain",
			Rule:  "Comparisons do not chain: join them with &&.",
			Wrong: body("return 0 < n < 9"), Right: body("return 0 < n && n < 9")},
		{Code: NotCallable, Name: "not_callable",
			Rule:  "Only names are called; bind another function value to a name first.",
			Wrong: body("let add = x => x + n\nreturn (add)(2)"), Right: body("let add = x => x + n\nreturn add(2)")},
		{Code: NotAssignable, Name: "not_assignable",
			Rule:  "Only a name, a field or an indexed place takes a value.",
			Wrong: body("let k = [n]\nlen(k) = 2\nreturn k"), Right: body("let k = [n]\nk[0] = 2\nreturn k")},
		{Code: ZeroPeriod, Name: "zero_period",
			Rule:  "The period of a timer is a positive duration.",
			Wrong: sections("every 0ms {\n    print(\"tick\")\n}"), Right: sections("every 1s {\n    print(\"tick\")\n}")},
		{Code: BadLoopBound, Name: "bad_loop_bound",
			Rule:  "loop_bound takes a positive Int literal.",
			Wrong: body("let k = n\nwhile [loop_bound(0)] k > 0 {\n    k -= 1\n}\nreturn k"),
			Right: body("let k = n\nwhile [loop_bound(9)] k > 0 {\n    k -= 1\n}\nreturn k")},
		{Code: UnknownSection, Name: "unknown_section",
			Rule:  "A cell is made of its sections; no other word opens one.",
			Wrong: sections("storage {\n    notes: List<Int>\n}"),
			Right: sections("memory {\n    notes: List<Int> [persistent]\n}")},
		{Code: MisplacedSection, Name: "misplaced_section",
			Rule:  "Each kind of declaration has its own sections: bodies stand in a cell or a flesh, the contract in a cell or a skeleton.",
			Wrong: "cell type Shade {\n    variants { Dark Light }\n    on turn(n: Int) {\n        return n\n    }\n}\n",
			Right: "cell type Shade {\n    variants { Dark Light }\n}\ncell Lamp {\n    on turn(n: Int) {\n        return n\n    }\n}\n"},
		{Code: MisplacedTestWord, Name: "misplaced_test_word",
			Rule:  "mock, assert, assert_fails and property stand directly in the rules of a test cell.",
			Wrong: body("assert n > 0\nreturn n"), Right: body("ensure n > 0\nreturn n")},
		{Code: BareRule, Name: "bare_rule",
			Rule:  "A call alone is no rule of a test: assert its result or bind it.",
			Wrong: body("return n") + "cell test LampTests {\n    rules {\n        turn(1)\n        assert turn(1) == 1\n    }\n}\n",
			Right: body("return n") + "cell test LampTests {\n    rules {\n        let first = turn(1)\n        assert turn(1) == first\n    }\n}\n"},
		{Code: AlternativeBinding, Name: "alternative_binding",
			Rule:  "The alternatives of an arm bind no names.",
			Wrong: body("return match n {\n    1 || k -> 1\n    _ -> 0\n}"), Right: body("return match n {\n    1 || 2 -> 1\n    _ -> 0\n}")},
		{Code: PipeTarget, Name: "pipe_target",
			Rule:  "On the right of |> stands the name of a function, maybe with its further arguments.",
			Wrong: body("return n |> 2"), Right: body("return n |> max(2)")},
		{Code: PlainTextNeeded, Name: "plain_text_needed",
			Rule:  "Tags, patterns and names of properties are plain texts, without interpolation.",
			Wrong: body("require n > 0 else \"low {n}\"\nreturn n"), Right: body("require n > 0 else Low \"low {n}\"\nreturn n")},
		{Code: EmptyStateList, Name: "empty_state_list",
			Rule:  "A property lists at least one state.",
			Wrong: sections("state light {\n    initial: off\n    off -> on_full\n    on_full -> off\n}\nverify {\n    never []\n}\non push(id: String) {\n    let before = get_status(id)\n    if before == \"off\" {\n        transition(id, \"off\", \"on_full\")\n    } else {\n        transition(id, \"on_full\", \"off\")\n    }\n}"),
			Right: sections("state light {\n    initial: off\n    off -> on_full\n    on_full -> off\n}\nverify {\n    always [off, on_full]\n}\non push(id: String) {\n    let before = get_status(id)\n    if before == \"off\" {\n        transition(id, \"off\", \"on_full\")\n    } else {\n        transition(id, \"on_full\", \"off\")\n    }\n}")},
		{Code: OutsideDeclaration, Name: "outside_declaration",
			Rule:  "A file holds uses, cells, skeletons and fleshes, and nothing beside them.",
			Wrong: "let base = 2\n" + body("return n"), Right: body("let base = 2\nreturn n + base")},
		{Code: ExpectedPattern, Name: "expected_pattern",
			Rule:  "An arm of a match starts with a pattern: a literal, a range, a name, _, a map or a variant.",
			Wrong: body("return match n {\n    > 1 -> 1\n    _ -> 0\n}"), Right: body("return match n {\n    k if k > 1 -> 1\n    _ -> 0\n}")},
	}
}
