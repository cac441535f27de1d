package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"soma.cell/frontend/builtin"
	"soma.cell/proofs"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/kernel"
	"soma.cell/proofs/obligation"
)

// The wording of everything that the command says itself; what the analyses found brings its
// own words.

func closingLine(errors, warnings int) string {
	switch {
	case errors > 0:
		return fmt.Sprintf("✗ %d error(s), %d warning(s).", errors, warnings)
	case warnings > 0:
		return fmt.Sprintf("✓ 0 error(s), %d warning(s).", warnings)
	}
	return "✓ All checks passed."
}

func sayError(message string) string { return "error: " + printable(message) }

func internalError(cause any) string {
	return fmt.Sprintf("internal error: %v (please report this, with the program that shows it)", cause)
}

func unknownCommand(name string) string {
	return fmt.Sprintf("there is no command %q; `soma help` lists them", name)
}

func wrongArguments(usage string) string { return "usage: " + usage }

func badFlags(command, reason string) string {
	return fmt.Sprintf("%s; `%s --help` lists the options", reason, strings.TrimSpace("soma "+command))
}

func unknownCode(code string, nearest []string) string {
	return fmt.Sprintf("there is no code or name %s; nearest: %s (`soma explain` lists all)", code, strings.Join(nearest, ", "))
}

func cannotWrite(path string, err error) string {
	return fmt.Sprintf("cannot write %s: %v", path, plainCause(err))
}

func cannotRead(path string, err error) string {
	return fmt.Sprintf("cannot read %s: %v", path, plainCause(err))
}

// plainCause is the reason without the system call and the path, which the message names.
func plainCause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func programHeading(path string) string { return path + ":" }

func twoFormats(format string) string {
	return "--json and --format " + format + " ask for two formats"
}

func noFormat(name string, all []string) string {
	return fmt.Sprintf("there is no format %q for this command; there are: %s", name, strings.Join(all, ", "))
}

const (
	oneView        = "--faces, --builtins and --ir show different things: ask for one of them"
	noJSONOfSystem = "--ir has no JSON form of its own; a certificate holds the system as JSON"
)

// counted is a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

const badRuleTimeout = "--timeout takes a duration that is not negative, such as 90s"

const badJobs = "--jobs takes a number above zero"

func badPattern(err error) string { return fmt.Sprintf("--run takes a regular expression: %v", err) }

func badMock(where, text string) string {
	return fmt.Sprintf("%s is %q; it may be \"echo\" or \"fixed:TEXT\"", where, text)
}

func unknownProvider(name string) string {
	return fmt.Sprintf("the address of provider %q is not known: set SOMA_LLM_URL or [agent] url in soma.toml", name)
}

func badApproval(text string) string {
	return fmt.Sprintf("SOMA_APPROVE is %q; it may be \"always\" or \"never\"", text)
}

func noTests(file string) string { return file + " holds no test cell" }

func noAssertions(cell string) string { return cell + " asserts nothing" }

func noSignal(name string) string {
	if name == "" {
		return "the program declares no signals"
	}
	return fmt.Sprintf("there is no cell or signal %q with a face", name)
}

func blockTitle(b proofs.Block) string {
	if b.Machine == "" {
		return fmt.Sprintf("Cell '%s': no state machine", b.Cell)
	}
	return fmt.Sprintf("State machine '%s': %d states, initial '%s'\n  States: [%s]",
		b.Machine, len(b.States), b.Initial, strings.Join(b.States, ", "))
}

func temporalTitle(b proofs.Block) string {
	if b.Machine == "" {
		return "Rules over several machines"
	}
	return fmt.Sprintf("Temporal properties for '%s'", b.Machine)
}

func temporalSummary(c proofs.Counts) string {
	text := fmt.Sprintf("Temporal: %d passed, %d failed", c.Passed, c.Failed)
	if c.Open > 0 {
		text += fmt.Sprintf(", %d warnings", c.Open)
	}
	return text
}

func notCTL(text, reason string) string {
	return fmt.Sprintf("`%s` is no property in CTL: %s", text, reason)
}

func stateIsOperator(name string) string {
	return fmt.Sprintf("no property can speak of the state `%s`: in CTL that is an operator", name)
}

func noSuchCell(name, near string) string {
	message := fmt.Sprintf("the program has no cell `%s`", name)
	if near != "" {
		message += fmt.Sprintf("; did you mean `%s`?", near)
	}
	return message
}

const fairnessUnused = "this assumption of fairness is not used: the properties below are decided without it"

func ruleUndecided(name, formula string) string {
	return fmt.Sprintf("rule %s: %s — not decided: rules over several machines are not part of this version", name, formula)
}

func manifestOfOther(manifest, entry string) string {
	return fmt.Sprintf("the properties of %s are about its entry %s, not about this file", manifest, entry)
}

