package diag

// Codes for words and forms of other languages; each message shows the form of this one.
const (
	ForeignNull       Code = "E0040"
	StrictEquality    Code = "E0041"
	ForeignElif       Code = "E0042"
	ForeignFunction   Code = "E0043"
	WordOperator      Code = "E0044"
	Ternary           Code = "E0045"
	MapLiteral        Code = "E0046"
	SliceSyntax       Code = "E0047"
	FatArrowArm       Code = "E0048"
	HandlerResult     Code = "E0049"
	FinalStates       Code = "E0050"
	ForeignLet        Code = "E0051"
	Increment         Code = "E0052"
	SingleQuotes      Code = "E0053"
	AssignInCondition Code = "E0054"
	ForeignStatement  Code = "E0055"
)

func foreignEntries() []Entry {
	machine := func(extra string) string {
		return "cell Door {\n    state door {\n        initial: shut\n" + extra +
			"        shut -> gone\n    }\n    on remove(id: String) {\n        transition(id, \"shut\", \"gone\")\n    }\n}\n"
	}
	return []Entry{
		{Code: ForeignNull, Name: "foreign_null",
			Rule:  "The absent value is (), not null or nil.",
			Wrong: body("let k = null\nreturn k ?? n"), Right: body("let k = ()\nreturn k ?? n")},
		{Code: StrictEquality, Name: "strict_equality",
			Rule:  "Values are compared with == and !=; there is no === or !==.",
			Wrong: body("return n === 1"), Right: body("return n == 1")},
		{Code: ForeignElif, Name: "foreign_elif",
			Rule:  "A further condition is written else if.",
			Wrong: body("if n > 1 {\n    return 1\n} elif n > 0 {\n    return 2\n}\nreturn 0"),
			Right: body("if n > 1 {\n    return 1\n} else if n > 0 {\n    return 2\n}\nreturn 0")},
		{Code: ForeignFunction, Name: "foreign_function",
			Rule:  "A handler is declared with on; a function value is written x => e.",
			Wrong: "cell Lamp {\n    def turn(n: Int) {\n        return n\n    }\n}\n",
			Right: body("return n")},
		{Code: WordOperator, Name: "word_operator",
			Rule:  "The logical operators are &&, || and !.",
			Wrong: body("return n > 0 and n < 9"), Right: body("return n > 0 && n < 9")},
		{Code: Ternary, Name: "ternary",
			Rule:  "A choice between two values is written if c { a } else { b }.",
			Wrong: body("return n > 0 ? 1 : 2"), Right: body("return if n > 0 { 1 } else { 2 }")},
		{Code: MapLiteral, Name: "map_literal",
			Rule:  "A map is built with map(\"k\", v).",
			Wrong: body("return {size: n}"), Right: body("return map(\"size\", n)")},
		{Code: SliceSyntax, Name: "slice_syntax",
			Rule:  "A part of a list or string is taken with slice(xs, from, to).",
			Wrong: body("let xs = [n, 2, 3]\nreturn xs[0:2]"), Right: body("let xs = [n, 2, 3]\nreturn slice(xs, 0, 2)")},
		{Code: FatArrowArm, Name: "fat_arrow_arm",
			Rule:  "An arm of a match is written pattern -> value.",
			Wrong: body("return match n {\n    1 => 2\n    _ -> 0\n}"), Right: body("return match n {\n    1 -> 2\n    _ -> 0\n}")},
		{Code: HandlerResult, Name: "handler_result",
			Rule:  "A handler states no result type; the signal of the face does.",
			Wrong: "cell Lamp {\n    on turn(n: Int) -> Int {\n        return n\n    }\n}\n", Right: body("return n")},
		{Code: FinalStates, Name: "final_states",
			Rule:  "Terminal states are not declared: a state without an outgoing edge is terminal.",
			Wrong: machine("        final: gone\n"), Right: machine("")},
		{Code: ForeignLet, Name: "foreign_let",
			Rule:  "A local is bound with let name = value, without a type.",
			Wrong: body("var k = n\nreturn k"), Right: body("let k = n\nreturn k")},
		{Code: Increment, Name: "increment",
			Rule:  "There is no ++ or --; write x += 1.",
			Wrong: body("let k = n\nk++\nreturn k"), Right: body("let k = n\nk += 1\nreturn k")},
		{Code: SingleQuotes, Name: "single_quotes",
			Rule:  "Strings stand between double quotes.",
			Wrong: body("return 'on'"), Right: body("return \"on\"")},
		{Code: ForeignStatement, Name: "foreign_statement",
			Rule:  "Statements of other languages have forms of their own here: match, fail, try, while and for.",
			Wrong: body("switch n {\n    case 1: return 2\n}\nreturn 0"), Right: body("return match n {\n    1 -> 2\n    _ -> 0\n}")},
		{Code: AssignInCondition, Name: "assign_in_condition",
			Rule:  "A condition compares with ==; = assigns.",
			Wrong: body("if n = 1 {\n    return 1\n}\nreturn 0"), Right: body("if n == 1 {\n    return 1\n}\nreturn 0")},
	}
}
