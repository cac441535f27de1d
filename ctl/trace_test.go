package ctl

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// office is a small machine with two endings, a queue that may go round, and a
// trap.
//
//	0 draft -> 1 review -> 2 signed -> 3 paid (ends)
//	           1 review -> 0 draft
//	           1 review -> 4 lost <-> 5 found
//	6 ghost -> 3 paid       (unreachable)
func office(t *testing.T) (*Structure, map[string]*Set) {
	s := graph(t, 7, [][2]int{{0, 1}, {1, 2}, {2, 3}, {1, 0}, {1, 4}, {4, 5}, {5, 4}, {6, 3}})
	atoms := map[string]*Set{}
	for state, name := range []string{"draft", "review", "signed", "paid", "lost", "found", "ghost"} {
		atoms[name] = SetOf(7, state)
	}
	return s, atoms
}

// TestTraces lists what is explained and how; a formula that holds is witnessed,
// one that does not is refuted.
func TestTraces(t *testing.T) {
	s, atoms := office(t)
	for _, c := range []struct {
		text         string
		holds        bool
		prefix, loop []int
		closed       []int
		claim        string
		complete     bool
	}{
		// Refuted universal formulas.
		{"AG !paid", false, []int{0, 1, 2, 3}, nil, nil, "paid", true},
		{"AG(draft || review)", false, []int{0, 1, 2}, nil, nil, "!draft && !review", true},
		{"AF paid", false, []int{}, []int{0, 1}, nil, "!paid", true},
		{"AX draft", false, []int{0, 1}, nil, nil, "!draft", true},
		{"AX AX draft", false, []int{0, 1, 2}, nil, nil, "!draft", true},
		{"A[!signed U lost]", false, []int{0, 1, 2}, nil, nil, "signed", true},
		{"A[!ghost U lost]", false, []int{}, []int{0, 1}, nil, "!lost", true},
		{"A[draft U review || signed]", true, []int{0}, nil, nil, "A[draft U review || signed]", false},
		{"A[draft U signed]", false, []int{0, 1}, nil, nil, "!draft", true},
		{"A[lost R !paid]", false, []int{0, 1, 2, 3}, nil, nil, "paid", true},
		{"A[!paid W signed]", true, []int{0}, nil, nil, "A[signed R !paid || signed]", false},
		{"A[draft W signed]", false, []int{0, 1}, nil, nil, "!draft && !signed", true},
		{"AG(signed -> AX draft)", false, []int{0, 1, 2, 3}, nil, nil, "!draft", true},
		{"AG(lost -> AF paid)", false, []int{0, 1}, []int{4, 5}, nil, "!paid", true},
		{"AG(draft -> AF(lost || paid))", false, []int{}, []int{0, 1}, nil, "!lost && !paid", true},
		{"AF AG paid", false, []int{}, []int{0, 1}, nil, "E[true U !paid]", false},
		{"AF AG lost", false, []int{}, []int{0, 1}, nil, "E[true U !lost]", false},
		// Witnessed existential formulas.
		{"EF lost", true, []int{0, 1, 4}, nil, nil, "lost", true},
		{"EG !paid", true, []int{}, []int{0, 1}, nil, "!paid", true},
		{"EF EG lost", false, []int{0}, nil, []int{0, 1, 2, 3, 4, 5}, "A[true U !lost]", false},
		{"EF EG(lost || found)", true, []int{0, 1}, []int{4, 5}, nil, "lost || found", true},
		{"EF EG paid", true, []int{0, 1, 2}, []int{3}, nil, "paid", true},
		{"E[!lost U paid]", true, []int{0, 1, 2, 3}, nil, nil, "paid", true},
		{"E[paid R !lost]", true, []int{0, 1, 2, 3}, nil, nil, "paid", true},
		{"E[lost R !lost]", true, []int{}, []int{0, 1}, nil, "!lost", true},
		{"E[draft || review W signed]", true, []int{0, 1, 2}, nil, nil, "signed", true},
		{"EX EX EX paid", true, []int{0, 1, 2, 3}, nil, nil, "paid", true},
		{"EF(review && EX lost)", true, []int{0, 1, 4}, nil, nil, "lost", true},
		{"EF(EX lost && EX signed)", true, []int{0, 1, 4}, nil, nil, "lost", false},
		{"E[signed R EX !ghost]", true, []int{0, 1, 2, 3}, nil, nil, "!ghost", false},
		{"E[ghost R EX !ghost]", true, []int{}, []int{0, 1}, nil, "EX !ghost", false},
		{"E[EX true U signed]", true, []int{0, 1, 2}, nil, nil, "signed", false},
		// Branching and unreachability: a closed set.
		{"AG EF paid", false, []int{0, 1, 4}, nil, []int{4, 5}, "!paid", true},
		{"AG(review -> EF found) && AG EF draft", false, []int{0, 1, 2}, nil, []int{2, 3}, "!draft", true},
		{"EF ghost", false, []int{0}, nil, []int{0, 1, 2, 3, 4, 5}, "!ghost", true},
		{"E[!draft U paid]", false, []int{0}, nil, nil, "draft", true},
		{"EF AG !paid", true, []int{0, 1, 4}, nil, []int{4, 5}, "!paid", true},
		{"AG !ghost", true, []int{0}, nil, []int{0, 1, 2, 3, 4, 5}, "!ghost", true},
		{"EX paid", false, []int{0}, nil, nil, "AX !paid", false},
		{"EG draft", false, []int{0}, nil, nil, "A[true U !draft]", false},
		// Boolean structure.
		{"draft", true, []int{0}, nil, nil, "draft", true},
		{"draft && paid", false, []int{0}, nil, nil, "!draft || !paid", true},
		{"AG !ghost && AG !lost", false, []int{0, 1, 4}, nil, nil, "lost", true},
		{"AG !lost || AG !paid", false, []int{0, 1, 4}, nil, nil, "lost", false},
		{"EF lost && draft", true, []int{0, 1, 4}, nil, nil, "lost", true},
		{"EX review || draft", true, []int{0}, nil, nil, "draft", true},
		{"paid || EX review", true, []int{0, 1}, nil, nil, "review", true},
		{"EF paid -> AG !lost", false, []int{0, 1, 2, 3}, nil, nil, "paid", false},
	} {
		r, err := Check(s, atoms, mustParse(t, c.text))
		if err != nil {
			t.Fatal(err)
		}
		if r.Holds() != c.holds {
			t.Errorf("%s: verdict %v", c.text, r.Holds())
			continue
		}
		explain := map[bool]func(*Result) (*Trace, error){true: Witness, false: Counterexample}
		trace, err := explain[c.holds](r)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if err := Replay(s, trace); err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
		var closed []int
		if trace.Closed != nil {
			closed = slices.Collect(trace.Closed.All())
		}
		if !slices.Equal(trace.Prefix, c.prefix) || !slices.Equal(trace.Loop, c.loop) || !slices.Equal(closed, c.closed) ||
			trace.Claim.String() != c.claim || trace.Complete != c.complete {
			t.Errorf("%s:\n got %v %v %v %s %v\nwant %v %v %v %s %v", c.text,
				trace.Prefix, trace.Loop, closed, trace.Claim, trace.Complete, c.prefix, c.loop, c.closed, c.claim, c.complete)
		}
		kind := "path"
		if c.loop != nil {
			kind = "lasso"
		}
		if got := trace.Kind().String(); got != kind {
			t.Errorf("%s: kind %s, want %s", c.text, got, kind)
		}
		if _, err := explain[!c.holds](r); err == nil {
			t.Errorf("%s: is explained both ways", c.text)
		}
	}
}

