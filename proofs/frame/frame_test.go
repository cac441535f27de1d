package frame_test

import (
	"fmt"
	"strings"
	"testing"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/ir"
	"soma.cell/ir/irtest"
	"soma.cell/ir/lower"
	"soma.cell/proofs/frame"
	"soma.cell/proofs/obligation"
	"soma.cell/smt/term"
)

// system lowers a program that must be free of other faults.
func system(t *testing.T, text string) *ir.System {
	t.Helper()
	s := lower.Program(resolvetest.Program(t, text))
	if err := ir.Validate(s); err != nil {
		t.Fatal(err)
	}
	return s
}

// memory and machine of the programs below.
const library = `skeleton agent Library {
    memory {
        loans: Map<String, String>
        fees: Map<String, Int>
        log: List<String>
    }
    state book {
        initial: shelf
        shelf -> lent
        lent -> shelf
        lost -> shelf
        lent -> lost { guard { (fees.get(_id) ?? 0) < 9 } }
    }
    face {
        tool help() -> String "shows the rules"
        signal other() -> Int
        signal work(id: String, n: Int) -> String CLAUSES
    }
}
flesh Library {
    on help() { return "be quiet" }
    on other() { return 1 }
    on work(id, n) {
        BODY
        return id
    }
    on _keep(id) { loans.set(id, "kept") }
    on _deep(id) { _keep(id) }
    on _loop(id) { if id == "" { _loop("x") }  fees.set(id, 0) }
    on _back(id) { work(id, 0) }
}
cell Desk {
    memory { queue: List<String> }
    on wait(id: String) { _enter(id) }
    on _enter(id: String) { queue.push(id) }
    on lent(id: String) { print(id) }
}
`

func program(clauses, body string) string {
	return strings.Replace(strings.Replace(library, "CLAUSES", clauses, 1), "BODY", body, 1)
}

// short is a diagnostic as "E0401 signal 'work' reads 'loans', which …".
func short(list []diag.Diagnostic) (out []string) {
	for _, d := range list {
		text := fmt.Sprintf("%s %s: %s", d.Code, strings.TrimSpace(d.Span.Normal()), d.Message)
		out = append(out, strings.ReplaceAll(text, "`", "'"))
	}
	return out
}

