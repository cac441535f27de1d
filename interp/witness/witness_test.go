package witness

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/interp"
)

// edges are the goals that were found, as "from -> to", in order.
func edges(runs []Run) []string {
	var out []string
	for _, r := range runs {
		out = append(out, r.Goal.From+" -> "+r.Goal.To)
	}
	return out
}

const locker = `
cell Locker {
    memory {
        codes: Map<String, Int> [persistent]
        paid: Map<String, Int> [persistent]
        invariant paid >= 0
    }
    state box {
        initial: free
        free -> taken
        taken -> open { guard { weight > 250 } }
        open -> free
        taken -> lost
        lost -> free
    }
    face {
        signal put(id: String, code: Int) -> String
        signal take(id: String, code: Int, weight: Int) -> String
        signal clear(id: String) -> String
        signal lose(id: String, word: String) -> String
        signal pay(id: String, amount: Int) -> Int
    }
    on put(id: String, code: Int) {
        require code > 999 else ShortCode
        codes.set(id, code)
        transition(id, "taken")
        return "put"
    }
    on take(id: String, code: Int, weight: Int) {
        require codes.get(id) == code else WrongCode
        require (paid.get(id) ?? 0) >= 3 else Unpaid
        transition(id, "open")
        return "open"
    }
    on clear(id: String) {
        transition(id, "open", "free")
        return "free"
    }
    on lose(id: String, word: String) {
        match word {
            "gone" -> { transition(id, "lost") }
            "back" -> { transition(id, "lost", "free") }
            _ -> fail("bad_word", word)
        }
        return word
    }
    on pay(id: String, amount: Int) {
        require amount < 3 else TooMuch
        paid.set(id, (paid.get(id) ?? 0) + amount)
        return paid.get(id)
    }
}
`

func TestFindsEveryEdge(t *testing.T) {
	p := resolvetest.Program(t, locker)
	runs := Search(context.Background(), p, Goals(p), Options{})
	want := []string{"free -> taken", "taken -> open", "open -> free", "taken -> lost", "lost -> free"}
	if d := cmp.Diff(want, edges(runs)); d != "" {
		t.Error(d)
	}
	replayAll(t, p, runs)
}

// replayAll holds every run against a second execution.
func replayAll(t *testing.T, p *resolve.Program, runs []Run) {
	t.Helper()
	for _, r := range runs {
		moves, err := Replay(context.Background(), p, r)
		if err != nil {
			t.Errorf("%v does not replay: %v", r, err)
			continue
		}
		last := moves[len(moves)-1]
		taken := false
		for _, m := range last {
			taken = taken || m.Machine == r.Goal.Machine && m.From == r.Goal.From && m.To == r.Goal.To
		}
		if !taken {
			t.Errorf("%s -> %s: the last call only moves %v", r.Goal.From, r.Goal.To, last)
		}
	}
}

// The twins have one edge that no run takes: it must not be found, the others must.
func TestFindsNoEdgeThatCannotBeTaken(t *testing.T) {
	for name, edit := range map[string][2]string{
		"a requirement no argument meets": {`require code > 999 else ShortCode`, `require code > 999 && code < 1000 else ShortCode`},
		"rolled back after the move":      {`return "put"`, `fail("never")`},
		"an invariant forbids it":         {`codes.set(id, code)`, `paid.set(id, 0 - 1)`},
	} {
		p := resolvetest.Program(t, strings.Replace(locker, edit[0], edit[1], 1))
		if got := edges(Search(context.Background(), p, Goals(p), Options{})); len(got) != 0 {
			t.Errorf("%s: found %v", name, got)
		}
	}
	p := resolvetest.Program(t, strings.Replace(locker, `transition(id, "open", "free")`, `require false else Never  transition(id, "open", "free")`, 1))
	for _, e := range edges(Search(context.Background(), p, Goals(p), Options{})) {
		if e == "open -> free" {
			t.Error("found an edge behind require false")
		}
	}
}

