package evaluate

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/taskwright/taskwright/datasets"
)

func find(state string) Call { return Call{"parks", "find_parks", `{"state":"` + state + `"}`} }

func rounds(moves ...Move) *script { return &script{moves: moves} }

func TestRolloutLimits(t *testing.T) {
	calls := func(names ...string) Move {
		var m Move
		for _, n := range names {
			m.Calls = append(m.Calls, find(n))
		}
		return m
	}
	tests := []struct {
		name   string
		agent  *script
		limits Limits
		stop   string
		calls  int
		rounds int32
		answer string
	}{
		{"answers", rounds(calls("a")), Limits{}, datasets.StopAnswered, 1, 1, "done"},
		{"rounds", rounds(calls("a"), calls("b")), Limits{Rounds: 2}, datasets.StopBudgetRounds, 2, 2, "done"},
		{"rounds, no last word", rounds(calls("a"), calls("b"), calls("c")), Limits{Rounds: 2}, datasets.StopBudgetRounds, 2, 2, ""},
		{"calls", rounds(calls("a", "b", "c")), Limits{Calls: 2}, datasets.StopBudgetCalls, 2, 1, "done"},
		{"exactly the calls", rounds(calls("a", "b")), Limits{Calls: 2}, datasets.StopAnswered, 2, 1, "done"},
		{"says nothing", rounds(Move{}, Move{}, Move{}, Move{}), Limits{}, datasets.StopStalled, 0, 0, ""},
		{"repeats itself", rounds(calls("a"), calls("a"), calls("a"), calls("a")), Limits{}, datasets.StopStalled, 4, 4, ""},
		{"new after old", rounds(calls("a"), calls("a"), calls("a"), calls("b"), calls("a"), calls("a")), Limits{}, datasets.StopAnswered, 6, 6, "done"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			opts := testOptions(parksWorld())
			opts.Limits = tt.limits
			tr := Rollout(context.Background(), &Job{Task: parksTask(), Agent: tt.agent}, opts)
			if tr.StopReason != tt.stop || len(tr.Calls) != tt.calls || tr.Rounds != tt.rounds || tr.Answer != tt.answer {
				t.Errorf("stop %s, %d calls, %d rounds, answer %q", tr.StopReason, len(tr.Calls), tr.Rounds, tr.Answer)
			}
			if unscored(&tr) != "" {
				t.Errorf("%s is unscored", tr.StopReason)
			}
		})
	}
}

func TestRolloutNamesAndArguments(t *testing.T) {
	w := parksWorld()
	opts := testOptions(w)
	opts.Validate = Validator([]datasets.Tool{{Server: "parks", Name: "find_parks", InputSchema: `{"type":"object","required":["state"],"properties":{"state":{"type":"string"}}}`}})
	agent := rounds(Move{Note: "trying", Calls: []Call{
		{"parks", "find_parks", `{"state":"UT"}`},
		{"parks", "find_parks", `{"state":5}`},
		{"parks", "find_parks", `{"state":`},
		{"parks", "find_parks", `[1]`},
		{"parks", "invented", `{}`},
		{"weather", "find_parks", ``},
	}})
	tr, rows := Try(context.Background(), &Job{Task: parksTask(), Agent: agent}, opts)
	type verdict struct {
		name, args bool
		kind       string
	}
	want := []verdict{
		{true, true, ""}, {true, false, ""}, {true, false, datasets.ErrorProtocol}, {true, false, datasets.ErrorProtocol},
		{false, false, datasets.ErrorUnknownTool}, {false, false, datasets.ErrorUnknownTool},
	}
	for i, a := range tr.Calls {
		if got := (verdict{a.NameValid, a.ArgumentsValid, a.Result.ErrorKind}); got != want[i] {
			t.Errorf("call %d: %+v, want %+v", i, got, want[i])
		}
		if _, err := datasets.DecodeJSON(a.Arguments); err != nil {
			t.Errorf("call %d: arguments %q are no JSON", i, a.Arguments)
		}
	}
	if len(w.log) != 2 {
		t.Errorf("calls that reached the server: %v", w.log)
	}
	for name, want := range map[string][2]int64{
		MetricValidName: {4, 6}, MetricSchema: {1, 4}, MetricSuccess: {2, 6}, MetricCallFailure: {2, 4}, MetricParallelism: {6, 6},
	} {
		if r := metric(t, rows, name); r.Numerator != want[0] || r.Denominator != want[1] {
			t.Errorf("%s = %d/%d, want %v", name, r.Numerator, r.Denominator, want)
		}
	}
	last := agent.seen[1].Messages
	if len(last) != 8 || last[1].Content != "trying" || !strings.HasPrefix(last[7].Content, "Error: there is no tool") {
		t.Errorf("conversation: %+v", last)
	}
}

