package builtin

import (
	"slices"
	"strings"
	"testing"
)

func TestTableIsSortedAndUnique(t *testing.T) {
	all := All()
	for i := 1; i < len(all); i++ {
		if all[i-1].Name >= all[i].Name {
			t.Errorf("%s does not stand before %s", all[i-1].Name, all[i].Name)
		}
	}
}

func TestLookup(t *testing.T) {
	for _, b := range All() {
		if Lookup(b.Name) != b {
			t.Errorf("Lookup(%q) does not find its own row", b.Name)
		}
	}
	for _, name := range []string{"", "zzz", "Think", "thin", "thinks"} {
		if b := Lookup(name); b != nil {
			t.Errorf("Lookup(%q) finds %s", name, b.Name)
		}
	}
}

func TestRowsAreComplete(t *testing.T) {
	types := []string{"Any", "Int", "Float", "Number", "String", "Bool", "List", "Map", "Function", "Unit"}
	for _, b := range All() {
		if b.Doc == "" {
			t.Errorf("%s has no documentation", b.Name)
		}
		if b.Min > len(b.Params) || (b.Max >= 0 && b.Max != len(b.Params)) {
			t.Errorf("%s: counts %d..%d do not fit %d parameters", b.Name, b.Min, b.Max, len(b.Params))
		}
		for i := range b.Params {
			for _, typ := range b.ParamTypes(i) {
				if !slices.Contains(types, typ) {
					t.Errorf("%s: unknown parameter type %q", b.Name, typ)
				}
			}
		}
		for _, typ := range strings.Split(strings.TrimSuffix(b.Result, "?"), "|") {
			if !slices.Contains(types, typ) {
				t.Errorf("%s: unknown result type %q", b.Name, typ)
			}
		}
		for _, s := range b.Sinks {
			if b.ParamTypes(s) == nil {
				t.Errorf("%s: sink %d is no argument", b.Name, s)
			}
		}
	}
}

// Every builtin that reaches outside must carry a class: a pure one needs no clause in a
// frame, so a slip here would hide an effect.
func TestClasses(t *testing.T) {
	want := map[Class]string{
		Model:   "think think_json",
		Net:     "http_delete http_get http_patch http_post http_put link publish subscribe ws_connect ws_send",
		FileIO:  "include load load_template read_csv read_file read_files read_stdin write_csv write_file",
		Print:   "print write_str",
		Clock:   "now now_ms today",
		Random:  "random",
		Sleep:   "sleep",
		IDs:     "next_id",
		Memory:  "recall remember",
		Machine: "get_status has_state transition valid_transitions",
		Human:   "approve",
		Call:    "delegate",
		Budget:  "clear_context clear_trace set_budget tokens_remaining tokens_used trace",
	}
	got := map[Class][]string{}
	for _, b := range All() {
		if b.Class != Pure {
			got[b.Class] = append(got[b.Class], b.Name)
		}
	}
	for class, names := range want {
		if g := strings.Join(got[class], " "); g != names {
			t.Errorf("class %s: %s, want %s", class, g, names)
		}
		delete(got, class)
	}
	if len(got) > 0 {
		t.Errorf("unexpected classes: %v", got)
	}
}

func TestSinks(t *testing.T) {
	var got []string
	for _, b := range All() {
		if len(b.Sinks) > 0 {
			got = append(got, b.Name)
		}
	}
	want := strings.Fields(`delegate http_delete http_get http_patch http_post http_put include load
		load_template read_csv read_file read_files set_budget transition write_csv write_file ws_connect ws_send`)
	if !slices.Equal(got, want) {
		t.Errorf("sinks: %v, want %v", got, want)
	}
	if s := Lookup("transition").Sinks; !slices.Equal(s, []int{1, 2}) {
		t.Errorf("transition: sinks %v, want target and source", s)
	}
	if s := Lookup("delegate").Sinks; !slices.Equal(s, []int{0, 1}) {
		t.Errorf("delegate: sinks %v, want cell and handler", s)
	}
}

func TestAccepts(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		want bool
	}{
		{"transition", 1, false}, {"transition", 2, true}, {"transition", 3, true}, {"transition", 4, false},
		{"print", 0, true}, {"print", 9, true}, {"next_id", 0, true}, {"next_id", 1, false},
		{"filter_by", 2, false}, {"filter_by", 3, true}, {"filter_by", 4, true}, {"push", 0, false}, {"push", 5, true},
	} {
		if got := Lookup(c.name).Accepts(c.n); got != c.want {
			t.Errorf("%s with %d arguments: %v, want %v", c.name, c.n, got, c.want)
		}
	}
}
