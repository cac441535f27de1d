package interp

import (
	"context"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"soma.cell/frontend/resolve/resolvetest"
)

// hostile are bodies that would hang, exhaust the memory or overflow the stack, with the kind
// of error that ends them. Errors of kind limit and stack_overflow pass through try.
var hostile = []struct{ name, body, kind string }{
	{"an endless loop", `while true { }`, KindLimit},
	{"an endless loop in a try", `let r = try { while true { } }  r.kind`, KindLimit},
	{"an endless loop in a lambda", `let f = x => { while true { } }  f(1)`, KindLimit},
	{"an endless loop of a builtin's lambda", `range(0, 4000000) |> map(x => range(0, 4000000) |> count(y => y > x))`, KindLimit},
	{"an endless walk of a range", `for i in range(0, shl(1, 1000)) { }`, KindLimit},
	{"an empty walk with tiny steps", `for i in range(shl(1, 1000), 0, -1) { let r = try { fail("x") } }`, KindLimit},
	{"loops in loops", `for i in range(0, 1000000) { for j in range(0, 1000000) { for k in range(0, 1000000) { } } }`, KindLimit},
	{"a doubling list", `let xs = [1, "a"]  while true { xs = concat(xs, xs) }`, KindLimit},
	{"a doubling sum of lists", `let xs = ["a"]  while true { xs = xs + xs }`, KindLimit},
	{"a doubling text", `let s = "x"  while true { s = s + s }`, KindLimit},
	{"a doubling interpolation", `let s = "x"  while true { s = "{s}{s}" }`, KindLimit},
	{"a text in a joined list", `let xs = range(0, 100000) |> map(x => pad_left("", 1000, "x"))  join(xs, ",")`, KindLimit},
	{"a growing list", `let xs = list()  while true { xs = push(xs, pad_left("", 1000, "x") + "y") }`, KindLimit},
	{"a growing list of lists", `let xs = list()  while true { xs = push(xs, [1, 2, 3]) }`, KindLimit},
	{"a growing map", `let m = map()  let i = 0  while true { i += 1  m["key {i}"] = i }`, KindLimit},
	{"a growing map by with", `let m = map()  let i = 0  while true { i += 1  m = with(m, i, [i]) }`, KindLimit},
	{"growing memory", `let i = 0  while true { i += 1  stock.set("key {i}", i) }`, KindLimit},
	{"a growing log", `while true { log.push("a line of the log") }`, KindLimit},
	{"endless moves", `transition("j", "running")  while true { transition("j", "running") }`, KindLimit},
	{"many instances", `let i = 0  while true { i += 1  transition("j{i}", "running") }`, KindLimit},
	{"a chain of lambdas", `let f = x => x  while true { let g = f  f = x => g(x) }`, KindLimit},
	{"endless recursion", `recurse(0)`, KindStackOverflow},
	{"endless recursion in a try", `let r = try { recurse(0) }  r.kind`, KindStackOverflow},
	{"recursion of lambdas", `let g = list()  let f = x => { let h = g[0]  h(x) }  g = [f]  f(1)`, KindStackOverflow},
	{"a huge power", `ipow(10, 10000000)`, KindLimit},
	{"a huge shift", `shl(1, 1000000000000)`, KindRange},
	{"growing products", `let n = 3  while true { n = n * n }`, KindLimit},
	{"products of large Ints", `let n = shl(1, 500000) + 1  let m = 0  while true { m = n * n  m = m / 7 }`, KindLimit},
	{"remainders of large Ints", `let n = shl(1, 1000000) + 1  let m = shl(1, 500000) + 3  while true { n % m }`, KindLimit},
	{"digits of large Ints", `let n = shl(1, 1000000)  while true { len(to_string(n)) }`, KindLimit},
	{"comparing large Ints with Floats", `let n = shl(1, 1000000)  while true { n < 1.5 }`, KindLimit},
	{"a power with a large modulus", `let m = shl(1, 100000) + 1  while true { pow_mod(m - 2, m - 3, m) }`, KindLimit},
	{"a range as a list", `range(0, 1000000000000)`, KindLimit},
	{"padding", `pad_left("x", 1000000000000)`, KindLimit},
	{"padding with a text", `pad_right("", 1000000000000, "abc")`, KindLimit},
	{"a replacement that grows", `let s = "aa"  while true { s = replace(s, "a", "aa") }`, KindLimit},
	{"a large matrix", `zeros(1000000, 1000000)`, KindLimit},
	{"products of matrices", `let m = zeros(400, 400)  while true { m = m * m }`, KindLimit},
	{"a deep list, shown", `let xs = list()  for i in range(0, 60000) { xs = [xs] }  to_string(xs)`, KindRange},
	{"a deep list, compared", `let xs = list()  for i in range(0, 60000) { xs = [xs] }  xs == xs`, KindRange},
	{"a deep list, in a message", `let xs = list()  for i in range(0, 60000) { xs = [xs] }  fail("x", "{xs}")`, KindRange},
	{"a deep list, flattened and sorted", `let xs = list()  for i in range(0, 60000) { xs = [xs] }  sort(flatten([xs, xs]))`, KindRange},
	{"a deep list, as an argument", `let xs = list()  for i in range(0, 60000) { xs = [xs] }  deep(xs)`, KindType},
	{"a deep map, as JSON", `let m = map()  for i in range(0, 60000) { m = map("k", m) }  to_json(m)`, KindRange},
	{"a deep variant, compared", `let t = Leaf  for i in range(0, 30000) { t = Node { left: t, right: Leaf } }  t == t`, KindRange},
	{"a broad tree that shares its parts", `let xs = [0]  for i in range(0, 60) { xs = [xs, xs] }  to_json(xs)`, KindLimit},
	{"two trees that share their parts", `let xs = [0]  for i in range(0, 60) { xs = [xs, xs] }  let ys = [0]  for i in range(0, 60) { ys = [ys, ys] }  xs == ys`, KindLimit},
	{"deep JSON", `from_json(pad_left("", 5000000, "["))`, KindJSON},
	{"a sort of many lists", `let xs = range(0, 1000) |> map(x => range(0, 4000))  while true { xs = sort(xs) }`, KindLimit},
	{"characters of a long text", `let s = pad_left("", 1000000, "é")  let i = 0  let c = ""  while true { c = s[i]  i += 1 }`, KindLimit},
	{"lines of a long text", `let s = pad_left("", 10000000, "a\n")  while true { for l in s { } }`, KindLimit},
	{"what memory holds, again and again", `for i in range(0, 10000) { log.push("x") }  while true { let all = log }`, KindLimit},
	{"deletes at the front", `for i in range(0, 100000) { log.push("x") }  while true { log.delete(0)  log.push("x") }`, KindLimit},
	{"a regular expression", `let s = pad_left("", 1000000, "a")  while true { regex_match(s, "(a|aa)*b") }`, KindLimit},
}