// TestFrames judges one body under a frame that allows it and under one that lacks a clause.
func TestFrames(t *testing.T) {
	for _, c := range []struct {
		name, body, right, wrong string
		want                     []string // code, place and a part of each message under the wrong frame
	}{
		{"get", `let x = loans.get(id)`, "reads loans", "",
			[]string{`E0401 loans.get(id): signal 'work' reads 'loans', which its frame does not allow; add "reads loans" to the signal`}},
		{"index", `let x = loans[id]`, "reads loans", "reads fees", []string{"W0401 fees: does not read 'fees'", "E0401 loans[id]: signal 'work' reads 'loans'"}},
		{"has", `require loans.has(id) else No`, "reads loans", "", []string{"E0401 loans.has(id): "}},
		{"keys", `for k in loans.keys { print(k) }`, "reads loans calls print", "calls print", []string{"E0401 loans.keys: "}},
		{"values", `let x = loans.values()`, "reads loans", "", []string{"E0401 loans.values(): "}},
		{"len", `let x = log.len`, "reads log", "", []string{"E0401 log.len: "}},
		{"slot in an interpolation", `let x = "there are {fees.len}"`, "reads fees", "", []string{"E0401 fees.len: "}},
		{"slot in the message of a require", `require n > 0 else No "only {fees.len}"`, "reads fees", "", []string{"E0401 fees.len: "}},
		{"slot in a lambda", `let x = filter([id], k => loans.has(k))`, "reads loans", "", []string{"E0401 loans.has(k): "}},
		{"slot in a lambda called as a method", `let keep = k => loans.has(k)  let x = id.keep()`, "reads loans", "", []string{"E0401 loans.has(k): "}},
		{"slot in a match", `let x = match n { 1 -> fees.len  _ -> 0 }`, "reads fees", "", []string{"E0401 fees.len: "}},
		{"reads, where writes are allowed", `let x = loans.get(id)  loans.set(id, "a")`, "writes loans", "reads loans", []string{"E0402 loans.set(id, \"a\"): "}},
		{"set", `loans.set(id, "a")`, "writes loans", "", []string{`E0402 loans.set(id, "a"): signal 'work' writes 'loans', which its frame does not allow; add "writes loans"`}},
		{"assigned entry", `loans[id] = "a"`, "writes loans", "", []string{`E0402 loans[id] = "a": `}},
		{"compound assignment", `fees[id] += 1`, "writes fees", "", []string{`E0402 fees[id] += 1: `}},
		{"push", `log.push(id)`, "writes log", "", []string{"E0402 log.push(id): "}},
		{"delete", `loans.delete(id)`, "writes loans", "", []string{"E0402 loans.delete(id): "}},
		{"write in a try", `let r = try { loans.set(id, "a") }`, "writes loans", "", []string{"E0402 loans.set"}},
		{"write that no run reaches", `if false { loans.set(id, "a") }`, "writes loans", "", []string{"E0402 loans.set"}},
		{"move with a source", `transition(id, "shelf", "lent")`, "moves shelf -> lent", "moves lent -> shelf",
			[]string{"W0401 lent -> shelf: does not move", `E0403 transition(id, "shelf", "lent"): signal 'work' may move 'book' along shelf → lent, which its frame does not allow; add "moves shelf -> lent"`}},
		{"move without a source", `transition(id, "shelf")`, "moves lent -> shelf, lost -> shelf", "moves lent -> shelf",
			[]string{`E0403 transition(id, "shelf"): signal 'work' may move 'book' along lost → shelf, which`}},
		{"move with a computed target", `transition(id, id)`, "moves shelf -> lent, lent -> shelf, lost -> shelf, lent -> lost", "",
			[]string{`E0403 transition(id, id): signal 'work' may move 'book' along shelf → lent, lent → shelf, lost → shelf, lent → lost, which`}},
		{"computed target with a source", `transition(id, "lost", id)`, "moves lost -> shelf", "", []string{`E0403 transition(id, "lost", id): signal 'work' may move 'book' along lost → shelf, which`}},
		{"guarded move, whose guard reads", `transition(id, "lent", "lost")`, "moves lent -> lost", "", []string{"E0403 transition"}},
		{"status", `let x = get_status(id)`, "reads book", "", []string{`E0401 get_status(id): signal 'work' reads the state of 'book', which its frame does not allow; add "reads book"`}},
		{"status, where moves are allowed", `if has_state(id) { transition(id, "shelf", "lent") }`, "moves shelf -> lent", "reads book", []string{"E0403 transition"}},
		{"builtin", `print(id)`, "calls print", "", []string{`E0404 print(id): signal 'work' calls 'print', which its frame does not allow; add "calls print"`}},
		{"builtin in a pipe", `id |> print`, "calls print", "", []string{"E0404 id |> print: signal 'work' calls 'print'"}},
		{"model", `let x = think(id)`, "calls think", "", []string{"E0404 think(id): signal 'work' calls 'think'"}},
		{"clock", `let x = now()`, "calls now", "", []string{"E0404 now(): signal 'work' calls 'now'"}},
		{"pure builtin", `let x = len(id)`, "", "calls print", []string{"W0401 print: "}},
		{"sibling", `let x = other()`, "calls other", "", []string{"E0404 other(): signal 'work' calls 'other'"}},
		{"handler of another cell", `Desk.wait(id)`, "calls Desk.wait", "", []string{"E0404 Desk.wait(id): signal 'work' calls 'Desk.wait'"}},
		{"delegate with literal names", `let x = delegate("Desk", "wait", id)`, "calls Desk.wait", "", []string{`E0404 delegate("Desk", "wait", id): signal 'work' calls 'Desk.wait'`}},
		{"delegate with computed names", `let x = delegate("Desk", id, id)`, "calls delegate", "", []string{`E0404 delegate("Desk", id, id): signal 'work' calls 'delegate'`}},
		{"emit", `emit lent(id)`, "calls emit", "", []string{"E0404 emit lent(id): signal 'work' emits 'lent'"}},
		{"itself", `if n > 0 { work(id, n - 1) }`, "", "calls print", []string{"W0401 print: "}},
		{"private handler", `_keep(id)`, "writes loans", "", []string{`E0402 loans.set(id, "kept"): signal 'work' writes 'loans'`}},
		{"private handler of a private handler", `_deep(id)`, "writes loans", "", []string{`E0402 loans.set(id, "kept"): signal 'work' writes 'loans'`}},
		{"private handler that calls itself", `_loop(id)`, "writes fees", "", []string{`E0402 fees.set(id, 0): signal 'work' writes 'fees'`}},
		{"private handler that calls the signal", `_back(id)`, "", "calls print", []string{"W0401 print: "}},
		{"only read", `let x = loans.get(id)`, "reads loans", "writes loans", []string{`W0401 loans: the frame of 'work' is wider than its body, which only reads 'loans'; say "reads loans" instead of "writes loans"`}},
		{"too many edges", `transition(id, "shelf", "lent")`, "moves shelf -> lent", "moves shelf -> lent, lent -> shelf", []string{`W0401 lent -> shelf: the frame of 'work' is wider than its body, which does not move 'lent -> shelf'; remove "moves lent -> shelf"`}},
		{"function value", `let f = x => loans.has(x)  let y = filter([id], x => len(x) < 2)`, "", "calls print", []string{"W0401 print: "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, obligations := frame.Check(system(t, program(c.right, c.body)), nil)
			if len(found) > 0 {
				t.Errorf("the right frame is refused: %v", short(found))
			}
			if o := find(obligations, "Library/work/frame/1"); o.Verdict != obligation.Proven || o.Evidence.Class != obligation.KernelChecked || o.Evidence.Rule != "frame" {
				t.Errorf("the obligation of the right frame is %v by %v %q", o.Verdict, o.Evidence.Class, o.Evidence.Rule)
			}
			found, obligations = frame.Check(system(t, program(c.wrong, c.body)), nil)
			matches(t, short(found), c.want)
			errors, _ := diag.Count(found)
			if o := find(obligations, "Library/work/frame/1"); (o.Verdict == obligation.Refuted) != (errors > 0) || (o.Reason == "") != (errors == 0) {
				t.Errorf("the obligation of the wrong frame is %v with reason %q", o.Verdict, o.Reason)
			}
		})
	}
}

