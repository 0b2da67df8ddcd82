package tape_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/store"
	"github.com/taskwright/taskwright/internal/tape"
	"github.com/taskwright/taskwright/internal/tape/tapetest"
)

var _ tape.Journal = (*store.Store)(nil)

func TestJournalAnswersTheNextRun(t *testing.T) {
	dir := t.TempDir()
	run := func(script func(*tape.Session)) (*tape.Tape, *tapetest.Live) {
		journal, err := store.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer journal.Close()
		live := &tapetest.Live{Answer: diary}
		tp := withState(live, journal)
		s := session(t, tp)
		script(s)
		return tp, live
	}
	first, _ := run(func(s *tape.Session) {
		say(t, s, false, "diary", "add", `{"n":1}`)
		say(t, s, false, "diary", "list", "{}")
		say(t, s, false, "echo", "x", "{}")
	})
	second, live := run(func(s *tape.Session) {
		say(t, s, true, "echo", "x", "{}")
		say(t, s, true, "diary", "add", `{"n":1}`)
		say(t, s, true, "diary", "list", "{}")
	})
	if diff := cmp.Diff(first.Calls(), second.Calls()); diff != "" || len(live.Calls()) != 0 {
		t.Errorf("live %q, tapes differ: %s", live.Calls(), diff)
	}
	_, live = run(func(s *tape.Session) {
		say(t, s, true, "diary", "add", `{"n":1}`)
		say(t, s, false, "diary", "add", `{"n":2}`)
		if got := say(t, s, false, "diary", "list", "{}"); got != `diary: {"n":1}{"n":2}` {
			t.Error(got)
		}
	})
	if want := []string{`diary/add {"n":1}`, `diary/add {"n":2}`, `diary/list {}`}; !cmp.Equal(live.Calls(), want) {
		t.Errorf("live %q", live.Calls())
	}
}

func TestJournalIsBoundToItsScope(t *testing.T) {
	journal := &tapetest.Journal{}
	for _, version := range []string{"1", "2"} {
		live := &tapetest.Live{Answer: echo}
		tp := tape.New(tape.Options{Live: live, Journal: journal, Scope: func(string) string { return version }})
		say(t, session(t, tp), false, "echo", "x", "{}") // another version's answer does not count
	}
}

func TestJournalErrorsStop(t *testing.T) {
	for _, server := range []string{"echo", "diary"} {
		journal := &tapetest.Journal{}
		live := &tapetest.Live{Answer: func(ctx context.Context, r tapetest.Request) (datasets.ToolResult, error) {
			journal.Fail(errors.New("disk is full"))
			return echo(ctx, r)
		}}
		tp := withState(live, journal)
		s := session(t, tp)
		_, _, err := s.Call(context.Background(), server, "x", "{}")
		if err == nil || err.Error() != "recording "+server+"/x: disk is full" || len(tp.Calls()) != 0 {
			t.Errorf("error: %v, %d recorded", err, len(tp.Calls()))
		}
		if _, _, err := s.Call(context.Background(), server, "y", "{}"); err == nil {
			t.Error("reading a failing journal: no error")
		}
	}
}

