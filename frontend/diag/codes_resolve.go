package diag

// Codes of resolution: declarations, frames, names and calls.
const (
	Duplicate            Code = "E0200"
	MissingFlesh         Code = "E0201"
	MissingSkeleton      Code = "E0202"
	FleshMismatch        Code = "E0203"
	UndeclaredInFace     Code = "E0204"
	SignalWithoutHandler Code = "E0205"
	SignalTypeMismatch   Code = "E0206"
	UntypedParameter     Code = "E0207"
	ReservedName         Code = "E0208"
	UnknownType          Code = "E0209"
	UnknownFrameSlot     Code = "E0210"
	UnknownFrameEdge     Code = "E0211"
	UnknownFrameCallee   Code = "E0212"
	PrivateInFrame       Code = "E0213"

	UndefinedName        Code = "E0220"
	FunctionAsValue      Code = "E0221"
	ForeignSlot          Code = "E0222"
	AmbiguousSlot        Code = "E0223"
	ParameterHidesSlot   Code = "E0224"
	UnboundAssignment    Code = "E0225"
	UndefinedFunction    Code = "E0226"
	WrongCount           Code = "E0227"
	AmbiguousCall        Code = "E0228"
	LocalUpdate          Code = "E0229"
	UnknownSlotOperation Code = "E0230"
	OutsideLoop          Code = "E0231"
	MisplacedReturn      Code = "E0232"
	UnknownVariant       Code = "E0235"
	VariantForm          Code = "E0236"
	MissingArms          Code = "E0237"

	LetHidesSlot Code = "W0101"
	BuiltinWins  Code = "W0102"
	NoListener   Code = "W0103"
	UnusedResult Code = "W0104"
	Unreachable  Code = "W0105"
)

func resolveEntries() []Entry {
	return illustrated([]Entry{
		{Code: Duplicate, Name: "duplicate",
			Rule: `A name is declared once in its place: cells, slots, handlers of one argument count, edges, fields.`},
		{Code: MissingFlesh, Name: "missing_flesh",
			Rule: `A skeleton has exactly one flesh, in the same file or in one it uses.`},
		{Code: MissingSkeleton, Name: "missing_skeleton",
			Rule: `A flesh belongs to a skeleton of the same program.`},
		{Code: FleshMismatch, Name: "flesh_mismatch",
			Rule: `The parameters of a flesh carry the names of the face and no types: the face states them.`},
		{Code: UndeclaredInFace, Name: "undeclared_in_face",
			Rule: `A handler of a flesh answers a signal of the face, or is private (_name).`},
		{Code: SignalWithoutHandler, Name: "signal_without_handler",
			Rule: `Every signal and tool of a face has a handler of its name and number of parameters.`},
		{Code: SignalTypeMismatch, Name: "signal_type_mismatch",
			Rule: `A handler's parameters have the types that the face states.`},
		{Code: UntypedParameter, Name: "untyped_parameter",
			Rule: `Outside a flesh every parameter has a type.`},
		{Code: ReservedName, Name: "reserved_name",
			Rule: `transition, approve, fail, get_status, has_state, valid_transitions, think, think_json, set_budget and tokens_used name no handlers.`},
		{Code: UnknownType, Name: "unknown_type",
			Rule: `A type is Int, Float, String, Bool, Unit, Any, Function, List, Map, a sum type or the name of a record in use.`},
		{Code: UnknownFrameSlot, Name: "unknown_frame_slot",
			Rule: `reads and writes name slots of the cell; reads may name its machine.`},
		{Code: UnknownFrameEdge, Name: "unknown_frame_edge",
			Rule: `moves names edges that the cell's machine declares.`},
		{Code: UnknownFrameCallee, Name: "unknown_frame_callee",
			Rule: `calls names handlers and builtins that exist.`},
		{Code: PrivateInFrame, Name: "private_in_frame",
			Rule: `A private handler stands in no clause: its effects count as its caller's own.`},
		{Code: UndefinedName, Name: "undefined_name",
			Rule: `A name is bound before it is used: a parameter, a let, a slot of the cell.`},
		{Code: FunctionAsValue, Name: "function_as_value",
			Rule: `Builtins and handlers are called; a function value is written x => f(x).`},
		{Code: ForeignSlot, Name: "foreign_slot",
			Rule: `Only its own cell reads and writes a slot.`},
		{Code: AmbiguousSlot, Name: "ambiguous_slot",
			Rule: `A test names a slot that several cells have as Cell.slot.`},
		{Code: ParameterHidesSlot, Name: "parameter_hides_slot",
			Rule: `No parameter has the name of a slot of its cell.`},
		{Code: UnboundAssignment, Name: "unbound_assignment",
			Rule: `x = e changes a name that a let has bound.`},
		{Code: UndefinedFunction, Name: "undefined_function",
			Rule: `What is called is a function value in scope, a handler or a builtin.`},
		{Code: WrongCount, Name: "wrong_count",
			Rule: `A call has as many arguments as the handler or builtin takes.`},
		{Code: AmbiguousCall, Name: "ambiguous_call",
			Rule: `A handler that several other cells have is called as Cell.handler.`},
		{Code: LocalUpdate, Name: "local_update",
			Rule: `Only slots are changed by methods; a local takes xs = push(xs, v), m[k] = v or m = without(m, k).`},
		{Code: UnknownSlotOperation, Name: "unknown_slot_operation",
			Rule: `Map slots have get, set, has, delete, keys, values, len; list slots push, get, set, delete, last, len.`},
		{Code: OutsideLoop, Name: "outside_loop",
			Rule: `break and continue stand in a loop.`},
		{Code: MisplacedReturn, Name: "misplaced_return",
			Rule: `A function value and the rules of a test have no return.`},
		{Code: UnknownVariant, Name: "unknown_variant",
			Rule: `A capitalised name is a variant of a sum type.`},
		{Code: VariantForm, Name: "variant_form",
			Rule: "A variant is written with all its fields: V, V(…) or V { f: … }; a pattern may end in `..`."},
		{Code: MissingArms, Name: "missing_arms",
			Rule: `A match over a sum type has an arm for each variant.`},
		{Code: LetHidesSlot, Name: "let_hides_slot", Severity: Warning,
			Rule: `A let with the name of a slot hides it.`},
		{Code: BuiltinWins, Name: "builtin_wins", Severity: Warning,
			Rule: `A builtin wins over another cell's handler of its name.`},
		{Code: NoListener, Name: "no_listener", Severity: Warning,
			Rule: `An emitted event has a handler of its name in some cell.`},
		{Code: UnusedResult, Name: "unused_result", Severity: Warning,
			Rule: `A call that only computes is of no use unless its result is used.`},
		{Code: Unreachable, Name: "unreachable", Severity: Warning,
			Rule: `A statement after one that always leaves is never reached.`},
	})
}
