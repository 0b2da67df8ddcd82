package tape_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/tape"
	"github.com/taskwright/taskwright/internal/tape/tapetest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// diary is a fake server with state: add appends to it, list reads it.
func diary(_ context.Context, r tapetest.Request) (datasets.ToolResult, error) {
	switch r.Tool {
	case "add":
		r.State["all"] += r.Arguments
		return tapetest.Text("added"), nil
	case "list":
		return tapetest.Text("diary: %s", r.State["all"]), nil
	}
	return datasets.ToolResult{Text: "no such tool", IsError: true, ErrorKind: datasets.ErrorUnknownTool}, nil
}

// echo is a fake server without state.
func echo(_ context.Context, r tapetest.Request) (datasets.ToolResult, error) {
	return tapetest.Text("%s %s", r.Tool, r.Arguments), nil
}

func withState(live tape.Live, journal tape.Journal) *tape.Tape {
	return tape.New(tape.Options{
		Live: live, Journal: journal,
		Stateful: func(server string) bool { return server == "diary" },
		Effect: func(_, tool string) string {
			if tool == "list" {
				return datasets.EffectRead
			}
			return datasets.EffectUnknown
		},
	})
}

// say makes a call in a session and returns the text of its answer.
func say(t *testing.T, s *tape.Session, wantHit bool, server, tool, arguments string) string {
	t.Helper()
	c, hit, err := s.Call(context.Background(), server, tool, arguments)
	if err != nil {
		t.Fatalf("%s/%s %s: %v", server, tool, arguments, err)
	}
	if hit != wantHit {
		t.Errorf("%s/%s %s: hit = %v, want %v", server, tool, arguments, hit, wantHit)
	}
	return c.Result.Text
}

