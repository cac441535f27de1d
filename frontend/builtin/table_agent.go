package builtin

// agentRows are machines, memory of agents, models, budgets and people.
func agentRows() []row {
	return []row{
		{signature: "transition(id: String|Int, target: String|Variant, to?: String|Variant) -> Map",
			forms: []string{"transition(id: String|Int, to: String|Variant) -> {id: String|Int, from: String, to: String}", "transition(id: String|Int, from: String|Variant, to: String|Variant) -> {id: String|Int, from: String, to: String}"}, doc: "moves an instance; with three arguments the second is the declared source",
			class: Machine, sinks: []int{1, 2}, raises: []string{"invalid_transition", "guard_failed", "invariant"}},
		{signature: "get_status(id: String|Int) -> String", doc: "the state of an instance, the initial one when it never moved", class: Machine, reads: true},
		{signature: "has_state(id: String|Int) -> Bool", doc: "whether an instance ever moved", class: Machine, reads: true},
		{signature: "valid_transitions(id: String|Int) -> List<String>", doc: "the targets declared from the current state", class: Machine, reads: true},
		{signature: "next_id() -> Int", doc: "the next number of the cell, from 1", class: IDs},
		{signature: "remember(key: String|Int, value: Any) -> Unit", doc: "keeps a value for recall", class: Memory, raises: []string{"storage"}},
		{signature: "recall(key: String|Int) -> Any", doc: "what was remembered, else ()", class: Memory, raises: []string{"storage"}},
		{signature: "think(prompt: Any, system?: Any, opts?: Any) -> String", doc: "asks the model", class: Model, raises: []string{AnyKind}},
		{signature: "think_json(prompt: Any, system?: Any, opts?: Any) -> Map", doc: "asks the model for JSON", class: Model, raises: []string{AnyKind}},
		{signature: "delegate(cell: String, handler: String, args...: Any) -> Any", doc: "calls a handler by its name", class: Call, sinks: []int{0, 1}, raises: []string{AnyKind}},
		{signature: "set_budget(tokens: Int) -> Unit", doc: "allows so many more tokens from here", class: Budget, sinks: []int{0}, raises: []string{"range"}},
		{signature: "tokens_used() -> Int", doc: "tokens spent so far", class: Budget},
		{signature: "tokens_remaining() -> Int", doc: "tokens left, -1 when unlimited", class: Budget},
		{signature: "trace() -> List<Map>", doc: "the questions to the model as {prompt, reply}, in order", class: Budget},
		{signature: "clear_trace() -> Unit", doc: "forgets the trace", class: Budget},
		{signature: "clear_context() -> Unit", doc: "does nothing: each question stands alone", class: Budget},
		{signature: "approve(action: Any) -> Bool", doc: "asks a person", class: Human, raises: []string{"approval_required"}},
	}
}
