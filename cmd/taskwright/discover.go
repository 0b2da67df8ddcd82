package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/discover"
)

// discoverOptions are the flags of discover.
type discoverOptions struct {
	sourceFlags
	catalogs []string
	probe    string
	allow    []string
	calls    int
	seed     int64
	dryRun   bool
}

func (o *discoverOptions) add(cmd *cobra.Command) {
	o.sourceFlags.add(cmd)
	f := cmd.Flags()
	f.StringArrayVar(&o.catalogs, "catalog", nil, "read saved tool lists from a `FILE`, folder or pattern (repeats); nothing is called")
	f.StringVar(&o.probe, "probe", "", "which tools to call: none, read (marked read-only, or allowed) or all; the default is read, and all for the embedded servers")
	f.StringSliceVar(&o.allow, "allow", nil, "tools (`SERVER or SERVER/TOOL`) that may be called though not marked read-only")
	f.IntVar(&o.calls, "calls-per-tool", 0, "most probe calls for one tool (default 12)")
	f.BoolVar(&o.dryRun, "dry-run", false, "say what would be called, and call nothing")
	cmd.MarkFlagsMutuallyExclusive("catalog", "builtin")
	cmd.MarkFlagsMutuallyExclusive("catalog", "servers")
}

// check refuses what no catalog can be made from.
func (o *discoverOptions) check(cmd *cobra.Command) error {
	switch o.probe {
	case "", discover.ProbeNone, discover.ProbeRead, discover.ProbeAll:
	default:
		return misuse(cmd, "--probe %s: want none, read or all", o.probe)
	}
	return nil
}

func newDiscoverCommand(e *env) *cobra.Command {
	var o discoverOptions
	cmd := &cobra.Command{
		Use:   "discover DIR",
		Short: "Read the tools of servers, try them, and find what flows between them",
		Long: `Discover starts the servers (the embedded ones unless --servers or --catalog
says otherwise), lists their tools, calls those that may be called, and writes
servers, tools, edges and the recorded calls to the dataset in DIR.

Without --probe all, only tools that are marked read-only, or that --allow,
mcp.json or taskwright.yaml names, are called.

Exit status: 0 done; 1 failed; 2 wrong usage; 3 done, but some servers failed;
130 interrupted.`,
		Example: "  taskwright discover demo\n  taskwright discover mine --servers mcp.json --probe all\n  taskwright discover paper --catalog 'catalogs/*.json'",
		Args:    exactly("a directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			return inWorkspace(e, args[0], openWorkspace, func(w *workspace) error {
				answer, partial, err := w.discover(cmd.Context(), o)
				if err != nil {
					return err
				}
				return finish(e, answer, partial)
			})
		},
	}
	o.add(cmd)
	addSeed(cmd, &o.seed)
	return cmd
}

// discoverAnswer is what discover prints.
type discoverAnswer struct {
	Servers     []serverAnswer `json:"servers"`
	Tools       int            `json:"tools"`
	Edges       int            `json:"edges"`
	EdgesByKind map[string]int `json:"edges_by_kind"`
	Probed      int            `json:"probed"` // tools that were called
	Calls       int            `json:"calls"`
	ToolStatus  map[string]int `json:"tools_by_health"`
	DryRun      bool           `json:"dry_run,omitempty"`
}

type serverAnswer struct {
	Name   string `json:"name"`
	Status string `json:"status"`
	Tools  int    `json:"tools"`
	State  string `json:"state"`
	Error  string `json:"error"`
}

// discover makes the catalog of the dataset.
func (w *workspace) discover(ctx context.Context, o discoverOptions) (*discoverAnswer, error, error) {
	log := w.stageLog("discover", o.seed, []any{o.catalogs, o.probe, o.allow, o.calls})
	problems, err := w.list(ctx, &o)
	if err != nil {
		return nil, nil, err
	}
	options := w.probeOptions(o)
	if o.dryRun {
		return w.discoverPlan(options), problems, nil
	}
	stage := w.env.progress().Begin("discover", 0)
	found, err := discover.Probe(ctx, w.servers, w.tools, options)
	stage.End()
	if err != nil {
		return nil, nil, err
	}
	w.servers, w.tools = found.Servers, found.Tools
	calls := w.callsByKey()
	w.edges = discover.Edges(w.servers, w.tools, func(key string) (datasets.Call, bool) {
		c, ok := calls[key]
		return c, ok
	})
	log.Done, log.Failed = len(w.servers)-w.failedServers(), w.failedServers()
	err = w.commit(log, func(tx *datasets.Tx) error {
		if err := tx.WriteServers(datasets.All(w.servers)); err != nil {
			return err
		}
		if err := tx.WriteTools(datasets.All(w.tools)); err != nil {
			return err
		}
		if err := tx.WriteEdges(datasets.All(w.edges)); err != nil {
			return err
		}
		return w.writeTape(tx)
	})
	if err != nil {
		return nil, nil, err
	}
	return w.discoverAnswer(found.Calls), firstOf(problems, w.serversPartial()), nil
}

