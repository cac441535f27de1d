package taint_test

import (
	"fmt"
	"strings"
	"testing"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
	"soma.cell/proofs/obligation"
	"soma.cell/taint"
)

const greenhouse = `cell agent Greenhouse {
    face { tool set_vent(id: String, to: String) -> String "moves a vent" }
    memory { wishes: Map<String, String> }
    state vent { initial: closed  closed -> ajar  ajar -> wide }
    on _wish(text: String) { return lowercase(think(text)) }
    on _turn(id: String, to: String) { transition(id, to) }
    on set_vent(id: String, to: String) {
        transition(id, "closed", to)
        return "ok"
    }
    on learn(id: String) { wishes.set(id, _wish("how wide?")) }
    on tell(id: String) {
        _turn(id, wishes.get(id) ?? "ajar")
        let page = http_get("https://vents.example/")
        write_file("{page}", "x")
        set_budget(len(_wish("?")))
        http_get(think("?"))
        transition(id, think("?"), "wide")
        delegate(think("who?"), "tell", id)
    }
}
`

// TestMessages holds the sentences: which argument, what it decides, where its value comes
// from, and what to do.
func TestMessages(t *testing.T) {
	r := taint.Check(lowered(t, source.NewFile("vents.cell", greenhouse)), "2027")
	var got []string
	for _, d := range r.Diagnostics {
		sentence, advice, _ := strings.Cut(d.Message, " — ")
		if strings.Join(strings.Fields(advice), " ") != d.Fix || !strings.HasPrefix(d.Fix, "whoever shapes that answer") {
			t.Errorf("%s: the message advises %q, the fix %q", d.Span, advice, d.Fix)
		}
		if d.Code != diag.UntrustedValue || d.Severity != diag.Error {
			t.Errorf("%s: %s of severity %d", d.Span, d.Code, d.Severity)
		}
		got = append(got, fmt.Sprintf("%d: %s", d.Span.From().Line, sentence))
		for _, n := range d.Notes {
			got = append(got, fmt.Sprintf("  %d: %s", n.Span.From().Line, n.Message))
		}
	}
	want := strings.Split("6: `to` in transition() decides the state an instance moves to, and its value comes from think() with no check in between\n"+
		"  5: the value comes from think() here\n"+
		"  11: it is what `_wish` returns here\n"+
		"  11: it is stored in `wishes` here\n"+
		"  13: it is given to `_turn` here\n"+
		"8: `to` in transition() decides the state an instance moves to, and its value comes from a model's call of `set_vent` with no check in between\n"+
		"15: `\"{page}\"` in write_file() decides the file that is written, and its value comes from http_get() with no check in between\n"+
		"16: `len(_wish(\"?\"))` in set_budget() decides how many tokens may be spent, and its value comes from think() with no check in between\n"+
		"  5: the value comes from think() here\n"+
		"  16: it is what `_wish` returns here\n"+
		"17: `think(\"?\")` in http_get() decides the address a request goes to, and its value comes from think() with no check in between\n"+
		"18: `think(\"?\")` in transition() decides the state a move starts from, and its value comes from think() with no check in between\n"+
		"19: `think(\"who?\")` in delegate() decides the handler that is run, and its value comes from think() with no check in between", "\n")
	for i := range max(len(got), len(want)) {
		g, w := "", ""
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("line %d:\n got %s\nwant %s", i+1, g, w)
		}
	}
}

// TestEdition: the older edition warns, and says what the newer one does.
func TestEdition(t *testing.T) {
	sys := lowered(t, source.NewFile("vents.cell", greenhouse))
	errors := taint.Check(sys, "2027").Diagnostics
	warnings := taint.Check(sys, "2026").Diagnostics
	if len(errors) != len(warnings) {
		t.Fatalf("%d errors, %d warnings", len(errors), len(warnings))
	}
	for i, w := range warnings {
		if w.Code != diag.UntrustedValueSoon || w.Severity != diag.Warning || w.Span != errors[i].Span ||
			!strings.HasPrefix(w.Message, errors[i].Message) || !strings.Contains(w.Message, "becomes an error (E0113) in edition 2027") {
			t.Errorf("%s %v: %s", w.Code, w.Severity, w.Message)
		}
	}
}

