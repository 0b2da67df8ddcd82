package parallel_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/taskwright/taskwright/internal/parallel"
	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestOrderAndBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 60).Draw(t, "items")
		workers := rapid.IntRange(0, 9).Draw(t, "workers")
		in := make([]int, n)
		for i := range in {
			in[i] = i * 10
		}
		var running, most atomic.Int32
		i := 0
		for out, err := range parallel.Map(context.Background(), workers, in, func(_ context.Context, at, item int) (int, error) {
			now := running.Add(1)
			defer running.Add(-1)
			for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
			}
			if at%7 == 3 {
				return 0, fmt.Errorf("item %d", at)
			}
			return item + at, nil
		}) {
			if (err != nil) != (i%7 == 3) || err == nil && out != i*11 {
				t.Fatalf("result %d: %d, %v", i, out, err)
			}
			i++
		}
		if i != n {
			t.Fatalf("%d results for %d items", i, n)
		}
		if workers > 0 && int(most.Load()) > workers {
			t.Fatalf("%d ran at once with %d workers", most.Load(), workers)
		}
	})
}

func TestSlowFirstItemDoesNotBlockTheOthers(t *testing.T) {
	other := make(chan struct{})
	in := []int{0, 1, 2}
	var got []int
	for out := range parallel.Map(context.Background(), 2, in, func(_ context.Context, i, item int) (int, error) {
		if i == 0 {
			<-other // ends only when item 2, the third for two workers, ran
		}
		if i == 2 {
			close(other)
		}
		return item, nil
	}) {
		got = append(got, out)
	}
	if fmt.Sprint(got) != "[0 1 2]" {
		t.Fatal(got)
	}
}

func TestCancelKeepsWhatRan(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	in := make([]int, 1000)
	var begun atomic.Int32
	finished, stopped := 0, 0
	for _, err := range parallel.Map(ctx, 3, in, func(ctx context.Context, i, _ int) (int, error) {
		begun.Add(1)
		if i == 10 {
			cancel()
		}
		return i, nil
	}) {
		switch {
		case err == nil:
			finished++
		case errors.Is(err, context.Canceled):
			stopped++
		default:
			t.Fatal(err)
		}
	}
	if finished < 11 || finished != int(begun.Load()) || stopped != 1 || finished > 30 {
		t.Errorf("finished %d, stopped %d, begun %d", finished, stopped, begun.Load())
	}
}

func TestBreakCancelsAndWaits(t *testing.T) {
	var running atomic.Int32
	in := make([]int, 100)
	for range parallel.Map(context.Background(), 4, in, func(ctx context.Context, i, _ int) (int, error) {
		running.Add(1)
		defer running.Add(-1)
		if i > 0 {
			<-ctx.Done()
		}
		return i, nil
	}) {
		break
	}
	if n := running.Load(); n != 0 {
		t.Errorf("%d still running after the loop", n)
	}
}

func TestPanicReachesTheConsumer(t *testing.T) {
	defer func() {
		if recover() != "boom" {
			t.Error("the panic was lost")
		}
	}()
	for range parallel.Map(context.Background(), 2, []int{1, 2, 3}, func(_ context.Context, i, _ int) (int, error) {
		if i == 1 {
			panic("boom")
		}
		return 0, nil
	}) {
	}
	t.Error("no panic")
}

func TestSequenceCanBeRangedTwice(t *testing.T) {
	seq := parallel.Map(context.Background(), 2, []int{1, 2}, func(_ context.Context, _, v int) (int, error) { return v, nil })
	sum := 0
	for range 2 {
		for v := range seq {
			sum += v
		}
	}
	if sum != 6 {
		t.Error(sum)
	}
}

func ExampleMap() {
	words := []string{"find", "fly", "stay"}
	for n, err := range parallel.Map(context.Background(), 2, words, func(_ context.Context, i int, w string) (string, error) {
		return fmt.Sprint(i, ":", len(w)), nil
	}) {
		fmt.Println(n, err)
	}
	// Output:
	// 0:4 <nil>
	// 1:3 <nil>
	// 2:4 <nil>
}
