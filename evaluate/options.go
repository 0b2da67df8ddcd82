package evaluate

import (
	"context"
	"fmt"
	"time"

	"github.com/taskwright/taskwright/datasets"
)

// Options is what rollouts and scores need from the outside. The zero value of
// a field means its default.
type Options struct {
	// Open starts a session for one rollout. It is called at most once for each
	// rollout, on the first tool call: an agent without calls needs no server.
	Open func(ctx context.Context) (Session, error)
	// Tool finds a tool of the catalog by "server/tool". Without it, agents see
	// the names of exposed tools only.
	Tool func(id string) (*datasets.Tool, bool)
	// Validate says what is wrong with arguments by the tool's input schema;
	// nothing wrong, or no schema, is an empty list. It must be safe for
	// concurrent use. Without it, every JSON object is valid.
	Validate func(server, tool, arguments string) []string
	// Stateful says whether calls to a server change what later calls return.
	// Calls of one round to such a server are made one after the other.
	Stateful func(server string) bool
	// Claims scores claims, and words them for the oracle and single agents;
	// [Exact] if nil.
	Claims Claims

	Limits Limits
	Pass   float64 // claim coverage at which a task passes; datasets.PassCoverage if 0

	Run     string // id of the run, for the rows
	Model   string // model of the agent, for the rows
	Offline bool   // calls are answered from the tape only; part of the unit key

	// Now is the clock of trajectories; time.Now if nil.
	Now func() time.Time
	// Pause waits before retry n (from 1) of something that failed; if nil, it
	// waits 100 ms, 200 ms, … It returns early when ctx ends.
	Pause func(ctx context.Context, n int)
}

// Limits bounds one rollout.
type Limits struct {
	Rounds      int           // rounds with calls; 20 if 0
	Calls       int           // tool calls; 100 if 0
	Wall        time.Duration // the whole rollout; 30 minutes if 0
	Call        time.Duration // one tool call; 60 s if 0
	ResultBytes int           // text of one result; longer is cut and marked; 1 MiB if 0
	Parallel    int           // calls of a round in flight at once; 8 if 0
	Stall       int           // rounds in a row that bring nothing new; 3 if 0
	Retries     int           // further tries of a failed agent or call; 2 if 0, none if negative
}

func (l Limits) withDefaults() Limits {
	set := func(n *int, v int) {
		if *n == 0 {
			*n = v
		}
	}
	set(&l.Rounds, 20)
	set(&l.Calls, 100)
	set(&l.ResultBytes, 1<<20)
	set(&l.Parallel, 8)
	set(&l.Stall, 3)
	set(&l.Retries, 2)
	if l.Wall == 0 {
		l.Wall = 30 * time.Minute
	}
	if l.Call == 0 {
		l.Call = time.Minute
	}
	return l
}

// String lists the limits in a fixed order; it is part of the unit key.
func (l Limits) String() string {
	l = l.withDefaults()
	return fmt.Sprintf("rounds=%d calls=%d wall=%s call=%s result=%d stall=%d", l.Rounds, l.Calls, l.Wall, l.Call, l.ResultBytes, l.Stall)
}

func (o *Options) now() time.Time {
	if o.Now != nil {
		return o.Now()
	}
	return time.Now()
}

func (o *Options) pause(ctx context.Context, n int) {
	if o.Pause != nil {
		o.Pause(ctx, n)
		return
	}
	t := time.NewTimer(100 * time.Millisecond << (n - 1))
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

func (o *Options) pass() float64 {
	if o.Pass == 0 {
		return datasets.PassCoverage
	}
	return o.Pass
}

func (o *Options) stateful(server string) bool { return o.Stateful != nil && o.Stateful(server) }

// tool is the exposed tool as an agent sees it. A tool that the catalog lacks
// is shown by its name.
func (o *Options) tool(id string) datasets.Tool {
	if o.Tool != nil {
		if t, ok := o.Tool(id); ok {
			return *t
		}
	}
	server, name := splitID(id)
	return datasets.Tool{Server: server, Name: name, InputSchema: `{"type":"object"}`, OutputSchema: "null", Annotations: "null"}
}
