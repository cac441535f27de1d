package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"soma.cell/frontend/project"
	"soma.cell/frontend/resolve"
	"soma.cell/ir/lower"
	"soma.cell/smt"
	"soma.cell/smt/z3"
)

// usage is what a process took.
type usage struct {
	seconds   float64 // on the wall
	processor float64 // seconds of it, on all processors
	megabytes int64
}

// run runs a command; one that fails is an error, with what it took.
func run(command string, args ...string) (usage, error) {
	start := time.Now()
	cmd := exec.Command(command, args...)
	output, err := cmd.CombinedOutput()
	used := usage{seconds: time.Since(start).Seconds()}
	if cmd.ProcessState != nil {
		used.processor = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
			used.megabytes = r.Maxrss >> 10
		}
	}
	if err != nil {
		return used, fmt.Errorf("%s %s: %w\n%s", command, strings.Join(args, " "), err, output[:min(len(output), 2000)])
	}
	return used, nil
}

func seconds(command string, args ...string) (float64, error) {
	used, err := run(command, args...)
	return used.seconds, err
}

// inside is what a process of this program measures of itself and prints.
func inside(self string, args ...string) (float64, error) {
	output, err := exec.Command(self, args...).Output()
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(strings.TrimSpace(string(output)), 64)
}

// load loads Z3, makes a context and prints how long that took, in a process of its own because
// a library stays loaded.
func load() error {
	start := time.Now()
	solver, err := z3.Open(os.Getenv("SOMA_Z3"), smt.Limits{})
	if err != nil {
		return err
	}
	fmt.Println(time.Since(start).Seconds())
	return solver.Close()
}

// lowering lowers a program that is read and resolved, and prints how long that took.
func lowering(file string) error {
	read, err := project.Load(file, project.Disk{})
	if err != nil {
		return err
	}
	resolved, _ := resolve.Resolve(read.Files, read.Manifest.Package.Edition)
	start := time.Now()
	lower.Program(resolved)
	fmt.Println(time.Since(start).Seconds())
	return nil
}

const runs = 15

// median is the middle of several measurements; a first one warms the caches and is dropped.
func median(measure func() (float64, error)) (float64, error) {
	var times []float64
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

func millis(seconds float64) string { return fmt.Sprintf("%.1f ms", 1000*seconds) }