// TestNoFairness pins a known limit: a path may pass an exit for ever without
// taking it.
func TestNoFairness(t *testing.T) {
	s := graph(t, 2, [][2]int{{0, 0}, {0, 1}})
	r, err := Check(s, map[string]*Set{"out": SetOf(2, 1)}, mustParse(t, "AF out"))
	if err != nil || r.Holds() {
		t.Errorf("holds although the path may stay for ever; error %v", err)
	}
}

func TestTraceStartsWhereItFails(t *testing.T) {
	s := graph(t, 4, [][2]int{{0, 0}, {1, 2}, {3, 2}}, 0, 3, 1)
	r, err := Check(s, map[string]*Set{"bad": SetOf(4, 2)}, mustParse(t, "AG !bad"))
	if err != nil {
		t.Fatal(err)
	}
	trace, err := Counterexample(r)
	if err != nil || !slices.Equal(trace.Prefix, []int{1, 2}) {
		t.Errorf("trace %v, error %v", trace, err)
	}
}

// TestRandomTraces replays each explanation and has it judged by the oracles.
func TestRandomTraces(t *testing.T) {
	complete, kinds, closed := 0, map[Kind]int{}, 0
	forRandom(t, func(_ *rand.Rand, m *model, f *Formula) error {
		s := m.structure()
		r, err := Check(s, m.sets(), f)
		if err != nil {
			return err
		}
		explained, explain := f, Witness
		if !r.Holds() {
			explained, explain = Not(f), Counterexample
		}
		trace, err := explain(r)
		if err != nil {
			return err
		}
		if err := Replay(s, trace); err != nil {
			return fmt.Errorf("%w: %v", err, trace)
		}
		j := judge{m, trace, append(slices.Clone(trace.Prefix), trace.Loop...)}
		if err := j.claim(); err != nil {
			return err
		}
		if !j.shows(NNF(explained), 0) {
			return fmt.Errorf("trace %v does not show %s", trace, NNF(explained))
		}
		kinds[trace.Kind()]++
		if trace.Closed != nil {
			closed++
		}
		if trace.Complete {
			complete++
			return j.establishes(explained)
		}
		return nil
	})
	if complete < samples/3 || kinds[Lasso] < samples/50 || closed < samples/50 {
		t.Errorf("the samples are lopsided: %d complete, %d lassos, %d closed", complete, kinds[Lasso], closed)
	}
}

