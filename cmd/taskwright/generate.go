package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/generate"
	"github.com/taskwright/taskwright/internal/world"
)

// generateOptions are the flags of generate.
type generateOptions struct {
	n           int
	patterns    []string
	author      string
	distractors int
	phrases     string
	seed        int64
	dryRun      bool
}

func (o *generateOptions) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVarP(&o.n, "number", "n", 50, "number of candidates")
	f.StringSliceVar(&o.patterns, "pattern", nil, "patterns to draw from: single, linear, parallel, hybrid (default all but single)")
	f.StringVar(&o.author, "author", "grounded", "who writes: grounded (no model)")
	f.IntVar(&o.distractors, "distractors", 3, "distractor servers for each task")
	f.StringVar(&o.phrases, "phrases", "", "phrasebook `FILE` (YAML): how people speak of your tools (default: phrases in taskwright.yaml)")
	cmd.MarkFlagFilename("phrases", "yaml", "yml")
	completes(cmd, "pattern", patterns)
	completes(cmd, "author", authors)
}

var (
	patterns = []string{datasets.PatternSingle, datasets.PatternLinear, datasets.PatternParallel, datasets.PatternHybrid}
	authors  = []string{"grounded"}
)

func (o *generateOptions) check(cmd *cobra.Command) error {
	if err := firstOf(oneOf(cmd, "pattern", patterns, o.patterns...), oneOf(cmd, "author", authors, o.author)); err != nil {
		return err
	}
	switch {
	case o.n < 1 || o.n > 1_000_000:
		return misuse(cmd, "-n %d: want 1 to 1000000", o.n)
	case o.distractors < 0:
		return misuse(cmd, "--distractors %d: want 0 or more", o.distractors)
	}
	return nil
}

func newGenerateCommand(e *env) *cobra.Command {
	var o generateOptions
	var s sourceFlags
	cmd := &cobra.Command{
		Use:   "generate DIR",
		Short: "Write candidate tasks over chains of tools",
		Long: `Generate grows chains of tool calls along the edges of the tool graph, runs
every call, and writes a candidate task for each chain. Tasks that the dataset
has already stay; one that comes out again is written anew and keeps its
reviews and scores.

The servers are those that discover used, unless --servers or --builtin says
otherwise.

Exit status: 0 done; 1 failed; 2 wrong usage; 3 done, but some calls could not
be made; 130 interrupted.`,
		Example: "  taskwright generate demo -n 100 --pattern linear,hybrid",
		Args:    exactly("a directory"), ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := firstOf(o.check(cmd), s.check(e)); err != nil {
				return err
			}
			return inWorkspace(e, args[0], opening{dryRun: o.dryRun}, func(w *workspace) error {
				if err := w.reconnect(cmd.Context(), &s); err != nil {
					return err
				}
				if o.dryRun {
					return planned(e, o.plan())
				}
				answer, err := w.generate(cmd.Context(), o)
				if err != nil {
					return err
				}
				return e.answer(answer, answer.print)
			})
		},
	}
	o.add(cmd)
	s.add(cmd)
	s.addOffline(cmd)
	addSeed(cmd, &o.seed)
	addDryRun(cmd, &o.dryRun)
	return cmd
}

func (o *generateOptions) plan() stagePlan {
	return stagePlan{Stage: "generate", Units: o.n, Of: "candidates to write"}
}

// generateAnswer is what generate prints.
type generateAnswer struct {
	Candidates   int            `json:"candidates"`
	ByPattern    map[string]int `json:"by_pattern"`
	EdgeCoverage float64        `json:"edge_coverage"` // share of the observed edges that an executed chain uses
	CoveredEdges int            `json:"covered_edges"`
	Edges        int            `json:"observed_edges"`
	Attempts     int            `json:"attempts"` // chains that were grown
	ModelCalls   int            `json:"model_calls"`

	wanted int
}

