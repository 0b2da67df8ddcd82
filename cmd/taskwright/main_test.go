package main

import (
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write the output of commands into the scripts that compare it")

func TestMain(m *testing.M) {
	testscript.Main(tidy{m}, map[string]func(){
		"taskwright": main,
		"killed":     killedMain,
		"fakeserver": fakeServerMain,
		"stagetest":  stageMain,
	})
}

// tidy removes what tests share when all have ended.
type tidy struct{ *testing.M }

func (t tidy) Run() int {
	defer func() { removeDemo() }() // as it is then
	return t.M.Run()
}

func TestScripts(t *testing.T) {
	model := httptest.NewServer(http.HandlerFunc(fakeModel))
	t.Cleanup(model.Close)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("MODEL", model.URL)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": checkStatus},
	})
}

// checkStatus is the script command `status N PROGRAM ARGS…`: it runs the
// program and holds its exit status against N.
func checkStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N program args…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// fakeModel is an endpoint that knows the key sk-good-12345 and repeats wrong
// ones, as real endpoints do.
func fakeModel(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	switch {
	case r.URL.Path != "/v1/models":
		w.WriteHeader(http.StatusNotFound)
	case r.Header.Get("Authorization") != "Bearer sk-good-12345":
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":{"message":"Incorrect API key: %s"}}`, r.Header.Get("Authorization"))
	default:
		fmt.Fprint(w, `{"data":[{"id":"small"},{"id":"large"}]}`)
	}
}

// The exit status of a program that ends before its first line is lost easily:
// hold main itself, not only run.
func TestExitStatusOfTheProcess(t *testing.T) {
	err := exec.Command("taskwright", "nonsense").Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitUsage {
		t.Errorf("error: %v", err)
	}
	if _, err := os.Stat("testdata/script"); err != nil {
		t.Error(err)
	}
}
