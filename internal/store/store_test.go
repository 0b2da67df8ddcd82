package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/taskwright/taskwright/internal/store"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("STORE_TEST_CHILD"); dir != "" {
		child(dir)
	}
	goleak.VerifyTestMain(m)
}

func open(t testing.TB, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a b?c%20#d&e=f")
	s := open(t, dir)
	values := map[string][]byte{"plain": []byte("{}"), "empty": {}, "nil": nil, "binary": {0, 255, 0}, "large": bytes.Repeat([]byte("x"), 3<<20)}
	for key, value := range values {
		if err := s.Put("generate", key, value); err != nil {
			t.Fatal(err)
		}
	}
	for key, want := range values {
		got, found, err := s.Get("generate", key)
		if err != nil || !found || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, found %v, %v", key, len(got), found, err)
		}
	}
	if _, found, err := s.Get("filter", "plain"); found || err != nil {
		t.Errorf("another stage: found %v, %v", found, err)
	}
	if err := s.Put("generate", "plain", []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got, _, _ := s.Get("generate", "plain"); string(got) != "new" {
		t.Errorf("after a second Put: %q", got)
	}
	if _, err := os.Stat(filepath.Join(dir, ".taskwright", ".gitignore")); err != nil {
		t.Error(err)
	}
}

func TestReopenKeepsAndCloseStops(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Put("a", "k", []byte("v")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Put("a", "k", nil); !errors.Is(err, store.ErrClosed) {
		t.Errorf("Put after Close: %v", err)
	}
	if _, _, err := s.Get("a", "k"); err == nil || strings.Contains(err.Error(), "delete") {
		t.Errorf("Get after Close: %v", err)
	}
	if got, found, err := open(t, dir).Get("a", "k"); string(got) != "v" || !found || err != nil {
		t.Errorf("after reopening: %q, %v, %v", got, found, err)
	}
}

func TestConcurrent(t *testing.T) {
	s := open(t, t.TempDir())
	var wg sync.WaitGroup
	for w := range 16 {
		wg.Go(func() {
			for i := range 20 {
				key := fmt.Sprint(w, "/", i)
				if err := s.Put("s", key, []byte(key)); err != nil {
					t.Error(err)
				}
				if got, found, err := s.Get("s", key); string(got) != key || !found || err != nil {
					t.Errorf("%s: %q, %v, %v", key, got, found, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestDamage(t *testing.T) {
	tests := map[string]func(file string) error{
		"not a database": func(file string) error { return os.WriteFile(file, bytes.Repeat([]byte("junk"), 4096), 0o666) },
		"overwritten pages": func(file string) error {
			raw, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			for i := 100; i < len(raw); i++ {
				raw[i] = 0xA5
			}
			return os.WriteFile(file, raw, 0o666)
		},
		"one bit of a value": func(file string) error {
			raw, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			at := bytes.Index(raw, []byte("precious"))
			if at < 0 {
				return errors.New("the value is not in the file")
			}
			raw[at] ^= 1
			return os.WriteFile(file, raw, 0o666)
		},
		"newer layout": func(file string) error {
			f, err := os.OpenFile(file, os.O_RDWR, 0)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = f.WriteAt([]byte{0, 0, 0, 99}, 60) // user_version in the header
			return err
		},
	}
	for name, harm := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s, err := store.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(s.Put("s", "k", []byte("precious")), s.Close(), harm(filepath.Join(dir, ".taskwright", "state.db"))); err != nil {
				t.Fatal(err)
			}
			s, err = store.Open(dir)
			if err == nil {
				_, _, err = s.Get("s", "k")
				s.Close()
			}
			var damaged *store.DamagedError
			if !errors.As(err, &damaged) || !strings.Contains(err.Error(), "safe to delete "+filepath.Join(dir, ".taskwright")) {
				t.Fatalf("error: %v", err)
			}
			if err := os.RemoveAll(damaged.Folder); err != nil {
				t.Fatal(err)
			}
			open(t, dir) // as the message promised
		})
	}
}

func TestNoDirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(file); err == nil || !strings.Contains(err.Error(), "preparing local state: mkdir "+file) {
		t.Errorf("a file as directory: %v", err)
	}
}

func BenchmarkPut(b *testing.B) {
	value := bytes.Repeat([]byte("3 KB of JSON "), 3000/13)
	for _, writers := range []int{1, 16, 64} {
		b.Run(fmt.Sprint(writers, "-writers"), func(b *testing.B) {
			s := open(b, b.TempDir())
			b.SetBytes(int64(len(value)))
			var wg sync.WaitGroup
			for w := range writers {
				wg.Go(func() {
					for i := w; i < b.N; i += writers {
						if err := s.Put("bench", fmt.Sprint(i), value); err != nil {
							b.Error(err)
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "puts/s")
		})
	}
}

func BenchmarkGet(b *testing.B) {
	s := open(b, b.TempDir())
	if err := s.Put("bench", "k", make([]byte, 3000)); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, _, err := s.Get("bench", "k"); err != nil {
			b.Fatal(err)
		}
	}
}
