package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/taskwright/taskwright/internal/store"
	"go.uber.org/goleak"
)

// testEnv is a world in memory.
func testEnv() (e *env, stdout, stderr *bytes.Buffer) {
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	e = newEnv(strings.NewReader(""), stdout, stderr)
	e.getenv = func(string) string { return "" }
	return e, stdout, stderr
}

func openStore(t *testing.T) *store.Store {
	t.Helper()
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

func TestUnits(t *testing.T) {
	e, stdout, stderr := testEnv()
	st := openStore(t)
	var calls atomic.Int32
	do := func(_ context.Context, s string) (map[string]any, error) {
		calls.Add(1)
		switch s {
		case "bad":
			return nil, errors.New("it is bad")
		case "worse":
			return nil, errors.New("it is worse")
		}
		return map[string]any{"word": s, "letters": len(s)}, nil
	}
	items := []string{"one", "bad", "three", "one", "worse", "bad"}
	key := func(s string) string { return s }
	for round := range 2 {
		o, err := runUnits(context.Background(), e, st, "words", 3, items, key, do)
		if err != nil {
			t.Fatal(err)
		}
		one := map[string]any{"word": "one", "letters": 3.0} // as it comes out of the store, in the first round, too
		want := []map[string]any{one, {"word": "three", "letters": 5.0}, one}
		if diff := cmp.Diff(want, o.Values()); diff != "" {
			t.Error(diff)
		}
		if o.Done != 3 || o.Failed != 3 || o.Skipped != 3*round {
			t.Errorf("round %d: %d done, %d skipped, %d failed", round, o.Done, o.Skipped, o.Failed)
		}
		var partial *partialError
		if err := o.Partial(); !errors.As(err, &partial) || err.Error() != "words: 3 of 6 units failed:\n  it is bad (2 times)\n  it is worse" {
			t.Errorf("partial: %v", err)
		}
	}
	if n := calls.Load(); n != 4+2 { // equal keys once; failed ones again
		t.Errorf("%d calls", n)
	}
	if stdout.Len() != 0 || !strings.Contains(stderr.String(), "words  4/4") {
		t.Errorf("stdout %q, stderr %q", stdout, stderr)
	}
}

func TestManyReasonsAreCut(t *testing.T) {
	e, _, _ := testEnv()
	e.quiet = true
	items := make([]int, 20)
	for i := range items {
		items[i] = i
	}
	o, err := runUnits(context.Background(), e, nil, "s", 4, items, func(i int) string { return fmt.Sprint(i) }, func(_ context.Context, i int) (int, error) {
		return 0, fmt.Errorf("reason %d", i)
	})
	if err != nil || len(o.Values()) != 0 {
		t.Fatal(err)
	}
	if got := o.Partial().Error(); !strings.HasPrefix(got, "s: 20 of 20 units failed:\n  reason 0\n  reason 1\n") || !strings.HasSuffix(got, "reason 4\n  and 15 more reasons") {
		t.Error(got)
	}
}

func TestUnitsStop(t *testing.T) {
	defer goleak.VerifyNone(t)
	broken := errors.New("disk is full")
	ctx, cancel := context.WithCancel(context.Background())
	closed, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	tests := []struct {
		name  string
		store *store.Store
		do    func(context.Context, int) (int, error)
		want  error
	}{
		{"error of the machine", nil, func(_ context.Context, i int) (int, error) {
			if i == 3 {
				return 0, fmt.Errorf("unit %d: %w", i, stop(broken))
			}
			return i, nil
		}, broken},
		{"cancelled", nil, func(ctx context.Context, i int) (int, error) {
			if i == 3 {
				cancel()
			}
			return i, ctx.Err()
		}, context.Canceled},
		{"store", closed, func(context.Context, int) (int, error) { return 0, nil }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, _, _ := testEnv()
			items := make([]int, 1000)
			for i := range items {
				items[i] = i
			}
			_, err := runUnits(ctx, e, tt.store, "s", 2, items, func(i int) string { return fmt.Sprint(i) }, tt.do)
			if err == nil || !strings.HasPrefix(err.Error(), "s: ") || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("error: %v", err)
			}
		})
	}
}

func TestUndecodableResultIsDoneAgain(t *testing.T) {
	e, _, _ := testEnv()
	st := openStore(t)
	if err := st.Put("s", "k", []byte(`{"an":"object"}`)); err != nil {
		t.Fatal(err)
	}
	for _, skipped := range []int{0, 1} {
		o, err := runUnits(context.Background(), e, st, "s", 1, []int{1}, func(int) string { return "k" }, func(context.Context, int) ([]int, error) { return []int{7}, nil })
		if err != nil || o.Skipped != skipped || !cmp.Equal(o.Values(), [][]int{{7}}) {
			t.Errorf("%+v, %v", o, err)
		}
	}
}
