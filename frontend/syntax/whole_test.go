package syntax

import (
	"os"
	"strings"
	"testing"
)

// The program with every form parses, and its tree holds what it says.
func TestWholeProgram(t *testing.T) {
	text, err := os.ReadFile("testdata/whole.cell")
	if err != nil {
		t.Fatal(err)
	}
	f, list := parse(string(text))
	if len(list) > 0 {
		t.Fatalf("%s: %s", briefly(list), list[0].Message)
	}
	if len(f.Uses) != 2 || len(f.Uses[0].Path) != 2 || len(f.Decls) != 5 {
		t.Fatalf("%d uses, %d declarations", len(f.Uses), len(f.Decls))
	}
	sum, desk, flesh, bank, tests := f.Decls[0], f.Decls[1], f.Decls[2], f.Decls[3], f.Decls[4]
	for i, kind := range []DeclKind{TypeCell, AgentSkeleton, Flesh, PlainCell, TestCell} {
		if f.Decls[i].Kind != kind {
			t.Errorf("declaration %d has kind %d, want %d", i, f.Decls[i].Kind, kind)
		}
	}
	holds := func(what string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	holds("variants", len(sum.Variants), 3)
	holds("struct variant", sum.Variants[0].Struct && len(sum.Variants[0].Fields) == 2, true)
	holds("tuple variant", sum.Variants[1].Fields[1].Type.Name.Name, "Int")

	m := desk.Memory[0]
	holds("slots", len(m.Slots), 2)
	holds("attribute", m.Slots[0].Attrs[2].At.Text(), "capacity(100)")
	holds("nested type", m.Slots[1].Type.At.Text(), "List<List<Map<String, Int>>>")
	holds("invariant", dump(m.Invariants[0].Cond), "(&& (>= stock 0) (<= (paren (?? reserved 0)) (paren (?? stock 0))))")

	machine := desk.Machines[0]
	var rows []string
	for _, e := range machine.Edges {
		from := "*"
		if e.From != nil {
			from = e.From.Name
		}
		rows = append(rows, from+">"+e.To.Name+":"+dump(e.Guard))
	}
	holds("edges", strings.Join(rows, " "), `Pending>Charged:nil Charged>Declined:nil Pending>Declined:(&& (> amount 0) (!= _id "")) *>Lost:nil`)
	holds("exceptions", len(machine.Edges[3].Except), 2)
	holds("place of an edge of a chain", machine.Edges[1].At.Text(), "Charged -> Declined")
	holds("place of a guarded edge", machine.Edges[2].At.Text(), `Pending -> Declined { guard { amount > 0 && _id != "" } }`)
	holds("initial", machine.Initial[0].Name+" of "+machine.Type.Name.Name, "Pending of Payment")

	face := desk.Faces[0]
	var clauses []string
	for _, c := range face.Signals[0].Clauses {
		clauses = append(clauses, c.At.Text())
	}
	holds("clauses", strings.Join(clauses, "; "), "reads stock, order; writes state; moves Pending -> Charged, Charged -> Declined; calls think, Bank.draw, emit")
	holds("qualified callee", face.Signals[0].Clauses[3].Items[1].Cell.Name, "Bank")
	holds("pure signal", len(face.Signals[1].Clauses), 0)
	holds("tool", face.Signals[2].Tool && face.Signals[2].Description == "how many are left", true)
	holds("promises", face.Promises[0].Text+"/"+face.Promises[1].Text, "all_persistent/no order is lost")
	holds("given", dump(face.Givens[0].Cond)+dump(face.Givens[1].Cond), "(> n 0)nil")

	var props []string
	for _, p := range desk.Verify[0].Props {
		props = append(props, p.At.Text())
	}
	holds("properties", len(props), 10)
	holds("qualified states", desk.Verify[0].Props[2].States[1].Name, "Desk.order.Charged")
	holds("place of a formula", desk.Verify[0].Props[7].CTLAt.Text(), desk.Verify[0].Props[7].CTL)
	holds("strong fairness", desk.Verify[0].Props[8].Strong, true)
	holds("settings", len(desk.Costs[0].Pairs), 2)

	open := flesh.Handlers[0]
	holds("flesh parameters", open.Params[1].Type == nil && open.Params[1].Name.Name == "n", true)
	holds("statements", len(open.Body.Stmts), 10)
	holds("require", dump(open.Body.Stmts[1]), `(require (>= left n) TooFew (str "only " left " of " (call f (str id)) " {} {color: red} {2,3}"))`)
	holds("match", dump(open.Body.Stmts[6]), `(let kind (match reply`+
		` (arm "yes"|"no" 1)`+
		` (arm "go "+rest if (> (call len rest) 2) {(? (pipe (pipe rest (call lower)) Desk.(call say 2)))})`+
		` (arm -3..5 (record Charged id:id amount:1))`+
		` (arm (map k:(Declined() x _) on:z) Payment::Pending)`+
		` (arm (Charged{} id:id amount:0 ..) (call Declined "no" 1))`+
		` (arm () (fn a,b (% a b)))`+
		` (arm _ (field (? (try {(call open id 1)})) value))))`)
	holds("timers", len(flesh.Timers) == 2 && flesh.Timers[0].Every && !flesh.Timers[1].Every, true)
	holds("interior", bank.Interior[0].Cells[0].Name.Name, "Vault")
	holds("scale", bank.Costs[0].Pairs[1].Name.Name, "memory")

	var rules []string
	for _, s := range tests.Rules[0].Items {
		rules = append(rules, dump(s))
	}
	want := []string{
		`(let x (call open "a" 1))`,
		`(mock think "yes")`,
		`(mock think (list "a" "b"))`,
		`(mock think error "timeout")`,
		`(mock Bank.draw 3)`,
		`(assert (== (call open "a" 1) "b"))`,
		`(assert_fails (call open "a" 2) nil)`,
		`(assert_fails (call open "a" 2) "TooFew")`,
		`(assert (== (neg a) b))`,
		`(assert_fails (neg a) nil)`,
		`(property "small" n:Int (neg 5) (+ n 5) 100 (== (call draw "a" n) n))`,
	}
	holds("rules", strings.Join(rules, "\n"), strings.Join(want, "\n"))
}
