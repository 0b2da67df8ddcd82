package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/taskwright/taskwright/internal/parallel"
	"github.com/taskwright/taskwright/internal/progress"
	"github.com/taskwright/taskwright/internal/store"
)

// unit is what became of one item of a stage: a value, or the reason why not.
type unit[Out any] struct {
	Value Out
	Err   error
}

// outcome is what became of all items of a stage.
type outcome[Out any] struct {
	Stage   string
	Units   []unit[Out] // in the order of the items
	Done    int         // units with a value
	Skipped int         // of which an earlier run had finished
	Failed  int
}

// Values are the results of the units that did not fail, in the order of the
// items.
func (o outcome[Out]) Values() []Out {
	values := make([]Out, 0, o.Done)
	for _, u := range o.Units {
		if u.Err == nil {
			values = append(values, u.Value)
		}
	}
	return values
}

// Partial is a [partialError] if units failed, else nil.
func (o outcome[Out]) Partial() error {
	if o.Failed == 0 {
		return nil
	}
	var reasons []string
	for _, u := range o.Units {
		if u.Err != nil {
			reasons = append(reasons, u.Err.Error())
		}
	}
	return &partialError{Stage: o.Stage, Failed: o.Failed, Total: len(o.Units), Reasons: summed(reasons)}
}

// stopError is an error that ends a stage, where others only fail their unit.
type stopError struct{ err error }

func (e *stopError) Error() string { return e.err.Error() }
func (e *stopError) Unwrap() error { return e.err }

// stop marks an error as one that is about the machine, not about the unit: a
// full disk, a store that cannot be read.
func stop(err error) error {
	if err == nil {
		return nil
	}
	return &stopError{err}
}

// runUnits is the one loop of all stages: a map of do over items, at most
// workers at a time. key is the digest of everything that can change a unit's
// result and nothing else; items with one key are done once. A result, which
// must survive JSON, is stored under stage and key as soon as it is there, and
// a unit whose result is stored already is not done again.
//
// An error of do is a failed unit: it is counted, not stored, and stops
// nothing. The returned error is that of the context, with what was finished
// kept in the store; or of the store; or one that do marked with [stop].
// st may be nil: then nothing is kept.
func runUnits[In, Out any](ctx context.Context, e *env, st *store.Store, stage string, workers int, items []In,
	key func(In) string, do func(context.Context, In) (Out, error)) (outcome[Out], error) {
	keys := make([]string, len(items))
	first := map[string]int{} // index into distinct by key
	var distinct []int        // index of the first item of each key
	for i, item := range items {
		keys[i] = key(item)
		if _, seen := first[keys[i]]; !seen {
			first[keys[i]] = len(distinct)
			distinct = append(distinct, i)
		}
	}
	l := &loop[Out]{store: st, stage: stage, line: e.progress().Begin(stage, len(distinct))}
	defer l.line.End()
	var finished []found[Out]
	for f, err := range parallel.Map(ctx, workers, distinct, func(ctx context.Context, _, i int) (found[Out], error) {
		return l.unit(ctx, keys[i], func(ctx context.Context) (Out, error) { return do(ctx, items[i]) })
	}) {
		if err != nil {
			return outcome[Out]{}, wrap(stage, err)
		}
		finished = append(finished, f)
	}
	return gather(stage, keys, first, finished), nil
}

// found is a unit and whether an earlier run had finished it.
type found[Out any] struct {
	unit[Out]
	stored bool
}

// gather gives each item the unit of its key.
func gather[Out any](stage string, keys []string, first map[string]int, finished []found[Out]) outcome[Out] {
	o := outcome[Out]{Stage: stage, Units: make([]unit[Out], len(keys))}
	for i, k := range keys {
		f := finished[first[k]]
		o.Units[i] = f.unit
		switch {
		case f.Err != nil:
			o.Failed++
		case f.stored:
			o.Skipped++
			o.Done++
		default:
			o.Done++
		}
	}
	return o
}

// loop is the part of runUnits that does not depend on the items.
type loop[Out any] struct {
	store *store.Store
	stage string
	line  *progress.Stage
}

// unit finishes one unit. The error is one that ends the stage.
func (l *loop[Out]) unit(ctx context.Context, key string, do func(context.Context) (Out, error)) (found[Out], error) {
	if value, ok, err := l.load(key); ok || err != nil {
		if ok {
			l.line.Skip(1)
		}
		return found[Out]{unit[Out]{Value: value}, true}, err
	}
	value, err := do(ctx)
	var stopped *stopError
	switch {
	case err == nil:
	case errors.As(err, &stopped):
		return found[Out]{}, err
	case ctx.Err() != nil:
		return found[Out]{}, ctx.Err()
	default:
		l.line.Fail()
		return found[Out]{unit[Out]{Err: err}, false}, nil
	}
	if value, err = l.save(key, value); err != nil {
		return found[Out]{}, err
	}
	l.line.Finish()
	return found[Out]{unit[Out]{Value: value}, false}, nil
}

// load is the stored result of a unit. One that cannot be decoded, such as
// that of another version, is as good as none.
func (l *loop[Out]) load(key string) (value Out, ok bool, err error) {
	if l.store == nil {
		return value, false, nil
	}
	raw, ok, err := l.store.Get(l.stage, key)
	if err != nil || !ok {
		return value, false, err
	}
	if json.Unmarshal(raw, &value) != nil {
		var none Out
		return none, false, nil
	}
	return value, true, nil
}

// save stores a result and returns it as a later run will load it, so that a
// run that was killed and one that was not go on with equal values.
func (l *loop[Out]) save(key string, value Out) (kept Out, err error) {
	raw, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(raw, &kept)
	}
	if err != nil {
		return kept, fmt.Errorf("encoding a result: %w", err)
	}
	if l.store == nil {
		return kept, nil
	}
	return kept, l.store.Put(l.stage, key, raw)
}
