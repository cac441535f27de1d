package resolve

import (
	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// What a program does can be judged only where it has a meaning. A fault in one body is no reason
// to keep silent about all others: the program is cut down to what holds no fault, by emptying
// the bodies with faults in them and leaving out the declarations with faults elsewhere, until
// resolution finds nothing more to blame. Then a body that reaches none of the emptied ones
// does in the part what it does in the whole, and what is wrong with it may be said.
//
// Cost: a resolution for each round; there are few, as only what names a thing left out falls in
// the next.

// maxRounds bounds how often the program is cut down before it is given up.
const maxRounds = 6

// Part is what remains of a program with faults.
type Part struct {
	Program *Program
	emptied map[*syntax.Block]bool
	reaches map[*Handler]bool // an emptied body; those not asked yet have no entry
}

// Intact cuts a program down to the part that holds no errors, or gives nil. The findings are
// those of the whole; more finds the errors of a program that resolution does not.
func Intact(files []*syntax.File, edition string, found []diag.Diagnostic, more func(*Program) []diag.Diagnostic) *Part {
	part := &Part{emptied: map[*syntax.Block]bool{}, reaches: map[*Handler]bool{}}
	for range maxRounds {
		files = part.without(files, found)
		prog, wrong := Resolve(files, edition)
		if found = diag.Errors(wrong); len(found) == 0 {
			found = diag.Errors(more(prog))
		}
		if len(found) == 0 {
			part.Program = prog
			return part
		}
	}
	return nil
}

// without copies the files down to the bodies, leaving out what holds an error.
func (part *Part) without(files []*syntax.File, found []diag.Diagnostic) []*syntax.File {
	var out []*syntax.File
	for _, f := range files {
		var places []source.Span
		for _, d := range diag.Errors(found) {
			if d.Span.File == f.Source {
				places = append(places, d.Span)
			}
		}
		file := *f
		file.Decls = nil
		for _, d := range f.Decls {
			if kept := part.decl(d, places); kept != nil {
				file.Decls = append(file.Decls, kept)
			}
		}
		out = append(out, &file)
	}
	return out
}

// decl is a declaration with the bodies emptied that hold one of the places; nil when one
// stands elsewhere in it.
func (part *Part) decl(d *syntax.Decl, places []source.Span) *syntax.Decl {
	out := *d
	out.Handlers, out.Timers = nil, nil
	inBodies := 0
	empty := func(body *syntax.Block) *syntax.Block {
		n := 0
		for _, at := range places {
			if body != nil && within(at, body.At) {
				n++
			}
		}
		if inBodies += n; n == 0 {
			return body
		}
		body = &syntax.Block{Place: body.Place}
		part.emptied[body] = true
		return body
	}
	for _, h := range d.Handlers {
		kept := *h
		kept.Body = empty(h.Body)
		out.Handlers = append(out.Handlers, &kept)
	}
	for _, t := range d.Timers {
		kept := *t
		kept.Body = empty(t.Body)
		out.Timers = append(out.Timers, &kept)
	}
	inside := 0
	for _, at := range places {
		if within(at, d.At) {
			inside++
		}
	}
	if inside > inBodies {
		return nil
	}
	return &out
}

// Speaks tells whether what is found at a place of the part holds of the whole: the place is in
// a body that reaches no emptied one.
func (part *Part) Speaks(at source.Span) bool {
	for _, c := range part.Program.Cells {
		for _, h := range c.Handlers {
			if h.Body != nil && at.File == h.Body.At.File && within(at, h.Body.At) {
				return !part.reach(h)
			}
		}
	}
	return false
}

// reach tells whether a body may lead to an emptied one.
func (part *Part) reach(h *Handler) bool {
	if known, seen := part.reaches[h]; seen {
		return known
	}
	part.reaches[h] = false // in a circle the others decide
	seen := map[*Handler]bool{h: true}
	for queue := []*Handler{h}; len(queue) > 0; queue = queue[1:] {
		if part.emptied[queue[0].Body] {
			part.reaches[h] = true
			return true
		}
		for _, next := range part.calls(queue[0]) {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return false
}

// calls lists what a body may run.
func (part *Part) calls(h *Handler) []*Handler {
	var out []*Handler
	info := part.Program.Info
	syntax.Inspect(h.Body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Emit:
			out = append(out, info.Listeners[n]...)
		case *syntax.Call, *syntax.Method, *syntax.Pipe:
			switch c := info.Calls[n.(syntax.Expr)]; {
			case c == nil:
			case c.Handler != nil:
				out = append(out, c.Handler)
			case c.Kind == CallBuiltin && c.Builtin.Name == "delegate":
				for _, cell := range part.Program.Cells {
					out = append(out, cell.Handlers...)
				}
			case c.Kind == CallBuiltin && (c.Builtin.Name == "think" || c.Builtin.Name == "think_json"):
				for _, s := range h.Cell.Signals {
					if s.Tool && s.Handler != nil {
						out = append(out, s.Handler)
					}
				}
			}
		}
		return true
	})
	return out
}