func find(list []obligation.Obligation, id string) obligation.Obligation {
	for _, o := range list {
		if o.ID == id {
			return o
		}
	}
	return obligation.Obligation{}
}

// matches compares diagnostics with what is wanted, neither fewer nor more: each wanted text is
// the beginning up to the colon, and a part of the message.
func matches(t *testing.T, got, want []string) {
	t.Helper()
	for i, g := range got {
		if i >= len(want) {
			t.Errorf("unexpected: %s", g)
			continue
		}
		place, part, _ := strings.Cut(want[i], ": ")
		if !strings.HasPrefix(g, place) || !strings.Contains(g, part) {
			t.Errorf("got  %s\nwant %s", g, want[i])
		}
	}
	for i := len(got); i < len(want); i++ {
		t.Errorf("missing: %s", want[i])
	}
}

func TestEveryPlaceIsReported(t *testing.T) {
	found, _ := frame.Check(system(t, program("", `loans.set(id, "a")
        if n > 1 { loans.set(id, "b") }
        print(loans.get(id) ?? "none")`)), nil)
	matches(t, short(found), []string{`E0402 loans.set(id, "a")`, `E0402 loans.set(id, "b")`, "E0404 print"})
}

func TestChainOfPrivateHandlersIsNoted(t *testing.T) {
	found, _ := frame.Check(system(t, program("", "_deep(id)")), nil)
	if len(found) != 1 || len(found[0].Notes) != 2 || found[0].Notes[0].Message != "`_deep` is called here" || found[0].Notes[1].Message != "`_keep` is called here" {
		t.Errorf("notes are %+v", found)
	}
}

func TestEdits(t *testing.T) {
	text := program("reads fees", `let x = fees.len  loans.set(id, "a")  loans.set(id, "b")`)
	found, _ := frame.Check(system(t, text), nil)
	var edits []diag.Edit
	for _, d := range found {
		edits = append(edits, d.Edits...)
	}
	if len(edits) != 1 {
		t.Fatalf("%d edits for one missing clause", len(edits))
	}
	at := edits[0].Span
	text = text[:at.Start] + edits[0].New + text[at.End:]
	if !strings.Contains(text, "reads fees writes loans\n") {
		t.Errorf("the edit gives\n%s", text)
	}
	if found, _ := frame.Check(system(t, text), nil); len(found) > 0 {
		t.Errorf("the repaired program is refused: %v", short(found))
	}
}

func TestTargetsNarrowAComputedTarget(t *testing.T) {
	s := system(t, program("moves shelf -> lent", "transition(id, id)"))
	found, obligations := frame.Check(s, func(*ir.Automaton, *ir.Move) []string { return []string{"lent"} })
	o := find(obligations, "Library/work/frame/1")
	if len(found) > 0 || o.Verdict != obligation.Proven {
		t.Errorf("%v: %v", o.Verdict, short(found))
	}
	if o.Evidence.Class != obligation.EngineTrusted {
		t.Errorf("what rests on the given targets is %v", o.Evidence.Class)
	}
	found, _ = frame.Check(s, func(*ir.Automaton, *ir.Move) []string { return []string{"lent", "lost"} })
	matches(t, short(found), []string{"E0403 transition(id, id): along lent → lost, which"})
	found, _ = frame.Check(s, func(*ir.Automaton, *ir.Move) []string { return nil })
	matches(t, short(found), []string{"E0403 transition(id, id): along lent → shelf, lost → shelf, lent → lost, which"})
}

