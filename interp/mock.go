package interp

import (
	"strings"

	"soma.cell/frontend/builtin"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// mocks are the replies that a test scripts, in queues: one for each builtin or handler.
type mocks struct {
	builtins map[string][]scripted
	handlers map[*resolve.Handler][]scripted
}

// scripted is one reply of one mock statement.
type scripted struct {
	value Value
	err   *Error // raised instead of a value
	from  *syntax.Mock
}

// add puts the replies of a mock at the end of its queue: a list is a queue of its own.
func (m *mocks) add(callee *resolve.Callee, from *syntax.Mock, v Value) {
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
	if callee.Handler != nil {
		if m.handlers == nil {
			m.handlers = map[*resolve.Handler][]scripted{}
		}
		m.handlers[callee.Handler] = append(m.handlers[callee.Handler], replies...)
		return
	}
	if m.builtins == nil {
		m.builtins = map[string][]scripted{}
	}
	m.builtins[callee.Builtin.Name] = append(m.builtins[callee.Builtin.Name], replies...)
}

// builtin takes the next reply for a builtin, if there is one.
func (m *mocks) builtin(name string) (v Value, mocked bool, err error) {
	queue := m.builtins[name]
	if len(queue) == 0 {
		return nil, false, nil
	}
	m.builtins[name] = queue[1:]
	r := queue[0]
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
func (m *mocks) handler(h *resolve.Handler) (v Value, mocked bool, err error) {
	queue := m.handlers[h]
	if len(queue) == 0 {
		return nil, false, nil
	}
	m.handlers[h] = queue[1:]
	return queue[0].answer()
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
	out := mocks{builtins: map[string][]scripted{}, handlers: map[*resolve.Handler][]scripted{}}
	for k, q := range m.builtins {
		out.builtins[k] = q
	}
	for k, q := range m.handlers {
		out.handlers[k] = q
	}
	return out
}
