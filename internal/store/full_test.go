package store

import (
	"strings"
	"testing"
)

func TestFullDisk(t *testing.T) {
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Put("s", "before", []byte("kept")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.writer.Exec(`PRAGMA max_page_count = 20`); err != nil {
		t.Fatal(err)
	}
	err = s.Put("s", "large", make([]byte, 1<<20))
	if err == nil || !strings.Contains(err.Error(), "the disk is full") || strings.Contains(err.Error(), "damaged") {
		t.Errorf("error: %v", err)
	}
	if got, _, err := s.Get("s", "before"); string(got) != "kept" || err != nil {
		t.Errorf("what was there: %q, %v", got, err)
	}
}

// A batch that fails as a whole is stored one by one, and each Put gets its
// own answer.
func TestOneBadPutFailsNobodyElse(t *testing.T) {
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.writer.Exec(`CREATE TRIGGER refuse BEFORE INSERT ON blobs WHEN new.key = 'bad' BEGIN SELECT raise(ABORT, 'refused'); END`); err != nil {
		t.Fatal(err)
	}
	var answers []chan error
	var batch []put
	for _, key := range []string{"one", "bad", "two"} {
		done := make(chan error, 1)
		answers, batch = append(answers, done), append(batch, put{"s", key, []byte(key), done})
	}
	s.settle(batch)
	for i, want := range []bool{true, false, true} {
		if err := <-answers[i]; (err == nil) != want {
			t.Errorf("%s: %v", batch[i].key, err)
		}
	}
	if got, _, err := s.Get("s", "two"); string(got) != "two" || err != nil {
		t.Errorf("two: %q, %v", got, err)
	}
}