// judge holds a trace against the model it comes from.
type judge struct {
	m      *model
	trace  *Trace
	states []int // prefix and loop
}

// claim checks the trace's claim at each state it is made of.
func (j judge) claim() error {
	truth := j.m.byFixpoint(j.trace.Claim)
	of := j.trace.Loop
	if of == nil {
		of = j.states[len(j.states)-1:]
	}
	if j.trace.Closed != nil {
		of = slices.Collect(j.trace.Closed.All())
	}
	for _, state := range of {
		if !truth[state] {
			return fmt.Errorf("claim %s is false at %d", j.trace.Claim, state)
		}
	}
	return nil
}

// after is the position that follows i, or -1 at the end of a path.
func (j judge) after(i int) int {
	switch {
	case i+1 < len(j.states):
		return i + 1
	case j.trace.Loop != nil:
		return len(j.trace.Prefix)
	}
	return -1
}

// from lists the positions from i on, each once.
func (j judge) from(i int) []int {
	var out []int
	for ; i >= 0 && !slices.Contains(out, i); i = j.after(i) {
		out = append(out, i)
	}
	return out
}

// shows reports whether the trace from position i on is an explanation of f, in
// normal form: existential operators are shown by the trace itself, what is
// beside it is taken from the oracle, universal operators end it.
func (j judge) shows(f *Formula, i int) bool {
	truth := func(g *Formula, at int) bool { return j.m.byFixpoint(g)[j.states[at]] }
	if !truth(f, i) {
		return false
	}
	isEnd := i == len(j.states)-1 && j.trace.Loop == nil
	switch f.Op {
	case OpAnd:
		return j.shows(f.Left, i) || j.shows(f.Right, i)
	case OpOr:
		return j.shows(f.Left, i) || j.shows(f.Right, i)
	case OpEX:
		return j.after(i) >= 0 && j.shows(f.Left, j.after(i))
	case OpEU:
		for _, at := range j.from(i) {
			if j.shows(f.Right, at) {
				return true
			}
			if !truth(f.Left, at) {
				return false
			}
		}
		return false
	case OpER:
		for _, at := range j.from(i) {
			if !truth(f.Right, at) {
				return false
			}
			if truth(f.Left, at) && (j.shows(f.Left, at) || j.shows(f.Right, at)) {
				return true
			}
		}
		return j.trace.Loop != nil
	case OpAX:
		return isEnd
	case OpAU:
		return isEnd || j.shows(f.Right, i)
	case OpAR:
		return isEnd || j.shows(f.Left, i) || j.shows(f.Right, i)
	}
	return true
}

// establishes cuts the trace, with its closed set, out of the model and checks
// that f holds at its start whatever follows a path's end: the trace alone is
// reason enough.
func (j judge) establishes(f *Formula) error {
	for _, ending := range []string{"stutter", "all", "none"} {
		cut := j.cut(ending)
		if !cut.byFixpoint(f)[0] {
			return fmt.Errorf("trace %v alone does not establish %s (ending %s)", j.trace, f, ending)
		}
	}
	return nil
}

// cut is a model of the positions of the trace, then copies of the model's
// states, then one state where all atoms have the ending's value.
func (j judge) cut(ending string) *model {
	positions := len(j.states)
	extra := positions + j.m.n
	out := &model{n: extra + 1, atoms: map[string][]bool{}}
	for range out.n {
		out.edge = append(out.edge, make([]bool, out.n))
	}
	for name, truth := range j.m.atoms {
		values := make([]bool, 0, out.n)
		for _, state := range j.states {
			values = append(values, truth[state])
		}
		out.atoms[name] = append(append(values, truth...), ending == "all")
	}
	for i := range positions {
		if next := j.after(i); next >= 0 {
			out.edge[i][next] = true
		}
	}
	end := positions - 1
	switch {
	case j.trace.Loop != nil:
	case j.trace.Closed != nil:
		for from := range j.trace.Closed.All() {
			for to := range j.m.n {
				if j.m.steps(from, to) {
					out.edge[positions+from][positions+to] = true
					if from == j.states[end] {
						out.edge[end][positions+to] = true
					}
				}
			}
		}
	case ending != "stutter":
		out.edge[end][extra] = true
	}
	return out
}

