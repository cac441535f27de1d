// Package workers does things that do not depend on each other at the same time.
package workers

import (
	"sync"
	"sync/atomic"
)

// Each calls do for 0 to n-1, on at most jobs goroutines, and returns when all calls have. With a
// single job, or less, they run in order and on the caller's own. Whatever panics in a call goes
// on here, the first in order, when the others have ended.
func Each(jobs, n int, do func(i int)) {
	if jobs = min(jobs, n); jobs <= 1 {
		for i := range n {
			do(i)
		}
		return
	}
	causes := make([]any, n)
	var next atomic.Int64
	var all sync.WaitGroup
	for range jobs {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				causes[i] = caught(func() { do(i) })
			}
		})
	}
	all.Wait()
	for _, cause := range causes {
		if cause != nil {
			panic(cause)
		}
	}
}

// caught is what a call panicked with, or nil.
func caught(call func()) (cause any) {
	defer func() { cause = recover() }()
	call()
	return nil
}
