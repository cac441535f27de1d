package main

import (
	"strings"
	"testing"

	"soma.cell/frontend/diag"
)

// repairable are the codes whose example has a repair that a machine may apply.
const repairable = `E0003 E0005 E0008 E0010 E0020
	E0040 E0041 E0042 E0043 E0044 E0045 E0046 E0047 E0048 E0049 E0050 E0051 E0052 E0053 E0054
	E0203 E0209 E0210 E0212 E0213 E0214 E0215 E0220 E0221 E0225 E0226 E0229 E0235 E0245 E0260 E0261 E0263 E0283
	E0401 E0402 E0403 E0404
	W0127 W0128 W0129 W0130 W0401`

// Applying the repairs of an example takes its finding away and adds none, and a second time
// there is nothing left to do.
func TestRepairsOfTheTable(t *testing.T) {
	wanted := map[string]bool{}
	for _, code := range strings.Fields(repairable) {
		wanted[code] = true
	}
	for _, e := range diag.Table() {
		fixed := repairs(findingsOfText(t, e.Wrong, e.Edition))
		if has := len(fixed) > 0; has != wanted[string(e.Code)] {
			t.Errorf("%s %s: has a repair: %v", e.Code, e.Name, has)
		}
		if len(fixed) > 0 {
			settled(t, string(e.Code)+" "+e.Name, fixed[0].text, e.Edition)
		}
	}
}

// settled wants a repaired text without findings and without further repairs.
func settled(t *testing.T, name, text, edition string) {
	t.Helper()
	after := findingsOfText(t, text, edition)
	if len(after) > 0 {
		t.Errorf("%s: repaired, it gives %v\n%s", name, briefly(after), text)
	}
	if again := repairs(after); len(again) > 0 {
		t.Errorf("%s: a second repair makes\n%s", name, again[0].text)
	}
}

// Repairs keep what the program says beside the fault.
func TestRepairsOfBodies(t *testing.T) {
	const before = "cell type Pay { variants { Cash  Card { number: String, until: Int } } }\n" +
		"cell Till {\n    memory {\n        sales: Map<String, Int> [persistent]\n    }\n" +
		"    on total(a: Int, m: Map, xs: List<Int>, p: Pay) {\n        "
	const after = "\n    }\n}\n"
	for _, c := range []struct{ wrong, right string }{
		{"m.set(\"k\", [a, 1])\nreturn m", "m[\"k\"] = [a, 1]\nreturn m"},
		{"m.delete( \"a\" )\nreturn m", "m = without(m, \"a\" )\nreturn m"},
		{"xs.append(a)\nreturn xs", "xs = push(xs, a)\nreturn xs"},
		{"for x in [1] { xs.push(x) }\nreturn xs", "for x in [1] { xs = push(xs, x) }\nreturn xs"},
		{"push(xs, a)\nreturn xs", "xs = push(xs, a)\nreturn xs"},
		{"return match p { Card { number } -> number  Cash -> \"\" }", "return match p { Card { number, .. } -> number  Cash -> \"\" }"},
		{"return match p { Card {} -> 1  Cash -> 2 }", "return match p { Card { ..} -> 1  Cash -> 2 }"},
		{"return match p { Card { numbr, .. } -> numbr  Cash -> \"\" }", "return match p { Card { number: numbr, .. } -> numbr  Cash -> \"\" }"},
		{"return xs.filter(to_string).len", "return xs.filter(x => to_string(x)).len"},
		{"return sales.gett(\"a\")", "return sales.get(\"a\")"},
		{"return 0 <= a < len(xs)", "return 0 <= a && a < len(xs)"},
		{"return is_a(p, \"Crad\")", "return is_a(p, \"Card\")"},
		{"return slaes.len + totl(a, 1)", "return sales.len + total(a, 1)"},
	} {
		lines := func(body string) string { return before + strings.ReplaceAll(body, "\n", "\n        ") + after }
		fixed := repairs(findingsOfText(t, lines(c.wrong), ""))
		if len(fixed) != 1 || fixed[0].text != lines(c.right) {
			t.Errorf("%s\nis repaired to %v", c.wrong, fixed)
		}
	}
}
