package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/evaluate"
)

// evaluateOptions are the flags of evaluate.
type evaluateOptions struct {
	agents   []string
	variant  string
	attempts int
	judge    string
	run      string
	splits   []string
	offline  bool
	pass     float64
	dryRun   bool
}

var (
	agents = []string{evaluate.AgentOracle, evaluate.AgentNull, evaluate.AgentSingle, evaluate.AgentEcho}
	judges = []string{"exact"}
	texts  = append(slices.Clone(levels), datasets.LevelConcrete)
)

func (o *evaluateOptions) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.variant, "variant", "", "which text the agent gets: light, medium, heavy or concrete (default: medium, or what there is)")
	f.StringVar(&o.judge, "judge", "exact", "who judges claims: exact (rules)")
	f.IntVarP(&o.attempts, "attempts", "k", 1, "attempts at each task")
	f.Float64Var(&o.pass, "pass", datasets.PassCoverage, "claim coverage at which a task passes")
	completes(cmd, "variant", texts)
	completes(cmd, "judge", judges)
}

func (o *evaluateOptions) check(cmd *cobra.Command) error {
	if err := firstOf(oneOf(cmd, "agent", agents, o.agents...), oneOf(cmd, "judge", judges, o.judge)); err != nil {
		return err
	}
	if o.variant != "" {
		if err := oneOf(cmd, "variant", texts, o.variant); err != nil {
			return err
		}
	}
	switch {
	case len(o.agents) == 0:
		return misuse(cmd, "--agent: want %s", alternatives(agents))
	case o.attempts < 1 || o.attempts > 1000:
		return misuse(cmd, "-k %d: want 1 to 1000", o.attempts)
	case o.pass <= 0 || o.pass > 1:
		return misuse(cmd, "--pass %v: want more than 0 and at most 1", o.pass)
	case o.run != "" && len(o.agents) > 1:
		return misuse(cmd, "--run names one run; give one --agent")
	}
	return nil
}

func newEvaluateCommand(e *env) *cobra.Command {
	var o evaluateOptions
	var s sourceFlags
	cmd := &cobra.Command{
		Use:   "evaluate DIR",
		Short: "Run agents on the accepted tasks and score what they did",
		Long: `Evaluate runs each agent on every accepted task through one loop, scores calls
by rules and answers by their claims, and stores trajectories and scores as a
run of the dataset. A finished rollout is not repeated.

Calls are answered from the tape where it has them, else by the servers; with
--offline, from the tape only.

Exit status: 0 done; 1 failed; 2 wrong usage; 3 done, but some rollouts could
not be scored; 130 interrupted.`,
		Example: "  taskwright evaluate demo --agent oracle,null,single\n  taskwright evaluate demo --agent oracle --offline",
		Args:    exactly("a directory"), ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := firstOf(o.check(cmd), s.check(e)); err != nil {
				return err
			}
			o.offline = s.offline
			return inWorkspace(e, args[0], opening{dryRun: o.dryRun}, func(w *workspace) error {
				if err := w.reconnect(cmd.Context(), &s); err != nil {
					return err
				}
				return w.evaluateCommand(cmd.Context(), o)
			})
		},
	}
	cmd.Flags().StringSliceVar(&o.agents, "agent", []string{evaluate.AgentOracle}, "agents: oracle, null, single, echo")
	cmd.Flags().StringVar(&o.run, "run", "", "name of the run (default: the agent's name, with the variant)")
	cmd.Flags().StringSliceVar(&o.splits, "split", nil, "splits to evaluate on (default all)")
	o.add(cmd)
	s.add(cmd)
	s.addOffline(cmd)
	addDryRun(cmd, &o.dryRun)
	completes(cmd, "agent", agents)
	offers(cmd, "split", partsOf(datasets.TableTasks))
	offers(cmd, "run", partsOf(datasets.TableRun))
	return cmd
}

