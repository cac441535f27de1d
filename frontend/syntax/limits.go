package syntax

import "soma.cell/frontend/source"

// Limits of the language and of a run of the parser.
const (
	maxNesting = 400     // brackets, blocks, segments, unary operators inside each other
	maxChain   = 10_000  // links of one chain
	maxHeight  = 25_000  // height of a tree, where chains stand inside chains
	maxDigits  = 300_000 // characters of one number: about what the interpreter holds as an Int
	maxErrors  = 50      // errors shown of one file
	maxEdits   = 10_000  // repairs kept of one error
)

// A level of nesting recurs, so maxNesting bounds the stack of the parser. A chain is built in
// a loop and leans to one side, so it costs no stack here but makes a tall tree, which others
// walk recursively. The parser therefore measures heights: height is that of the tallest
// tree built since the last enter or isolate.

// enter opens a level of nesting, to be closed by leave with its result:
//
//	defer p.leave(p.enter())
func (p *parser) enter() (height int) {
	if p.depth >= maxNesting {
		p.fail(fatalLevel, nestingTooDeep(p.spanOf(p.tok)))
	}
	p.depth++
	height, p.height = p.height, 0
	return height
}

func (p *parser) leave(height int) {
	p.depth--
	p.height = max(height, p.height+1)
}

// isolate starts a chain: heights measured inside do not add to those of its siblings. It
// is closed by join.
func (p *parser) isolate() (height int) {
	height, p.height = p.height, 0
	return height
}

func (p *parser) join(height int) { p.height = max(height, p.height) }

// link counts one more link of a chain that has links already.
func (p *parser) link(links *int, at source.Span) {
	*links++
	p.height++
	if *links > maxChain || p.height > maxHeight {
		p.fail(itemLevel, chainTooLong(at))
	}
}
