package evaluate

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// Agent decides what happens next in one rollout. An Agent is made for one
// rollout and may keep state; it is called from one goroutine at a time.
type Agent interface {
	// Name is what the trajectory calls the agent: oracle, null, single …
	Name() string
	// Next returns the tool calls of this round, or the final answer. It must
	// return soon after ctx ends. An error means that the agent could not
	// decide (its model did not answer); it is retried a few times and is never
	// a score. Tool errors are not errors here: they are results in the view.
	Next(ctx context.Context, view *View) (Move, error)
}

// View is all that an agent knows. It must not be changed by the agent.
type View struct {
	Text       string             // the task as the agent gets it
	Tools      []datasets.Tool    // what may be called, in the task's order
	Round      int                // from 1: the round that the next calls belong to
	Calls      []datasets.Action  // finished calls in the order they were asked for
	Messages   []datasets.Message // the conversation so far
	CallsLeft  int                // calls until the limit
	RoundsLeft int                // rounds until the limit, this one included
	MustAnswer bool               // a limit is reached: calls are ignored, an answer counts
}

// Move is an agent's decision for one round.
type Move struct {
	Calls        []Call // made in parallel; ignored when Final
	Final        bool   // Answer is the final answer
	Answer       string
	Note         string  // what the agent said beside its calls
	Plan         string  // planned calls as the agent wrote them, for agents that plan in JSON text; "" for others
	InputTokens  int64   // tokens used to decide, 0 without a model
	OutputTokens int64   // tokens written, 0 without a model
	Cost         float64 // US dollars
}

// Call is one tool call that an agent asks for.
type Call struct {
	Server    string
	Tool      string
	Arguments string // JSON object; whatever else a model may write is recorded as invalid
}

// Session makes the calls of one rollout, on live servers or from the tape.
// A Go error is a failure of the machinery; a tool's error is in the result.
type Session interface {
	Call(ctx context.Context, server, tool, arguments string) (call datasets.Call, hit bool, err error)
	Close() error
}

// argumentsJSON is a call's arguments as valid JSON: canonical when they are
// JSON, the raw text as a JSON string when they are not. object says whether
// they are a JSON object, which is all that a tool accepts.
func argumentsJSON(raw string) (text string, object bool) {
	if raw == "" {
		return "{}", true
	}
	v, err := datasets.DecodeJSON(raw)
	if err != nil {
		return quoted(raw), false
	}
	_, object = v.(map[string]any)
	return datasets.EncodeJSON(v), object
}

// callsJSON is the calls of a move as a message records them: the agent's own
// plan when there is one (a JSON string when it does not parse).
func callsJSON(m *Move) string {
	if m.Plan != "" {
		text, err := datasets.CanonicalJSON(m.Plan)
		if err != nil {
			return quoted(m.Plan)
		}
		return text
	}
	if len(m.Calls) == 0 || m.Final {
		return "null"
	}
	list := make([]any, len(m.Calls))
	for i, c := range m.Calls {
		text, _ := argumentsJSON(c.Arguments)
		list[i] = map[string]any{"server": c.Server, "tool": c.Tool, "arguments": json.RawMessage(text)}
	}
	return datasets.EncodeJSON(list)
}

// quoted is any text as a JSON string.
func quoted(text string) string {
	return datasets.EncodeJSON(strings.ToValidUTF8(text, "\uFFFD"))
}
