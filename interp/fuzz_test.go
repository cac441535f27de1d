package interp_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/format"
	"soma.cell/frontend/progen"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
	"soma.cell/interp"
	"soma.cell/interp/interptest"
)

// FuzzInterp holds for every program that progen draws and every sequence of calls: each call
// ends within its steps, what it raises is an error that a program can raise, a call that
// raises leaves no trace, and after each call memory obeys its types and rules, and machines
// moved along declared edges.
func FuzzInterp(f *testing.F) {
	for seed := range uint64(12) {
		f.Add(chance(seed, 900), chance(seed+100, 300))
	}
	f.Add([]byte(nil), []byte(nil))
	f.Fuzz(func(t *testing.T, program, calls []byte) {
		text := progen.New(progen.Bytes(program), progen.Options{Without: progen.Tests})
		run(t, text, progen.Bytes(calls))
	})
}

// TestRunsOfDrawnPrograms is the same by chance, and sees to it that the comparison is about
// something: most calls give a value, some raise, and memory fills.
func TestRunsOfDrawnPrograms(t *testing.T) {
	var all seen
	for seed := range uint64(150) {
		text := progen.New(progen.Seed(seed), progen.Options{Without: progen.Tests})
		all.add(run(t, text, progen.Seed(seed+1)))
	}
	t.Logf("%+v", all)
	if all.values < 200 || all.raised < 100 || all.refused < 10 || all.moves < 15 || all.rules < 300 {
		t.Errorf("too little happened: %+v", all)
	}
}

// TestWrittenAnewRunsTheSame compares runs of a program with those of its text as package
// format writes it: results, kinds of errors and memory agree.
func TestWrittenAnewRunsTheSame(t *testing.T) {
	for seed := range uint64(60) {
		text := progen.New(progen.Seed(seed), progen.Options{Without: progen.Tests})
		anew := &progen.Program{Text: format.File(resolved(t, text).Files[0])}
		one, two := story(resolved(t, text), seed), story(resolved(t, anew), seed)
		if one != two {
			t.Fatalf("seed %d:\n%s\n--\n%s\n%s\n%s", seed, one, two, text.Text, anew.Text)
		}
	}
}

// story tells what a sequence of calls gave and left behind.
func story(p *resolve.Program, seed uint64) string {
	src := progen.Seed(seed)
	o := interptest.Options(src)
	o.Steps = 50_000
	w := interp.New(p, o)
	var b strings.Builder
	for range 8 {
		call := interptest.Draw(src, p)
		if call == nil {
			break
		}
		v, err := call.Run(context.Background(), w)
		var e *interp.Error
		if errors.As(err, &e) {
			fmt.Fprintln(&b, call.Handler.Name, e.Kind)
			continue
		}
		_, memory := w.Digest()
		fmt.Fprintln(&b, call.Handler.Name, interp.Render(v), memory)
	}
	return b.String()
}

// seen counts what happened in runs.
type seen struct{ values, raised, refused, moves, rules int }

func (s *seen) add(o seen) {
	s.values += o.values
	s.raised += o.raised
	s.refused += o.refused
	s.moves += o.moves
	s.rules += o.rules
}

func chance(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 7))
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(r.Uint32())
	}
	return out
}

// run makes a sequence of calls and holds each to its promises.
func run(t *testing.T, text *progen.Program, src progen.Source) (s seen) {
	p := resolved(t, text)
	o := interptest.Options(src)
	o.Steps = 50_000
	w := interp.New(p, o)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for range 8 {
		call := interptest.Draw(src, p)
		if call == nil {
			break
		}
		moved := len(w.Moves())
		_, before := w.Digest()
		start := time.Now()
		_, err := call.Run(ctx, w)
		if took := time.Since(start); took > 10*time.Second {
			t.Fatalf("%s took %v\n%s", call.Handler.Name, took, text.Text)
		}
		if err == nil {
			s.values++
		} else {
			s.raised++
			raised(t, call, err, text)
			if _, after := w.Digest(); after != before || len(w.Moves()) != moved {
				t.Fatalf("%s raised %v and left a trace\nbefore %s\nafter  %s\n%s", call.Handler.Name, err, before, after, text.Text)
			}
			var e *interp.Error
			if errors.As(err, &e) && e.Kind == interp.KindInvariant {
				s.refused++
			}
		}
		for _, m := range w.Moves()[moved:] {
			s.moves++
			if m.Machine.Edge(m.From, m.To) == nil {
				t.Fatalf("%s moved %s -> %s, which %s does not declare\n%s", call.Handler.Name, m.From, m.To, m.Machine.Name, text.Text)
			}
		}
		n, wrong := obeys(w, p)
		s.rules += n
		if wrong != "" {
			t.Fatalf("after %s(%v): %s\n%s", call.Handler.Name, call.Args, wrong, text.Text)
		}
	}
	return s
}

// raised holds an error to what a program that passed the check can raise.
func raised(t *testing.T, call *interptest.Call, err error, text *progen.Program) {
	var e *interp.Error
	if !errors.As(err, &e) || e.Kind == "" {
		t.Fatalf("%s gave %v, which is no error of the language\n%s", call.Handler.Name, err, text.Text)
	}
	switch e.Kind {
	case interp.KindUndefinedVariable, interp.KindUndefinedFunction, interp.KindAmbiguous:
		t.Fatalf("%s raised %v, and the program passed the check\n%s", call.Handler.Name, err, text.Text)
	}
}

func resolved(t *testing.T, text *progen.Program) *resolve.Program {
	t.Helper()
	var files []*syntax.File
	var found []diag.Diagnostic
	for _, f := range text.Files() {
		file, wrong := syntax.Parse(f)
		files, found = append(files, file), append(found, wrong...)
	}
	p, more := resolve.Resolve(files, "2027")
	for _, d := range diag.Errors(append(found, more...)) {
		t.Fatalf("%s: %s: %s\n%s", d.Span, d.Code, d.Message, text.Text)
	}
	return p
}