// TestShortestTraces compares lengths with an exhaustive search of runs.
func TestShortestTraces(t *testing.T) {
	forRandom(t, func(_ *rand.Rand, m *model, _ *Formula) error {
		p, s := m.atoms["p"], m.structure()
		shortest := func(f *Formula, want int, length func(*Trace) int) error {
			r, err := Check(s, m.sets(), f)
			if err != nil || r.Holds() {
				return err
			}
			trace, err := Counterexample(r)
			if err != nil {
				return err
			}
			if got := length(trace); got != want {
				return fmt.Errorf("%s: length %d of %v, want %d", f, got, trace, want)
			}
			return nil
		}
		start := m.structure().Initial().First()
		m.initial = []int{start}
		s = m.structure()
		reach, lead := m.n, m.n // steps to !p; steps to a cycle without p
		m.runs([]int{start}, func(run []int, back int) {
			if at := slices.IndexFunc(run, func(state int) bool { return !p[state] }); at >= 0 {
				reach = min(reach, at)
			}
			if !slices.ContainsFunc(run, func(state int) bool { return p[state] }) {
				lead = min(lead, back)
			}
		})
		if err := shortest(AG(Atom("p")), reach+1, func(t *Trace) int { return len(t.Prefix) }); err != nil {
			return err
		}
		return shortest(AF(Atom("p")), lead, func(trace *Trace) int {
			around := m.n + 1
			m.runs(trace.Loop[:1], func(run []int, back int) {
				if back == 0 && !slices.ContainsFunc(run, func(state int) bool { return p[state] }) {
					around = min(around, len(run))
				}
			})
			if len(trace.Loop) != around {
				return -1
			}
			return len(trace.Prefix)
		})
	})
}

func TestReplayRefuses(t *testing.T) {
	s, _ := office(t)
	for _, c := range []struct {
		trace Trace
		want  string
	}{
		{Trace{}, "the trace has no state"},
		{Trace{Prefix: []int{1, 2}}, "the trace starts at state 1, which is not initial"},
		{Trace{Prefix: []int{-1}}, "the trace starts at state -1, which is not initial"},
		{Trace{Prefix: []int{0, 2}}, "the trace steps from 0 to 2, which is no edge"},
		{Trace{Prefix: []int{0, 0}}, "the trace steps from 0 to 0, which is no edge"},
		{Trace{Prefix: []int{0, 9}}, "the trace steps from 0 to 9, which is no edge"},
		{Trace{Prefix: []int{0}, Loop: []int{1, 2}}, "the trace steps from 2 to 1, which is no edge"},
		{Trace{Prefix: []int{0}, Loop: []int{4, 5}}, "the trace steps from 0 to 4, which is no edge"},
		{Trace{Loop: []int{0}}, "the trace steps from 0 to 0, which is no edge"},
		{Trace{Prefix: []int{0, 1}, Closed: SetOf(7, 4, 5)}, "the closed set misses state 1, where the path ends"},
		{Trace{Prefix: []int{0, 1, 4}, Closed: SetOf(7, 4)}, "the closed set is left by the edge from 4 to 5"},
		{Trace{Prefix: []int{0, 1, 4}, Closed: SetOf(6, 4, 5)}, "the closed set is over 6 states: the structure has 7"},
		{Trace{Loop: []int{0, 1}, Closed: FullSet(7)}, "a lasso has no end from which a closed set could start"},
	} {
		if err := Replay(s, &c.trace); err == nil || err.Error() != c.want {
			t.Errorf("%v: error %v, want %q", c.trace, err, c.want)
		}
	}
	for _, good := range []Trace{
		{Prefix: []int{0}},
		{Loop: []int{0, 1}},
		{Prefix: []int{0, 1, 2}, Loop: []int{3}},
		{Prefix: []int{0, 1, 2, 3}, Closed: SetOf(7, 3)},
	} {
		if err := Replay(s, &good); err != nil {
			t.Errorf("%v: %v", good, err)
		}
	}
}

// TestTracesAreDeterministic: the same question gives the same answer.
func TestTracesAreDeterministic(t *testing.T) {
	forRandom(t, func(_ *rand.Rand, m *model, f *Formula) error {
		var first string
		for range 2 {
			r, err := Check(m.structure(), m.sets(), f)
			if err != nil {
				return err
			}
			explain := Witness
			if !r.Holds() {
				explain = Counterexample
			}
			trace, err := explain(r)
			if err != nil {
				return err
			}
			text := fmt.Sprint(trace.Prefix, trace.Loop, trace.Closed, trace.Claim, trace.Complete)
			if first == "" {
				first = text
			} else if text != first {
				return fmt.Errorf("%s, then %s", first, text)
			}
		}
		return nil
	})
}