// With a part of the usual steps, lest the test takes minutes.
func TestHostilePrograms(t *testing.T) {
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			w := New(resolvetest.Program(t, lab(h.body)), Options{Steps: DefaultSteps / 20})
			peak, stop := watchHeap()
			start := cpu()
			_, err := w.Call(context.Background(), "Lab", "f", nil)
			took := cpu() - start
			stop()
			e, ok := err.(*Error)
			if !ok || e.Kind != h.kind {
				t.Fatalf("ends in %v, want %s", err, h.kind)
			}
			if final := h.kind == KindLimit || h.kind == KindStackOverflow; e.Final != final {
				t.Errorf("%v: final %v, want %v", e, e.Final, final)
			}
			if took > 10*time.Second {
				t.Errorf("took %v", took)
			}
			if *peak > 900<<20 {
				t.Errorf("the heap grew to %d MB", *peak>>20)
			}
			t.Logf("%v, %d MB: %v", took.Round(time.Millisecond), *peak>>20, e)
			if v, err := w.Call(context.Background(), "Lab", "add", []Value{NewInt(1), NewInt(2)}); err != nil || Quote(v) != "3" {
				t.Errorf("afterwards the world is broken: %v, %v", v, err)
			}
			runtime.GC()
		})
	}
}

// cpu is the time that the processors spent on this process: a test must not depend on what
// else the machine does.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// watchHeap notes the largest heap until it is told to stop.
func watchHeap() (peak *uint64, stop func()) {
	peak = new(uint64)
	done, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			*peak = max(*peak, heapBytes())
			select {
			case <-done:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	return peak, func() { close(done); <-stopped }
}

// Bodies as deep and as long as the parser admits do not overflow the stack, however often
// they call themselves.
func TestNestingIsBounded(t *testing.T) {
	nested := strings.Repeat("if n > 0 { ", 380) + "f(n + 1)" + strings.Repeat(" }", 380)
	sums := "f(n + 1)" + strings.Repeat(" + 1", 9_900)
	for _, body := range []string{nested, sums, "let r = try { " + sums + " }"} {
		p := resolvetest.Program(t, "cell P { on f(n: Int) { "+body+" } }")
		_, err := New(p, Options{}).Call(context.Background(), "P", "f", []Value{NewInt(1)})
		if e, ok := err.(*Error); !ok || e.Kind != KindStackOverflow || !e.Final {
			t.Errorf("%.40s…: %v", body, err)
		}
	}
}

func TestTimeIsBounded(t *testing.T) {
	w := New(resolvetest.Program(t, lab(`while true { }`)), Options{Steps: 1 << 50})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := w.Call(ctx, "Lab", "f", nil)
	if e, ok := err.(*Error); !ok || e.Kind != KindLimit || !e.Final || !strings.Contains(e.Detail, "too long") {
		t.Errorf("ends in %v", err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	cancel()
	_, err = w.Call(ctx, "Lab", "f", nil)
	if e, ok := err.(*Error); !ok || e.Kind != KindLimit || !strings.Contains(e.Detail, "interrupted") {
		t.Errorf("ends in %v", err)
	}
}
