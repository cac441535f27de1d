package resolve

import (
	"slices"
	"strings"
	"unicode"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// DropEchoes removes from what resolution found the mere consequences of what parsing
// reported: where a declaration did not parse whole, its lost parts are missed elsewhere.
// The text of a program is cut at the starts of its top-level declarations; a piece with a
// parse error in it is broken. A finding that says something is absent is an echo when it
// stands in a broken piece, or when a broken piece mentions the name that is missed. Names
// of locals, slots and states are missed within one cell only, so that for these only the
// pieces of that cell count. What stands nowhere is about a declaration without a name. A
// file that is used and not there may have held any cell. Everything else is independent and
// stays. The first list holds what loading and parsing reported.
func DropEchoes(files []*syntax.File, before, found []diag.Diagnostic) []diag.Diagnostic {
	pieces := brokenPieces(files, before)
	lost := slices.ContainsFunc(before, func(d diag.Diagnostic) bool { return d.Code == diag.MissingUse })
	if len(pieces) == 0 && !lost {
		return found
	}
	var out []diag.Diagnostic
	for _, d := range found {
		switch reach := absence(d.Code); {
		case d.Span.IsZero(): // of a name that did not parse
		case reach == nowhere, !(lost && reach == anywhere) && !echo(pieces, d, reach, cellAt(files, d.Span)):
			out = append(out, d)
		}
	}
	return out
}

// piece is a broken stretch of a file.
type piece struct {
	at    source.Span
	cell  string // of the declaration it starts with
	words map[string]bool
}

// brokenPieces lists the pieces that hold an error of the parser.
func brokenPieces(files []*syntax.File, before []diag.Diagnostic) []*piece {
	var out []*piece
	for _, f := range files {
		for _, p := range cut(f) {
			for _, d := range before {
				if d.Severity == diag.Error && d.Code != diag.MissingUse && !losesNothing(d.Code) && d.Span.File == f.Source && d.Span.Start >= p.at.Start && d.Span.Start < p.at.End {
					p.words = words(p.at.Text())
					out = append(out, p)
					break
				}
			}
		}
	}
	return out
}

// losesNothing tells of the parser's findings after which the tree holds all that was written.
func losesNothing(code diag.Code) bool {
	switch code {
	case diag.Semicolon, diag.IdleValue, diag.ComparisonChain, diag.ZeroPeriod, diag.BadLoopBound, diag.BareRule,
		diag.ForeignNull, diag.StrictEquality, diag.WordOperator, diag.ForeignElif, diag.FatArrowArm, diag.HandlerResult,
		diag.AssignInCondition:
		return true
	}
	return false
}

// cut divides a file at the starts of its declarations.
func cut(f *syntax.File) []*piece {
	end := len(f.Source.Text) + 1
	out := []*piece{{at: source.Span{File: f.Source, End: end}}}
	for _, d := range f.Decls {
		out[len(out)-1].at.End = d.At.Start
		out = append(out, &piece{at: source.Span{File: f.Source, Start: d.At.Start, End: end}, cell: d.Name.Name})
	}
	out[len(out)-1].at.End = len(f.Source.Text)
	return out
}

// cellAt names the declaration that a place stands in.
func cellAt(files []*syntax.File, at source.Span) string {
	name := ""
	for _, f := range files {
		if f.Source != at.File {
			continue
		}
		for _, d := range f.Decls {
			if d.At.Start <= at.Start {
				name = d.Name.Name
			}
		}
	}
	return name
}

// echo tells whether a finding may be no more than the consequence of a broken piece.
func echo(pieces []*piece, d diag.Diagnostic, reach reach, cell string) bool {
	for _, p := range pieces {
		if p.at.File == d.Span.File && d.Span.Start >= p.at.Start && d.Span.Start <= p.at.End {
			return true
		}
		if reach == ownCell && p.cell != cell {
			continue
		}
		if d.Code == diag.NoMachine && (p.words["state"] || p.words["initial"]) { // a machine was lost, whatever its name
			return true
		}
		for w := range words(d.Span.Text()) {
			if p.words[w] {
				return true
			}
		}
	}
	return false
}

// reach tells where the declaration of what is missed may stand.
type reach int

const (
	nowhere reach = iota // the finding does not speak of something missing
	ownCell
	anywhere
)

func absence(code diag.Code) reach {
	switch code {
	case diag.UndefinedName, diag.UnboundAssignment, diag.LocalUpdate, diag.UnknownState, diag.NeverEntered, diag.NeverState, diag.EmptyWildcard,
		diag.UnusedLet, diag.LetHidesLocal, diag.UselessArm, diag.MissingArms,
		diag.UndeclaredEdge, diag.InitialState, diag.NoEdges, diag.BadStatusRule, diag.UnusedResult:
		return ownCell
	case diag.MissingFlesh, diag.MissingSkeleton, diag.UndeclaredInFace, diag.SignalWithoutHandler, diag.UnknownType,
		diag.UnknownFrameSlot, diag.UnknownFrameEdge, diag.UnknownFrameCallee, diag.UndefinedFunction, diag.WrongCount,
		diag.NoMachine, diag.UnknownVariant, diag.VariantForm, diag.NoListener, diag.UnknownMock,
		diag.UnknownPropState, diag.UnboundProperty, diag.UnknownTool, diag.UnusedPrivate, diag.UnknownTypeText, diag.NearVariant:
		return anywhere
	}
	return nowhere
}

// words lists the identifiers of a text.
func words(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.FieldsFunc(text, func(c rune) bool {
		return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	}) {
		out[w] = true
	}
	return out
}
