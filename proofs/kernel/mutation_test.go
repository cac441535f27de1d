package kernel

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
)

// harmless are the fields on which nothing in an audit depends, and the changes that leave
// evidence that holds: each with the reason.
var harmless = []struct{ change, why string }{
	{`^tool `, "says who wrote it"},
	{`^sources`, "compared with the files themselves, not here"},
	{`^assumptions`, "sentences for people"},
	{`^properties\.\d+\.origin `, "says who asked"},
	{`^obligations\.\d+\.reason `, "for people: of what is not proven"},
	{`\.evidence\.data\.(calls|replies)`, "a run is engine-trusted"},
	{`\.labellings without 1$`, "an engine-trusted property may leave out the labelling of the implementation"},
	{`\.(lines|terms) \d+ exchanged`, "two steps that do not rest on each other: another proof that holds"},
}

func isHarmless(change string) bool {
	for _, h := range harmless {
		if regexp.MustCompile(h.change).MatchString(change) {
			return true
		}
	}
	return false
}

// mutate calls try with each small change of a JSON value: each leaf altered, each element of a
// list dropped, doubled and exchanged with its neighbour, each field dropped.
func mutate(v any, path string, set func(any), try func(path, how string)) {
	change := func(how string, to any) {
		set(to)
		try(path, how)
		set(v)
	}
	join := func(key any) string { return strings.TrimPrefix(fmt.Sprintf("%s.%v", path, key), ".") }
	switch v := v.(type) {
	case string:
		change("longer", v+"x")
		if v != "" {
			change("shorter", v[:len(v)-1])
			change("empty", "")
		}
	case json.Number:
		n, _ := v.Int64()
		change("more", json.Number(fmt.Sprint(n+1)))
		change("less", json.Number(fmt.Sprint(n-1)))
	case []any:
		for i := range v {
			change(fmt.Sprintf("without %d", i), append(append([]any{}, v[:i]...), v[i+1:]...))
			change(fmt.Sprintf("%d doubled", i), append(append(append([]any{}, v[:i+1]...), v[i]), v[i+1:]...))
			if i+1 < len(v) && fmt.Sprint(v[i]) != fmt.Sprint(v[i+1]) {
				swapped := append([]any{}, v...)
				swapped[i], swapped[i+1] = v[i+1], v[i]
				change(fmt.Sprintf("%d exchanged with the next", i), swapped)
			}
			mutate(v[i], join(i), func(to any) { v[i] = to }, try)
		}
	case map[string]any:
		for key, old := range v {
			delete(v, key)
			try(join(key), "dropped")
			v[key] = old
			mutate(old, join(key), func(to any) { v[key] = to }, try)
		}
	}
}

// tree is a value as generic JSON.
func tree(t *testing.T, v any) map[string]any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var out map[string]any
	if err := d.Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestEveryMutationIsRefused changes each field, line, multiplier, set, rank, fact and obligation of
// certificates that hold. The system is left alone: a changed system is another claim.
func TestEveryMutationIsRefused(t *testing.T) {
	t.Run("depot", func(t *testing.T) { everyMutation(t, depotCertificate(t)) })
	t.Run("mill", func(t *testing.T) { everyMutation(t, millCertificate(t)) })
}

func everyMutation(t *testing.T, whole *cert.Certificate) {
	text, err := cert.Encode(whole)
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	verdict := func(change string, refused bool) {
		tried++
		if !refused && !isHarmless(change) {
			t.Errorf("%s: accepted", change)
		}
	}

	document := tree(t, whole)
	delete(document, "system")
	obligations := document["obligations"].([]any)
	for i, o := range obligations {
		obligations[i] = map[string]any{"id": o.(map[string]any)["id"]} // changed below
	}
	mutate(document, "", func(any) {}, func(path, how string) {
		changed, _ := json.Marshal(document)
		var c cert.Certificate
		if json.Unmarshal(changed, &c) != nil || c.Schema != cert.Schema {
			verdict(path+" "+how, true)
			return
		}
		c.System = whole.System
		for _, o := range c.Obligations {
			for _, old := range whole.Obligations {
				if o.ID == old.ID {
					*o = *old
				}
			}
		}
		again, err := cert.Encode(&c)
		if err != nil || string(again) == string(text) {
			return // the decoder accepts one spelling alone
		}
		verdict(path+" "+how, !Audit(&c).OK())
	})

	a := newAuditor(whole, mustRead(t, whole))
	a.budget.left = 1 << 40
	questions, failed := a.questions()
	if failed != nil {
		t.Fatal(failed)
	}
	for i, q := range questions {
		q.judge(whole.Obligations[i])
	}
	for i, q := range questions {
		o := tree(t, whole.Obligations[i])
		one := cert.Certificate{System: []byte("{}"), Obligations: []*cert.Obligation{whole.Obligations[i]}}
		before, _ := cert.Encode(&one)
		mutate(o, fmt.Sprintf("obligations.%d", i), func(any) {}, func(path, how string) {
			changed, _ := json.Marshal(o)
			var now cert.Obligation
			if json.Unmarshal(changed, &now) != nil {
				verdict(path+" "+how, true)
				return
			}
			one.Obligations[0] = &now
			if after, err := cert.Encode(&one); err != nil || string(after) == string(before) {
				return
			}
			verdict(path+" "+how, now.ID != q.ID || q.judge(&now).Outcome == Failed)
		})
	}
	t.Logf("%d mutations", tried)
}

func mustRead(t *testing.T, c *cert.Certificate) *ir.System {
	t.Helper()
	s, err := readSystem(c.System)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestChangedSystemsAreAnswered alters texts and numbers of the system: the audit may fail or
// hold, as the claims do, but it must answer.
func TestChangedSystemsAreAnswered(t *testing.T) {
	whole := depotCertificate(t)
	text := string(whole.System)
	d := json.NewDecoder(strings.NewReader(text))
	n, read, held := 0, 0, 0
	for {
		token, err := d.Token()
		if err != nil {
			break
		}
		end := int(d.InputOffset())
		var changes []string
		switch token := token.(type) {
		case string:
			changes = []string{text[:end-1] + `x"` + text[end:]}
			if text[end-2] != '"' {
				changes = append(changes, text[:end-2]+text[end-1:])
			}
		case float64:
			changes = []string{text[:end] + "0" + text[end:], text[:end-1] + "1" + text[end:], text[:end-1] + "2" + text[end:]}
		case bool:
			flipped := map[bool]string{true: "false", false: "true"}[token]
			changes = []string{text[:end-len(fmt.Sprint(token))] + flipped + text[end:]}
		}
		for _, change := range changes {
			if n++; n%5 != 0 {
				continue // one in five is plenty
			}
			changed := *whole
			changed.System = []byte(change)
			r := Audit(&changed)
			if len(r.Results) > 0 {
				read++
			}
			if r.OK() {
				held++
			}
		}
	}
	t.Logf("%d changes, %d of them well formed, the claims hold of %d", n, read, held)
	if read == 0 || read == held {
		t.Error("no change was put to the test")
	}
}