// evaluateAnswer is what evaluate prints of one agent.
type evaluateAnswer struct {
	Run      string              `json:"run"`
	Agent    string              `json:"agent"`
	Tasks    int                 `json:"tasks"`
	Scored   int                 `json:"scored"`
	Unscored int                 `json:"unscored"`
	Passed   int                 `json:"passed"`
	PassRate *float64            `json:"pass_rate"`
	Coverage *float64            `json:"coverage"`
	Metrics  map[string]*float64 `json:"metrics"`
}

func (w *workspace) evaluateCommand(ctx context.Context, o evaluateOptions) error {
	tasks, err := w.toEvaluate(o)
	if err != nil {
		return err
	}
	if o.dryRun {
		return planned(w.env, o.plan(tasks))
	}
	answers, err := w.evaluate(ctx, tasks, o)
	if err != nil {
		return err
	}
	if len(answers) == 1 {
		return w.env.answer(&answers[0], answers[0].print)
	}
	all := evaluateAnswers{answers}
	return w.env.answer(all, all.print)
}

// toEvaluate are the accepted tasks of the splits.
func (w *workspace) toEvaluate(o evaluateOptions) ([]datasets.Task, error) {
	splits := w.dir.Manifest().Parts(datasets.TableTasks)
	for _, s := range o.splits {
		if !slices.Contains(splits, s) {
			return nil, fmt.Errorf("%s has no split %s; it has %s", w.path, s, cmp.Or(strings.Join(splits, ", "), "none"))
		}
	}
	tasks, err := w.tasks(o.splits...)
	if err != nil {
		return nil, err
	}
	tasks = slices.DeleteFunc(tasks, func(t datasets.Task) bool { return t.Status != datasets.StatusAccepted })
	if len(tasks) == 0 {
		return nil, fmt.Errorf("%s has no accepted tasks to evaluate on: run taskwright filter %s first", w.path, w.path)
	}
	if !slices.ContainsFunc(tasks, func(t datasets.Task) bool { _, _, err := evaluate.Text(&t, o.variant); return err == nil }) {
		return nil, fmt.Errorf("no task of %s has an accepted variant%s: run taskwright fuzz %s first, or give --variant concrete", w.path, prefixed(" at level ", o.variant), w.path)
	}
	return tasks, nil
}

func (o *evaluateOptions) plan(tasks []datasets.Task) stagePlan {
	units := 0
	for _, agent := range o.agents {
		for i := range tasks {
			if agent == evaluate.AgentSingle {
				units += max(1, len(evaluate.SingleSteps(&tasks[i])))
			} else {
				units += o.attempts
			}
		}
	}
	return stagePlan{Stage: "evaluate", Units: units, Of: "rollouts of " + strings.Join(o.agents, ", ")}
}

// evaluate runs the agents one after the other.
func (w *workspace) evaluate(ctx context.Context, tasks []datasets.Task, o evaluateOptions) ([]evaluateAnswer, error) {
	answers := []evaluateAnswer{}
	for _, agent := range o.agents {
		answer, err := w.evaluateAgent(ctx, agent, tasks, o)
		if err != nil {
			return nil, err
		}
		answers = append(answers, answer)
	}
	return answers, nil
}

// prefixed is a word after its prefix; nothing for no word.
func prefixed(prefix, word string) string {
	if word == "" {
		return ""
	}
	return prefix + word
}

// runName is the name of an agent's run, unless the user gives one.
func (o *evaluateOptions) runName(agent string) string {
	if o.run != "" {
		return o.run
	}
	return agent + "-" + cmp.Or(o.variant, datasets.LevelMedium)
}

func (w *workspace) evaluateAgent(ctx context.Context, agent string, tasks []datasets.Task, o evaluateOptions) (evaluateAnswer, error) {
	run := datasets.Run{
		ID: o.runName(agent), Agent: agent, Variant: cmp.Or(o.variant, datasets.LevelMedium), Attempts: o.attempts,
		Offline: o.offline || w.fleet == nil, Judge: o.judge, Version: version, Started: w.env.now().UTC().Format(time.RFC3339),
		Options: map[string]string{"pass": strconv.FormatFloat(o.pass, 'g', -1, 64)},
	}
	log := w.stageLog("evaluate", 0, []any{run.ID, o.variant, o.attempts, o.judge, run.Offline, o.pass})
	trajectories, scores, err := w.rollouts(ctx, run, tasks, o)
	if err != nil {
		return evaluateAnswer{}, err
	}
	run.Summary = evaluate.Summarize(trajectories, scores)
	run.Finished = w.env.now().UTC().Format(time.RFC3339)
	log.Done, log.Failed = run.Summary.Scored, run.Summary.Unscored
	err = w.commit(log, func(tx *datasets.Tx) error {
		return tx.WriteRun(run, datasets.All(trajectories), datasets.All(scores))
	})
	w.failed(evaluatePartial(run, trajectories))
	return answerOf(run), err
}

