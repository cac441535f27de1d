package taint

import (
	"fmt"
	"strings"

	"soma.cell/frontend/diag"
)

// All wording of this package.

// message is the sentence about a finding.
func message(f Finding) string {
	return fmt.Sprintf("`%s` in %s() decides %s, and its value comes from %s with no check in between — %s",
		f.Span.Normal(), f.Builtin, f.Kind.decides(f.Builtin), f.Origin.words(), advice(f.Kind))
}

// fix is the repair: what follows the dash, on one line.
func fix(k SinkKind) string { return strings.Join(strings.Fields(advice(k)), " ") }

// later says that a warning becomes an error.
func later(message string) string {
	return message + "; this becomes an error (E0113) in edition 2027"
}

func (k SinkKind) decides(builtin string) string {
	switch k {
	case MoveTarget:
		return "the state an instance moves to"
	case MoveSource:
		return "the state a move starts from"
	case URL:
		return "the address a request goes to"
	case Path:
		if strings.HasPrefix(builtin, "write_") {
			return "the file that is written"
		}
		return "the file that is read"
	case Budget:
		return "how many tokens may be spent"
	}
	return "the handler that is run"
}

// words names where a value enters.
func (o Origin) words() string {
	if o.Tool != "" {
		return fmt.Sprintf("a model's call of `%s`", o.Tool)
	}
	return o.Builtin + "()"
}

const shaper = "whoever shapes that answer (a prompt-injected document, a remote server) chooses it; "

func advice(k SinkKind) string {
	switch k {
	case MoveTarget, MoveSource:
		return shaper + "match it against the states you allow (`match next { \"approved\" -> transition(id, \"approved\")  _ -> fail(\"bad_state\", next) }`) or `require contains([…], next) else BadState`"
	case URL:
		return shaper + "`require contains([…], url) else BadUrl`, or pin the host with `require starts_with(url, \"https://api.example.com/\") else BadUrl`"
	case Path:
		return shaper + "`require contains([…], path) else BadPath`, or pin the folder with `require starts_with(path, \"reports/\") else BadPath`"
	case Budget:
		return shaper + "bound it on both sides with `require n >= 0 && n <= 500 else BadBudget`, or use `clamp(n, 0, 500)`"
	}
	return shaper + "match it against the handlers you allow, or `require contains([…], name) else BadName`"
}

// notes tells the way of a value that did not go straight from its source to the sink.
func notes(origin *Origin, steps []step) []diag.Note {
	if len(steps) == 0 && origin.Unknown == "" {
		return nil
	}
	out := []diag.Note{{Message: origin.note(), Span: origin.Span}}
	for _, s := range steps {
		out = append(out, diag.Note{Message: s.words(), Span: s.span})
	}
	return out
}

func (o Origin) note() string {
	switch {
	case o.Unknown != "":
		return fmt.Sprintf("what this does is not known (%s): it may pass on anything", o.Unknown)
	case o.Tool != "":
		return fmt.Sprintf("a model may call `%s` with any arguments", o.Tool)
	}
	return fmt.Sprintf("the value comes from %s here", o.words())
}

func (s step) words() string {
	switch s.kind {
	case stepArgument:
		return fmt.Sprintf("it is given to `%s` here", s.name)
	case stepResult:
		return fmt.Sprintf("it is what `%s` returns here", s.name)
	case stepSlot:
		return fmt.Sprintf("it is stored in `%s` here", s.name)
	}
	return fmt.Sprintf("it is kept by %s() here", s.name)
}

func choiceAtSink(s *sinkSite, o *Origin) string {
	return fmt.Sprintf("`%s` in %s() is one of the values the program lists; %s chooses which", s.span.Normal(), s.builtin, o.words())
}

func choiceOfResult(handler string, o *Origin) string {
	return fmt.Sprintf("what handler `%s` returns is made of the program's own values; %s has a say in which", handler, o.words())
}

func claim(cell string) string { return "no untrusted value decides a sink in " + cell }

func reason(f Finding) string {
	return fmt.Sprintf("`%s` in %s() comes from %s with no check in between", f.Span.Normal(), f.Builtin, f.Origin.words())
}

// --- derivations ---

func errHandlers(got, want int) error {
	return fmt.Errorf("the derivation types %d calls of handlers, the program has at least %d", got, want)
}

func errSymbols(handler string, got, want int) error {
	return fmt.Errorf("the derivation of %s has %d symbols, the body has %d", handler, got, want)
}

func errUnknownHandler(handler string) error {
	return fmt.Errorf("the derivation types %s, which the program does not have", handler)
}

func errUnstable() error {
	return fmt.Errorf("the derivation is not closed: a value flows into a place of a lower level")
}

func errSink(f Finding) error {
	return fmt.Errorf("%s: %s", f.Span, reason(f))
}
