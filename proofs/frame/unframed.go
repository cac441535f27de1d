package frame

import (
	"strings"

	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/ir/effects"
)

// Gap is a way from a framed signal to a handler without a frame: what the signal does itself is
// inside its frame, but what comes of it in the end is not told by frames.
type Gap struct {
	Signal *ir.Signal
	Chain  []string    // the handlers on the way, the signal's first; those of other cells as Cell.handler
	At     source.Span // the first call of the way
}

// Unframed lists the gaps of a cell's framed signals, one for each handler without a frame, by a
// shortest chain of calls, listeners, delegates and tools. What such a handler calls is not gone
// into, nor what an effect that is not known may do.
func Unframed(s *ir.System, g *effects.Graph, c *ir.Cell) []Gap {
	var out []Gap
	for _, signal := range c.Signals {
		start := s.Handler(ir.HandlerRef{Cell: c.Name, Handler: signal.Automaton, Arity: len(signal.Params)})
		if signal.Frame == nil || start == nil {
			continue
		}
		type visit struct {
			*ir.Automaton
			chain []string
			at    source.Span
		}
		seen := map[*ir.Automaton]bool{start: true}
		queue := []visit{{start, []string{start.Name}, source.Span{}}}
		for next := 0; next < len(queue); next++ {
			v := queue[next]
			for _, call := range g.Direct(v.Automaton).Calls {
				i := g.Find(call.Handler)
				if i < 0 || seen[g.Automata[i]] {
					continue
				}
				callee := g.Automata[i]
				seen[callee] = true
				name := strings.TrimPrefix(callee.Cell+"."+callee.Name, c.Name+".")
				way := visit{callee, append(v.chain[:len(v.chain):len(v.chain)], name), v.at}
				if way.at.IsZero() {
					way.at = call.Places[0]
				}
				if !private(callee) && !framed(s, callee) {
					out = append(out, Gap{signal, way.chain, way.at})
					continue
				}
				queue = append(queue, way)
			}
		}
	}
	return out
}

func framed(s *ir.System, a *ir.Automaton) bool {
	for _, signal := range s.Find(a.Cell).Signals {
		if signal.Automaton == a.Name && len(signal.Params) == len(a.Params) {
			return signal.Frame != nil
		}
	}
	return false
}
