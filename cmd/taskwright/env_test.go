package main

import (
	"errors"
	"io"
	"testing"
)

type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestAnswer(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		e, stdout, _ := testEnv()
		e.json = asJSON
		human := func(w io.Writer) error { _, err := io.WriteString(w, "for people\n"); return err }
		if err := e.answer(map[string]string{"a": "<b>"}, human); err != nil {
			t.Fatal(err)
		}
		want := "for people\n"
		if asJSON {
			want = `{"a":"<b>"}` + "\n"
		}
		if stdout.String() != want {
			t.Errorf("stdout %q", stdout)
		}
		e, _, _ = testEnv()
		e.json, e.stdout = asJSON, closedPipe{}
		if err := e.answer(1, human); err == nil || err.Error() != "writing to standard output: broken pipe" {
			t.Errorf("error: %v", err)
		}
	}
}

func TestNotes(t *testing.T) {
	tests := []struct {
		quiet, verbose bool
		want           string
	}{{false, false, "note \\x1b[31m\n"}, {false, true, "note \\x1b[31m\ndetail\n"}, {true, false, ""}}
	for _, tt := range tests {
		e, stdout, stderr := testEnv()
		e.quiet, e.verbose = tt.quiet, tt.verbose
		e.notef("note %s", "\x1b[31m")
		e.detailf("detail")
		if stderr.String() != tt.want || stdout.Len() > 0 {
			t.Errorf("%+v: stderr %q, stdout %q", tt, stderr, stdout)
		}
	}
}

func TestColour(t *testing.T) {
	e, _, _ := testEnv()
	e.terminal = true
	if !e.colour() {
		t.Error("no colour on a terminal")
	}
	e.getenv = func(name string) string { return map[string]string{"NO_COLOR": "1"}[name] }
	if e.colour() {
		t.Error("colour in spite of NO_COLOR")
	}
}

func TestTable(t *testing.T) {
	_, stdout, _ := testEnv()
	if err := table(stdout, []string{"name", "detail"}, [][]string{{"a", "x\ny\tz"}, {"longer", "\x1b]0;title\a"}}); err != nil {
		t.Fatal(err)
	}
	want := "name    detail\na       x y z\nlonger  \\x1b]0;title\\x07\n"
	if stdout.String() != want {
		t.Errorf("%q", stdout)
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"seed", "sed", 1}, {"model", "modle", 2}, {"a", "", 1}, {"kitten", "sitting", 3}} {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("distance(%q, %q) = %d", tt.a, tt.b, got)
		}
	}
}
