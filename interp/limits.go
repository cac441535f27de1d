package interp

import (
	"context"
	"errors"
	"runtime"
	"runtime/metrics"
)

// An invocation (a call from outside, a rule of a test cell, one try of a property) is bounded
// in steps, in memory, in nesting and in time, so that none can hang or exhaust the machine.
// Whatever goes past a bound ends the whole invocation: try does not catch it.
//
// Steps bound everything that takes time: code pays for its nodes, builtins for what they
// read, and all for the bytes that they allocate. No single text, list or Int can be large: its
// size is known, and refused, before it is built. What remains is the sum of what an invocation
// holds. It cannot be known from what was allocated, most of which is garbage at once; so each
// time enough was allocated the process's heap is looked at. Only that last bound depends on
// more than the program, and only by where exactly it strikes.

const (
	// DefaultSteps is the budget of one invocation: about a second of work.
	DefaultSteps = 200_000_000

	// maxText bounds one string, in bytes.
	maxText = 1 << 26
	// maxItems bounds one list.
	maxItems = 1 << 22
	// maxBits bounds one Int.
	maxBits = 1 << 20
	// maxDepth bounds the nesting of values that are rendered, compared or stored.
	maxDepth = 10_000

	// maxCalls bounds nested calls of handlers and lambdas.
	maxCalls = 512
	// maxNesting bounds the interpreter's own recursion, in nodes: room for maxCalls calls of
	// bodies as deep as the parser admits.
	maxNesting = 250_000

	// maxHeap bounds what the process holds after a collection, in bytes; one is made when it
	// holds more than fullHeap.
	maxHeap  = 256 << 20
	fullHeap = 512 << 20
	// heapEvery is how many bytes are allocated between two looks at the heap.
	heapEvery = 16 << 20
	// collectionPrice is what a collection costs, in steps.
	collectionPrice = 20_000_000

	// clockEvery is how many steps pass between two looks at the clock.
	clockEvery = 1 << 13
)

// spend takes steps off the budget.
func (w *World) spend(n int) error {
	w.steps -= n
	if w.steps < w.watch {
		return w.look()
	}
	return nil
}

// look sees whether the budget or the time is used up.
func (w *World) look() error {
	if w.steps < 0 {
		return errSteps()
	}
	w.watch = max(w.steps-clockEvery, 0)
	switch err := w.ctx.Err(); {
	case errors.Is(err, context.DeadlineExceeded):
		return errTime()
	case err != nil:
		return errStopped()
	}
	return nil
}

// allocate pays for bytes of values that are about to be allocated: a step for four of them,
// which is what finding them again as garbage takes.
func (w *World) allocate(bytes int) error { return w.draw(bytes, bytes>>2) }

// allocateText pays for a text of so many bytes, or refuses it.
func (w *World) allocateText(bytes int) error {
	if bytes > maxText {
		return errMemory()
	}
	return w.draw(bytes, bytes>>4)
}

func (w *World) draw(bytes, steps int) error {
	if err := w.spend(1 + steps); err != nil {
		return err
	}
	if w.drawn += bytes; w.drawn > heapEvery {
		w.drawn = 0
		return w.weighHeap()
	}
	return nil
}

func (w *World) weighHeap() error {
	if heapBytes() < fullHeap {
		return nil
	}
	runtime.GC()
	if heapBytes() > maxHeap {
		return errMemory()
	}
	return w.spend(collectionPrice)
}

// heapBytes is what the objects on the heap take, garbage not yet found included.
func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// About what values take, in bytes.
const (
	lambdaBytes = 96
	entryBytes  = 256 // of a slot, its undo included
)

func listBytes(n int) int { return 64 + 32*n }
func mapBytes(n int) int  { return 256 + 96*n }
