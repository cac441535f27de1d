package diag

// Codes of what a program says beside the point: promises that its memory does not keep,
// settings, and what has no effect or another one than it seems.
const (
	BrokenPromise  Code = "E0214"
	UnknownPromise Code = "E0215"
	ImpureGiven    Code = "E0216"
	BadSetting     Code = "E0217"
	MixedTotal     Code = "E0246"
	TypeName       Code = "E0247"
	NoVariants     Code = "E0248"
	UnknownTool    Code = "E0263"
	UnknownLimit   Code = "E0283"
	BadLimit       Code = "E0284"

	UnusedLet               Code = "W0120"
	LetHidesLocal           Code = "W0121"
	UnusedPrivate           Code = "W0122"
	UselessArm              Code = "W0123"
	EmptyWildcard           Code = "W0124"
	NeverState              Code = "W0125"
	RepeatedKey             Code = "W0126"
	UnknownTypeText         Code = "W0127"
	NearVariant             Code = "W0128"
	UnknownOption           Code = "W0129"
	UnknownHandlerAttribute Code = "W0130"
)

func checkEntries() []Entry {
	return illustrated([]Entry{
		{Code: BrokenPromise, Name: "broken_promise",
			Rule: `Under promise all_persistent every slot of the cell is persistent.`},
		{Code: UnknownPromise, Name: "unknown_promise",
			Rule: `A promise is all_persistent, or a text for the reader.`},
		{Code: ImpureGiven, Name: "impure_given",
			Rule: `The constraint of a given only reads: no handlers, models, files, printing, moves, clock or chance.`},
		{Code: BadSetting, Name: "bad_setting",
			Rule: `A setting of scale is a literal or a name.`},
		{Code: UnknownLimit, Name: "unknown_limit",
			Rule: `A section cost limits calls, tokens, latency and usd, and may state the price usd_per_1000_tokens.`},
		{Code: BadLimit, Name: "bad_limit",
			Rule: `A limit of cost is a number that is written out and not negative; only dollars have fractions.`},
		{Code: MixedTotal, Name: "mixed_total",
			Rule: `A rule about totals is judged when a call commits, where there is no written value to speak of.`},
		{Code: TypeName, Name: "type_name",
			Rule: `A sum type has a name of its own, not that of a built-in type.`},
		{Code: NoVariants, Name: "no_variants",
			Rule: `A sum type has at least one variant.`},
		{Code: UnknownTool, Name: "unknown_tool",
			Rule: `tools_allowed names tools of the agent's face.`},
		{Code: UnusedLet, Name: "unused_let", Severity: Warning,
			Rule: `A local is bound to be read.`},
		{Code: LetHidesLocal, Name: "let_hides_local", Severity: Warning,
			Rule: `let in a block makes a new local that ends with the block; x = e changes the one outside.`},
		{Code: UnusedPrivate, Name: "unused_private", Severity: Warning,
			Rule: `A private handler is called from somewhere in the program: nobody else can.`},
		{Code: UselessArm, Name: "useless_arm", Severity: Warning,
			Rule: `An arm takes a value that no arm before it takes.`},
		{Code: EmptyWildcard, Name: "empty_wildcard", Severity: Warning,
			Rule: `A wildcard stands for at least one edge.`},
		{Code: NeverState, Name: "never_state", Severity: Warning,
			Rule: `A state is compared with a state that its machine has.`},
		{Code: RepeatedKey, Name: "repeated_key", Severity: Warning,
			Rule: `map(…) names each key once: the last value would win.`},
		{Code: UnknownTypeText, Name: "unknown_type_text", Severity: Warning,
			Rule: `is_a and is_type ask for a type, a variant or a record that the program has.`},
		{Code: NearVariant, Name: "near_variant", Severity: Warning,
			Rule: `A record has a name of its own, not nearly that of a variant with the same fields.`},
		{Code: UnknownOption, Name: "unknown_option", Severity: Warning,
			Rule: `The options of think are max_tokens, timeout, max_rounds and tools_allowed; those of http_… timeout, max_bytes and headers.`},
		{Code: UnknownHandlerAttribute, Name: "unknown_handler_attribute", Severity: Warning,
			Rule: `Handlers have no attributes but native, which other tools read.`},
	})
}
