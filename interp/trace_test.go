package interp

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"soma.cell/frontend/resolve/resolvetest"
)

const traced = `
cell agent Desk {
    memory { open: Map<String, Int> [persistent]  log: List<String> [persistent]  invariant open <= 5 }
    state m { initial: idle  idle -> busy  busy -> idle }
    face { tool note(text: String) -> Int "keeps a note"  signal start(id: String, n: Int) -> Any }
    on note(text: String) { log.push(text)  return log.len }
    on _store(id: String, n: Int) { open[id] = n }
    on start(id: String, n: Int) {
        let r = try { _store(id, n)  transition(id, "busy")  open.delete(id) }
        if r.error != () { log.push("{r.kind}") }
        log[0] = think("again")
        return ["a"] |> filter(x => try { open.set(x, 9) }.kind == ())
    }
}
`

// chatty calls the first tool before it answers.
type chatty struct{}

func (chatty) Think(_ context.Context, r Request) (Reply, error) {
	_, err := r.Tools[0].Call([]Value{String("seen")})
	return Reply{Text: "done"}, err
}

func TestTraceTellsWhatOthersSee(t *testing.T) {
	for _, c := range []struct {
		n    int64
		want []string
	}{
		{2, []string{
			"enter start id 2", "begin", "enter _store id 2", "write open id 2", "leave _store null", "move id idle busy",
			"delete open id", "end", "act think again", "enter note seen", "push log seen", "leave note 1", "acted think done",
			"write log 0 done", "begin", "end invariant", "leave start []",
		}},
		{7, []string{
			"enter start id 7", "begin", "enter _store id 7", "leave _store !invariant", "end invariant", "push log invariant",
			"act think again", "enter note seen", "push log seen", "leave note 2", "acted think done",
			"write log 0 done", "begin", "end invariant", "leave start []",
		}},
	} {
		var got []string
		w := New(resolvetest.Program(t, traced), Options{Model: chatty{}, Trace: func(s Step) { got = append(got, s.text()) }})
		if _, err := w.Call(context.Background(), "Desk", "start", []Value{String("id"), NewInt(c.n)}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("start(%d) (-want +got):\n%s", c.n, diff)
		}
	}
}

// text is a step on a line.
func (s Step) text() string {
	out := []string{[...]string{"enter", "leave", "begin", "end", "write", "push", "delete", "move", "act", "acted"}[s.Kind], s.Name, s.ID, s.From, s.To}
	for _, v := range append([]Value{s.Key}, s.Args...) {
		if v != nil {
			out = append(out, Render(v))
		}
	}
	switch {
	case s.Raised != nil && s.Kind == StepEnd:
		out = append(out, s.Raised.Kind)
	case s.Raised != nil:
		out = append(out, "!"+s.Raised.Kind)
	case s.Value != nil:
		out = append(out, Render(s.Value))
	}
	return strings.Join(strings.Fields(fmt.Sprint(strings.Join(out, " "))), " ")
}
