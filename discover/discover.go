// Package discover turns MCP servers into a catalog: their tools, what calling
// them showed, and the edges along which a value that one tool returns can be
// an argument of another.
//
// It works in steps that can be used alone:
//
//	servers, tools, problems, err := discover.LoadCatalog("tools.json", r) // or a live listing
//	servers, tools = discover.Prepare(servers, tools)
//	found, err := discover.Probe(ctx, servers, tools, &discover.Options{Open: open})
//	edges := discover.Edges(found.Servers, found.Tools, answer)
//
// [Probe] makes real calls, within the limits of [Options]: only tools that are
// marked read-only, or that the user allows. Its inputs come from the schemas
// and descriptions, from the user's seeds, and from what other tools returned.
// [Edges] then joins two kinds of evidence: names, types and units that agree
// (static), and values that were seen to flow (observed).
//
// Everything is a function of its inputs and of the servers' answers: plans are
// made between rounds of calls, results are merged in the order of the plan,
// and no output depends on which call came back first.
package discover

import (
	"context"
	"slices"

	"github.com/taskwright/taskwright/datasets"
)

// Session is a line of calls to servers in which what an earlier call changed
// may show in a later one. It is used by one goroutine at a time.
type Session interface {
	// Call calls a tool with a JSON object. The bool says that a recording
	// answered. An error means that the call did not reach the tool or had no
	// answer (a dead process, a time limit); what a tool itself reports is a
	// result.
	Call(ctx context.Context, server, tool, arguments string) (datasets.Call, bool, error)
	Close() error
}

// Probe modes.
const (
	ProbeNone = "none" // no call
	ProbeRead = "read" // tools marked read-only, and those that Allow names
	ProbeAll  = "all"  // every tool
)

// Options limit and feed a probe. Nil means the defaults.
type Options struct {
	// Open starts a session. Without it nothing is called.
	Open func(ctx context.Context) (Session, error)
	// Repeat makes recorded calls once more, in order, in one session of its
	// own, and says for each whether the answer is the recorded one; with an
	// error the list is shorter. Without it only answers that hold the present
	// time count as volatile.
	Repeat func(ctx context.Context, calls []datasets.Call) (same []bool, err error)
	// Settle is told when the calls showed that a server keeps state, or none,
	// against what its row says: later sessions must follow. No call is under
	// way meanwhile. Without it the rows' word stands.
	Settle func(server, state string)
	Fixed  []string         // servers of which the author told whether they keep state
	Mode   string           // ProbeNone, ProbeRead (default) or ProbeAll
	Allow  []string         // "server" or "server/tool": may be called though not marked read-only
	Seeds  map[string][]any // values to try, by "server/tool/param", "server/tool", … or "param" alone
	Seed   int64            // of the order among places whose values fit a parameter equally well
	Rounds int              // rounds of planning and calling; default 3

	CallsPerTool   int // default 12
	CallsPerServer int // default 400
	PerServer      int // calls to one server at a time, if it has no state; default 4

	// Progress, if set, is told of finished and planned calls, from one
	// goroutine at a time.
	Progress func(done, planned int)
}

func (o *Options) withDefaults() Options {
	var out Options
	if o != nil {
		out = *o
	}
	if out.Mode == "" {
		out.Mode = ProbeRead
	}
	if out.Rounds <= 0 {
		out.Rounds = 3
	}
	if out.CallsPerTool <= 0 {
		out.CallsPerTool = 12
	}
	if out.CallsPerServer <= 0 {
		out.CallsPerServer = 400
	}
	if out.PerServer <= 0 {
		out.PerServer = 4
	}
	return out
}

// Callable says whether a probe with these options may call the tool, and if
// not, why.
func (o *Options) Callable(t *datasets.Tool) (bool, string) {
	mode := ProbeRead
	var allow []string
	if o != nil {
		allow = o.Allow
		if o.Mode != "" {
			mode = o.Mode
		}
	}
	switch {
	case mode == ProbeNone:
		return false, "probing is off"
	case mode == ProbeAll, t.Effect == datasets.EffectRead, slices.Contains(allow, t.Server), slices.Contains(allow, t.ID()):
		return true, ""
	case t.Effect == datasets.EffectWrite:
		return false, "marked as changing things, and not allowed by name"
	}
	return false, "not marked read-only, and not allowed by name"
}