func TestRepeat(t *testing.T) {
	var clock atomic.Int32
	live := &tapetest.Live{Answer: func(ctx context.Context, r tapetest.Request) (datasets.ToolResult, error) {
		switch r.Tool {
		case "now":
			return tapetest.Text("%d", clock.Add(1)), nil
		case "shuffled": // equal JSON, other bytes
			if clock.Add(1)%2 == 0 {
				return tapetest.Text(`{"a":1,"b":2.0}`), nil
			}
			return tapetest.Text(`{"b":2, "a":1}`), nil
		}
		return diary(ctx, r)
	}}
	journal := &tapetest.Journal{}
	tp := withState(live, journal)
	s := session(t, tp)
	ctx := context.Background()
	for _, tool := range []string{"now", "shuffled"} {
		say(t, s, false, "clock", tool, "{}")
	}
	say(t, s, false, "diary", "add", `{}`)
	say(t, s, false, "diary", "list", `{}`)
	for _, c := range []struct {
		server, tool string
		same         bool
	}{{"clock", "now", false}, {"clock", "shuffled", true}, {"diary", "add", true}, {"diary", "list", true}} {
		if same, err := tp.Repeat(ctx, c.server, c.tool, ""); same != c.same || err != nil {
			t.Errorf("%s: same = %v, %v", c.tool, same, err)
		}
	}
	if _, open := live.Opened("diary"); open != 1 { // the session's own
		t.Errorf("%d connections open", open)
	}
	volatile := func(tp *tape.Tape) (tools []string) {
		for _, c := range tp.Calls() {
			if c.Volatile {
				tools = append(tools, c.Tool)
			}
		}
		return tools
	}
	if got := volatile(tp); !cmp.Equal(got, []string{"now"}) {
		t.Errorf("volatile: %q", got)
	}
	next := withState(nil, journal) // the journal knows it, too
	say(t, session(t, next), true, "clock", "now", "{}")
	if got := volatile(next); !cmp.Equal(got, []string{"now"}) {
		t.Errorf("volatile after a new start: %q", got)
	}
	if _, err := next.Repeat(ctx, "clock", "now", "{}"); !errors.Is(err, tape.ErrOffline) {
		t.Errorf("offline: %v", err)
	}
}

func TestRepeatAllKeepsTheSession(t *testing.T) {
	run := 0
	live := &tapetest.Live{Answer: func(ctx context.Context, r tapetest.Request) (datasets.ToolResult, error) {
		if r.Tool == "add" {
			run++
			r.State["all"] = fmt.Sprint(run / 2) // differs in the second session
			return tapetest.Text("added"), nil
		}
		return diary(ctx, r)
	}}
	tp := withState(live, nil)
	s := session(t, tp)
	say(t, s, false, "diary", "add", `{}`)
	say(t, s, false, "diary", "list", `{}`)
	say(t, s, false, "echo", "x", `{}`)
	same, err := tp.RepeatAll(context.Background(), s.Calls())
	if err != nil || !cmp.Equal(same, []bool{true, false, true}) {
		t.Errorf("same = %v, %v", same, err)
	}
}

func TestReplayThatDiffersMakesTheRecordingVolatile(t *testing.T) {
	n := 0
	live := &tapetest.Live{Answer: func(_ context.Context, r tapetest.Request) (datasets.ToolResult, error) {
		n++
		return tapetest.Text("id %d", n), nil
	}}
	tp := withState(live, nil)
	say(t, session(t, tp), false, "diary", "create", "{}")
	s := session(t, tp)
	if got := say(t, s, true, "diary", "create", "{}"); got != "id 1" {
		t.Error(got)
	}
	say(t, s, false, "diary", "use", "{}")
	for _, c := range tp.Calls() {
		if c.Volatile != (c.Tool == "create") {
			t.Errorf("%s: volatile = %v", c.Tool, c.Volatile)
		}
	}
}

func TestAddOfTwoAnswers(t *testing.T) {
	tp := tape.New(tape.Options{})
	for _, text := range []string{"first", "second"} {
		tp.Add(datasets.Call{Server: "s", Tool: "t", Arguments: `{ "a": 1.0 }`, Result: tapetest.Text("%s", text)})
	}
	calls := tp.Calls()
	if len(calls) != 1 || calls[0].Result.Text != "first" || !calls[0].Volatile || calls[0].Arguments != `{"a":1}` {
		t.Errorf("calls: %+v", calls)
	}
}

func TestRecall(t *testing.T) {
	journal := &tapetest.Journal{}
	first := withState(&tapetest.Live{Answer: echo}, journal)
	say(t, session(t, first), false, "echo", "x", "{}")
	want := first.Calls()[0]
	next := withState(nil, journal)
	if len(next.Calls()) != 0 {
		t.Fatal("a new tape is not empty")
	}
	got, found, err := next.Recall("echo", want.Key)
	if diff := cmp.Diff(want, got); diff != "" || !found || err != nil {
		t.Error(found, err, diff)
	}
	if len(next.Calls()) != 1 {
		t.Error("the call is not on the tape")
	}
	if _, found, err := next.Recall("echo", "no such key"); found || err != nil {
		t.Errorf("found %v, %v", found, err)
	}
}
