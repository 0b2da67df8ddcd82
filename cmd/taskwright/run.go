package main

import (
	"context"
	"io"
	"math"
	"path/filepath"
	"strings"
	"time"
	"unicode"

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
		Args:    exactly("a directory"), ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd, e); err != nil {
				return err
			}
			return inWorkspace(e, args[0], opening{create: true, dryRun: o.discover.dryRun}, func(w *workspace) error {
				if o.discover.dryRun {
					return w.planRun(cmd.Context(), o)
				}
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

func (o *runOptions) check(cmd *cobra.Command, e *env) error {
	o.discover.seed, o.generate.seed, o.fuzz.seed = o.seed, o.seed, o.seed
	o.evaluate.agents = []string{evaluate.AgentOracle, evaluate.AgentNull, evaluate.AgentSingle}
	if len(o.discover.catalogs) > 0 {
		return misuse(cmd, "run needs servers that can be called; with --catalog use taskwright discover")
	}
	return firstOf(o.discover.check(cmd, e), o.generate.check(cmd), o.filter.check(cmd), o.fuzz.validate(cmd), o.evaluate.check(cmd))
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

	dir      string
	servers  []serverAnswer
	wanted   string // what to do about too few candidates
	unvaried int
	reasons  map[string]int
	pattern  map[string]int
	report   string
}

// planRun says what all stages would do.
func (w *workspace) planRun(ctx context.Context, o runOptions) error {
	tasks, err := w.tasks()
	if err != nil {
		return err
	}
	p := newPlan()
	if err := w.addDiscover(ctx, o.discover, p); err != nil {
		return err
	}
	all := len(tasks) + o.generate.n
	p.add(o.generate.plan())
	p.add(o.filter.plan(all))
	p.add(o.fuzz.plan(all))
	p.add(o.evaluate.plan(make([]datasets.Task, all)))
	return w.env.answer(p, p.print)
}

func (w *workspace) run(ctx context.Context, o runOptions) error {
	started := w.env.now()
	a := &runAnswer{dir: w.path, Agents: []evaluateAnswer{}}
	if err := w.stages(ctx, o, a); err != nil {
		return err
	}
	a.report = filepath.Join(w.path, "report.html")
	if err := w.writeReport(a.report); err != nil {
		return err
	}
	a.Seconds = math.Round(w.env.now().Sub(started).Seconds()*100) / 100
	return w.env.answer(a, a.print)
}

// stages runs all stages and fills the answer.
func (w *workspace) stages(ctx context.Context, o runOptions, a *runAnswer) error {
	found, err := w.discover(ctx, o.discover)
	if err != nil {
		return err
	}
	a.discovered(found)
	made, err := w.generate(ctx, o.generate)
	if err != nil {
		return err
	}
	a.Candidates, a.EdgeCoverage, a.pattern, a.wanted = made.Candidates, made.EdgeCoverage, made.ByPattern, made.hint()
	kept, err := w.filter(ctx, o.filter)
	if err != nil {
		return err
	}
	a.Accepted, a.Rejected, a.reasons = kept.Accepted, kept.Rejected, kept.Reasons
	written, err := w.fuzz(ctx, o.fuzz)
	if err != nil {
		return err
	}
	a.Accepted, a.Rejected = a.Accepted-written.RejectedTasks, a.Rejected+written.RejectedTasks
	if written.RejectedTasks > 0 {
		a.reasons["fuzz"] = written.RejectedTasks
	}
	a.Variants, a.Claims, a.unvaried = written.Variants, written.Claims, written.unvaried
	if a.Accepted == 0 {
		w.env.notef("no task was accepted, so there is nothing to evaluate on")
		return nil
	}
	tasks, err := w.toEvaluate(o.evaluate)
	if err == nil {
		a.Agents, err = w.evaluate(ctx, tasks, o.evaluate)
	}
	return err
}

func (a *runAnswer) discovered(found *discoverAnswer) {
	a.Tools, a.Edges, a.servers = found.Tools, found.Edges, found.Servers
	for _, s := range found.Servers {
		if !down(s.Status) {
			a.Servers++
		}
	}
}

func (w *workspace) writeReport(name string) error {
	r, err := buildReport(w.dir, reportOptions{})
	if err != nil {
		return err
	}
	return writeReport(r, name)
}

func (a *runAnswer) print(out io.Writer) error {
	p := &printing{out: out}
	p.f("discover   %s, %s, %s\n", plural(a.Servers, "server"), plural(a.Tools, "tool"), plural(a.Edges, "edge"))
	for _, s := range a.servers {
		if down(s.Status) {
			p.f("           %s %s: %s\n", s.Name, s.Status, shorten(cell(s.Error), 100))
		}
	}
	p.f("generate   %s%s; %.0f %% of the observed edges used\n", plural(a.Candidates, "candidate"), bracketed(a.pattern), 100*a.EdgeCoverage)
	if a.wanted != "" {
		p.f("           %s\n", a.wanted)
	}
	p.f("filter     %d accepted, %d rejected%s\n", a.Accepted, a.Rejected, bracketed(a.reasons))
	p.f("fuzz       %s, %s\n", plural(a.Variants, "variant"), plural(a.Claims, "claim"))
	if a.unvaried > 0 {
		p.f("           %s without a variant: agents can get only the concrete instruction\n", plural(a.unvaried, "task"))
	}
	for _, r := range a.Agents {
		p.f("evaluate   %-7s pass rate %s, claim coverage %s, %d of %d scored\n", r.Agent, share(r.PassRate), share(r.Coverage), r.Scored, r.Tasks)
	}
	p.f("\nDone in %s. What next:\n", time.Duration(a.Seconds*float64(time.Second)).Round(10*time.Millisecond))
	a.next(p)
	return p.err
}

// next says in five lines what to do with the dataset.
func (a *runAnswer) next(p *printing) {
	dir := shellWord(a.dir)
	lines := [][2]string{
		{"open " + shellWord(a.report), "the whole story on one page"},
		{"taskwright datasets head " + dir, "the tasks"},
		{"taskwright datasets validate " + dir, "check every file, row and field"},
		{"taskwright evaluate " + dir + " --offline", "run an agent from the tape alone"},
		{"taskwright run mine --servers mcp.json --probe all", "the same on your own servers"},
	}
	widest := 0
	for _, l := range lines {
		widest = max(widest, len(l[0]))
	}
	for _, l := range lines {
		p.f("  %-*s  # %s\n", widest, l[0], l[1])
	}
}

// shellWord is a name as a word for a shell.
func shellWord(name string) string {
	if name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !strings.ContainsRune("/._-+=:,@%~", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