func session(t *testing.T, tp *tape.Tape) *tape.Session {
	t.Helper()
	s := tp.Open()
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestRecordsOnceAndPlaysBack(t *testing.T) {
	live := &tapetest.Live{Answer: echo}
	tp := withState(live, nil)
	a, b := session(t, tp), session(t, tp)
	say(t, a, false, "echo", "x", `{"b":1.0,"a":"é"}`)
	if got := say(t, b, true, "echo", "x", ` {"a":"é", "b":1}`); got != `x {"a":"é","b":1}` {
		t.Errorf("answer %q", got)
	}
	say(t, b, false, "echo", "x", "")
	say(t, b, true, "echo", "x", "null")
	calls := tp.Calls()
	if len(calls) != 2 || len(live.Calls()) != 2 || calls[0].Key >= calls[1].Key {
		t.Errorf("calls %+v, live %q", calls, live.Calls())
	}

	offline := withState(nil, nil)
	for _, c := range calls {
		offline.Add(c)
	}
	s := session(t, offline)
	say(t, s, true, "echo", "x", `{"b":1,"a":"é"}`)
	if diff := cmp.Diff(calls, offline.Calls()); diff != "" {
		t.Error(diff)
	}
	_, _, err := s.Call(context.Background(), "echo", "x", `{"a":"other"}`)
	var miss *tape.MissError
	if !errors.As(err, &miss) || miss.Server != "echo" || miss.Tool != "x" || miss.Arguments != `{"a":"other"}` {
		t.Errorf("miss: %v", err)
	}
	if got := len(s.Calls()); got != 1 {
		t.Errorf("the session lists %d calls; a miss is none", got)
	}
}

func TestArgumentsMustBeAnObject(t *testing.T) {
	live := &tapetest.Live{Answer: echo}
	s := session(t, withState(live, nil))
	for _, arguments := range []string{"[1]", "7", `{"a":`, `{} {}`, `"x"`} {
		if _, _, err := s.Call(context.Background(), "echo", "x", arguments); err == nil || !strings.HasPrefix(err.Error(), "arguments of echo/x: ") {
			t.Errorf("%s: %v", arguments, err)
		}
	}
	if len(live.Calls()) != 0 {
		t.Error("a call was made")
	}
}

func TestStateHasHistory(t *testing.T) {
	live := &tapetest.Live{Answer: diary}
	tp := withState(live, nil)
	a := session(t, tp)
	say(t, a, false, "diary", "list", "{}")
	say(t, a, false, "diary", "add", `{"n":1}`)
	afterOne := say(t, a, false, "diary", "list", "{}")
	if afterOne != `diary: {"n":1}` {
		t.Fatal(afterOne)
	}

	b := session(t, tp)
	say(t, b, true, "diary", "add", `{"n":1}`) // the list before it was only reading
	if got := say(t, b, true, "diary", "list", "{}"); got != afterOne {
		t.Error(got)
	}
	fresh, _ := live.Opened("diary")
	if fresh != 1 {
		t.Errorf("%d instances for sessions of which one was answered from the tape", fresh)
	}
	// A miss after hits: the server must first see what the session has said.
	if got := say(t, b, false, "diary", "add", `{"n":2}`); got != "added" {
		t.Error(got)
	}
	if got := say(t, b, false, "diary", "list", "{}"); got != `diary: {"n":1}{"n":2}` {
		t.Error(got)
	}
	want := []string{
		`diary/list {}`, `diary/add {"n":1}`, `diary/list {}`, // session a
		`diary/add {"n":1}`, `diary/list {}`, `diary/add {"n":2}`, `diary/list {}`, // session b, from its start
	}
	if diff := cmp.Diff(want, live.Calls()); diff != "" {
		t.Error(diff)
	}
	if c := session(t, tp); say(t, c, true, "diary", "list", "{}") != "diary: " {
		t.Error("a new session sees the state of another")
	}
}

func TestHitBetweenLiveCallsIsMadeUpFor(t *testing.T) {
	live := &tapetest.Live{Answer: diary}
	tp := withState(live, nil)
	a := session(t, tp)
	say(t, a, false, "diary", "add", `{"n":1}`)
	c := session(t, tp)
	say(t, c, true, "diary", "add", `{"n":1}`)
	say(t, c, false, "diary", "add", `{"n":7}`) // replays 1, then 7
	d := session(t, tp)
	say(t, d, true, "diary", "add", `{"n":1}`)
	say(t, d, true, "diary", "add", `{"n":7}`)
	if got := say(t, d, false, "diary", "list", "{}"); got != `diary: {"n":1}{"n":7}` {
		t.Error(got)
	}
	say(t, c, true, "diary", "list", "{}") // a hit while c has a connection
	say(t, c, false, "diary", "add", `{"n":8}`)
	if got := say(t, c, false, "diary", "list", "{}"); got != `diary: {"n":1}{"n":7}{"n":8}` {
		t.Error(got)
	}
}

func TestOfflineStateFallsBackOnAgreement(t *testing.T) {
	live := &tapetest.Live{Answer: diary}
	tp := withState(live, nil)
	a := session(t, tp)
	say(t, a, false, "diary", "add", `{"n":1}`)
	say(t, a, false, "diary", "list", "{}")
	say(t, a, false, "diary", "add", `{"n":2}`)
	say(t, a, false, "diary", "list", "{}")

	offline := withState(nil, nil)
	for _, c := range tp.Calls() {
		offline.Add(c)
	}
	s := session(t, offline)
	// Never recorded at the start of a session, but recorded with one answer only.
	if got := say(t, s, true, "diary", "add", `{"n":2}`); got != "added" {
		t.Error(got)
	}
	// list has several answers: guessing would be wrong.
	_, _, err := s.Call(context.Background(), "diary", "list", "{}")
	var miss *tape.MissError
	if !errors.As(err, &miss) || miss.History == "" || !strings.Contains(err.Error(), "after the session's earlier calls") {
		t.Errorf("error: %v", err)
	}
	if _, _, err := s.Call(context.Background(), "diary", "never", "{}"); !errors.As(err, &miss) {
		t.Errorf("error: %v", err)
	}
}

func TestErrorsOfToolsAreAnswersAndOthersAreNot(t *testing.T) {
	fail := true
	live := &tapetest.Live{Answer: func(_ context.Context, r tapetest.Request) (datasets.ToolResult, error) {
		if fail && r.Tool == "flaky" {
			return datasets.ToolResult{}, errors.New("broken pipe")
		}
		return datasets.ToolResult{Text: "bad state", IsError: true, ErrorKind: datasets.ErrorTool}, nil
	}}
	tp := withState(live, nil)
	for _, server := range []string{"echo", "diary"} {
		fail = true
		s := session(t, tp)
		say(t, s, false, server, "tool", "{}")
		if _, _, err := s.Call(context.Background(), server, "flaky", "{}"); err == nil || err.Error() != "calling "+server+"/flaky: broken pipe" {
			t.Errorf("error: %v", err)
		}
		if got := len(tp.Calls()); server == "echo" && got != 1 {
			t.Errorf("%d recorded", got)
		}
		fail = false
		say(t, s, false, server, "flaky", "{}")
		say(t, session(t, tp), true, server, "tool", "{}")
	}
	// The connection whose call got no answer was given up, and its successor
	// saw the session from the start.
	fresh, _ := live.Opened("diary")
	want := []string{"diary/tool {}", "diary/flaky {}", "diary/tool {}", "diary/flaky {}"}
	if got := live.Calls()[3:]; fresh != 2 || !cmp.Equal(got, want) {
		t.Errorf("%d instances, calls %q", fresh, got)
	}
}

func TestCancelledCallIsNotRecorded(t *testing.T) {
	for _, server := range []string{"echo", "diary"} {
		ctx, cancel := context.WithCancel(context.Background())
		live := &tapetest.Live{Answer: func(ctx context.Context, r tapetest.Request) (datasets.ToolResult, error) {
			cancel()
			return tapetest.Text("cut short"), nil // an answer, but one that the cancellation may have made
		}}
		tp := withState(live, nil)
		s := session(t, tp)
		if _, _, err := s.Call(ctx, server, "x", "{}"); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", server, err)
		}
		if len(tp.Calls()) != 0 || len(s.Calls()) != 0 {
			t.Errorf("%s: recorded %v", server, tp.Calls())
		}
	}
}