func TestRolloutFailuresAreNoScores(t *testing.T) {
	broken := errors.New("the pipe is broken")
	tests := []struct {
		name   string
		agent  *script
		change func(w *fakeWorld, o *Options)
		stop   string
		reason string
	}{
		{"agent fails for good", &script{fail: func(int) error { return broken }}, nil, datasets.StopInfraFailed, "agent script: the pipe is broken"},
		{"agent fails once", &script{fail: func(n int) error {
			if n == 0 {
				return broken
			}
			return nil
		}}, nil, datasets.StopAnswered, ""},
		{"agent panics", &script{fail: func(int) error { panic("boom") }}, nil, datasets.StopInfraFailed, "panic: boom"},
		{"server dies", rounds(Move{Calls: []Call{find("a")}}), func(w *fakeWorld, _ *Options) {
			w.tools["parks/find_parks"] = func(map[string]any) (string, error) { return "", broken }
		}, datasets.StopInfraFailed, "parks/find_parks: the pipe is broken"},
		{"server dies once", rounds(Move{Calls: []Call{find("a")}}), func(w *fakeWorld, _ *Options) {
			n := 0
			w.tools["parks/find_parks"] = func(map[string]any) (string, error) {
				if n++; n == 1 {
					return "", broken
				}
				return "{}", nil
			}
		}, datasets.StopAnswered, ""},
		{"not on the tape", rounds(Move{Calls: []Call{find("a")}}), func(w *fakeWorld, o *Options) {
			o.Offline, o.Pause = true, func(context.Context, int) { panic("waited for the tape") }
			w.tools["parks/find_parks"] = func(map[string]any) (string, error) { return "", errors.New("no recorded answer") }
		}, datasets.StopInfraFailed, "parks/find_parks: no recorded answer"},
		{"session panics", rounds(Move{Calls: []Call{find("a")}}), func(w *fakeWorld, _ *Options) {
			w.tools["parks/find_parks"] = func(map[string]any) (string, error) { panic("bang") }
		}, datasets.StopInfraFailed, "panic: bang"},
		{"no session", rounds(Move{Calls: []Call{find("a")}}), func(_ *fakeWorld, o *Options) { o.Open = nil }, datasets.StopInfraFailed, "opening a session"},
		{"session does not open", rounds(Move{Calls: []Call{find("a")}}), func(_ *fakeWorld, o *Options) {
			o.Open = func(context.Context) (Session, error) { return nil, broken }
		}, datasets.StopInfraFailed, "opening a session: the pipe is broken"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := parksWorld()
			opts := testOptions(w)
			if tt.change != nil {
				tt.change(w, opts)
			}
			tr, rows := Try(context.Background(), &Job{Task: parksTask(), Agent: tt.agent}, opts)
			if tr.StopReason != tt.stop || !strings.Contains(tr.Error, tt.reason) {
				t.Errorf("stop %s: %s", tr.StopReason, tr.Error)
			}
			checkUnscored(t, tr, rows)
			if w.opened != w.closed {
				t.Errorf("%d sessions opened, %d closed", w.opened, w.closed)
			}
		})
	}
}

// checkUnscored holds that all rows of a failure are unscored, and none of
// another trajectory's pass row.
func checkUnscored(t *testing.T, tr datasets.Trajectory, rows []datasets.Score) {
	t.Helper()
	failed := tr.StopReason == datasets.StopInfraFailed || tr.StopReason == datasets.StopCancelled
	for _, r := range rows {
		if failed && (r.Value != nil || r.Outcome != datasets.Unscored || r.Detail == "") {
			t.Errorf("%s: row %s of a failure: %+v", tr.StopReason, r.Name, r)
		}
	}
	if want := len(MetricNames) + 4 + 3; len(rows) != want {
		t.Errorf("%d rows, want %d", len(rows), want)
	}
	if _, scored := Passed(rows); scored == failed {
		t.Errorf("%s: scored %v", tr.StopReason, scored)
	}
}