// TestTable holds the examples of the table of codes.
func TestTable(t *testing.T) {
	for _, code := range []diag.Code{diag.UntrustedValue, diag.UntrustedValueSoon} {
		e, ok := diag.Lookup(code)
		if !ok {
			t.Fatalf("%s is not in the table", code)
		}
		found := taint.Check(lowered(t, source.NewFile("app.cell", e.Wrong)), e.Edition).Diagnostics
		if len(found) != 1 || found[0].Code != code || found[0].Severity != e.Severity {
			t.Errorf("%s: the wrong program gives %v", code, found)
		}
		if found := taint.Check(lowered(t, source.NewFile("app.cell", e.Right)), e.Edition).Diagnostics; len(found) > 0 {
			t.Errorf("%s: the right program gives %v", code, found)
		}
	}
}

// A cell whose sinks are literals needs no derivation, one with tested values does.
func TestObligations(t *testing.T) {
	r := taint.Check(lowered(t, source.NewFile("cells.cell", `cell Safe {
    state lamp { initial: dark  dark -> lit }
    on turn(id: String) {
        let v = think("?")
        require v == "lit" else Bad
        transition(id, v)
    }
}
cell Plain {
    on look() { return http_get("https://a.example/") }
}
cell Bad {
    on look() { return http_get(think("?")) }
}
`)), "2027")
	var got []string
	for _, o := range r.Obligations {
		if o.Kind != obligation.Flow || o.Limited || (o.Evidence.Data == r.Derivation) != (o.Evidence.Class == obligation.EngineTrusted) {
			t.Errorf("%+v", o)
		}
		got = append(got, fmt.Sprintf("%s %s %s %s %s", o.ID, o.Verdict, o.Evidence.Class, o.Evidence.Rule, o.Reason))
	}
	want := []string{
		"Safe/-/flow/1 proven engine-trusted flow ",
		"Plain/-/flow/1 proven kernel-checked flow ",
		"Bad/-/flow/1 unknown none  `think(\"?\")` in http_get() comes from think() with no check in between",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("obligations:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestChoices: what a model chooses among values of the program is remarked on, no more.
func TestChoices(t *testing.T) {
	r := taint.Check(lowered(t, source.NewFile("lamp.cell", `cell Lamp {
    state lamp { initial: dark  dark -> lit  dark -> dim }
    on pick(text: String) {
        let answer = think(text)
        if contains(answer, "bright") { return "lit" }
        return "dim"
    }
    on plain(text: String) {
        if contains(text, "bright") { return "lit" }
        return "dim"
    }
    on turn(id: String, text: String) {
        transition(id, pick(text))
        transition(id, plain(text))
    }
}
`)), "2027")
	var got []string
	for _, c := range r.Choices {
		got = append(got, fmt.Sprintf("%d: %s", c.Span.From().Line, c.Text))
	}
	want := "3: what handler `pick` returns is made of the program's own values; think() has a say in which\n" +
		"13: `pick(text)` in transition() is one of the values the program lists; think() chooses which"
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("choices:\n%s\nwant:\n%s", s, want)
	}
	if len(r.Findings) > 0 {
		t.Errorf("findings: %v", r.Findings)
	}
}

// TestDeterminism: the same system gives the same result.
func TestDeterminism(t *testing.T) {
	first := fmt.Sprint(taint.Check(lowered(t, source.NewFile("vents.cell", greenhouse)), "2027").Diagnostics)
	for range 5 {
		if next := fmt.Sprint(taint.Check(lowered(t, source.NewFile("vents.cell", greenhouse)), "2027").Diagnostics); len(next) != len(first) {
			t.Fatalf("%s\nthen\n%s", first, next)
		}
	}
}
