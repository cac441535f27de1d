package interp

import "slices"

// agent is what think and its kin keep between calls.
type agent struct {
	used    int // tokens, in all
	left    int // tokens allowed, -1 without a budget
	inTools int // tool calls under way
	trace   []Value
}

func (a *agent) reset()     { *a = agent{left: -1} }
func (a *agent) unlimited() { a.left = -1 }

// pay takes tokens off the budget.
func (a *agent) pay(tokens int) error {
	a.used += tokens
	if a.left < 0 {
		return nil
	}
	if tokens > a.left {
		a.left = 0
		return errBudget()
	}
	a.left -= tokens
	return nil
}

// builtinSetBudget allows so many more tokens; inside a tool call it can only lower.
func builtinSetBudget(c *call) (Value, error) {
	n, err := c.small(0)
	if err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, errRange("set_budget needs a number of tokens, not %d", n)
	}
	a := &c.w.agent
	if a.inTools == 0 || a.left < 0 || n < a.left {
		a.left = n
	}
	return Unit{}, nil
}

func builtinApprove(c *call) (Value, error) {
	action, err := c.w.text(c.args[0])
	if err != nil {
		return nil, err
	}
	if c.w.opts.Approve == nil {
		return nil, errApproval(action)
	}
	return Bool(c.w.opts.Approve(action)), nil
}

func builtinRemember(c *call) (Value, error) {
	key, ok := keyText(c.args[0])
	if !ok {
		return nil, errKey("a key of remember", c.args[0])
	}
	cell, old := c.f.cell, c.w.kept[c.f.cell]
	now := old
	if now == nil {
		now = NewMap()
	}
	c.w.kept[cell] = now.With(key, c.args[1])
	c.w.undoWith(func() { c.w.kept[cell] = old })
	return Unit{}, nil
}

func builtinRecall(c *call) (Value, error) {
	key, ok := keyText(c.args[0])
	if !ok {
		return nil, errKey("a key of recall", c.args[0])
	}
	if m := c.w.kept[c.f.cell]; m != nil {
		if v, ok := m.Get(key); ok {
			return v, nil
		}
	}
	return Unit{}, nil
}

func builtinNextID(c *call) (Value, error) {
	c.w.ids[c.f.cell]++
	return NewInt(c.w.ids[c.f.cell]), nil
}

// builtinDelegate calls a public handler by its name.
func builtinDelegate(c *call) (Value, error) {
	cell, err := c.str(0)
	if err != nil {
		return nil, err
	}
	name, err := c.str(1)
	if err != nil {
		return nil, err
	}
	h := c.w.find(cell, name, len(c.args)-2)
	if h == nil || !h.Public || h.Timer != nil {
		return nil, errNoHandler(cell, name, len(c.args)-2)
	}
	return c.w.callHandler(h, c.args[2:])
}

func agentBuiltins() map[string]impl {
	return map[string]impl{
		"transition": builtinTransition, "get_status": builtinGetStatus, "has_state": builtinHasState,
		"valid_transitions": builtinValidTransitions,
		"think":             builtinThink, "think_json": builtinThinkJSON,
		"set_budget": builtinSetBudget, "approve": builtinApprove,
		"remember": builtinRemember, "recall": builtinRecall,
		"next_id": builtinNextID, "delegate": builtinDelegate,
		"tokens_used":      func(c *call) (Value, error) { return NewInt(int64(c.w.agent.used)), nil },
		"tokens_remaining": func(c *call) (Value, error) { return NewInt(int64(c.w.agent.left)), nil },
		"trace":            func(c *call) (Value, error) { return NewList(slices.Clone(c.w.agent.trace)...), nil },
		"clear_trace":      func(c *call) (Value, error) { c.w.agent.trace = nil; return Unit{}, nil },
		"clear_context":    func(c *call) (Value, error) { return Unit{}, nil },
	}
}
