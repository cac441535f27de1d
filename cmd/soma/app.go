package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
)

// version is the version of the toolkit; certificates name it.
const version = "0.1.0"

// app is one run of the command: what it gets from outside. It keeps no state of its own.
type app struct {
	in       io.Reader                   // what programs under test read
	out      io.Writer                   // results and messages
	progress io.Writer                   // what is under way
	lookup   func(string) (string, bool) // the environment
	now      func() time.Time
}

// run runs the command with its arguments (without its own name) and gives the exit status.
func (a *app) run(ctx context.Context, args []string) (status int) {
	out := bufio.NewWriter(a.out)
	inner := &app{in: a.in, out: out, progress: follower{out, a.progress}, lookup: a.lookup, now: a.now}
	defer func() {
		if err := out.Flush(); err != nil && status == statusOK {
			status = statusUsage
		}
	}()
	// The last resort: whatever went wrong inside, a user sees one line.
	defer func() {
		if cause := recover(); cause != nil {
			fmt.Fprintln(out, internalError(cause))
			status = statusUsage
		}
	}()
	err := inner.dispatch(ctx, args)
	if err != nil && err.Error() != "" {
		fmt.Fprintln(out, sayError(err.Error()))
	}
	return statusOf(err)
}

// follower writes behind what is buffered for another writer, which may lead to the same place.
type follower struct {
	first *bufio.Writer
	then  io.Writer
}

func (f follower) Write(p []byte) (int, error) {
	if err := f.first.Flush(); err != nil {
		return 0, err
	}
	return f.then.Write(p)
}

func (a *app) dispatch(ctx context.Context, args []string) error {
	top := &cli.App{
		Name:           "soma",
		Usage:          "check, test and prove programs that let a language model act inside a frame",
		Version:        version,
		Writer:         a.out,
		ErrWriter:      a.out,
		Commands:       a.commands(),
		OnUsageError:   func(_ *cli.Context, err error, _ bool) error { return usageError(badFlags("", err.Error())) },
		ExitErrHandler: func(*cli.Context, error) {},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usageError(unknownCommand(c.Args().First()))
			}
			return cli.ShowAppHelp(c)
		},
	}
	if len(args) > 0 {
		for _, c := range top.Commands {
			if c.HasName(args[0]) {
				args = append([]string{args[0]}, flagsFirst(c.Flags, args[1:])...)
			}
		}
	}
	return top.RunContext(ctx, append([]string{top.Name}, args...))
}

// command builds a command; its usage errors say what the user typed wrong and no more.
func command(name, arguments, usage string, action cli.ActionFunc, flags ...cli.Flag) *cli.Command {
	return &cli.Command{
		Name: name, Usage: usage, ArgsUsage: arguments, Flags: flags, Action: action,
		OnUsageError: func(_ *cli.Context, err error, _ bool) error {
			return usageError(badFlags(name, err.Error()))
		},
	}
}

// needArgs is a usage error unless there are between low and high arguments; high < 0 means
// any number.
func needArgs(c *cli.Context, low, high int) error {
	if n := c.NArg(); n < low || high >= 0 && n > high {
		return usageError(wrongArguments(strings.Join([]string{"soma", c.Command.Name, "[options]", c.Command.ArgsUsage}, " ")))
	}
	return nil
}

// flagsFirst moves options before the other arguments, because the library reads none after
// the first of those. What follows -- stays as it is.
func flagsFirst(flags []cli.Flag, args []string) []string {
	takesValue := map[string]bool{}
	for _, f := range flags {
		d, ok := f.(cli.DocGenerationFlag)
		for _, name := range f.Names() {
			takesValue[name] = ok && d.TakesValue()
		}
	}
	var options, rest []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			rest = append(rest, args[i+1:]...)
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			rest = append(rest, arg)
			continue
		}
		options = append(options, arg)
		if takesValue[strings.TrimLeft(arg, "-")] && i+1 < len(args) {
			i++
			options = append(options, args[i])
		}
	}
	return append(append(options, "--"), rest...)
}
