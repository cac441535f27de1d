package interp

import (
	"context"
	"testing"

	"soma.cell/frontend/resolve/resolvetest"
)

// benchmarks is the work that the benchmarks do.
const benchmarks = `
cell Bench {
    memory { stock: Map<String, Int> [persistent]  invariant stock >= 0 }
    state job { initial: a  a -> b -> a }
    on additions(n: Int) { let s = 0  for i in range(0, n) { s = s + i }  return s }
    on counting(n: Int) { let i = 0  let s = 0  while i < n { i += 1  s = s + i }  return s }
    on fib(n: Int) { if n < 2 { return n }  return fib(n - 1) + fib(n - 2) }
    on growing(n: Int) { let xs = []  for i in range(0, n) { xs = push(xs, i * i) }  return len(xs |> filter(x => x % 3 == 0)) }
    on writing(n: Int) { for i in range(0, n) { stock.set("k{i % 100}", i)  stock["k0"] += 1 }  return stock.size }
    on moving(n: Int) { for i in range(0, n) { transition("x", "b")  transition("x", "a") }  return get_status("x") }
}
`

func bench(b *testing.B, handler string, n int64, want string) {
	b.Helper()
	b.ReportAllocs()
	p := resolvetest.Program(b, benchmarks)
	for b.Loop() {
		v, err := New(p, Options{Steps: 1 << 40}).Call(context.Background(), "Bench", handler, []Value{NewInt(n)})
		if err != nil || Quote(v) != want {
			b.Fatal(v, err)
		}
	}
}

func BenchmarkTenMillionAdditions(b *testing.B) { bench(b, "additions", 10_000_000, "49999995000000") }
func BenchmarkTenMillionRounds(b *testing.B)    { bench(b, "counting", 10_000_000, "50000005000000") }
func BenchmarkFib27(b *testing.B)               { bench(b, "fib", 27, "196418") }
func BenchmarkGrowingList(b *testing.B)         { bench(b, "growing", 300_000, "100000") }
func BenchmarkSlotWrites(b *testing.B)          { bench(b, "writing", 100_000, "100") }
func BenchmarkMoves(b *testing.B)               { bench(b, "moving", 100_000, `"a"`) }
