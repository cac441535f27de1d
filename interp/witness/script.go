package witness

import (
	"context"
	"slices"
	"strings"

	"soma.cell/frontend/resolve"
	"soma.cell/interp"
)

// script makes the choices of one call: its arguments first, then each answer of the model
// and of people, in the order in which they are asked for. picks says which candidate to take
// at each place, 0 past its end; sizes records how many there were.
type script struct {
	picks []int
	sizes []int
	fixed []string // answers of the model that are given instead of chosen
	first []Answer // answers of the model that are tried before others
	tools bool     // a tool call is tried before a second answer

	texts    func() []string       // candidates for an answer
	bodies   func() []interp.Value // candidates for a reply of the network
	objects  func() []string       // candidates for a JSON answer
	argument func(p resolve.Param) interp.Value

	answers   []Answer // given so far
	approvals []bool
	replies   []interp.Value
	asked     []string // the builtins that got them

	replay *Call // answer what this call was answered
}

// choose takes one of n candidates at the next place.
func (s *script) choose(n int) int {
	at := len(s.sizes)
	s.sizes = append(s.sizes, n)
	if at < len(s.picks) && s.picks[at] < n {
		return s.picks[at]
	}
	return 0
}

// Think answers as the script says. Where the agent has tools, the choices after the plain
// answers are to call one tool first.
func (s *script) Think(_ context.Context, r interp.Request) (interp.Reply, error) {
	a, err := s.answer(r)
	if err != nil {
		return interp.Reply{}, err
	}
	s.answers = append(s.answers, a)
	for _, t := range r.Tools {
		if t.Name != a.Tool {
			continue
		}
		// What a tool raises is for the model to read, unless it ends the whole call.
		if _, err := t.Call(a.Args); err != nil {
			if e, ok := err.(*interp.Error); ok && e.Final {
				return interp.Reply{}, e
			}
		}
	}
	return interp.Reply{Text: a.Text, Tokens: 1}, nil
}

func (s *script) answer(r interp.Request) (Answer, error) {
	given := len(s.answers)
	switch {
	case s.replay != nil && given < len(s.replay.Answers):
		return s.replay.Answers[given], nil
	case s.replay != nil:
		return Answer{}, &interp.Error{Kind: interp.KindLLM, Detail: "the run has no further answer"}
	case given < len(s.fixed):
		return Answer{Text: s.fixed[given]}, nil
	}
	pool := s.texts()
	if r.JSON {
		pool = s.objects()
	}
	if given < len(s.first) {
		pool = slices.Insert(slices.Clone(pool), 0, s.first[given].Text)
	}
	i := s.choose(len(pool) + len(r.Tools))
	if n := len(r.Tools); s.tools && i > n {
		i -= n
	} else if s.tools && i > 0 {
		i += len(pool) - 1
	}
	if i < len(pool) {
		return Answer{Text: pool[i]}, nil
	}
	tool := r.Tools[i-len(pool)]
	a := Answer{Tool: tool.Name, Args: make([]interp.Value, len(tool.Params)), Text: pool[0]}
	for j, p := range tool.Params {
		a.Args[j] = s.argument(p)
	}
	return a, nil
}

// approve says yes first.
func (s *script) approve(string) bool {
	given := len(s.approvals)
	var yes bool
	if s.replay == nil {
		yes = s.choose(2) == 0
	} else {
		yes = given < len(s.replay.Approvals) && s.replay.Approvals[given]
	}
	s.approvals = append(s.approvals, yes)
	return yes
}

// fetch answers an HTTP request.
func (s *script) fetch(f interp.Fetch) interp.Value {
	given := len(s.replies)
	s.asked = append(s.asked, "http_"+strings.ToLower(f.Method))
	reply := interp.NetworkFailure("network", "the run has no further reply")
	if s.replay == nil {
		pool := s.bodies()
		reply = pool[s.choose(len(pool))]
	} else if given < len(s.replay.Replies) {
		reply = s.replay.Replies[given]
	}
	s.replies = append(s.replies, reply)
	return reply
}

// frontier enumerates the choices of one handler in one state, by the sum of the picks: each
// vector of picks is reached from exactly one other, by raising a pick at or after its last
// one that is not 0.
type frontier struct {
	queue [][]int
}

const longestQueue = 4096

func (f *frontier) next() ([]int, bool) {
	if len(f.queue) == 0 {
		return nil, false
	}
	picks := f.queue[0]
	f.queue = f.queue[1:]
	return picks, true
}

// follow queues what comes after a vector, once its run showed how many candidates there are.
func (f *frontier) follow(picks, sizes []int) {
	last := 0
	for i, p := range picks {
		if p > 0 {
			last = i
		}
	}
	for i := last; i < len(sizes) && len(f.queue) < longestQueue; i++ {
		at := 0
		if i < len(picks) {
			at = picks[i]
		}
		if at+1 >= sizes[i] {
			continue
		}
		next := make([]int, i+1)
		copy(next, picks)
		next[i]++
		f.queue = append(f.queue, next)
	}
}
