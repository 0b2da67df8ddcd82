package evaluate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/taskwright/taskwright/datasets"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// fakeWorld answers calls from a table of functions by "server/tool".
type fakeWorld struct {
	mu     sync.Mutex
	tools  map[string]func(args map[string]any) (string, error)
	opened int
	closed int
	log    []string
}

func (w *fakeWorld) Open(context.Context) (Session, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.opened++
	return w, nil
}

func (w *fakeWorld) Call(ctx context.Context, server, tool, arguments string) (datasets.Call, bool, error) {
	if err := ctx.Err(); err != nil {
		return datasets.Call{}, false, err
	}
	v, err := datasets.DecodeJSON(arguments)
	if err != nil {
		return datasets.Call{}, false, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log = append(w.log, server+"/"+tool+arguments)
	text, err := w.tools[server+"/"+tool](v.(map[string]any))
	res := datasets.ToolResult{Text: text, Structured: "null", ContentTypes: []string{"text"}}
	var toolError toolError
	if errors.As(err, &toolError) {
		res.Text, res.IsError, res.ErrorKind, err = string(toolError), true, datasets.ErrorTool, nil
	}
	return datasets.Call{Server: server, Tool: tool, Arguments: arguments, Result: res}, true, err
}

func (w *fakeWorld) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed++
	return nil
}

type toolError string

func (e toolError) Error() string { return string(e) }

// fakeClaims words a claim as "[id] = value;" and finds it again.
type fakeClaims struct{}

func (fakeClaims) Score(task *datasets.Task, answer string) []Verdict {
	list := make([]Verdict, len(task.Claims))
	for i, c := range task.Claims {
		switch {
		case strings.Contains(answer, fmt.Sprintf("[%s] = %s;", c.ID, c.Expected)):
			list[i] = Verdict{datasets.Fulfilled, "found"}
		case strings.Contains(answer, "["+c.ID+"]"):
			list[i] = Verdict{datasets.Partially, "named"}
		default:
			list[i] = Verdict{datasets.NotFulfilled, "not found"}
		}
	}
	return list
}

func (fakeClaims) Answer(claims []datasets.Claim, values []any) string {
	var b strings.Builder
	for i, c := range claims {
		fmt.Fprintf(&b, "[%s] = %s;\n", c.ID, datasets.EncodeJSON(values[i]))
	}
	return b.String()
}

const (
	parksOutput = `{"parks":[{"id":"glca","name":"Glen Mesa","area_km2":5075,"lat":37.3,"lon":-110.9},{"id":"zion","name":"Red Canyon","area_km2":595,"lat":37.2,"lon":-112.9}]}`
	campsOutput = `{"campgrounds":[{"name":"Bullfrog","sites":78},{"name":"Lees","sites":54}]}`
	kmOutput    = `{"km":392.6}`
)

// parksTask is a hybrid chain: one search feeds two branches.
func parksTask() *datasets.Task {
	constant := func(path, value string) datasets.Argument {
		return datasets.Argument{Path: path, Source: datasets.SourceConstant, Value: value}
	}
	largest := func(path, from, value string) datasets.Argument {
		return datasets.Argument{Path: path, Source: datasets.SourceStep, Step: 1, From: from, Value: value,
			Pick: datasets.PickLargest, By: "/parks/*/area_km2"}
	}
	return &datasets.Task{
		ID: "t1", Pattern: datasets.PatternHybrid, Instruction: "CONCRETE: the largest park of Utah.",
		RequiredTools: []string{"parks/find_parks", "parks/list_campgrounds", "places/distance"},
		ExposedTools:  []string{"parks/find_parks", "parks/list_campgrounds", "places/distance", "units/convert"},
		Chain: []datasets.Step{
			{Server: "parks", Tool: "find_parks", Arguments: []datasets.Argument{constant("/state", `"UT"`)}},
			{Server: "parks", Tool: "list_campgrounds", Arguments: []datasets.Argument{largest("/park_id", "/parks/*/id", `"glca"`)}},
			{Server: "places", Tool: "distance", Arguments: []datasets.Argument{
				constant("/from", `"Salt Lake City"`), largest("/to_lat", "/parks/*/lat", "37.3"), largest("/to_lon", "/parks/*/lon", "-110.9")}},
		},
		Claims: []datasets.Claim{
			{ID: "c1", Kind: datasets.ClaimEntity, Step: 1, Pointer: "/parks/0/name", Expected: `"Glen Mesa"`, Essential: true},
			{ID: "c2", Kind: datasets.ClaimSet, Step: 2, Pointer: "/campgrounds/*/name", Expected: `["Bullfrog","Lees"]`, Essential: true},
			{ID: "c3", Kind: datasets.ClaimValue, Step: 2, Pointer: "/campgrounds/0/sites", Expected: `78`, Subject: "Bullfrog"},
			{ID: "c4", Kind: datasets.ClaimValue, Step: 3, Pointer: "/km", Expected: `392.6`, Essential: true},
		},
		Variants: []datasets.Variant{
			{Level: datasets.LevelLight, Text: "LIGHT text", Status: datasets.StatusAccepted},
			{Level: datasets.LevelMedium, Text: "MEDIUM text", Status: datasets.StatusAccepted},
			{Level: datasets.LevelHeavy, Text: "HEAVY text", Status: datasets.StatusRejected},
		},
		Reference: []datasets.Executed{{Step: 1, Output: parksOutput}, {Step: 2, Output: campsOutput}, {Step: 3, Output: kmOutput}},
	}
}

func parksWorld() *fakeWorld {
	return &fakeWorld{tools: map[string]func(map[string]any) (string, error){
		"parks/find_parks": func(map[string]any) (string, error) { return parksOutput, nil },
		"parks/list_campgrounds": func(args map[string]any) (string, error) {
			if args["park_id"] != "glca" {
				return "", toolError("no such park")
			}
			return campsOutput, nil
		},
		"places/distance": func(map[string]any) (string, error) { return kmOutput, nil },
	}}
}

func testOptions(w *fakeWorld) *Options {
	return &Options{
		Open: w.Open, Claims: fakeClaims{}, Run: "r1",
		Now:   func() time.Time { return time.UnixMicro(1_000_000).UTC() },
		Pause: func(context.Context, int) {},
	}
}

// script is an agent that makes given moves, then answers.
type script struct {
	moves []Move
	seen  []View
	fail  func(n int) error
}

func (s *script) Name() string { return "script" }

func (s *script) Next(_ context.Context, v *View) (Move, error) {
	n := len(s.seen)
	s.seen = append(s.seen, *v)
	if s.fail != nil {
		if err := s.fail(n); err != nil {
			return Move{}, err
		}
	}
	if n < len(s.moves) {
		return s.moves[n], nil
	}
	return Move{Final: true, Answer: "done"}, nil
}

func metric(t *testing.T, rows []datasets.Score, name string) datasets.Score {
	t.Helper()
	for _, r := range rows {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("no score row %s", name)
	return datasets.Score{}
}
