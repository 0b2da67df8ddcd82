package progress

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

func TestRender(t *testing.T) {
	tests := []struct {
		name  string
		state State
		style Style
		want  string
	}{
		{"begin", State{Stage: "generate", Total: 50}, Style{}, "generate  0/50"},
		{"middle", State{Stage: "generate", Done: 20, Total: 50, Elapsed: 10 * time.Second}, Style{}, "generate  20/50  2.0/s  15s left"},
		{"fast", State{Stage: "filter", Done: 500, Total: 1000, Elapsed: 5 * time.Second}, Style{}, "filter  500/1000  100/s  5.0s left"},
		{"slow", State{Stage: "fuzz", Done: 2, Total: 100, Elapsed: 2 * time.Minute, Cost: 1.234}, Style{}, "fuzz  2/100  1.0/min  $1.23  1h38m left"},
		{"failed", State{Stage: "fuzz", Done: 2, Total: 4, Failed: 1, Elapsed: 4 * time.Minute}, Style{}, "fuzz  2/4  0.5/min  1 failed  4m00s left"},
		{"colour", State{Stage: "fuzz", Done: 1, Total: 2, Failed: 1}, Style{Colour: true}, "fuzz  1/2  \x1b[31m1 failed\x1b[0m"},
		{"end", State{Stage: "fuzz", Done: 4, Total: 4, Elapsed: 2 * time.Second}, Style{}, "fuzz  4/4  2.0/s  2.0s"},
		{"all from before", State{Stage: "fuzz", Done: 4, Total: 4, Skipped: 4, Elapsed: time.Second / 2}, Style{}, "fuzz  4/4  4 from before  0.5s"},
		{"no total", State{Stage: "probe", Done: 7, Elapsed: 7 * time.Second}, Style{}, "probe  7 done  1.0/s"},
		{"narrow", State{Stage: "generate", Done: 20, Total: 50, Elapsed: 10 * time.Second}, Style{Width: 22}, "generate  20/50  2.0/s"},
		{"very narrow", State{Stage: "generate", Done: 20, Total: 50}, Style{Width: 5}, ""},
	}
	for _, tt := range tests {
		if got := Render(tt.state, tt.style); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestRenderFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := State{
			Stage: rapid.StringMatching(`[a-zé]{1,12}`).Draw(t, "stage"), Total: rapid.IntRange(0, 1e6).Draw(t, "total"),
			Done: rapid.IntRange(0, 1e6).Draw(t, "done"), Failed: rapid.IntRange(0, 99).Draw(t, "failed"),
			Cost: rapid.Float64Range(0, 1e4).Draw(t, "cost"), Elapsed: time.Duration(rapid.Int64Range(0, 1e14).Draw(t, "elapsed")),
		}
		width := rapid.IntRange(1, 100).Draw(t, "width")
		if got := Render(s, Style{Width: width}); len([]rune(got)) > width || strings.ContainsAny(got, "\n\r") {
			t.Fatalf("%q for %d columns", got, width)
		}
	})
}

func TestLiveLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		d := New(Options{Out: &out, Terminal: true, Width: 60})
		s := d.Begin("filter", 3)
		s.Skip(1)
		time.Sleep(time.Second)
		s.Finish()
		d.Printf("a message\n")
		s.Fail()
		s.End()
		s.End()
		synctest.Wait()
		got := strings.ReplaceAll(out.String(), "\r\x1b[K", "\n<")
		for _, want := range []string{"\n<filter  0/3", "\n<filter  1/3  1 from before\n", "\n<a message\n", "\n<filter  3/3  2.0/s  1 from before  1 failed  1.0s\n"} {
			if !strings.Contains(got, want) {
				t.Errorf("no %q in %q", want, got)
			}
		}
		if !strings.HasSuffix(got, "1.0s\n") {
			t.Errorf("the last line stays: %q", got)
		}
	})
}

func TestPlainLinesAreRare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		s := New(Options{Out: &out}).Begin("filter", 1000)
		for range 250 {
			time.Sleep(100 * time.Millisecond)
			s.Finish()
		}
		s.End()
		want := "filter  100/1000  10/s  1m30s left\nfilter  200/1000  10/s  1m20s left\nfilter  250/1000  10/s  1m15s left\n"
		if out.String() != want {
			t.Errorf("%q", out.String())
		}
	})
}

func TestQuietAndConcurrent(t *testing.T) {
	d := New(Options{})
	s := d.Begin("filter", 100)
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			for range 5 {
				s.Finish()
				s.Fail()
				s.Spend(0.5)
				d.Printf("x")
			}
		})
	}
	wg.Wait()
	s.End()
	if st := s.State(); st.Done != 100 || st.Failed != 50 || st.Cost != 25 {
		t.Errorf("state %+v", st)
	}
}
