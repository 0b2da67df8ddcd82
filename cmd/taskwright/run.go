package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/evaluate"
)

// runOptions are the flags of run: those of its stages.
type runOptions struct {
	discover discoverOptions
	generate generateOptions
	filter   filterOptions
	fuzz     fuzzOptions
	evaluate evaluateOptions
	seed     int64
}

func newRunCommand(e *env) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run DIR",
		Short: "Make, prove and evaluate a task split: all stages",
		Long: `Run makes a curated task split in DIR: it discovers the tools of the embedded
servers (or of --servers), generates candidate tasks over executed chains,
keeps those that are proved solvable and non-trivial, rewrites them as fuzzy
requests, evaluates the baseline agents, and writes DIR/report.html.

A run that was stopped, however, goes on where it was when it is started again.

Exit status: 0 done; 1 failed; 2 wrong usage; 3 done, but some units failed;
130 interrupted.`,
		Example: "  taskwright run demo\n  taskwright run mine --servers mcp.json --probe all -n 100 --seed 7",
		Args:    exactly("a directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			return inWorkspace(e, args[0], openWorkspace, func(w *workspace) error {
				return w.run(cmd.Context(), o)
			})
		},
	}
	o.discover.add(cmd)
	o.generate.add(cmd)
	o.filter.add(cmd)
	o.fuzz.add(cmd)
	o.evaluate.add(cmd)
	addSeed(cmd, &o.seed)
	return cmd
}

func (o *runOptions) check(cmd *cobra.Command) error {
	o.discover.seed, o.generate.seed, o.fuzz.seed = o.seed, o.seed, o.seed
	o.generate.dryRun, o.filter.dryRun, o.fuzz.dryRun, o.evaluate.dryRun = o.discover.dryRun, o.discover.dryRun, o.discover.dryRun, o.discover.dryRun
	o.evaluate.agents = []string{evaluate.AgentOracle, evaluate.AgentNull, evaluate.AgentSingle}
	if len(o.discover.catalogs) > 0 {
		return misuse(cmd, "run needs servers that can be called; with --catalog use taskwright discover")
	}
	return firstOf(o.discover.check(cmd), o.generate.check(cmd), o.filter.check(cmd), o.fuzz.validate(cmd), o.evaluate.check(cmd))
}

// runAnswer is what run prints.
type runAnswer struct {
	Servers      int              `json:"servers"`
	Tools        int              `json:"tools"`
	Edges        int              `json:"edges"`
	Candidates   int              `json:"candidates"`
	Accepted     int              `json:"accepted"`
	Rejected     int              `json:"rejected"`
	Variants     int              `json:"variants"`
	Claims       int              `json:"claims"`
	EdgeCoverage float64          `json:"edge_coverage"`
	Agents       []evaluateAnswer `json:"agents"`
	Seconds      float64          `json:"seconds"`
	ModelCalls   int              `json:"model_calls"`
	DryRun       bool             `json:"dry_run,omitempty"`

	dir     string
	servers []serverAnswer
	reasons map[string]int
	pattern map[string]int
	report  string
}

func (w *workspace) run(ctx context.Context, o runOptions) error {
	started := w.env.now()
	a := &runAnswer{dir: w.dir.Path(), DryRun: o.discover.dryRun, Agents: []evaluateAnswer{}}
	partial, err := w.stages(ctx, o, a)
	if err != nil {
		return err
	}
	if !a.DryRun {
		a.report = filepath.Join(w.dir.Path(), "report.html")
		if err := w.writeReport(a.report); err != nil {
			return err
		}
	}
	a.Seconds = math.Round(w.env.now().Sub(started).Seconds()*100) / 100
	return finish(w.env, a, partial)
}

// stages runs all stages and fills the answer.
func (w *workspace) stages(ctx context.Context, o runOptions, a *runAnswer) (partial, err error) {
	found, p1, err := w.discover(ctx, o.discover)
	if err != nil {
		return nil, err
	}
	a.Servers, a.Tools, a.Edges, a.servers = len(found.Servers)-w.failedServers(), found.Tools, found.Edges, found.Servers
	made, p2, err := w.generate(ctx, o.generate)
	if err != nil {
		return nil, err
	}
	a.Candidates, a.EdgeCoverage, a.pattern = made.Candidates, made.EdgeCoverage, made.ByPattern
	if a.DryRun {
		return firstOf(p1, p2), nil
	}
	kept, p3, err := w.filter(ctx, o.filter)
	if err != nil {
		return nil, err
	}
	a.Accepted, a.Rejected, a.reasons = kept.Accepted, kept.Rejected, kept.Reasons
	written, p4, err := w.fuzz(ctx, o.fuzz)
	if err != nil {
		return nil, err
	}
	a.Variants, a.Claims = written.Variants, written.Claims
	partial = firstOf(p1, p2, p3, p4)
	if a.Accepted == 0 {
		return partial, nil
	}
	answers, p5, err := w.evaluateAll(ctx, o.evaluate)
	a.Agents = answers
	return firstOf(partial, p5), err
}

func (w *workspace) writeReport(name string) error {
	r, err := buildReport(w.dir, reportOptions{})
	if err != nil {
		return err
	}
	return writeReport(r, name)
}

func (a *runAnswer) print(out io.Writer) error {
	if a.DryRun {
		_, err := fmt.Fprintf(out, "%d servers with %d tools; would write %d candidates, check each with 4 agents, and make 0 model calls ($0)\n", a.Servers, a.Tools, a.Candidates)
		return err
	}
	p := &printing{out: out}
	p.f("discover   %d servers, %d tools, %d edges\n", a.Servers, a.Tools, a.Edges)
	for _, s := range a.servers {
		if s.Status != datasets.ServerOK {
			p.f("           %s %s: %s\n", s.Name, s.Status, cell(s.Error))
		}
	}
	p.f("generate   %d candidates (%s); %.0f %% of the observed edges used\n", a.Candidates, tally(a.pattern), 100*a.EdgeCoverage)
	p.f("filter     %d accepted, %d rejected (%s)\n", a.Accepted, a.Rejected, tally(a.reasons))
	p.f("fuzz       %d variants, %d claims\n", a.Variants, a.Claims)
	for _, r := range a.Agents {
		p.f("evaluate   %-7s pass rate %s, claim coverage %s, %d of %d scored\n", r.Agent, share(r.PassRate), share(r.Coverage), r.Scored, r.Tasks)
	}
	p.f("\nDone in %s. What next:\n", time.Duration(a.Seconds*float64(time.Second)).Round(10*time.Millisecond))
	p.f("  open %s\n", a.report)
	p.f("  taskwright datasets head %s        # look at tasks\n", a.dir)
	p.f("  taskwright datasets validate %s    # check every row\n", a.dir)
	p.f("  taskwright evaluate %s --offline   # run an agent from the tape alone\n", a.dir)
	p.f("  taskwright run mine --servers mcp.json --probe all   # the same on your servers\n")
	return p.err
}

// printing writes lines until one fails.
type printing struct {
	out io.Writer
	err error
}

func (p *printing) f(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.out, format, args...)
	}
}