func (w *workspace) generate(ctx context.Context, o generateOptions) (*generateAnswer, error) {
	log := w.stageLog("generate", o.seed, []any{o.n, o.patterns, o.author, o.distractors, o.phrases})
	book, err := w.phrasebook(cmp.Or(o.phrases, w.settings.Phrases))
	if err != nil {
		return nil, err
	}
	stage := w.env.progress().Begin("generate", o.n)
	result, err := generate.Generate(ctx, w.catalog.servers, w.catalog.tools, w.unverified(), &generate.Options{
		N: o.n, Patterns: o.patterns, Seed: o.seed, Distractors: o.distractors, Phrasebook: book, Version: version,
		Open:     func(context.Context) (generate.Session, error) { return w.tape.Open(), nil },
		Progress: stage.At,
	})
	stage.End()
	if err != nil {
		return nil, err
	}
	w.catalog = newCatalog(w.catalog.servers, w.catalog.tools, slices.Concat(w.catalog.edges, result.Flows))
	for _, i := range result.Used {
		w.catalog.edges[i].Kind = datasets.EdgeVerified
	}
	log.Done, log.Failed = len(result.Tasks), len(result.Failures)
	if err := w.commit(log, w.writeCandidates(result.Tasks)); err != nil {
		return nil, err
	}
	if result.Failures != nil && len(result.Tasks) < o.n { // a catalog that gives no more is no failure
		w.failed(&partialError{Stage: "generate", Failed: o.n - len(result.Tasks), Total: o.n, Of: "candidates", Reasons: firstReasons(result.Failures)})
	}
	return w.generateAnswer(result, o.n), nil
}

// writeCandidates writes the tasks beside those that are there, the edges that
// they verified, and the calls that they made.
func (w *workspace) writeCandidates(made []datasets.Task) func(*datasets.Tx) error {
	return func(tx *datasets.Tx) error {
		tasks, err := w.tasks()
		if err != nil {
			return err
		}
		if err := tx.WriteTasks(datasets.All(mergeTasks(tasks, made))); err != nil {
			return err
		}
		if err := tx.WriteEdges(datasets.All(w.catalog.edges)); err != nil {
			return err
		}
		return w.writeTape(tx)
	}
}

// mergeTasks puts new candidates after the tasks that are there. One that is
// there already is replaced, but keeps what people and judges said of it.
func mergeTasks(old, made []datasets.Task) []datasets.Task {
	at := map[string]int{}
	for i, t := range made {
		at[t.ID] = i
	}
	var merged []datasets.Task
	for _, t := range old {
		i, again := at[t.ID]
		if !again {
			merged = append(merged, t)
			continue
		}
		made[i].Reviews, made[i].Scores, made[i].Split = t.Reviews, t.Scores, t.Split
	}
	return append(merged, made...)
}

// phrasebook is that of the embedded servers with the author's own, a file
// unless "", on top.
func (w *workspace) phrasebook(file string) (*generate.Phrasebook, error) {
	book, err := generate.ParsePhrasebook(world.Phrases())
	if err != nil || file == "" {
		return book, err
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading phrases: %w", err)
	}
	own, err := generate.ParsePhrasebook(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return book.Merge(own), nil
}

func (w *workspace) generateAnswer(r *generate.Result, wanted int) *generateAnswer {
	a := &generateAnswer{Candidates: len(r.Tasks), ByPattern: map[string]int{}, Attempts: r.Attempts, wanted: wanted}
	for _, t := range r.Tasks {
		a.ByPattern[t.Pattern]++
	}
	for _, e := range w.catalog.edges {
		switch e.Kind {
		case datasets.EdgeVerified:
			a.CoveredEdges++
			a.Edges++
		case datasets.EdgeObserved:
			a.Edges++
		}
	}
	if a.Edges > 0 {
		a.EdgeCoverage = float64(a.CoveredEdges) / float64(a.Edges)
	}
	return a
}

func (a *generateAnswer) print(out io.Writer) error {
	p := &printing{out: out}
	p.f("%s%s from %s\n", plural(a.Candidates, "candidate"), bracketed(a.ByPattern), plural(a.Attempts, "chain"))
	p.f("%d of %d observed edges used (%.0f %%)\n", a.CoveredEdges, a.Edges, 100*a.EdgeCoverage)
	if hint := a.hint(); hint != "" {
		p.f("%s\n", hint)
	}
	return p.err
}

// hint says what helps where the catalog gave fewer candidates than were asked
// for.
func (a *generateAnswer) hint() string {
	if a.Candidates >= a.wanted {
		return ""
	}
	return fmt.Sprintf("The catalog gave no more than %d of %d: probe more tools (discover --probe all, --allow), add servers, or allow more patterns.", a.Candidates, a.wanted)
}
