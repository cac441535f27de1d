package interp

import (
	"context"
	"soma.cell/frontend/syntax"
	"time"
)

// A World reaches nothing by itself: files, the network, a clock, people and a model are handed
// to it, one small interface each. What is not handed over is absent, and programs see that.

// Options are what a World gets from outside. The zero value is usable: no model (think
// echoes), a clock that stands still, no files, no network, nobody to approve.
type Options struct {
	Model   Model            // nil: think echoes its prompt and OnEcho is told
	OnEcho  func()           // called at each think that echoes for want of a model
	Clock   func() time.Time // nil: the start of 1970
	Seed    uint64           // of random
	Network Network          // nil: there is no network
	Files   Files            // nil: file builtins answer {error}
	Input   func() string    // what read_stdin gives, the same each time; nil: nothing
	Print   func(text string)
	Approve func(action string) bool // answers approve; nil raises approval_required
	Trace   func(Step)               // told of each step of a run, nil: nobody
	Observe func(syntax.Expr, Value) // told of what each expression gives, nil: nobody
	Steps   int                      // budget of one invocation, in evaluated nodes; 0 means DefaultSteps
}

// Files is the file system that programs see. Errors are shown to the program.
type Files interface {
	ReadFile(name string) ([]byte, error)
	WriteFile(name string, data []byte) error
	// ReadDir gives the names of the plain files in a folder, sorted.
	ReadDir(name string) ([]string, error)
}

// Network answers http_*. It never fails: what goes wrong is a value, made by NetworkFailure or
// HTTPResult.
type Network interface {
	Fetch(ctx context.Context, f Fetch) Value
}

// NetworkFunc is a function as a Network.
type NetworkFunc func(f Fetch) Value

// Fetch calls the function.
func (n NetworkFunc) Fetch(_ context.Context, f Fetch) Value { return n(f) }

// Fetch is one HTTP request of a program.
type Fetch struct {
	Method   string // GET, POST, …
	URL      string
	Body     Value // () without one
	Headers  []Header
	Timeout  time.Duration // 0: not stated
	MaxBytes int           // of the reply; 0: not stated
}

// Header is one header of a request.
type Header struct{ Name, Value string }

// HTTPResult is what http_* gives for a reply: the body when the status is 2xx, read as JSON
// where it is JSON, else a failure of kind http_status. The status line is like "404 Not Found".
func HTTPResult(status int, line, body string) Value {
	v, err := FromJSON(body)
	if err != nil {
		v = String(body)
	}
	if status >= 200 && status < 300 {
		return v
	}
	return MapOf("error", String("status "+line), "kind", String("http_status"), "status", NewInt(int64(status)), "body", v)
}

// NetworkFailure is what http_* gives when no reply came: the kind is timeout, refused or
// network.
func NetworkFailure(kind, text string) Value {
	return MapOf("error", String(text), "kind", String(kind), "status", Unit{}, "body", Unit{})
}
