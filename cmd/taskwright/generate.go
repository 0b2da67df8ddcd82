package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

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
}

var patterns = []string{datasets.PatternSingle, datasets.PatternLinear, datasets.PatternParallel, datasets.PatternHybrid}

func (o *generateOptions) check(cmd *cobra.Command) error {
	for _, p := range o.patterns {
		if !slices.Contains(patterns, p) {
			return misuse(cmd, "--pattern %s: want %s", p, strings.Join(patterns, ", "))
		}
	}
	switch {
	case o.n < 1 || o.n > 1_000_000:
		return misuse(cmd, "-n %d: want 1 to 1000000", o.n)
	case o.author != "grounded":
		return misuse(cmd, "--author %s: want grounded", o.author)
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
		Args:    exactly("a directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			return inWorkspace(e, args[0], openExisting, func(w *workspace) error {
				if err := w.reconnect(cmd.Context(), &s); err != nil {
					return err
				}
				answer, partial, err := w.generate(cmd.Context(), o)
				if err != nil {
					return err
				}
				return finish(e, answer, partial)
			})
		},
	}
	o.add(cmd)
	s.add(cmd)
	s.addOffline(cmd)
	addSeed(cmd, &o.seed)
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "say what would be done, and do nothing")
	return cmd
}

// reconnect connects to the servers that the flags or the dataset name.
func (w *workspace) reconnect(ctx context.Context, f *sourceFlags) error {
	if len(w.servers) == 0 {
		return fmt.Errorf("%s has no catalog yet: run taskwright discover first", w.dir.Path())
	}
	if f.offline {
		return w.connect(ctx, source{}, true)
	}
	s, err := f.choose(w)
	if err != nil {
		return err
	}
	return w.connect(ctx, s, true)
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
	DryRun       bool           `json:"dry_run,omitempty"`
}

func (w *workspace) generate(ctx context.Context, o generateOptions) (*generateAnswer, error, error) {
	if o.dryRun {
		return &generateAnswer{Candidates: o.n, ByPattern: map[string]int{}, DryRun: true}, nil, nil
	}
	log := w.stageLog("generate", o.seed, []any{o.n, o.patterns, o.author, o.distractors, o.phrases})
	book, err := w.phrasebook(cmp.Or(o.phrases, w.settings.Phrases))
	if err != nil {
		return nil, nil, err
	}
	stage := w.env.progress().Begin("generate", o.n)
	result, err := generate.Generate(ctx, w.servers, w.tools, w.edges, &generate.Options{
		N: o.n, Patterns: o.patterns, Seed: o.seed, Distractors: o.distractors, Phrasebook: book, Version: version,
		Open:     func(context.Context) (generate.Session, error) { return w.tape.Open(), nil },
		Progress: func(int, int) { stage.Finish() },
	})
	stage.End()
	if err != nil {
		return nil, nil, err
	}
	for _, i := range result.Used {
		w.edges[i].Kind = datasets.EdgeVerified
	}
	log.Done, log.Failed = len(result.Tasks), len(result.Failures)
	if err := w.commit(log, w.writeCandidates(result.Tasks)); err != nil {
		return nil, nil, err
	}
	return w.generateAnswer(result), generatePartial(result, o.n), nil
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
		if err := tx.WriteEdges(datasets.All(w.edges)); err != nil {
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

func (w *workspace) generateAnswer(r *generate.Result) *generateAnswer {
	a := &generateAnswer{Candidates: len(r.Tasks), ByPattern: map[string]int{}, Attempts: r.Attempts, CoveredEdges: 0}
	for _, t := range r.Tasks {
		a.ByPattern[t.Pattern]++
	}
	for _, e := range w.edges {
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

// generatePartial says that fewer candidates came out than were asked for
// because servers failed; a catalog that gives no more is no failure.
func generatePartial(r *generate.Result, wanted int) error {
	if len(r.Failures) == 0 || len(r.Tasks) == wanted {
		return nil
	}
	return &partialError{Stage: "generate", Failed: wanted - len(r.Tasks), Total: wanted, Reasons: r.Failures[:min(len(r.Failures), maxReasons)]}
}

func (a *generateAnswer) print(out io.Writer) error {
	if a.DryRun {
		_, err := fmt.Fprintf(out, "would write %d candidates, with 0 model calls\n", a.Candidates)
		return err
	}
	_, err := fmt.Fprintf(out, "%d candidates (%s) from %d chains; %d of %d observed edges used (%.0f %%)\n",
		a.Candidates, tally(a.ByPattern), a.Attempts, a.CoveredEdges, a.Edges, 100*a.EdgeCoverage)
	if a.Candidates == 0 && err == nil {
		err = errors.New("the catalog gave no chain: probe more tools (--probe all, --allow) or add servers")
	}
	return err
}
