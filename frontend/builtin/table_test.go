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
	kinds := []string{"Any", "Int", "Float", "Number", "String", "Bool", "List", "Map", "Function", "Variant", "Unit"}
	for _, b := range All() {
		if b.Doc == "" {
			t.Errorf("%s has no documentation", b.Name)
		}
		for i := range b.params {
			for _, kind := range b.ParamTypes(i) {
				if !slices.Contains(kinds, kind) {
					t.Errorf("%s: unknown parameter type %q", b.Name, kind)
				}
			}
		}
		for _, kind := range strings.Split(strings.TrimSuffix(b.Result, "?"), "|") {
			if !slices.Contains(kinds, kind) && kind != "Never" {
				t.Errorf("%s: unknown result type %q", b.Name, kind)
			}
		}
		for _, s := range append(b.Sinks, b.Lazy...) {
			if b.ParamTypes(s) == nil {
				t.Errorf("%s: %d is no argument", b.Name, s)
			}
		}
	}
}

// The forms of a row say in detail what its signature sums up: together they take just the
// counts of arguments that it takes, and each only kinds that it names.
func TestFormsKeepToTheirRows(t *testing.T) {
	for _, b := range All() {
		result := strings.Split(strings.Replace(b.Result, "?", "|Unit", 1), "|")
		for n := range 8 {
			taken := slices.ContainsFunc(b.Forms, func(f *Form) bool { return f.Takes(n) })
			if taken != b.Accepts(n) && !(b.Name == "with" && n == 4) { // a key without its value
				t.Errorf("%s: forms take %d arguments: %v, the row says %v", b.Name, n, taken, b.Accepts(n))
			}
			for _, f := range b.Forms {
				for i := 0; f.Takes(n) && i < n; i++ {
					hold(t, f, f.Param(i, n).Type.Kinds(), b.ParamTypes(i))
				}
				hold(t, f, f.Result.Kinds(), result)
			}
		}
	}
}

// hold wants the kinds of a form among those of its row.
func hold(t *testing.T, f *Form, kinds, row []string) {
	t.Helper()
	for _, k := range kinds {
		if !slices.Contains(row, k) && !slices.Contains(row, "Any") {
			t.Errorf("%s: %s is none of %v", f, k, row)
		}
	}
}

func TestForms(t *testing.T) {
	name, f := parseForm("pick(xs: List<T>, by?: String|(T => U), more...: {a: Int, b: Map<String, T>}) -> (A, T) => U?")
	if name != "pick" || len(f.Params) != 3 || len(f.Result) != 2 || len(f.Result[0].Takes) != 2 {
		t.Fatalf("%s: %+v", name, f)
	}
	by, more := f.Params[1], f.Params[2]
	if !by.Optional || len(by.Type) != 2 || by.Type[1].Gives[0].Word != "U" || !more.Repeated || !more.Type[0].Shape || more.Type[0].Fields[1].Type[0].Args[0][0].Word != "T" {
		t.Errorf("%+v", f.Params)
	}
	for n, want := range []bool{false, true, true, true, true} {
		if f.Takes(n) != want {
			t.Errorf("takes %d: %v", n, !want)
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
