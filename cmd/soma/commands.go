package main

import (
	"time"

	"github.com/urfave/cli/v2"
)

// queryTimeout is how long a question to the solver may take, unless the user says otherwise.
const queryTimeout = 5 * time.Second

// commands is the table of commands with their options.
func (a *app) commands() []*cli.Command {
	asJSON := &cli.BoolFlag{Name: "json", Usage: "print one JSON document"}
	format := func(names string) cli.Flag {
		return &cli.StringFlag{Name: "format", Usage: "print in a `FORMAT`: " + names}
	}
	jobs := &cli.IntFlag{Name: "jobs", Usage: "do `N` things at a time, by default one for each processor"}
	return []*cli.Command{
		command("check", "FILE…", "parse, resolve and judge programs without running them", a.check, asJSON, format("text, json, sarif"), jobs,
			&cli.BoolFlag{Name: "fix", Usage: "apply the repairs that a machine may apply, and show them"}),
		command("test", "FILE…", "run the test cells of programs", a.test, asJSON, format("text, json, junit"), jobs,
			&cli.StringFlag{Name: "run", Usage: "report only rules and test cells that match `REGEXP`"},
			&cli.DurationFlag{Name: "timeout", Value: ruleTimeout, Usage: "stop a rule after `DURATION`, such as 90s; 0 for no limit"}),
		command("verify", "FILE…", "prove that the bodies cannot leave the picture", a.verify, asJSON, format("text, json, sarif"), jobs,
			&cli.BoolFlag{Name: "strict", Usage: "warnings and what is checked at run time count as failures"},
			&cli.StringFlag{Name: "cert", Usage: "write a certificate to `FILE`"},
			&cli.StringFlag{Name: "smt2", Usage: "write each question to the solver as a script into `FOLDER`"},
			&cli.StringFlag{Name: "write-test", Usage: "write the program to `FILE`, with a test cell for each counterexample that a run reproduced"},
			&cli.StringFlag{Name: "machine", Usage: "report on the machine of this `NAME` only"},
			&cli.StringSliceFlag{Name: "property", Usage: "also decide this `CTL` formula (repeatable)"},
			&cli.DurationFlag{Name: "timeout", Usage: "time for each question to the solver", Value: queryTimeout},
			&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "list each obligation and what decided it"}),
		command("skeleton", "FILE [Cell[.signal]]", "show the contract of signals: frame, effects through all calls, rules", a.skeleton,
			&cli.BoolFlag{Name: "infer", Usage: "write plain cells as the skeleton and flesh that their bodies imply"}),
		command("describe", "FILE", "show what a program holds", a.describe, asJSON,
			&cli.BoolFlag{Name: "faces", Usage: "contracts only"},
			&cli.BoolFlag{Name: "ir", Usage: "the guarded-transition system"},
			&cli.BoolFlag{Name: "builtins", Usage: "the signatures of the builtins; takes no file"}),
		command("explain", "[CODE]", "explain a diagnostic code, or list all", a.explain),
		command("graph", "FILE [Machine]", "draw state machines as DOT", a.graph,
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE`"}),
		command("audit", "CERT", "check a certificate again, without the provers", a.audit, asJSON,
			&cli.StringFlag{Name: "source", Usage: "compare with the sources in `FOLDER`"}),
	}
}