func TestUnknownEffects(t *testing.T) {
	found, obligations := frame.Check(system(t, program("", "let short = x => len(x) < 9\n        let y = filter([id], short)")), nil)
	matches(t, short(found), []string{"W0402 filter([id], short): the frame of 'work' is not shown to hold"})
	if o := find(obligations, "Library/work/frame/1"); o.Verdict != obligation.Unknown || o.Reason == "" || o.Evidence.Class != obligation.NoEvidence {
		t.Errorf("the obligation is %v: %q", o.Verdict, o.Reason)
	}
}

func TestPrivateHandlerOfAnotherCell(t *testing.T) {
	found, _ := frame.Check(system(t, program("", "Desk._enter(id)")), nil)
	matches(t, short(found), []string{"E0402 queue.push(id): signal 'work' writes 'Desk.queue', which belongs to 'Desk'"})
}

func TestUnframedSignalsGoFree(t *testing.T) {
	found, obligations := frame.Check(system(t, `cell Desk {
    memory { queue: List<String> }
    face { signal wait(id: String) }
    on wait(id: String) { queue.push(id) print(id) }
}
`), nil)
	if len(found) > 0 || len(obligations) > 0 {
		t.Errorf("%v, %d obligations", short(found), len(obligations))
	}
}

func TestFramedSignalOfAPlainCell(t *testing.T) {
	found, _ := frame.Check(system(t, `cell Desk {
    memory { queue: List<String> }
    face { signal wait(id: String) calls free }
    on wait(id: String) { queue.push(id) free(id) }
    on free(id: String) { print(id) }
}
`), nil)
	matches(t, short(found), []string{"E0402 queue.push(id): "})
}

func TestTimers(t *testing.T) {
	text := func(body string) string {
		return `skeleton Clock {
    memory { ticks: Map<String, Int> }
    face { signal tick() -> Int  writes ticks }
}
flesh Clock {
    on tick() { ticks.set("n", 1)  return 1 }
    on _reset() { return 2 }
    every 5s { ` + body + ` }
}
`
	}
	for _, c := range []struct {
		body string
		want []string
	}{
		{`tick()`, nil},
		{`let n = 1  if n > 0 { tick() }`, nil},
		{`ticks.set("n", 0)`, []string{`E0405 ticks.set("n", 0): timer 'every 5s' writes 'ticks', but a timer of a flesh may only call signals of the face`}},
		{`if ticks.len > 0 { tick() }`, []string{"E0405 ticks.len: reads 'ticks'"}},
		{`print("x")`, []string{`E0405 print("x"): calls 'print'`}},
		{`_reset()`, []string{"E0405 _reset(): calls '_reset'"}},
	} {
		found, _ := frame.Check(system(t, text(c.body)), nil)
		matches(t, short(found), c.want)
	}
}

// TestTable compiles the examples of the table of codes.
func TestTable(t *testing.T) {
	for _, e := range diag.Table() {
		if e.Code < "E0401" || e.Code > "E0499" && e.Code < "W0401" || e.Code > "W0499" {
			continue
		}
		found, _ := frame.Check(system(t, e.Wrong), nil)
		if len(found) != 1 || found[0].Code != e.Code || found[0].Severity != e.Severity {
			t.Errorf("%s: the wrong program gives %v", e.Code, short(found))
		}
		if found, _ := frame.Check(system(t, e.Right), nil); len(found) > 0 {
			t.Errorf("%s: the right program gives %v", e.Code, short(found))
		}
	}
}

// A guard reads; were it to write, the frame would have to say so.
func TestGuardsOnlyRead(t *testing.T) {
	places := irtest.NewPlaces("app.cell", 30)
	id := term.Var("id", term.String)
	slot := ir.SlotRef{Cell: "Desk", Slot: "queue"}
	for _, c := range []struct {
		effect ir.Effect
		want   []string
	}{
		{&ir.Read{At: ir.At{InGuard: true}, Slot: slot, Key: id}, nil},
		{&ir.Act{At: ir.At{InGuard: true}, Builtin: "now", Class: "clock"}, nil},
		{&ir.Write{At: ir.At{InGuard: true}, Slot: slot, Key: id, Value: id}, []string{"E0402"}},
		{&ir.Unknown{At: ir.At{InGuard: true}, Why: "a guard"}, []string{"W0402"}},
	} {
		b := irtest.Handler(places, "Desk", "wait", id)
		b.Do(c.effect)
		s := &ir.System{Cells: []*ir.Cell{{Name: "Desk", Slots: []*ir.Slot{{Name: "queue", Value: term.String}},
			Signals:  []*ir.Signal{{Name: "wait", Params: []string{"id: String"}, Automaton: "wait", Frame: &ir.Frame{}}},
			Automata: []*ir.Automaton{b.Return()}}}}
		if err := ir.Validate(s); err != nil {
			t.Fatal(err)
		}
		found, _ := frame.Check(s, nil)
		matches(t, short(found), c.want)
	}
}
