package diag

// Codes of the picture: memory, machines, tests and properties.
const (
	ScalarSlot       Code = "E0240"
	BadAttribute     Code = "E0241"
	WholeSlot        Code = "E0242"
	ImpureInvariant  Code = "E0243"
	BadStatusRule    Code = "E0244"
	Undefaulted      Code = "E0245"
	SecondMachine    Code = "E0250"
	InitialState     Code = "E0251"
	NoEdges          Code = "E0252"
	UnknownState     Code = "E0253"
	NeverEntered     Code = "E0254"
	UndeclaredEdge   Code = "E0255"
	NoMachine        Code = "E0256"
	ImpureGuard      Code = "E0257"
	UnboundGuardName Code = "E0258"
	UnknownMock      Code = "E0260"
	UnknownPropState Code = "E0261"
	UnboundProperty  Code = "E0262"
	MissingUse       Code = "E0270" // of loading a project

	LostEnd       Code = "W0110"
	LengthOfValue Code = "W0111"
)

func pictureEntries() []Entry {
	return illustrated([]Entry{
		{Code: ScalarSlot, Name: "scalar_slot",
			Rule: `A slot is a map or a list; one value is a map with one entry.`},
		{Code: BadAttribute, Name: "bad_attribute",
			Rule: `Slot attributes are persistent or ephemeral, consistent or local, immutable, capacity(n), slot_bits(n), max_value_bytes(n), ttl(d).`},
		{Code: WholeSlot, Name: "whole_slot",
			Rule: `A slot is written entry by entry, never as a whole.`},
		{Code: ImpureInvariant, Name: "impure_invariant",
			Rule: `An invariant only reads: no handlers, models, files, printing, moves, clock or chance.`},
		{Code: BadStatusRule, Name: "bad_status_rule",
			Rule: `A rule about status belongs to a cell with a machine and names a slot.`},
		{Code: Undefaulted, Name: "undefaulted",
			Rule: `A rule between slots says what a missing entry counts as.`},
		{Code: SecondMachine, Name: "second_machine",
			Rule: `A cell has at most one state machine.`},
		{Code: InitialState, Name: "initial_state",
			Rule: `A machine states exactly one initial state.`},
		{Code: NoEdges, Name: "no_edges",
			Rule: `A machine has at least one edge.`},
		{Code: UnknownState, Name: "unknown_state",
			Rule: `States are those that edges mention, or the variants of the machine's type.`},
		{Code: NeverEntered, Name: "never_entered",
			Rule: `A move goes to a state that some edge enters.`},
		{Code: UndeclaredEdge, Name: "undeclared_edge",
			Rule: `A move that declares its source takes a declared edge.`},
		{Code: NoMachine, Name: "no_machine",
			Rule: `The machine builtins act on the cell's machine, or on the only one of the program.`},
		{Code: ImpureGuard, Name: "impure_guard",
			Rule: `A guard only reads; the clock and chance are allowed.`},
		{Code: UnboundGuardName, Name: "unbound_guard_name",
			Rule: `The names a guard reads are bound before the call, on every path, in every handler that may take the edge.`},
		{Code: UnknownMock, Name: "unknown_mock",
			Rule: `A mock names a builtin or a handler.`},
		{Code: UnknownPropState, Name: "unknown_prop_state",
			Rule: `A property names states of a machine, and handlers that exist.`},
		{Code: UnboundProperty, Name: "unbound_property",
			Rule: `A property belongs to exactly one machine.`},
		{Code: LostEnd, Name: "lost_end", Severity: Warning,
			Rule: `A wildcard edge leaves final states too, unless they are excepted.`},
		{Code: LengthOfValue, Name: "length_of_value", Severity: Warning,
			Rule: `len(slot) in an invariant measures the written value; slot.size counts entries.`},
		{Code: MissingUse, Name: "missing_use",
			Rule: `A used file stands beside the file that uses it, beside the entry, or in the folder of soma.toml.`},
	})
}
