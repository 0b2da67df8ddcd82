package datasets

import (
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"
)

// benchTask is a task of about 24 KB: four steps with outputs of about 5 KB.
func benchTask(i int) Task {
	t := sampleTask(i)
	for s := range 4 {
		var b strings.Builder
		b.WriteString(`{"items":[`)
		for k := range 50 {
			if k > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"id":"item-%d-%d-%d","name":"Place number %d","lat":%d.%04d,"lon":-%d.%04d,"note":"open %d to %d","token":"%s"}`,
				i, s, k, (i*31+k)%997, 30+k%20, (i*7919+k*104729)%10000, 100+k%20, (i*6101+k*7)%10000, k%12, 12+k%12, Digest(fmt.Sprint(i, s, k))[:48])
		}
		b.WriteString(`]}`)
		t.Reference = append(t.Reference, Executed{Step: int32(s + 3), Server: "places", Tool: "search", Arguments: `{"q":"x"}`, Output: b.String(), TapeKey: Digest("bench", fmt.Sprint(i, s))})
	}
	return t
}

func benchTaskBytes() int64 {
	total := int64(0)
	for i := range 20 {
		t := benchTask(i)
		size, _ := checkRow(valueOf(&t), fieldsOf(typeOf[Task]()))
		total += size
	}
	return total / 20
}

// benchTasks yields n tasks made from a pool, so that making them costs little.
func benchTasks(n int) iter.Seq2[Task, error] {
	pool := make([]Task, 500)
	for i := range pool {
		pool[i] = benchTask(i)
	}
	return func(yield func(Task, error) bool) {
		for i := range n {
			t := pool[i%len(pool)]
			t.ID = Digest("task", fmt.Sprint(i))
			if !yield(t, nil) {
				return
			}
		}
	}
}

// watchHeap samples the heap until stop is called, which reports the highest
// figures above the start, in MB: all that was allocated, garbage included, and
// what a collection found in use.
func watchHeap(b *testing.B) (stop func()) {
	runtime.GC()
	sample := func() [2]uint64 {
		s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
		metrics.Read(s)
		return [2]uint64{s[0].Value.Uint64(), s[1].Value.Uint64()}
	}
	base := sample()
	peak := base
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-quit:
				return
			case <-time.After(20 * time.Millisecond):
				for i, v := range sample() {
					peak[i] = max(peak[i], v)
				}
			}
		}
	}()
	return func() {
		close(quit)
		<-done
		b.ReportMetric(float64(peak[0]-base[0])/1e6, "peak-heap-MB")
		b.ReportMetric(float64(peak[1]-base[1])/1e6, "live-heap-MB")
	}
}

func BenchmarkWriteTasks(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			rows := benchTasks(n)
			b.SetBytes(int64(n) * benchTaskBytes())
			stop := watchHeap(b)
			for b.Loop() {
				w := NewWriter[Task](io.Discard, "bench", nil)
				for row := range rows {
					must(b, w.Write(row))
				}
				must(b, w.Close())
				b.ReportMetric(float64(w.Sum().Bytes)/1e6, "file-MB")
			}
			stop()
		})
	}
}

func BenchmarkReadTasks(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		path := filepath.Join(b.TempDir(), "tasks.parquet")
		if _, err := WriteFile(path, benchTasks(n), nil); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(n) * benchTaskBytes())
			stop := watchHeap(b)
			for b.Loop() {
				for _, err := range Read[Task](path) {
					must(b, err)
				}
			}
			stop()
		})
		b.Run(fmt.Sprintf("narrow-%d", n), func(b *testing.B) {
			type narrow struct {
				ID     string `parquet:"id"`
				Status string `parquet:"status"`
			}
			for b.Loop() {
				for _, err := range Read[narrow](path) {
					must(b, err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

// BenchmarkInfo reads the footers of a dataset of a million small rows.
func BenchmarkInfo(b *testing.B) {
	d, err := Create(b.TempDir())
	must(b, err)
	defer d.Close()
	tx, err := d.Begin()
	must(b, err)
	must(b, tx.WriteTasks(func(yield func(Task, error) bool) {
		for i := range 1_000_000 {
			if !yield(Task{ID: fmt.Sprint(i), Status: StatusAccepted}, nil) {
				return
			}
		}
	}))
	must(b, tx.Commit(StageLog{}))
	b.ResetTimer()
	for b.Loop() {
		info, err := d.Info()
		must(b, err)
		if info.Status[StatusAccepted] != 1_000_000 {
			b.Fatal(info)
		}
	}
}
