// Command bench prints how long the command takes and how much memory: bench PATH/TO/soma FILE.
//
// It measures an example (the median of several runs, which noise of the machine moves little),
// programs with much to prove, large programs of one, two and four times the same make, programs of extreme shapes, and the
// interpreter. Memory is the peak of the resident set of a process.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"

	"soma.cell/scripts/bench/bigprog"
)

// Arguments that make a process of this program measure one thing of itself.
const (
	loadOnly  = "load"  // load: load Z3
	lowerOnly = "lower" // lower FILE: lower a program
)

func main() {
	var err error
	switch args := os.Args[1:]; {
	case len(args) == 1 && args[0] == loadOnly:
		err = load()
	case len(args) == 2 && args[0] == lowerOnly:
		err = lowering(args[1])
	case len(args) == 2:
		err = bench(args[0], args[1])
	default:
		fmt.Fprintln(os.Stderr, "usage: bench PATH/TO/soma FILE")
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(soma, example string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "soma-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	b := &benches{soma: soma, self: self, folder: folder}
	for _, part := range []func() error{
		func() error { return b.example(example) }, b.proofs, b.large, b.shapes, b.interpreter,
	} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// benches is what the measurements need.
type benches struct {
	soma, self string // commands
	folder     string // for programs
}

// table prints rows under a title.
func table(title string, rows func(row func(cells ...string)) error) error {
	fmt.Println(title)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	err := rows(func(cells ...string) {
		for _, c := range cells {
			fmt.Fprintf(t, "%s\t", c)
		}
		fmt.Fprintln(t)
	})
	t.Flush()
	fmt.Println()
	return err
}

// example measures the commands on a file.
func (b *benches) example(file string) error {
	check, err := median(func() (float64, error) { return seconds(b.soma, "check", file) })
	if err != nil {
		return err
	}
	verify, err := median(func() (float64, error) { return seconds(b.soma, "verify", file) })
	if err != nil {
		return err
	}
	loading, err := median(func() (float64, error) { return inside(b.self, loadOnly) })
	if err != nil {
		return err
	}
	return table(fmt.Sprintf("%s, median of %d runs", file, runs), func(row func(...string)) error {
		row("soma check", millis(check))
		row("soma verify", millis(verify))
		row("loading Z3, making its context", fmt.Sprintf("%s, %.0f %% of verify", millis(loading), 100*loading/verify))
		return nil
	})
}

// proofs measures how long verification takes.
func (b *benches) proofs() error {
	return table("soma verify", func(row func(...string)) error {
		row("program", "seconds", "processor", "memory")
		for _, p := range []struct{ name, text string }{
			{"1,500 obligations", bigprog.Obligations(100)},
			{"a handler of 400 branches", bigprog.Branches(400)},
			{"a handler of 800 branches", bigprog.Branches(800)},
		} {
			file, _, err := b.write(p.text)
			if err != nil {
				return err
			}
			used, err := run(b.soma, "verify", file)
			if err != nil {
				return err
			}
			row(p.name, fmt.Sprintf("%.2f s", used.seconds), fmt.Sprintf("%.2f s", used.processor), fmt.Sprintf("%d MB", used.megabytes))
		}
		return nil
	})
}

// large measures programs that grow.
func (b *benches) large() error {
	return table("large programs", func(row func(...string)) error {
		row("lines", "cells", "check", "processor", "memory", "lowering alone")
		for _, cells := range []int{160, 320, 640} {
			file, lines, err := b.write(bigprog.Program(cells))
			if err != nil {
				return err
			}
			check, err := run(b.soma, "check", file)
			if err != nil {
				return err
			}
			lowering, err := inside(b.self, lowerOnly, file)
			if err != nil {
				return err
			}
			row(fmt.Sprint(lines), fmt.Sprint(cells), fmt.Sprintf("%.2f s", check.seconds),
				fmt.Sprintf("%.2f s", check.processor), fmt.Sprintf("%d MB", check.megabytes), fmt.Sprintf("%.2f s", lowering))
		}
		return nil
	})
}

// shapes measures programs of extreme shapes, at their size and at half of it.
func (b *benches) shapes() error {
	return table("extreme shapes, checked at half their size and in full: seconds of a processor", func(row func(...string)) error {
		row("shape", "size", "half", "full", "memory")
		for _, s := range bigprog.Shapes() {
			var used [2]usage
			for i, size := range []int{s.Size / 2, s.Size} {
				file, _, err := b.write(s.Text(size))
				if err != nil {
					return err
				}
				if used[i], err = run(b.soma, "check", file); err != nil && !s.Broken {
					return err
				}
			}
			row(s.Name, fmt.Sprint(s.Size), fmt.Sprintf("%.2f s", used[0].processor), fmt.Sprintf("%.2f s", used[1].processor),
				fmt.Sprintf("%d MB", used[1].megabytes))
		}
		return nil
	})
}

// interpreter measures runs of test cells.
func (b *benches) interpreter() error {
	return table("the interpreter", func(row func(...string)) error {
		row("program", "seconds", "memory")
		for _, p := range runners() {
			file, _, err := b.write(p.text)
			if err != nil {
				return err
			}
			used, err := run(b.soma, "test", file)
			if err != nil {
				return err
			}
			row(p.name, fmt.Sprintf("%.2f s", used.seconds), fmt.Sprintf("%d MB", used.megabytes))
		}
		return nil
	})
}

// write writes a program and counts its lines.
func (b *benches) write(text string) (file string, lines int, err error) {
	for i := range text {
		if text[i] == '\n' {
			lines++
		}
	}
	file = filepath.Join(b.folder, "app.cell")
	return file, lines, os.WriteFile(file, []byte(text), 0o600)
}