func TestSessionsAskingAtOnceShareOneCall(t *testing.T) {
	arrived, release := make(chan struct{}), make(chan struct{})
	live := &tapetest.Live{Answer: func(ctx context.Context, r tapetest.Request) (datasets.ToolResult, error) {
		close(arrived) // a second call would panic here
		<-release
		return echo(ctx, r)
	}}
	tp := withState(live, nil)
	var wg sync.WaitGroup
	hits := make(chan bool, 10)
	for range 10 {
		wg.Go(func() {
			s := tp.Open()
			defer s.Close()
			c, hit, err := s.Call(context.Background(), "echo", "x", "{}")
			if err != nil || c.Result.Text != "x {}" {
				t.Errorf("%q, %v", c.Result.Text, err)
			}
			hits <- hit
		})
	}
	<-arrived
	close(release)
	wg.Wait()
	close(hits)
	live1 := 0
	for hit := range hits {
		if !hit {
			live1++
		}
	}
	if live1 != 1 || len(live.Calls()) != 1 {
		t.Errorf("%d sessions say live, %d calls made", live1, len(live.Calls()))
	}
}

func TestWaiterTakesOverFromACancelledLeader(t *testing.T) {
	arrived := make(chan struct{}, 2)
	ctx, cancel := context.WithCancel(context.Background())
	live := &tapetest.Live{}
	live.Answer = func(c context.Context, r tapetest.Request) (datasets.ToolResult, error) {
		arrived <- struct{}{}
		if c == ctx {
			<-c.Done()
			return datasets.ToolResult{}, c.Err()
		}
		return echo(c, r)
	}
	tp := withState(live, nil)
	first := make(chan error)
	go func() {
		s := tp.Open()
		defer s.Close()
		_, _, err := s.Call(ctx, "echo", "x", "{}")
		first <- err
	}()
	<-arrived
	second := make(chan error)
	go func() {
		s := tp.Open()
		defer s.Close()
		_, _, err := s.Call(context.Background(), "echo", "x", "{}")
		second <- err
	}()
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("leader: %v", err)
	}
	if err := <-second; err != nil {
		t.Errorf("waiter: %v", err)
	}
}

func TestConcurrentSessions(t *testing.T) {
	live := &tapetest.Live{Answer: func(ctx context.Context, r tapetest.Request) (datasets.ToolResult, error) {
		if r.Server == "diary" {
			return diary(ctx, r)
		}
		return echo(ctx, r)
	}}
	tp := withState(live, &tapetest.Journal{})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s := tp.Open()
			defer s.Close()
			for i := range 20 {
				n := fmt.Sprintf(`{"n":%d}`, i%5)
				for _, q := range [][3]string{{"echo", "x", n}, {"diary", "add", n}, {"diary", "list", "{}"}} {
					if _, _, err := s.Call(context.Background(), q[0], q[1], q[2]); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	if _, open := live.Opened("diary"); open != 0 {
		t.Errorf("%d connections left open", open)
	}
	for _, c := range tp.Calls() {
		if c.Volatile {
			t.Errorf("volatile: %+v", c)
		}
	}
}

func TestClosedSession(t *testing.T) {
	tp := withState(&tapetest.Live{Answer: diary}, nil)
	s := tp.Open()
	say(t, s, false, "diary", "list", "{}")
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := s.Call(context.Background(), "diary", "list", "{}"); !errors.Is(err, tape.ErrClosed) {
		t.Errorf("error: %v", err)
	}
}