// waiting is an agent that waits for the end of its context.
type waiting struct{ begun chan struct{} }

func (waiting) Name() string { return "waiting" }

func (a waiting) Next(ctx context.Context, _ *View) (Move, error) {
	close(a.begun)
	<-ctx.Done()
	return Move{}, ctx.Err()
}

func TestRolloutCancelledAndOutOfTime(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	agent := waiting{make(chan struct{})}
	go func() { <-agent.begun; cancel() }()
	tr, rows := Try(ctx, &Job{Task: parksTask(), Agent: agent}, testOptions(parksWorld()))
	if tr.StopReason != datasets.StopCancelled {
		t.Errorf("stop %s: %s", tr.StopReason, tr.Error)
	}
	checkUnscored(t, tr, rows)

	opts := testOptions(parksWorld())
	opts.Limits.Wall = time.Millisecond
	tr, rows = Try(context.Background(), &Job{Task: parksTask(), Agent: waiting{make(chan struct{})}}, opts)
	if tr.StopReason != datasets.StopBudgetTime {
		t.Errorf("stop %s: %s", tr.StopReason, tr.Error)
	}
	checkUnscored(t, tr, rows)
}

// hanging is a session whose calls end with their context.
type hanging struct{}

func (hanging) Call(ctx context.Context, _, _, _ string) (datasets.Call, bool, error) {
	<-ctx.Done()
	return datasets.Call{}, false, ctx.Err()
}

func (hanging) Close() error { return nil }

func TestRolloutCallTimeLimit(t *testing.T) {
	opts := testOptions(parksWorld())
	opts.Open = func(context.Context) (Session, error) { return hanging{}, nil }
	opts.Limits.Call = time.Millisecond
	tr := Rollout(context.Background(), &Job{Task: parksTask(), Agent: rounds(Move{Calls: []Call{find("a")}})}, opts)
	if tr.StopReason != datasets.StopInfraFailed || !strings.Contains(tr.Error, "deadline") {
		t.Errorf("stop %s: %s", tr.StopReason, tr.Error)
	}
}

func TestRolloutCutsResults(t *testing.T) {
	w := parksWorld()
	w.tools["parks/find_parks"] = func(map[string]any) (string, error) { return strings.Repeat("é", 100), nil }
	opts := testOptions(w)
	opts.Limits.ResultBytes = 51
	tr := Rollout(context.Background(), &Job{Task: parksTask(), Agent: rounds(Move{Calls: []Call{find("a")}})}, opts)
	if got := tr.Calls[0].Result; got.Text != strings.Repeat("é", 25) || !got.Truncated {
		t.Errorf("%d bytes, truncated %v", len(got.Text), got.Truncated)
	}
	if got := Observation(tr.Calls[0].Result); !strings.HasSuffix(got, "[the result was cut here]") {
		t.Errorf("observation %q", got)
	}
}

// Calls of one round to a server with state are made in the order asked for.
func TestRolloutOrderOnServersWithState(t *testing.T) {
	w := parksWorld()
	opts := testOptions(w)
	opts.Stateful = func(s string) bool { return s == "parks" }
	var m Move
	for _, s := range strings.Split("abcdefghijklmnop", "") {
		m.Calls = append(m.Calls, find(s))
	}
	tr := Rollout(context.Background(), &Job{Task: parksTask(), Agent: rounds(m)}, opts)
	for i, a := range tr.Calls {
		if w.log[i] != "parks/find_parks"+a.Arguments {
			t.Fatalf("call %d was %s, asked for %s", i, w.log[i], a.Arguments)
		}
	}
}

func TestObservation(t *testing.T) {
	res := datasets.ToolResult{Structured: `{"a":1}`, ContentTypes: []string{"text", "image"}, IsError: true}
	if got, want := Observation(res), "Error: {\"a\":1}\n[image content is not shown]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
