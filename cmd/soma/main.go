// Command soma checks, tests and proves programs that let a language model act inside a frame.
package main

import (
	"context"
	"os"
	"os/signal"
	"time"
)

func main() { os.Exit(mainStatus()) }

// mainStatus is the command on the real process; tests run it in a process of its own.
func mainStatus() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	a := &app{in: os.Stdin, out: os.Stdout, progress: os.Stderr, lookup: os.LookupEnv, now: time.Now}
	return a.run(ctx, os.Args[1:])
}
