// Package evaluate runs agents on tasks and says how well they did.
//
// The path of one unit of work, a task with an agent:
//
//  1. [Text] chooses what the agent gets: a fuzzy variant, never the
//     instruction unless the concrete level is asked for by name;
//  2. [Rollout] is the one loop that every agent runs in, from the baselines of
//     this package ([Oracle], [Null], [Echo], [Single]) to a model: it asks for
//     a [Move], makes the calls of that move in parallel, keeps the limits and
//     writes the trajectory;
//  3. [ScoreTrajectory] turns the trajectory into rows: the rule metrics
//     ([RuleMetrics]), one row for each claim, coverage and pass;
//  4. [Summarize] adds the rows of a run up.
//
// [Try] is steps 1 to 3 for one task; [Run] maps it over many with bounded
// concurrency, in task order, and skips what an earlier run has finished.
//
// A failure is not a score. A dead server, a tape without the call, a model
// that does not answer or an agent that panics ends in infra_failed, an
// interruption in cancelled; both are unscored, counted apart, and in no rate.
package evaluate
