package near

import (
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	for _, c := range []struct {
		name  string
		among []string
		want  Guess
	}{
		{"mont", []string{"mount", "month", "count"}, Guess{Name: "month"}}, // both are one edit away
		{"amonut", []string{"amount", "id"}, Guess{Name: "amount", Sure: true}},
		{"amonut", []string{"amount", "id", "amount"}, Guess{Name: "amount", Sure: true}},
		{"to", []string{"so"}, Guess{Name: "so"}}, // too short to be sure of
		{"n", []string{"m", "nn"}, Guess{}},       // nothing in common, or no less than the whole name more
		{strings.Repeat("long", 100), []string{strings.Repeat("long", 99)}, Guess{}},
		{"beds", []string{"peds", "heds"}, Guess{Name: "heds"}},
		{"seconds", []string{"second", "secnods"}, Guess{Name: "secnods"}},
		{"transition", []string{"transaktion"}, Guess{Name: "transaktion"}},
		{"x", []string{"yes"}, Guess{}},
		{"same", []string{"same"}, Guess{}},
		{"héllo", []string{"hállo"}, Guess{Name: "hállo", Sure: true}},
	} {
		if got := Find(c.name, c.among); got != c.want {
			t.Errorf("%s among %v: %+v, not %+v", c.name, c.among, got, c.want)
		}
	}
}
