package evaluate

import "context"

// Names of agents in trajectories.
const (
	AgentOracle   = "oracle"
	AgentNull     = "null"
	AgentEcho     = "echo"
	AgentSingle   = "single"
	AgentTools    = "tools"
	AgentPlanner  = "planner"
	AgentExternal = "external"
)

// Null is the agent without tools and without knowledge: it says nothing
// useful. A task that it passes asks for nothing.
func Null() Agent {
	return answerer{AgentNull, func(*View) string { return "I do not know." }}
}

// Echo answers with the task's own text. A task that it passes gives away
// what it asks for.
func Echo() Agent {
	return answerer{AgentEcho, func(v *View) string { return v.Text }}
}

type answerer struct {
	name   string
	answer func(*View) string
}

func (a answerer) Name() string { return a.name }

func (a answerer) Next(_ context.Context, v *View) (Move, error) {
	return Move{Final: true, Answer: a.answer(v)}, nil
}
