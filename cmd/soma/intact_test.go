package main

import (
	"strings"
	"testing"

	"soma.cell/frontend/diag"
)

// beside is a cell whose body leaves its frame; nothing else mentions it.
const beside = `skeleton Beside {
    memory {
        beside_notes: Map<String, Int> [persistent]
    }
    face {
        signal beside_count(id: String) -> Int
            reads beside_notes
    }
}
flesh Beside {
    on beside_count(id) {
        beside_notes.set(id, 1)
        return beside_notes.get(id) ?? 0
    }
}
`

// An error of any kind hides no error of another cell, whichever phase finds it.
func TestErrorsHideNoneOfAnotherCell(t *testing.T) {
	for _, e := range diag.Table() {
		if e.Severity != diag.Error || e.Code == diag.MissingUse || e.Code == diag.NotText {
			continue // these take the file, or another one, away
		}
		codes := map[diag.Code]int{}
		for _, d := range findingsOfText(t, beside+e.Wrong, e.Edition) {
			codes[d.Code]++
		}
		wanted := map[diag.Code]int{diag.FrameWrite: 1}
		wanted[e.Code]++
		if e.Code == diag.EmptyFile {
			wanted = map[diag.Code]int{diag.FrameWrite: 1}
		}
		if len(codes) != len(wanted) || codes[e.Code] != wanted[e.Code] || codes[diag.FrameWrite] != wanted[diag.FrameWrite] {
			t.Errorf("%s %s: found %v", e.Code, e.Name, codes)
		}
	}
}

// What a body with an error does not say is not held against those that run it; bodies that have
// nothing to do with it are judged.
func TestErrorsHideNoneOfAnotherBody(t *testing.T) {
	const text = `skeleton agent Desk {
    memory {
        notes: Map<String, String> [persistent]
    }
    state visit {
        initial: waiting
        waiting -> seen
        waiting -> gone
    }
    face {
        signal broken(id: String) -> String    reads notes
        signal wide(id: String) -> String      reads notes
        signal outside(id: String) -> String   reads notes
        signal through(id: String) -> String
        signal beside(id: String) -> String
        signal checked(id: String) -> String   moves waiting -> seen, waiting -> gone calls think
        signal blind(id: String) -> String     moves waiting -> seen, waiting -> gone calls think
        signal told(id: String) -> String      calls emit
    }
}
flesh Desk {
    on broken(id) {
        notes.set(id, nowhere)
        return id
    }
    on wide(id) { return id }
    on outside(id) {
        notes.set(id, "x")
        return id
    }
    on through(id) {
        print(id)
        return _lost(id)
    }
    on beside(id) {
        print(id)
        return id
    }
    on checked(id) {
        let to = _check(think("where?"))
        transition(id, to)
        return to
    }
    on blind(id) {
        let to = think("where?")
        transition(id, to)
        return to
    }
    on told(id) {
        emit _note(id)
        print(id)
        return id
    }
    on _note(id) { return missing }
    on _lost(id) { return _check(id) }
    on _check(to) {
        require contains(["seen", "gone"], to) else Bad "{nobody}"
        return to
    }
}
`
	var got []string
	for _, d := range findingsOfText(t, text, "2027") {
		got = append(got, string(d.Code)+" "+d.Span.Text())
	}
	want := []string{"E0220 nowhere", `E0402 notes.set(id, "x")`, "E0404 print(id)", "E0113 to", "E0220 missing", "E0220 nobody"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("found\n%s", strings.Join(got, "\n"))
	}
}
