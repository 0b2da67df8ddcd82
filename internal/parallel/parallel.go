// Package parallel maps a function over a list with a bounded number of
// goroutines and gives the results back in the order of the list, so that
// nothing downstream can depend on which one finished first.
//
//	for out, err := range parallel.Map(ctx, 4, units, work) { … }
package parallel

import (
	"context"
	"iter"
	"runtime"
	"sync"
)

// ahead bounds how many items, in multiples of the workers, may be begun while
// the consumer still waits for an earlier one.
const ahead = 4

// Map calls f for each item of in, at most workers at a time, and yields the
// results in input order. f gets the item's index. workers below 1 means
// [runtime.GOMAXPROCS].
//
// An error of f is yielded beside its item and stops nothing: the consumer
// decides. When ctx is done no further item is begun. The begun ones, which are
// all before the others, are waited for and yielded; then the first item that
// was not begun yields the context's error, and the sequence ends. When the
// consumer breaks, the context given to f is cancelled. A panic in f continues
// in the consumer's goroutine. In every case all goroutines have returned when
// the sequence ends.
//
// Memory is bounded: at most workers times 4 results wait for the consumer.
func Map[In, Out any](ctx context.Context, workers int, in []In, f func(context.Context, int, In) (Out, error)) iter.Seq2[Out, error] {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, max(1, len(in)))
	return func(yield func(Out, error) bool) {
		m := newMapping(workers, f)
		m.run(ctx, in, yield)
	}
}

// result is what became of one item.
type result[Out any] struct {
	out      Out
	err      error
	begun    bool
	panicked any
}

// mapping is one pass over a list. jobs holds the indices that may be begun;
// the result of item i goes to slots[i%len(slots)].
type mapping[In, Out any] struct {
	workers int
	f       func(context.Context, int, In) (Out, error)
	taking  sync.Mutex // held while a worker takes a job
	jobs    chan int
	slots   []chan result[Out]
}

func newMapping[In, Out any](workers int, f func(context.Context, int, In) (Out, error)) *mapping[In, Out] {
	window := workers * ahead
	m := &mapping[In, Out]{workers: workers, f: f, jobs: make(chan int, window), slots: make([]chan result[Out], window)}
	for i := range m.slots {
		m.slots[i] = make(chan result[Out], 1)
	}
	return m
}

func (m *mapping[In, Out]) run(ctx context.Context, in []In, yield func(Out, error) bool) {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer close(m.jobs)
	defer cancel()
	for range m.workers {
		wg.Go(func() {
			for i, open, err := m.take(ctx); open; i, open, err = m.take(ctx) {
				r := result[Out]{err: err}
				if err == nil {
					r = m.one(ctx, i, in[i])
				}
				m.slots[i%len(m.slots)] <- r
			}
		})
	}
	submitted := 0
	for i := range in {
		for ; submitted < min(len(in), i+len(m.slots)); submitted++ {
			m.jobs <- submitted
		}
		r := <-m.slots[i%len(m.slots)]
		if r.panicked != nil {
			panic(r.panicked)
		}
		if !yield(r.out, r.err) || !r.begun {
			return
		}
	}
}

// take is the next job and whether the context is done. Jobs are taken one
// after another, so that those that are begun come before all others.
func (m *mapping[In, Out]) take(ctx context.Context) (i int, open bool, err error) {
	m.taking.Lock()
	defer m.taking.Unlock()
	i, open = <-m.jobs
	return i, open, ctx.Err()
}

// one runs f for one item.
func (m *mapping[In, Out]) one(ctx context.Context, i int, item In) (r result[Out]) {
	r.begun = true
	defer func() { r.panicked = recover() }()
	r.out, r.err = m.f(ctx, i, item)
	return r
}
