package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"soma": main})
}

// TestScripts runs the command as a process of its own: each script is a folder of files with
// what is typed there and what must come of it. With UPDATE_SCRIPTS set, files that are
// compared with an output are rewritten to hold it.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			// Under the race detector a process sleeps for a second before it ends.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			// A manifest at the top keeps those of folders further up out of the scripts.
			return os.WriteFile(filepath.Join(env.WorkDir, "soma.toml"), nil, tempFileMode)
		},
		Condition: func(name string) (bool, error) {
			if name != "root" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return os.Geteuid() == 0, nil // who may read everything
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   exits,
			"repeat":  repeat,
			"binary":  binary,
			"replace": replace,
		},
	})
}

// exits runs a command and compares its exit status: exits STATUS COMMAND ARGS…. Whatever
// happens, nothing may look like a crash, and nothing takes long.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	const patience = 20 * time.Second
	wanted, err := strconv.Atoi(args[0])
	if err != nil || neg {
		ts.Fatalf("usage: exits STATUS COMMAND ARGS…")
	}
	start := time.Now()
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != wanted {
		ts.Fatalf("exit status %d, wanted %d", got, wanted)
	}
	for _, stream := range []string{"stdout", "stderr"} {
		if text := ts.ReadFile(stream); strings.Contains(text, "goroutine ") || strings.Contains(text, "internal error") {
			ts.Fatalf("%s shows a crash", stream)
		}
	}
	if took := time.Since(start); took > patience {
		ts.Fatalf("took %v", took)
	}
}

// repeat writes a file that holds a text many times: repeat FILE COUNT TEXT.
func repeat(ts *testscript.TestScript, _ bool, args []string) {
	count, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(args[2], count)), tempFileMode))
}

// binary writes a file with every byte: binary FILE.
func binary(ts *testscript.TestScript, _ bool, args []string) {
	var data []byte
	for i := range 4096 {
		data = append(data, byte(i*i>>3))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, tempFileMode))
}

// replace replaces every place of a text in a file: replace FILE OLD NEW.
func replace(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(text, args[1], args[2])), tempFileMode))
}
