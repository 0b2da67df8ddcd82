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
	cmd.MarkFlagFilename("catalog", "json", "jsonl")
	f.StringVar(&o.probe, "probe", "", "which tools to call: none, read (marked read-only, or allowed) or all; the default is read, and all for the embedded servers")
	f.StringSliceVar(&o.allow, "allow", nil, "tools (`SERVER or SERVER/TOOL`) that may be called though not marked read-only")
	f.IntVar(&o.calls, "calls-per-tool", 0, "most probe calls for one tool (default 12)")
	addDryRun(cmd, &o.dryRun)
	completes(cmd, "probe", probes)
	cmd.MarkFlagsMutuallyExclusive("catalog", "builtin")
	cmd.MarkFlagsMutuallyExclusive("catalog", "servers")
}

var probes = []string{discover.ProbeNone, discover.ProbeRead, discover.ProbeAll}

// check refuses what no catalog can be made from, before anything is made.
func (o *discoverOptions) check(cmd *cobra.Command, e *env) error {
	if o.probe != "" {
		if err := oneOf(cmd, "probe", probes, o.probe); err != nil {
			return err
		}
	}
	if o.calls < 0 {
		return misuse(cmd, "--calls-per-tool %d: want 0 or more", o.calls)
	}
	if _, err := catalogFiles(o.catalogs); err != nil {
		return err
	}
	return o.sourceFlags.check(e)
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
		Args:    exactly("a directory"), ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd, e); err != nil {
				return err
			}
			return inWorkspace(e, args[0], opening{create: true, dryRun: o.dryRun}, func(w *workspace) error {
				if o.dryRun {
					return w.planDiscover(cmd.Context(), o)
				}
				answer, err := w.discover(cmd.Context(), o)
				if err != nil {
					return err
				}
				return e.answer(answer, answer.print)
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
}

type serverAnswer struct {
	Name   string `json:"name"`
	Status string `json:"status"`
	Tools  int    `json:"tools"`
	State  string `json:"state"`
	Error  string `json:"error"`
}

// discover makes the catalog of the dataset and records the calls that it took.
func (w *workspace) discover(ctx context.Context, o discoverOptions) (*discoverAnswer, error) {
	log := w.stageLog("discover", o.seed, []any{o.catalogs, o.probe, o.allow, o.calls})
	before := w.catalog
	s, err := w.list(ctx, &o)
	if err != nil {
		return nil, err
	}
	old, err := w.openTape(before)
	if err != nil {
		return nil, err
	}
	found, err := w.probe(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := w.keepUsed(before, found, old); err != nil {
		return nil, err
	}
	edges := w.findEdges(found.Servers, found.Tools)
	keepVerified(before.edges, edges)
	w.catalog = newCatalog(found.Servers, found.Tools, edges)
	if p := w.catalog.partial(); p != nil {
		w.failed(p)
		log.Failed = p.Failed
	}
	log.Done = len(found.Servers) - log.Failed
	if err := w.commit(log, w.writeCatalog); err != nil {
		return nil, err
	}
	if !s.none() {
		if err := w.remember(s); err != nil {
			return nil, wrap("keeping the servers in mind", err)
		}
	}
	return w.discoverAnswer(found.Calls), nil
}

func (w *workspace) writeCatalog(tx *datasets.Tx) error {
	if err := tx.WriteServers(datasets.All(w.catalog.servers)); err != nil {
		return err
	}
	if err := tx.WriteTools(datasets.All(w.catalog.tools)); err != nil {
		return err
	}
	if err := tx.WriteEdges(datasets.All(w.catalog.edges)); err != nil {
		return err
	}
	return w.writeTape(tx)
}

// list fills the catalog with what the servers, or the saved lists, say, and
// returns where it came from.
func (w *workspace) list(ctx context.Context, o *discoverOptions) (s source, err error) {
	if len(o.catalogs) > 0 {
		return source{}, w.loadCatalogs(o.catalogs)
	}
	if s, err = o.choose(w); err != nil {
		return s, err
	}
	if s.none() {
		s = source{Builtin: true}
	}
	if o.probe == "" && s.Builtin {
		o.probe = discover.ProbeAll
	}
	if err := w.start(ctx, s, false); err != nil {
		return s, err
	}
	servers, tools := w.fleet.Catalog(ctx)
	if err := ctx.Err(); err != nil {
		return s, err
	}
	servers, tools = discover.Prepare(servers, tools)
	w.catalog = newCatalog(servers, tools, nil)
	if p := w.catalog.partial(); p != nil && p.Failed == len(servers) {
		return s, fmt.Errorf("no server could be used; the dataset is as it was:\n  %s", strings.Join(p.Reasons, "\n  "))
	}
	return s, nil
}

// probe calls the tools that the options allow.
func (w *workspace) probe(ctx context.Context, o discoverOptions) (*discover.Result, error) {
	stage := w.env.progress().Begin("discover", 0)
	defer stage.End()
	options := w.probeOptions(o)
	options.Progress = stage.At
	if w.fleet != nil {
		options.Open = func(context.Context) (discover.Session, error) { return w.tape.Open(), nil }
		options.Repeat, options.Settle, options.Fixed = w.repeat, w.settle, w.fixedStates()
	}
	return discover.Probe(ctx, w.catalog.servers, w.catalog.tools, options)
}

func (w *workspace) probeOptions(o discoverOptions) *discover.Options {
	return &discover.Options{
		Mode: o.probe, Allow: slices.Concat(allowed(w.configs, w.settings.Allow), o.allow), Seeds: w.settings.Seeds, Seed: o.seed, CallsPerTool: o.calls,
	}
}

// settle keeps what probing found of a server's state, for the tape.
func (w *workspace) settle(server, state string) {
	if s := w.catalog.server(server); s != nil {
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

func (w *workspace) discoverAnswer(calls int) *discoverAnswer {
	a := &discoverAnswer{
		Servers: []serverAnswer{}, Tools: len(w.catalog.tools), Edges: len(w.catalog.edges), EdgesByKind: map[string]int{}, Calls: calls, ToolStatus: map[string]int{},
	}
	for _, s := range w.catalog.servers {
		a.Servers = append(a.Servers, serverAnswer{s.Name, s.Status, int(s.Tools), s.State, s.Error})
	}
	for _, e := range w.catalog.edges {
		a.EdgesByKind[e.Kind]++
	}
	for _, t := range w.catalog.tools {
		a.ToolStatus[t.Health.Status]++
		if t.Health.Calls > 0 {
			a.Probed++
		}
	}
	return a
}

func (a *discoverAnswer) print(out io.Writer) error {
	var rows [][]string
	failed := false
	for _, s := range a.Servers {
		rows = append(rows, []string{s.Name, s.Status, strconv.Itoa(s.Tools), s.State})
		failed = failed || s.Error != ""
	}
	header := []string{"SERVER", "STATUS", "TOOLS", "STATE"}
	if failed {
		header = append(header, "ERROR")
		for i, s := range a.Servers {
			rows[i] = append(rows[i], shorten(s.Error, 80))
		}
	}
	p := &printing{out: out}
	p.err = table(out, header, rows)
	p.f("\n%s%s, of which %d called, %s\n", plural(a.Tools, "tool"), bracketed(a.ToolStatus), a.Probed, plural(a.Calls, "call"))
	p.f("%s%s\n", plural(a.Edges, "edge"), bracketed(a.EdgesByKind))
	return p.err
}

// planDiscover says which tools would be called. It starts the servers to ask
// them for their tools.
func (w *workspace) planDiscover(ctx context.Context, o discoverOptions) error {
	p := newPlan()
	if err := w.addDiscover(ctx, o, p); err != nil {
		return err
	}
	return w.env.answer(p, p.print)
}

func (w *workspace) addDiscover(ctx context.Context, o discoverOptions, p *plan) error {
	s, err := w.list(ctx, &o)
	if err != nil {
		return err
	}
	if partial := w.catalog.partial(); partial != nil {
		w.failed(partial)
	}
	at := map[string]int{}
	for i, s := range w.catalog.servers {
		at[s.Name] = i
		p.Servers = append(p.Servers, serverPlan{Name: s.Name, Status: s.Status, Tools: int(s.Tools), Call: []string{}, Error: s.Error})
	}
	options, units := w.probeOptions(o), 0
	for i := range w.catalog.tools {
		t := &w.catalog.tools[i]
		ok, why := options.Callable(t)
		if s.none() {
			ok, why = false, "it is known from a saved list only"
		}
		if !ok {
			w.env.detailf("would not call %s: %s", t.ID(), why)
			continue
		}
		units++
		server := &p.Servers[at[t.Server]]
		server.Call = append(server.Call, t.Name)
	}
	p.add(stagePlan{Stage: "discover", Units: units, Of: "tools to call"})
	return nil
}
