package frame

import (
	"fmt"
	"strings"

	"soma.cell/ir"
)

func list(texts []string) string { return strings.Join(texts, ", ") }

// edgeText is an edge as a clause writes it.
func edgeText(e *ir.MachineEdge) string { return e.From + " -> " + e.To }

// What an effect does, in words.

func verbReads(slot string) string { return "reads `" + slot + "`" }

func verbWrites(slot string) string { return "writes `" + slot + "`" }

func verbInspects(machine string) string { return "reads the state of `" + machine + "`" }

func verbCalls(name string) string { return "calls `" + name + "`" }

func verbEmits(event string) string { return "emits `" + event + "`" }

func verbUnknown(why string) string { return "does what cannot be followed (" + why + ")" }

const (
	verbMovesMachine    = "moves a machine"
	verbInspectsMachine = "reads the state of a machine"
)

// verbMoves lists the edges that a frame lacks.
func verbMoves(machine string, edges []*ir.MachineEdge) string {
	if len(edges) == 0 {
		return "may move `" + machine + "`"
	}
	var texts []string
	for _, e := range edges {
		texts = append(texts, e.From+" → "+e.To)
	}
	return fmt.Sprintf("may move `%s` along %s", machine, list(texts))
}

func errOutside(signal, verb, clause string, texts []string) string {
	return fmt.Sprintf("signal `%s` %s, which its frame does not allow; %s", signal, verb, fixAdd(clause, texts))
}

func errForeign(signal, verb, cell string) string {
	return fmt.Sprintf("signal `%s` %s, which belongs to `%s` and which no frame of another cell can allow; call a signal of `%s` instead", signal, verb, cell, cell)
}

func errTimer(timer, verb string) string {
	return fmt.Sprintf("timer `%s` %s, but a timer of a flesh may only call signals of the face", timer, verb)
}

func fixAdd(clause string, texts []string) string {
	return fmt.Sprintf("add \"%s %s\" to the signal", clause, list(texts))
}

func warnWider(signal, clause, text string) string {
	what := map[string]string{"reads": "read", "writes": "write", "moves": "move", "calls": "call"}[clause]
	return fmt.Sprintf("the frame of `%s` is wider than its body, which does not %s `%s`; %s", signal, what, text, fixRemove(clause, text))
}

func fixRemove(clause, text string) string { return fmt.Sprintf("remove \"%s %s\"", clause, text) }

func warnReadsOnly(signal, slot string) string {
	return fmt.Sprintf("the frame of `%s` is wider than its body, which only reads `%s`; %s", signal, slot, fixReadsOnly(slot))
}

func fixReadsOnly(slot string) string {
	return fmt.Sprintf("say \"reads %s\" instead of \"writes %s\"", slot, slot)
}

func warnUnknown(signal, why string) string {
	return fmt.Sprintf("the frame of `%s` is not shown to hold, as the effects here are not known: %s", signal, why)
}

func noteCalled(callee *ir.Automaton) string { return "`" + callee.Name + "` is called here" }
