package interp

import (
	"maps"
	"slices"
	"strings"

	"soma.cell/frontend/builtin"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// mocks are the replies that a test scripts, in queues: one for each builtin, and one for the
// handlers of a name in a cell, however many arguments they take.
type mocks struct {
	builtins map[string][]scripted
	handlers map[handlerName][]scripted
}

type handlerName struct {
	cell *resolve.Cell
	name string
}

// scripted is one reply of one mock statement.
type scripted struct {
	value Value
	err   *Error // raised instead of a value
	from  *syntax.Mock
}

// add puts the replies of a mock at the end of its queue: a list is a queue of its own. What
// cannot be a reply is an error.
func (m *mocks) add(callee *resolve.Callee, from *syntax.Mock, v Value) error {
	var replies []scripted
	if from.Error {
		replies = []scripted{{err: parseError(Render(v)), from: from}}
	} else if l, ok := v.(*List); ok {
		for _, x := range l.items {
			replies = append(replies, scripted{value: x, from: from})
		}
	} else {
		replies = []scripted{{value: v, from: from}}
	}
	if len(replies) == 0 {
		return errNoReplies(from)
	}
	if h := callee.Handler; h != nil {
		if m.handlers == nil {
			m.handlers = map[handlerName][]scripted{}
		}
		queue(m.handlers, handlerName{h.Cell, h.Name}, replies)
		return nil
	}
	for _, r := range replies {
		if r.err == nil && !mayReply(callee.Builtin, r.value) {
			return errReply(from, callee.Builtin, r.value)
		}
	}
	if m.builtins == nil {
		m.builtins = map[string][]scripted{}
	}
	queue(m.builtins, callee.Builtin.Name, replies)
	return nil
}

func queue[K string | handlerName](queues map[K][]scripted, key K, replies []scripted) {
	old := queues[key]
	queues[key] = append(old[:len(old):len(old)], replies...)
}

// next takes the next reply, if there is one.
func next[K string | handlerName](queues map[K][]scripted, key K) (scripted, bool) {
	queue := queues[key]
	if len(queue) == 0 {
		return scripted{}, false
	}
	if queues[key] = queue[1:]; len(queue) == 1 {
		delete(queues, key)
	}
	return queue[0], true
}

// mayReply tells whether a builtin could give a value: a test must not see what no run can. Any
// value is the text of a model's answer.
func mayReply(b *builtin.Builtin, v Value) bool {
	if b.Class == builtin.Model {
		return true
	}
	result, optional := strings.CutSuffix(b.Result, "?")
	return optional && v.Kind() == UnitKind || slices.ContainsFunc(strings.Split(result, "|"), func(want string) bool {
		return want == "Any" || want == v.Kind().String() || want == "Number" && isNumber(v)
	})
}

// builtin takes the next reply for a builtin, if there is one.
func (m *mocks) builtin(name string) (v Value, mock bool, err error) {
	r, ok := next(m.builtins, name)
	if !ok {
		return nil, false, nil
	}
	if r.err != nil {
		if v := failedAs(name, r.err); v != nil {
			return v, true, nil
		}
	}
	return r.answer()
}

// failedAs is the value with which a builtin that never raises tells of a failure, or nil.
func failedAs(name string, e *Error) Value {
	text := e.Detail
	if text == "" {
		text = e.Kind
	}
	switch b := builtin.Lookup(name); {
	case strings.HasPrefix(name, "http_"):
		return NetworkFailure(e.Kind, text)
	case b.Class == builtin.FileIO && name != "read_stdin":
		return failure(text)
	}
	return nil
}

// handler takes the next reply for a handler, if there is one.
func (m *mocks) handler(h *resolve.Handler) (v Value, mock bool, err error) {
	if r, ok := next(m.handlers, handlerName{h.Cell, h.Name}); ok {
		return r.answer()
	}
	return nil, false, nil
}

func (r scripted) answer() (Value, bool, error) {
	if r.err != nil {
		e := *r.err
		return nil, true, &e
	}
	return r.value, true, nil
}

// left lists the mocks that still have replies, with their number, in order of source.
func (m *mocks) left(order []*syntax.Mock) (out []*syntax.Mock, count map[*syntax.Mock]int) {
	count = map[*syntax.Mock]int{}
	for _, queue := range m.builtins {
		for _, r := range queue {
			count[r.from]++
		}
	}
	for _, queue := range m.handlers {
		for _, r := range queue {
			count[r.from]++
		}
	}
	for _, s := range order {
		if count[s] > 0 {
			out = append(out, s)
		}
	}
	return out, count
}

// copy keeps the queues as they are now.
func (m *mocks) copy() mocks {
	return mocks{builtins: maps.Clone(m.builtins), handlers: maps.Clone(m.handlers)}
}