const desk = `
cell type Verdict { variants { Granted(Int)  Refused(String) } }
skeleton agent Desk {
    memory { notes: Map<String, String> [persistent] }
    state loan {
        initial: asked
        asked -> scored
        scored -> granted
        scored -> refused
        refused -> asked
        granted -> closed
    }
    face {
        signal ask(id: String, text: String) -> String  writes notes  moves asked -> scored  calls think
        signal decide(id: String) -> String  reads notes  moves scored -> granted, scored -> refused  calls think_json, approve
        signal again(id: String, v: Verdict) -> String  moves refused -> asked, granted -> closed
    }
}
flesh Desk {
    on ask(id, text) {
        let score = to_int(think("score {text}"))
        require score != () else NoScore
        require score >= 17 && score <= 90 else BadScore
        notes.set(id, text)
        transition(id, "asked", "scored")
        return "ok"
    }
    on decide(id) {
        let reply = think_json("grant or refuse: {notes.get(id)}")
        require contains(["grant", "refuse"], reply.word ?? "") else BadWord
        if reply.word == "grant" {
            require approve("grant {id}") else NotApproved
            transition(id, "scored", "granted")
        } else {
            transition(id, "scored", "refused")
        }
        return reply.word
    }
    on again(id, v) {
        match v {
            Granted(n) if n > 40 -> { transition(id, "granted", "closed") }
            Refused("typo") -> { transition(id, "refused", "asked") }
            _ -> fail("no")
        }
        return "done"
    }
}
`

func TestModelAnswersAndPeopleAreChoices(t *testing.T) {
	p := resolvetest.Program(t, desk)
	runs := Search(context.Background(), p, Goals(p), Options{})
	want := []string{"asked -> scored", "scored -> granted", "scored -> refused", "refused -> asked", "granted -> closed"}
	if d := cmp.Diff(want, edges(runs)); d != "" {
		t.Error(d)
	}
	replayAll(t, p, runs)
}

const tools = `
cell agent Valve {
    state gate {
        initial: shut
        shut -> wide
    }
    face {
        signal run(text: String) -> String
        tool swing(id: String, word: String) -> String "swings the gate"
    }
    on run(text: String) { return think(text) }
    on swing(id: String, word: String) {
        require word == "sesame" else No
        transition(id, "wide")
        return "ok"
    }
}
`

// A model that calls a tool of its face is part of a run.
func TestModelsMayCallTools(t *testing.T) {
	p := resolvetest.Program(t, strings.Replace(tools, "        require word", `        require tokens_used() >= 0 else No
        require word`, 1))
	runs := Search(context.Background(), p, Goals(p), Options{})
	if len(runs) != 1 {
		t.Fatalf("found %v", edges(runs))
	}
	replayAll(t, p, runs)
}

// What the network answers is a choice, too.
func TestNetworkRepliesAreChoices(t *testing.T) {
	p := resolvetest.Program(t, `
cell Rates {
    state quote { initial: open  open -> cheap  open -> dear  open -> stale }
    on check(id: String) {
        let r = http_get("https://rates.example/today")
        if type_of(r) == "Map" && r.error != () { transition(id, "open", "stale")  return "stale" }
        require type_of(r) == "Map" else Odd
        match r.level {
            "low" -> { transition(id, "open", "cheap") }
            "high" -> { transition(id, "open", "dear") }
            _ -> fail("unknown")
        }
        return "ok"
    }
}
`)
	runs := Search(context.Background(), p, Goals(p), Options{})
	if d := cmp.Diff([]string{"open -> cheap", "open -> dear", "open -> stale"}, edges(runs)); d != "" {
		t.Error(d)
	}
	replayAll(t, p, runs)
}