// rollouts makes the attempts of one run, without those that are finished.
func (w *workspace) rollouts(ctx context.Context, run datasets.Run, tasks []datasets.Task, o evaluateOptions) ([]datasets.Trajectory, []datasets.Score, error) {
	options := &evaluate.RunOptions{
		Options: w.evaluateOptions(), Agent: run.Agent, Level: o.variant, Attempts: run.Attempts, More: []string{version},
		Done: func(key string) (r evaluate.Result, ok bool, err error) {
			raw, ok, err := w.store.Get("evaluate", key)
			if err == nil && ok {
				ok = json.Unmarshal(raw, &r) == nil
			}
			return r, ok, err
		},
		Keep: func(r evaluate.Result) error {
			raw, err := json.Marshal(r)
			if err != nil {
				return err
			}
			return w.store.Put("evaluate", r.Key, raw)
		},
	}
	options.Run, options.Pass = run.ID, o.pass
	stage := w.env.progress().Begin("evaluate "+run.Agent, len(tasks))
	defer stage.End()
	var trajectories []datasets.Trajectory
	var scores []datasets.Score
	for r, err := range evaluate.Run(ctx, tasks, options) {
		if err != nil {
			return nil, nil, err
		}
		trajectories = append(trajectories, r.Trajectory)
		scores = append(scores, r.Scores...)
		if r.Trajectory.Attempt == 1 {
			stage.Finish()
		}
	}
	return trajectories, scores, nil
}

func answerOf(run datasets.Run) evaluateAnswer {
	s := run.Summary
	return evaluateAnswer{
		Run: run.ID, Agent: run.Agent, Tasks: s.Tasks, Scored: s.Scored, Unscored: s.Unscored, Passed: s.Passed,
		PassRate: s.PassRate, Coverage: s.Coverage, Metrics: s.Metrics,
	}
}

// evaluatePartial says which rollouts could not be scored, and why.
func evaluatePartial(run datasets.Run, trajectories []datasets.Trajectory) error {
	if run.Summary.Unscored == 0 {
		return nil
	}
	var reasons []string
	for _, t := range trajectories {
		if t.Error != "" && t.Attempt == 1 {
			reasons = append(reasons, t.Error)
		}
	}
	return &partialError{Stage: "evaluate " + run.Agent, Failed: run.Summary.Unscored, Total: run.Summary.Tasks, Of: "tasks", Reasons: summed(reasons)}
}

func (a *evaluateAnswer) print(out io.Writer) error {
	return evaluateAnswers{[]evaluateAnswer{*a}}.print(out)
}

// evaluateAnswers is what evaluate prints of several agents.
type evaluateAnswers struct {
	Agents []evaluateAnswer `json:"agents"`
}

func (a evaluateAnswers) print(out io.Writer) error {
	var rows [][]string
	for _, r := range a.Agents {
		rows = append(rows, []string{
			r.Agent, r.Run, strconv.Itoa(r.Tasks), strconv.Itoa(r.Scored), strconv.Itoa(r.Unscored), strconv.Itoa(r.Passed), share(r.PassRate), share(r.Coverage),
		})
	}
	return table(out, []string{"AGENT", "RUN", "TASKS", "SCORED", "UNSCORED", "PASSED", "PASS RATE", "COVERAGE"}, rows)
}

// share writes a rate, "–" for an empty denominator.
func share(v *float64) string {
	if v == nil {
		return "–"
	}
	return strconv.FormatFloat(*v, 'f', 3, 64)
}