// list fills the catalog with what the servers, or the saved lists, say.
func (w *workspace) list(ctx context.Context, o *discoverOptions) (partial, err error) {
	if len(o.catalogs) > 0 {
		partial, err = w.loadCatalogs(o.catalogs)
		if err != nil {
			return nil, err
		}
		return partial, w.connect(ctx, source{}, false)
	}
	s, err := o.choose(w)
	if err != nil {
		return nil, err
	}
	if s.none() {
		s = source{Builtin: true}
	}
	if o.probe == "" && s.Builtin {
		o.probe = discover.ProbeAll
	}
	if err := w.remember(s); err != nil {
		return nil, err
	}
	before := w.servers
	w.servers, w.tools = nil, nil
	if err := w.connect(ctx, s, false); err != nil {
		return nil, err
	}
	servers, tools := w.fleet.Catalog(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w.servers, w.tools = discover.Prepare(servers, tools)
	w.tape = nil
	w.forgetChanged(before)
	return nil, w.loadTape()
}

// forgetChanged warns of servers that are not what they were: their recorded
// calls stay on the tape for the tasks that were made from them.
func (w *workspace) forgetChanged(before []datasets.Server) {
	for _, old := range before {
		if now := w.server(old.Name); now != nil && now.Digest != old.Digest {
			w.env.notef("server %s has changed since the dataset was made", old.Name)
		}
	}
}

func (w *workspace) probeOptions(o discoverOptions) *discover.Options {
	options := &discover.Options{
		Mode: o.probe, Allow: slices.Concat(allowed(w.configs, w.settings.Allow), o.allow), Seeds: w.settings.Seeds, Seed: o.seed, CallsPerTool: o.calls,
	}
	if w.fleet != nil {
		options.Open = func(context.Context) (discover.Session, error) { return w.tape.Open(), nil }
		options.Repeat, options.Settle, options.Fixed = w.tape.RepeatAll, w.settle, w.fixedStates()
	}
	return options
}

// settle keeps what probing found of a server's state, for the tape.
func (w *workspace) settle(server, state string) {
	if s := w.server(server); s != nil {
		s.State = state
	}
}

// fixedStates are the servers of which the author told whether they keep state.
func (w *workspace) fixedStates() []string {
	var names []string
	for _, c := range w.configs {
		if c.State != "" {
			names = append(names, c.Name)
		}
	}
	return names
}

func (w *workspace) callsByKey() map[string]datasets.Call {
	calls := map[string]datasets.Call{}
	for _, c := range w.tape.Calls() {
		calls[c.Key] = c
	}
	return calls
}

func (w *workspace) failedServers() int {
	n := 0
	for _, s := range w.servers {
		if s.Status == datasets.ServerFailed || s.Status == datasets.ServerDied {
			n++
		}
	}
	return n
}

// serversPartial says which servers failed, nil if none.
func (w *workspace) serversPartial() error {
	p := &partialError{Stage: "discover", Failed: w.failedServers(), Total: len(w.servers)}
	for _, s := range w.servers {
		if s.Status == datasets.ServerFailed || s.Status == datasets.ServerDied {
			p.Reasons = append(p.Reasons, s.Name+": "+s.Error)
		}
	}
	if p.Failed == 0 {
		return nil
	}
	p.Reasons = p.Reasons[:min(len(p.Reasons), maxReasons)]
	return p
}

func (w *workspace) discoverAnswer(calls int) *discoverAnswer {
	a := &discoverAnswer{
		Servers: []serverAnswer{}, Tools: len(w.tools), Edges: len(w.edges), EdgesByKind: map[string]int{}, Calls: calls, ToolStatus: map[string]int{},
	}
	for _, s := range w.servers {
		a.Servers = append(a.Servers, serverAnswer{s.Name, s.Status, int(s.Tools), s.State, s.Error})
	}
	for _, e := range w.edges {
		a.EdgesByKind[e.Kind]++
	}
	for _, t := range w.tools {
		a.ToolStatus[t.Health.Status]++
		if t.Health.Calls > 0 {
			a.Probed++
		}
	}
	return a
}

// discoverPlan is the answer of a dry run: the tools that would be called.
func (w *workspace) discoverPlan(o *discover.Options) *discoverAnswer {
	a := w.discoverAnswer(0)
	a.DryRun = true
	for i := range w.tools {
		if ok, why := o.Callable(&w.tools[i]); ok {
			a.Probed++
			w.env.notef("would call %s", w.tools[i].ID())
		} else {
			w.env.detailf("would not call %s: %s", w.tools[i].ID(), why)
		}
	}
	return a
}

func (a *discoverAnswer) print(out io.Writer) error {
	var rows [][]string
	for _, s := range a.Servers {
		rows = append(rows, []string{s.Name, s.Status, strconv.Itoa(s.Tools), s.State, s.Error})
	}
	if err := table(out, []string{"SERVER", "STATUS", "TOOLS", "STATE", "ERROR"}, rows); err != nil {
		return err
	}
	verb := "called"
	if a.DryRun {
		verb = "would be called"
	}
	_, err := fmt.Fprintf(out, "\n%d tools (%s), %d %s; %d edges (%s)\n", a.Tools, tally(a.ToolStatus), a.Probed, verb, a.Edges, tally(a.EdgesByKind))
	return err
}

// tally lists a count map in the order of its names: "2 declared, 5 observed".
func tally(m map[string]int) string {
	var names, parts []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		parts = append(parts, fmt.Sprintf("%d %s", m[name], name))
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}
