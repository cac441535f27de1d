// Command bench prints how long the command takes for a program and what loading Z3 and making
// its context take of that: bench PATH/TO/soma FILE.
//
// Each figure is the median of several runs, which noise of the machine moves little.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"soma.cell/smt"
	"soma.cell/smt/z3"
)

const runs = 15

// loadOnly makes a process of this program load Z3, print the nanoseconds and end.
const loadOnly = "load"

func main() {
	if len(os.Args) == 2 && os.Args[1] == loadOnly {
		exitOn(load())
		return
	}
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: bench PATH/TO/soma FILE")
		os.Exit(2)
	}
	exitOn(bench(os.Args[1], os.Args[2]))
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(soma, file string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	check, err := median(func() (time.Duration, error) { return wallTime(soma, "check", file) })
	if err != nil {
		return err
	}
	verify, err := median(func() (time.Duration, error) { return wallTime(soma, "verify", file) })
	if err != nil {
		return err
	}
	loading, err := median(func() (time.Duration, error) { return loadTime(self) })
	if err != nil {
		return err
	}
	fmt.Printf("%s, median of %d runs\n", file, runs)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "  soma check\t%s\t\n", millis(check))
	fmt.Fprintf(t, "  soma verify\t%s\t\n", millis(verify))
	fmt.Fprintf(t, "  loading Z3, making its context\t%s\t%.0f %% of verify\n",
		millis(loading), 100*float64(loading)/float64(verify))
	return t.Flush()
}

// wallTime is how long a process of the command takes.
func wallTime(command string, args ...string) (time.Duration, error) {
	start := time.Now()
	if output, err := exec.Command(command, args...).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s %s: %w\n%s", command, strings.Join(args, " "), err, output)
	}
	return time.Since(start), nil
}

// load loads Z3, makes a context and prints how long that took.
func load() error {
	start := time.Now()
	solver, err := z3.Open(os.Getenv("SOMA_Z3"), smt.Limits{})
	if err != nil {
		return err
	}
	fmt.Println(time.Since(start).Nanoseconds())
	return solver.Close()
}

// loadTime is load in a process of its own, because a library stays loaded.
func loadTime(self string) (time.Duration, error) {
	output, err := exec.Command(self, loadOnly).Output()
	if err != nil {
		return 0, err
	}
	nanoseconds, err := strconv.ParseInt(strings.TrimSpace(string(output)), 10, 64)
	return time.Duration(nanoseconds), err
}

// median is the middle of several measurements; a first one warms the caches and is dropped.
func median(measure func() (time.Duration, error)) (time.Duration, error) {
	var times []time.Duration
	for i := range runs + 1 {
		d, err := measure()
		if err != nil {
			return 0, err
		}
		if i > 0 {
			times = append(times, d)
		}
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

func millis(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
