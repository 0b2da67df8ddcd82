package evaluate

import (
	"github.com/taskwright/taskwright/datasets"
)

// Names of the rule metrics, and of the two rows that claims add up to.
const (
	MetricValidName   = "valid_tool_name_rate"
	MetricSchema      = "input_schema_compliance"
	MetricSuccess     = "execution_success_rate"
	MetricCallFailure = "valid_call_failure_rate"
	MetricPlanJSON    = "planning_json_compliance"
	MetricDependency  = "dependency_compliance"
	MetricToolRecall  = "required_tool_recall"
	MetricRedundancy  = "redundancy"
	MetricParallelism = "parallelism"
	MetricCalls       = "calls"
	MetricRounds      = "rounds"

	MetricCoverage  = "claim_coverage"
	MetricEssential = "essential_coverage"
	MetricPass      = "pass"
)

// MetricNames lists the rule metrics in the order of [RuleMetrics].
var MetricNames = []string{
	MetricValidName, MetricSchema, MetricSuccess, MetricCallFailure, MetricPlanJSON, MetricDependency,
	MetricToolRecall, MetricRedundancy, MetricParallelism, MetricCalls, MetricRounds,
}

// Metric is one figure with what it was computed from. Value is nil when the
// denominator of a rate is 0: there was nothing to rate, which is neither good
// nor bad.
type Metric struct {
	Name        string
	Value       *float64
	Numerator   int64
	Denominator int64
	Detail      string
}

func rate(name string, numerator, denominator int) Metric {
	m := Metric{Name: name, Numerator: int64(numerator), Denominator: int64(denominator)}
	if denominator > 0 {
		v := float64(numerator) / float64(denominator)
		m.Value = &v
	}
	return m
}

func count(name string, n int) Metric {
	v := float64(n)
	return Metric{Name: name, Value: &v}
}

// RuleMetrics computes what a rule can say of a trajectory, with E all its
// calls and V those of E that name an exposed tool:
//
//	valid_tool_name_rate      |V| / |E|
//	input_schema_compliance   calls of V whose arguments fit the input schema / |V|
//	execution_success_rate    calls of E that did not answer with an error / |E|
//	valid_call_failure_rate   calls of V that answered with an error / |V|
//	planning_json_compliance  planned items that name a tool / planned items; planner agents only
//	dependency_compliance     edges of the chain whose value came from an earlier round / edges
//	required_tool_recall      required tools that were called with success / required tools
//	redundancy                calls that repeat an earlier one exactly / |E|
//	parallelism               calls that shared their round with another / |E|
//	calls, rounds             counts
//
// The first four are the definitions of MCP-Bench. A chain that was not
// followed counts against dependency compliance and recall: an agent without
// calls has 0 there, not "nothing to rate".
func RuleMetrics(task *datasets.Task, t *datasets.Trajectory) []Metric {
	c := tally(t)
	met, edges, missing := dependencies(task, t)
	dependency := rate(MetricDependency, met, edges)
	dependency.Detail = missing
	recalled := 0
	for _, id := range task.RequiredTools {
		if c.worked[id] {
			recalled++
		}
	}
	return []Metric{
		rate(MetricValidName, c.named, len(t.Calls)),
		rate(MetricSchema, c.fitting, c.named),
		rate(MetricSuccess, c.succeeded, len(t.Calls)),
		rate(MetricCallFailure, c.failed, c.named),
		planCompliance(t),
		dependency,
		rate(MetricToolRecall, recalled, len(task.RequiredTools)),
		rate(MetricRedundancy, c.repeated, len(t.Calls)),
		rate(MetricParallelism, c.shared, len(t.Calls)),
		count(MetricCalls, len(t.Calls)),
		count(MetricRounds, int(t.Rounds)),
	}
}

// counts of the calls of one trajectory.
type counts struct {
	named, fitting, succeeded, failed, repeated, shared int
	worked                                              map[string]bool // "server/tool" called with success
}

func tally(t *datasets.Trajectory) counts {
	c := counts{worked: map[string]bool{}}
	type identity struct{ server, tool, arguments string }
	seen := make(map[identity]bool, len(t.Calls))
	for i := range t.Calls {
		a := &t.Calls[i]
		id := identity{a.Server, a.Tool, a.Arguments}
		if seen[id] {
			c.repeated++
		}
		seen[id] = true
		if i > 0 && t.Calls[i-1].Round == a.Round || i+1 < len(t.Calls) && t.Calls[i+1].Round == a.Round {
			c.shared++
		}
		c.outcome(a)
	}
	return c
}

func (c *counts) outcome(a *datasets.Action) {
	if !a.Result.IsError {
		c.succeeded++
	}
	if !a.NameValid {
		return
	}
	c.named++
	if a.ArgumentsValid {
		c.fitting++
	}
	if a.Result.IsError {
		c.failed++
		return
	}
	c.worked[a.Server+"/"+a.Tool] = true
}

// planCompliance rates the plans of a planner agent as MCP-Bench does: of the
// planned items that are objects, those with a tool. A plan that is no JSON
// array counts as one item without a tool, where MCP-Bench does not see it.
func planCompliance(t *datasets.Trajectory) Metric {
	if t.Agent != AgentPlanner {
		m := rate(MetricPlanJSON, 0, 0)
		m.Detail = "the agent does not plan in JSON text"
		return m
	}
	named, items := 0, 0
	for _, msg := range t.Messages {
		if msg.Role == "assistant" && msg.Calls != "null" && msg.Calls != "" {
			n, all := planItems(msg.Calls)
			named, items = named+n, items+all
		}
	}
	return rate(MetricPlanJSON, named, items)
}

func planItems(plan string) (named, items int) {
	v, err := datasets.DecodeJSON(plan)
	list, ok := v.([]any)
	if err != nil || !ok {
		return 0, 1
	}
	for _, e := range list {
		item, ok := e.(map[string]any)
		if !ok {
			continue
		}
		items++
		if tool, _ := item["tool"].(string); tool != "" {
			named++
		}
	}
	return named, items
}
