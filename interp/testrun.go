package interp

import (
	"context"
	"regexp"
	"strings"
	"time"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// Report is what a test run found, as data.
type Report struct {
	Cells          []CellReport
	Passed, Failed int // assertions, and failures of rules that are none
}

// OK tells whether every rule held, each test cell has an assertion, and at least one of all
// was selected.
func (r *Report) OK() bool {
	ran := 0
	for _, c := range r.Cells {
		if c.Assertions+c.Skipped == 0 {
			return false
		}
		ran += c.Assertions
	}
	return r.Failed == 0 && ran > 0
}

// CellReport is one test cell's part.
type CellReport struct {
	Name           string
	Items          []Item // in order of what happened
	Assertions     int    // that ran
	Skipped        int    // assertions left out by the filter
	Passed, Failed int
}

// ItemKind tells items apart.
type ItemKind int

const (
	ItemNote        ItemKind = iota // Text is a remark
	ItemPrinted                     // Text was printed by the program
	ItemAssert                      // assert e
	ItemAssertFails                 // assert_fails e
	ItemProperty                    // property "name" …
	ItemBroken                      // another statement of the rules that raised
)

// Item is one line of a report: an assertion with its outcome, or a remark in its place.
type Item struct {
	Kind   ItemKind
	Source string // the rule as written, on one line: assert e
	Span   source.Span
	Passed bool
	// Left and Right are the two sides of a failed comparison; empty otherwise.
	Left, Right string
	// Raised is what was raised, for assert_fails that passed: the detail alone for
	// invalid_transition, else "kind: detail".
	Raised string
	// Text says why a rule failed, how a property was tried, or what a note or the program says.
	Text string
	// Err is the error that made the rule fail, if one did.
	Err *Error
}

// TestOptions select and equip a test run.
type TestOptions struct {
	World Options        // of each test cell; OnEcho and Print are used by the run itself
	Run   *regexp.Regexp // only assertions whose source or test cell's name matches; nil: all
	// Timeout bounds each statement of the rules, all tries of a property together; 0: no bound.
	Timeout time.Duration
}

// RunTests runs the test cells of a program in order, each against a fresh world. Rules that
// are not selected still run, since later ones may need what they do, but are not reported.
// The program must have passed resolution without errors.
func RunTests(ctx context.Context, p *resolve.Program, o TestOptions) *Report {
	report := &Report{}
	echoed := false
	for _, t := range p.Tests {
		r := &runner{all: ctx, timeout: o.Timeout, test: t, run: o.Run}
		o := o.World
		o.OnEcho = func() {
			if !echoed {
				echoed = true
				r.item(Item{Kind: ItemNote, Text: noteNoModel})
			}
		}
		o.Print = func(text string) { r.item(Item{Kind: ItemPrinted, Text: text}) }
		r.world = New(p, o)
		c := r.cell()
		report.Cells = append(report.Cells, c)
		report.Passed += c.Passed
		report.Failed += c.Failed
	}
	return report
}

// runner runs one test cell.
type runner struct {
	all     context.Context // of the whole run
	timeout time.Duration
	ctx     context.Context // of the present rule
	world   *World
	test    *resolve.TestCell
	run     *regexp.Regexp
	code    compiler // of the rules, which share their locals
	frame   *frame
	mocks   []*syntax.Mock // in order
	report  CellReport
}

func (r *runner) item(i Item) { r.report.Items = append(r.report.Items, i) }

func (r *runner) cell() CellReport {
	r.report.Name = r.test.Name
	r.bind()
	for _, rules := range r.test.Decl.Rules {
		for _, s := range rules.Items {
			r.rule(s)
		}
	}
	r.dropMocks()
	return r.report
}

// bind gives the locals of the rules their places: the rules of a test cell are one body.
func (r *runner) bind() {
	b := newBinder(r.world, r.test.Helpers)
	for _, rules := range r.test.Decl.Rules {
		for _, s := range rules.Items {
			b.visit(s)
		}
	}
	r.code = compiler{w: r.world, unit: b.unit, fn: b.fn, cell: r.test.Helpers}
	r.frame = (&code{fn: b.fn, cell: r.test.Helpers}).begin()
}

// eval runs an expression of the rules.
func (r *runner) eval(x syntax.Expr) (Value, error) {
	p := r.code.fragment(func(c *compiler) exec { return c.expr(x) })
	return r.world.run(r.frame, &p)
}

// rule runs one statement of the rules; each has a budget of its own.
func (r *runner) rule(s syntax.Stmt) {
	r.ctx = r.all
	if r.timeout > 0 {
		ctx, cancel := context.WithTimeout(r.all, r.timeout)
		defer cancel()
		r.ctx = ctx
	}
	r.world.startInvocation(r.ctx)
	var raised *Error
	switch s := s.(type) {
	case *syntax.Mock:
		raised = r.mock(s)
	case *syntax.Assert:
		raised = r.assert(s)
	case *syntax.AssertFails:
		raised = r.assertFails(s)
	case *syntax.Property:
		r.property(s)
	default:
		p := r.code.fragment(func(c *compiler) exec { return c.stmt(s) })
		_, err := r.world.run(r.frame, &p)
		raised = asError(err)
		if raised != nil {
			r.failed(Item{Kind: ItemBroken, Source: s.Span().Normal(), Span: s.Span(), Text: raisedText(raised), Err: raised})
		}
	}
	if raised != nil {
		r.dropMocks()
	}
}

// asError turns what left an expression into an error of the language.
func asError(err error) *Error {
	switch err := err.(type) {
	case nil:
		return nil
	case *Error:
		return err
	}
	return errUnsupported(err.Error())
}

func (r *runner) mock(s *syntax.Mock) *Error {
	callee := r.world.prog.Info.Mocks[s]
	if callee == nil {
		return errUndefinedFunction(s.Name.Name)
	}
	v, err := r.eval(s.Reply)
	if err == nil {
		err = r.world.mocks.add(callee, s, v)
	}
	if err != nil {
		e := asError(err)
		r.failed(Item{Kind: ItemBroken, Source: s.At.Normal(), Span: s.At, Text: raisedText(e), Err: e})
		return e
	}
	r.mocks = append(r.mocks, s)
	return nil
}

// dropMocks forgets the replies that are left, with a note for each mock.
func (r *runner) dropMocks() {
	unused, count := r.world.mocks.left(r.mocks)
	for _, m := range unused {
		r.item(Item{Kind: ItemNote, Text: noteUnusedMock(m, count[m]), Span: m.At})
	}
	r.world.mocks, r.mocks = mocks{}, nil
}

// done reports a rule that was judged, if it is selected.
func (r *runner) done(i Item) {
	if r.run != nil && !r.run.MatchString(i.Source) && !r.run.MatchString(r.test.Name) {
		r.report.Skipped++
		return
	}
	r.report.Assertions++
	if i.Passed {
		r.report.Passed++
		r.item(i)
		return
	}
	r.failed(i)
}

func (r *runner) failed(i Item) {
	r.report.Failed++
	r.item(i)
}

func (r *runner) assert(s *syntax.Assert) *Error {
	i := Item{Kind: ItemAssert, Source: "assert " + s.Cond.Span().Normal(), Span: s.At}
	v, sides, err := r.judge(s.Cond)
	if e := asError(err); e != nil {
		i.Err, i.Text = e, raisedText(e)
		r.done(i)
		return e
	}
	ok, isBool := v.(Bool)
	switch {
	case !isBool:
		i.Text = assertedNoBool(v)
	case bool(ok):
		i.Passed = true
	case sides != nil:
		i.Left, i.Right = r.show(sides[0]), r.show(sides[1])
	}
	r.done(i)
	return nil
}

// judge evaluates a condition; of a comparison it keeps the two sides.
func (r *runner) judge(x syntax.Expr) (v Value, sides []Value, err error) {
	b, ok := syntax.Unparen(x).(*syntax.Binary)
	if !ok || b.Op < syntax.EqOp || b.Op > syntax.GeOp {
		v, err = r.eval(x)
		return v, nil, err
	}
	for _, side := range []syntax.Expr{b.X, b.Y} {
		if v, err = r.eval(side); err != nil {
			return nil, nil, err
		}
		sides = append(sides, v)
	}
	v, err = r.world.operate(b.Op, sides[0], sides[1])
	return v, sides, at(err, x.Span())
}

func (r *runner) show(v Value) string {
	if depthOf(v) > maxDepth || weigh(v, maxText) > maxText {
		return aKind(v)
	}
	return Quote(v)
}

// raisedText shows an error as assert_fails does.
func raisedText(e *Error) string {
	if e.Kind == KindInvalidTransition {
		return e.Detail
	}
	return e.Error()
}

func (r *runner) assertFails(s *syntax.AssertFails) *Error {
	i := Item{Kind: ItemAssertFails, Span: s.At}
	i.Source = "assert_fails " + s.X.Span().Normal()
	want, hasWant := "", s.Matching != nil
	if hasWant {
		i.Source += " matching " + s.Matching.Span().Normal()
		v, err := r.eval(s.Matching)
		if err != nil {
			e := asError(err)
			i.Err, i.Text = e, raisedText(e)
			r.done(i)
			return e
		}
		want = Render(v)
	}
	_, err := r.eval(s.X)
	e := asError(err)
	i.Err = e
	switch {
	case e == nil:
		i.Text = notRaised()
	case noRefusal(e):
		i.Text = wrongReason(raisedText(e))
	case e.Kind == KindType && !hasWant:
		i.Text = typeNeedsMatching(raisedText(e))
	case hasWant && !strings.Contains(e.Error(), want):
		i.Text = notMatching(e.Error(), want)
	default:
		i.Passed, i.Raised = true, raisedText(e)
	}
	r.done(i)
	return e
}

// noRefusal tells errors that show a fault of the test or a limit of the toolkit, not that
// the program refused.
func noRefusal(e *Error) bool {
	switch e.Kind {
	case KindUndefinedVariable, KindUndefinedFunction, KindAmbiguous, KindUnsupported, KindLimit:
		return true
	}
	return false
}
