package main

import (
	"fmt"
	"slices"
	"strings"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/ir/effects"
	"soma.cell/proofs/cost"
	"soma.cell/proofs/frame"
)

// contracts prints what a reader of a skeleton wants to know of its signals: what each may do
// itself, what it may do through everything it calls, and which rules guard what it writes.
type contracts struct {
	outline
	sys   *ir.System
	graph *effects.Graph
	bills map[*ir.Automaton]cost.Bill
	gaps  map[ir.HandlerRef][]frame.Gap
	entry string // the file whose reader needs no name of it
}

func newContracts(sys *ir.System, entry string) *contracts {
	k := &contracts{sys: sys, graph: effects.NewGraph(sys), bills: cost.Of(sys), gaps: map[ir.HandlerRef][]frame.Gap{}, entry: entry}
	for _, c := range sys.Cells {
		for _, gap := range frame.Unframed(sys, k.graph, c) {
			signal := ir.HandlerRef{Cell: c.Name, Handler: gap.Signal.Name, Arity: len(gap.Signal.Params)}
			k.gaps[signal] = append(k.gaps[signal], gap)
		}
	}
	return k
}

// cell prints the signals of a cell, or the one of that name. It tells whether there was any.
func (k *contracts) cell(c *resolve.Cell, signal string) bool {
	found := false
	for _, s := range c.Signals {
		if signal != "" && s.Name != signal {
			continue
		}
		if !found {
			k.line(0, "%s %s", kindOf(c.Decl), c.Name)
		}
		found = true
		k.blank()
		k.signal(s)
	}
	return found
}

func (k *contracts) signal(s *resolve.Signal) {
	word := "signal"
	if s.Tool {
		word = "tool"
	}
	k.line(1, "%s %s", word, signature(s))
	k.line(2, "frame")
	for _, clause := range frameOf(s).clauses() {
		k.line(3, "%s", clause)
	}
	body := k.sys.Handler(ir.HandlerRef{Cell: s.Cell.Name, Handler: s.Name, Arity: len(s.Params)})
	if body == nil {
		return
	}
	sum := k.graph.Closure(body)
	k.line(2, "with everything it calls")
	k.effects(s.Cell.Name, sum)
	k.unframed(s)
	k.rules(sum)
	k.spending(body)
}

// unframed tells through whom the signal comes to handlers without a frame.
func (k *contracts) unframed(s *resolve.Signal) {
	for _, gap := range k.gaps[ir.HandlerRef{Cell: s.Cell.Name, Handler: s.Name, Arity: len(s.Params)}] {
		k.line(3, "leaves its frame: %s", strings.Join(gap.Chain, " → "))
	}
}

// spending prints what a call may spend where it may ask a model: the bounds, and which of its
// own calls may.
func (k *contracts) spending(body *ir.Automaton) {
	if !k.asks(body) {
		return
	}
	k.line(2, "a call may spend")
	bill := k.bills[body]
	for _, key := range []ir.CostKey{ir.CostCalls, ir.CostTokens, ir.CostLatency} {
		amount := bill.Amount(key)
		word := "at most "
		if _, known := amount.Known(); !known {
			word = "not known: "
		}
		k.line(3, "%s: %s%s", key, word, amount.Text(cost.Unit(key)))
	}
	direct := k.graph.Direct(body)
	spenders := slices.DeleteFunc(slices.Clone(direct.Calls), func(c effects.Call) bool {
		return !k.asks(k.sys.Handler(c.Handler))
	})
	names := callNames(body.Cell, spenders)
	for _, a := range direct.Acts {
		if a.Class == "model" {
			names = append(names, a.Builtin)
		}
	}
	slices.Sort(names)
	k.names("tokens through", slices.Compact(names))
}

// asks tells whether a body, or what it may start, may ask a model.
func (k *contracts) asks(body *ir.Automaton) bool {
	return slices.ContainsFunc(k.graph.Closure(body).Acts, func(a effects.Act) bool { return a.Class == "model" })
}