const (
	oneFileOnly        = "--cert, --smt2 and --write-test write what is known of one program: name one file"
	badTimeout         = "--timeout takes a time above zero, as 5s"
	propertiesDoNotFit = "some properties do not fit the program"
)

const noMachines = "the program has no state machine"

func noMachineAmong(name string, all []string) string {
	return fmt.Sprintf("there is no machine %q; there are: %s", name, strings.Join(all, ", "))
}

func noMachine(name string) string { return fmt.Sprintf("the program has no machine %q", name) }

func timing(r *proven) string {
	return fmt.Sprintf("%d obligations in %d ms, %d ms of them loading the solver",
		len(r.report.Obligations), r.elapsed.Milliseconds(), r.loading.Milliseconds())
}

// actWords says what an effect class means to a reader of a contract.
func actWords(class string) string {
	switch builtin.Class(class) {
	case builtin.Model:
		return "asks a model, which spends tokens"
	case builtin.Net:
		return "reaches the network"
	case builtin.FileIO:
		return "touches files"
	case builtin.Print:
		return "prints"
	case builtin.Clock:
		return "reads the clock"
	case builtin.Random:
		return "draws random numbers"
	case builtin.Sleep:
		return "waits"
	case builtin.IDs:
		return "draws ids"
	case builtin.Memory:
		return "remembers or recalls"
	case builtin.Human:
		return "asks a person"
	case builtin.Call:
		return "delegates"
	case builtin.Budget:
		return "sets or reads the budget"
	}
	return "acts outside"
}

func noCertificate(path string, err error) string {
	return fmt.Sprintf("%s is no certificate: %v", path, err)
}

func otherSource(name string) string {
	return fmt.Sprintf("%s is not the file that was verified: its digest differs", name)
}

func failsCheck(name string) string { return fmt.Sprintf("%s does not pass the check", name) }

const (
	noSources   = "the certificate names no sources"
	otherFiles  = "the program is made of other files than the certificate names"
	otherSystem = "the sources do not lower to the system that the certificate is about"
)

func propertyLeftOut(p cert.Property) string {
	return fmt.Sprintf("the certificate leaves out a property that the %s asks for: %s of %s", p.Origin, p.Text, p.Cell)
}

func propertyNotAsked(p cert.Property) string {
	return fmt.Sprintf("the %s does not ask for %s of %s", p.Origin, p.Text, p.Cell)
}

func errTooLong(n int) error { return fmt.Errorf("it has more than %d bytes", n) }

// sourcesWord says what the audit knows of the sources.
func sourcesWord(compared bool) string {
	if compared {
		return "compared with the files; that they mean the audited system rests on the parser and the lowering"
	}
	return "not compared: what follows is about the transition system in the certificate (--source DIR compares)"
}

func auditSummary(k *kernel.Report) string {
	return fmt.Sprintf("%d obligations: %d checked, %d trusted (%d solver, %d engine), %d open, %d failed",
		len(k.Results), k.Count(kernel.Checked), k.Count(kernel.Trusted), k.CountClass(cert.SolverTrusted),
		k.CountClass(cert.EngineTrusted), k.Count(kernel.Open), k.Count(kernel.Failed))
}

func auditVerdict(ok bool) string {
	if ok {
		return "AUDIT OK"
	}
	return "AUDIT FAILED"
}

func nothingToInfer(cell string) string {
	if cell == "" {
		return "the program has no plain cell: its contracts are drawn already"
	}
	return fmt.Sprintf("there is no plain cell %q", cell)
}

// Why a counterexample has no test.
const (
	testCaught    = "a try catches the refusal, and the call goes on"
	testTimer     = "a test does not call timers"
	testNoLiteral = "a value has no literal, or a tool is called"
	testNoSetUp   = "rules of a test do not lead to the state before"
)

func testsWritten(path string, written, left int) string {
	return fmt.Sprintf("%s: test cells for %d of %d counterexamples", path, written, written+left)
}

func noTestWritten(path string, found int) string {
	if found == 0 {
		return path + " is not written: no counterexample was reproduced by a run"
	}
	return path + " is not written: no counterexample can be set up by a test"
}

// runText shows a run in the order of its calls, and what it was answered.
func runText(r *cert.Run) string {
	var calls []string
	for _, c := range r.Calls {
		calls = append(calls, fmt.Sprintf("%s.%s(%s)", c.Cell, c.Handler, strings.Join(c.Args, ", ")))
	}
	text := "run: " + strings.Join(calls, ", ")
	if len(r.Replies) > 0 {
		text += fmt.Sprintf(", where the model answers %q", r.Replies)
	}
	return text
}

// factText is a fact of a loop or of what a handler returns, in the names of the source.
func factText(o obligation.Obligation) string {
	return fmt.Sprintf("line %d: %s", placeOf(o.Span).Line, o.Told)
}