// A run depends on nothing that happened on other paths of the search.
func TestRunsWithChanceAndClockReplay(t *testing.T) {
	p := resolvetest.Program(t, `
cell Draw {
    memory { tries: Map<String, Int> [persistent] }
    state lot { initial: idle  idle -> small  idle -> large  small -> late }
    on draw(id: String, bound: Int) {
        sleep(10)
        tries.set("n", (tries.get("n") ?? 0) + 1)
        if random(bound) < 3 { transition(id, "small") } else { transition(id, "large") }
        return random(100)
    }
    on wait(id: String) {
        require now_ms() >= 30 && tokens_used() == 0 else Early
        transition(id, "small", "late")
        return "late"
    }
}
`)
	runs := Search(context.Background(), p, Goals(p), Options{})
	if d := cmp.Diff([]string{"idle -> small", "idle -> large", "small -> late"}, edges(runs)); d != "" {
		t.Error(d)
	}
	replayAll(t, p, runs)
}

func TestSuggestionsComeFirst(t *testing.T) {
	text := strings.Replace(locker, "code > 999", `pow_mod(code, 3, 1000003) == 729`, 1)
	p := resolvetest.Program(t, text)
	goals := Goals(p)[:1]
	if runs := Search(context.Background(), p, goals, Options{Steps: 200_000}); len(runs) != 0 {
		t.Fatalf("guessed a cube root: %v", runs[0].Calls)
	}
	runs := Search(context.Background(), p, goals, Options{Suggestions: []Suggestion{
		{Cell: "Locker", Handler: "put", Args: []interp.Value{interp.String("b7"), interp.NewInt(9)}},
	}})
	if len(runs) != 1 || len(runs[0].Calls) != 1 || runs[0].Calls[0].Moves[0].ID != "b7" {
		t.Errorf("the suggestion led to %v", runs)
	}
}

// An instance whose id is a word cannot be named where an Int is wanted.
func TestWordsAreNoIntIDs(t *testing.T) {
	p := resolvetest.Program(t, `
cell Door {
    state door { initial: shut  shut -> open  open -> gone }
    on open_it(id: String) { transition(id, "shut", "open") }
    on drop(id: Int) { transition(id, "open", "gone") }
    on number(n: Int) { transition(n, "shut", "open") }
}`)
	runs := Search(context.Background(), p, Goals(p), Options{})
	if got := edges(runs); !cmp.Equal(got, []string{"shut -> open", "open -> gone"}) {
		t.Errorf("found %v", got)
	}
	replayAll(t, p, runs)
}

// chain is a machine of n states in a row, each step behind a word of its own.
func chain(n int) string {
	var b strings.Builder
	b.WriteString("cell Chain {\n    memory { seen: Map<String, Int> [persistent] }\n    state step {\n        initial: s0\n")
	for i := range n - 1 {
		fmt.Fprintf(&b, "        s%d -> s%d\n", i, i+1)
	}
	b.WriteString("    }\n")
	for i := range n - 1 {
		fmt.Fprintf(&b, `    on go%d(id: String, word: String, n: Int) {
        require word == "word%d" else Wrong
        require n > %d else Small
        seen.set("n", (seen.get("n") ?? 0) + 1)
        transition(id, "s%d", "s%d")
        return word
    }
`, i, i, i*10, i, i+1)
	}
	b.WriteString("}\n")
	return b.String()
}

func TestLongChains(t *testing.T) {
	for _, n := range []int{10, 40} {
		p := resolvetest.Program(t, chain(n))
		start := time.Now()
		runs := Search(context.Background(), p, Goals(p), Options{})
		t.Logf("%d states in %v", n, time.Since(start))
		if len(runs) != n-1 {
			t.Errorf("%d states: found %d edges", n, len(runs))
		}
	}
}