// effects prints a summary. Names of other cells are qualified.
func (k *contracts) effects(home string, sum *effects.Summary) {
	before := k.Len()
	for _, u := range sum.Unknown {
		k.line(3, "anything at all: %s (%s)", u.Why, linesOf(u.Places, k.entry))
	}
	for _, a := range sum.Acts {
		k.line(3, "%s: %s (%s)", actWords(a.Class), a.Builtin, linesOf(a.Places, k.entry))
	}
	k.names("reads", slotNames(home, sum.Reads))
	k.names("inspects", machineNames(k.sys, sum.Inspects))
	k.names("writes", slotNames(home, sum.Writes))
	k.names("moves", edgeNames(k.sys, sum.Moves))
	k.names("emits", eventNames(sum.Emits))
	k.names("calls", callNames(home, sum.Calls))
	if k.Len() == before {
		k.line(3, "nothing: it is pure")
	}
}

func (k *contracts) names(word string, names []string) {
	if len(names) > 0 {
		k.line(3, "%s %s", word, strings.Join(names, ", "))
	}
}

// rules prints the memory rules that guard the written slots.
func (k *contracts) rules(sum *effects.Summary) {
	titled := false
	for _, c := range k.sys.Cells {
		for _, r := range c.Rules {
			if !slices.ContainsFunc(sum.Writes, func(w effects.Slot) bool {
				return w.Cell == c.Name && slices.Contains(r.Guards, w.Slot)
			}) {
				continue
			}
			if !titled {
				k.line(2, "guarded by")
				titled = true
			}
			k.line(3, "invariant %s", r.Text)
		}
	}
}

func slotNames(home string, slots []effects.Slot) []string {
	return namesOf(slots, func(s effects.Slot) string { return qualified(home, s.Cell, s.Slot) })
}

func machineNames(sys *ir.System, list []effects.Machine) []string {
	return namesOf(list, func(m effects.Machine) string { return machineName(sys, m.Cell) })
}

func eventNames(list []effects.Event) []string {
	return namesOf(list, func(e effects.Event) string { return e.Name })
}

func callNames(home string, list []effects.Call) []string {
	return namesOf(list, func(c effects.Call) string { return qualified(home, c.Handler.Cell, c.Handler.Handler) })
}

// namesOf are the distinct names of a list, sorted.
func namesOf[T any](list []T, name func(T) string) []string {
	var out []string
	for _, x := range list {
		out = append(out, name(x))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func qualified(home, cell, name string) string {
	if cell == home {
		return name
	}
	return cell + "." + name
}

func machineName(sys *ir.System, cell string) string {
	if c := sys.Find(cell); c != nil && c.Machine != nil {
		return c.Machine.Name
	}
	return cell
}

// edgeNames are the declared edges that the moves may take, in order of declaration.
func edgeNames(sys *ir.System, moves []effects.Move) []string {
	var out []string
	for _, c := range sys.Cells {
		if c.Machine == nil {
			continue
		}
		for _, e := range c.Machine.Edges {
			if slices.ContainsFunc(moves, func(m effects.Move) bool { return mayTake(m, c.Name, e) }) {
				out = append(out, fmt.Sprintf("%s: %s -> %s", c.Machine.Name, e.From, e.To))
			}
		}
	}
	return out
}

// mayTake tells whether a move may take an edge of the cell's machine, judged by the states
// that the move states as literals.
func mayTake(m effects.Move, cell string, e *ir.MachineEdge) bool {
	return m.Cell == cell && (m.From == effects.Any || m.From == e.From) && (m.To == effects.Any || m.To == e.To)
}

// linesOf is "line 3", "lines 3, 5" or, of other files than the entry, "lib/pay.cell, line 3".
func linesOf(places []source.Span, entry string) string {
	lines := map[string][]string{}
	var files []string
	for _, p := range places {
		file, text := p.File.Name, fmt.Sprint(p.From().Line)
		if lines[file] == nil {
			files = append(files, file)
		}
		if !slices.Contains(lines[file], text) {
			lines[file] = append(lines[file], text)
		}
	}
	var out []string
	for _, file := range files {
		text := "line "
		if len(lines[file]) > 1 {
			text = "lines "
		}
		text += strings.Join(lines[file], ", ")
		if file != entry {
			text = file + ", " + text
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}
