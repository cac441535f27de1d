package workers_test

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"soma.cell/proofs/workers"
)

func TestEachCallsAll(t *testing.T) {
	for _, jobs := range []int{-1, 0, 1, 2, 8, 100} {
		for _, n := range []int{0, 1, 2, 50} {
			calls := make([]int32, n)
			workers.Each(jobs, n, func(i int) { atomic.AddInt32(&calls[i], 1) })
			if slices.ContainsFunc(calls, func(c int32) bool { return c != 1 }) {
				t.Errorf("%d jobs, %d calls: %v", jobs, n, calls)
			}
		}
	}
}

// Two jobs run at the same time: each call waits for the other.
func TestEachRunsJobsTogether(t *testing.T) {
	var both sync.WaitGroup
	both.Add(2)
	workers.Each(2, 2, func(int) { both.Done(); both.Wait() })
}

func TestEachRunsNoMoreThanItsJobs(t *testing.T) {
	var now, most atomic.Int32
	workers.Each(3, 100, func(int) {
		if n := now.Add(1); n > 3 {
			most.Store(n)
		}
		now.Add(-1)
	})
	if most.Load() > 0 {
		t.Errorf("%d calls ran together", most.Load())
	}
}

func TestThePanicOfTheFirstGoesOn(t *testing.T) {
	for _, jobs := range []int{1, 4} {
		func() {
			defer func() {
				if cause := recover(); cause != 3 {
					t.Errorf("%d jobs: it panics with %v", jobs, cause)
				}
			}()
			workers.Each(jobs, 10, func(i int) {
				if i >= 3 {
					panic(i)
				}
			})
		}()
	}
}
