// Command fuzz runs the fuzz targets of the module, each for a while and in a process of its
// own:
//
//	go run ./scripts/fuzz [-time 30s] [-targets REGEXP] [-parallel N]
//
// A target is named by its package and its function, as in "frontend/syntax FuzzParse". What is
// found stays in Go's fuzz cache, as with go test -fuzz. A run fails when its target does, or
// when one of its processes needed more than the limit of memory.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// memoryLimit is what no process of a run may exceed; Go's collector is told to stay below it.
const (
	memoryLimit = 1 << 30
	collectorAt = "900MiB"
)

// minimize bounds the executions spent on making one interesting input smaller: the default, a
// minute, would be most of a run.
const minimize = "20x"

type target struct{ dir, name string }

func main() {
	duration := flag.Duration("time", 30*time.Second, "how long each target runs")
	pattern := flag.String("targets", ".", "the targets that run: `regexp` over PACKAGE NAME")
	parallel := flag.String("parallel", "0", "processes of a target; 0 is one a processor")
	flag.Parse()
	if err := run(*duration, *pattern, *parallel); err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
}

func run(duration time.Duration, pattern, parallel string) error {
	wanted, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	targets, err := find(wanted)
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		return fmt.Errorf("no target fits %q", pattern)
	}
	cache, err := output("env", "GOCACHE")
	if err != nil {
		return err
	}
	binaries, err := os.MkdirTemp("", "fuzz")
	if err != nil {
		return err
	}
	defer os.RemoveAll(binaries)
	var failed error
	for _, t := range targets {
		fmt.Printf("== %s %s\n", t.dir, t.name)
		if err := t.fuzz(filepath.Join(binaries, t.name), cache, duration, parallel); err != nil {
			fmt.Printf("FAILED %s %s: %v\n", t.dir, t.name, err)
			failed = errors.New("some targets failed")
		}
	}
	return failed
}

var declaration = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)

// find lists the targets of the module below the working folder, in order of packages.
func find(wanted *regexp.Regexp) ([]target, error) {
	var out []target
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range declaration.FindAllSubmatch(text, -1) {
			t := target{filepath.ToSlash(filepath.Dir(path)), string(m[1])}
			if wanted.MatchString(t.dir + " " + t.name) {
				out = append(out, t)
			}
		}
		return nil
	})
	return out, err
}

// fuzz builds the tests of the package with what tells the engine where an input leads, and
// runs the target.
func (t target) fuzz(binary, cache string, duration time.Duration, parallel string) error {
	if _, err := output("test", "-c", "-o", binary, "-fuzz", "^"+t.name+"$", "./"+t.dir); err != nil {
		return err
	}
	importPath, err := output("list", "./"+t.dir)
	if err != nil {
		return err
	}
	args := []string{"-test.run=^$", "-test.fuzz=^" + t.name + "$", "-test.fuzztime=" + duration.String(),
		"-test.fuzzminimizetime=" + minimize, "-test.fuzzcachedir=" + filepath.Join(cache, "fuzz", importPath)}
	if parallel != "0" {
		args = append(args, "-test.parallel="+parallel)
	}
	cmd := exec.Command(binary, args...)
	cmd.Dir = t.dir
	cmd.Env = append(os.Environ(), "GOMEMLIMIT="+collectorAt)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	err = cmd.Run()
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		peak := usage.Maxrss << 10 // of the largest process, children included
		fmt.Printf("largest process: %d MB\n", peak>>20)
		if err == nil && peak > memoryLimit {
			err = fmt.Errorf("a process needed %d MB, more than %d MB", peak>>20, memoryLimit>>20)
		}
	}
	return err
}

// output runs the go command and gives what it prints.
func output(args ...string) (string, error) {
	command := os.Getenv("GO")
	if command == "" {
		command = "go"
	}
	out, err := exec.Command(command, args...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go %s: %v\n%s", args[0], err, out)
	}
	return strings.TrimSpace(string(out)), nil
}