// The same search gives the same runs.
func TestSearchIsDeterministic(t *testing.T) {
	show := func() string {
		p := resolvetest.Program(t, desk)
		var b strings.Builder
		for _, r := range Search(context.Background(), p, Goals(p), Options{}) {
			for _, c := range r.Calls {
				fmt.Fprintf(&b, "%s %s %v\n", c.Handler, interp.Quote(interp.NewList(c.Args...)), c.Approvals)
				for _, a := range c.Answers {
					fmt.Fprintf(&b, "    %s %q\n", a.Tool, a.Text)
				}
			}
		}
		return b.String()
	}
	if d := cmp.Diff(show(), show()); d != "" {
		t.Error(d)
	}
}

func BenchmarkSearchLocker(b *testing.B) {
	p := resolvetest.Program(b, locker)
	for range b.N {
		Search(context.Background(), p, Goals(p), Options{})
	}
}

func BenchmarkSearchExhausted(b *testing.B) {
	p := resolvetest.Program(b, strings.Replace(locker, `code > 999`, `code > 999 && code < 1000`, 1))
	for range b.N {
		Search(context.Background(), p, Goals(p), Options{})
	}
}

// A refused call is found near what is known of it, is small, and starts from a state that obeys
// the rules.
func TestRefuse(t *testing.T) {
	p := resolvetest.Program(t, `
cell agent Bank {
    memory {
        funds: Map<String, Int> [persistent]
        log: List<Int> [persistent]
        invariant funds >= 0
        invariant log >= 0 && log <= 9
    }
    state account { initial: open  open -> frozen  frozen -> open }
    on pay(who: String, n: Int) {
        require get_status(who) != "frozen" else Frozen
        if n > 10 { require approve("pay {n}") else Refused }
        funds.set(who, (funds.get(who) ?? 0) - n)
    }
    on guess(who: String) { let r = try { funds.set(who, to_int(think("how much?")) ?? 0) } return r.kind }
    on note(xs: List<Int>) { for x in xs { if x > 4 { log.push(x) } } }
    on fine(n: Int) { if n > 0 { log.push(min(n, 9)) } }
}`)
	bank := p.Cells[0]
	broken := func(rule string) func(*interp.Error) bool {
		return func(e *interp.Error) bool { return strings.HasPrefix(e.Detail, rule+" does not hold") }
	}
	for _, c := range []struct {
		name, handler string
		scene         Scene
		rule          string
		want          string
	}{
		{"as known", "pay", Scene{Case: Case{
			Entries: []Entry{{bank.Slots[0], interp.String("zoe"), interp.NewInt(70)}},
			Status:  []Status{{bank.Machine, "ann", "frozen"}},
			Call:    Call{Args: []interp.Value{interp.String("zoe"), interp.NewInt(99)}},
		}}, "funds >= 0", `["a", 1] false`},
		{"caught", "guess", Scene{Case: Case{Call: Call{Args: []interp.Value{nil}}}}, "funds >= 0", `["a"] true think -1`},
		{"what is open", "note", Scene{Case: Case{Call: Call{Args: []interp.Value{nil}}}, Likely: []interp.Value{interp.NewInt(37)}},
			"log <= 9", `[[10]] false`},
		{"a state that no write made", "pay", Scene{Case: Case{
			Entries: []Entry{{bank.Slots[1], interp.NewInt(0), interp.NewInt(-4)}},
			Call:    Call{Args: []interp.Value{interp.String("a"), interp.NewInt(0)}},
		}}, "log >= 0", ""},
		{"never", "fine", Scene{Case: Case{Call: Call{Args: []interp.Value{nil}}}}, "log <= 9", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.scene.Cell, c.scene.Handler, c.scene.Claim = "Bank", c.handler, broken(c.rule)
			r := Refuse(context.Background(), p, c.scene)
			got := ""
			if r != nil {
				got = fmt.Sprintf("%s %v", interp.Quote(interp.NewList(r.Args...)), r.Caught)
				for _, a := range r.Answers {
					got += " think " + a.Text
				}
				if len(r.Entries)+len(r.Status) > 0 {
					got += fmt.Sprint(" from ", r.Entries, r.Status)
				}
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
