package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// none is what stands for a value that does not exist.
const none = "–"

// percent shows a rate of 0..1 as "87.5 %".
func percent(v *float64) string {
	if v == nil {
		return none
	}
	s := strconv.FormatFloat(*v*100, 'f', 1, 64)
	return strings.TrimSuffix(s, ".0") + " %"
}

// number shows a figure with at most four significant digits after the point.
func number(v float64) string { return strconv.FormatFloat(math.Round(v*1e4)/1e4, 'f', -1, 64) }

// figure shows a metric: rates as a percentage, counts as a number.
func figure(m Metric) string {
	switch {
	case m.Value == nil:
		return none
	case m.Name == "calls" || m.Name == "rounds":
		return strconv.FormatFloat(*m.Value, 'f', 1, 64)
	}
	return percent(m.Value)
}

// basis shows what a rate was computed from.
func basis(m Metric) string {
	switch {
	case m.Name == "calls" || m.Name == "rounds":
		return "mean over trajectories"
	case m.Denominator == 0:
		return "nothing to rate"
	}
	return fmt.Sprintf("%d of %d in all; mean over trajectories", m.Numerator, m.Denominator)
}

// interval shows the 95 % interval of a pass rate.
func interval(a Agent) string {
	if a.PassLow == nil || a.PassHigh == nil {
		return none
	}
	return fmt.Sprintf("%.0f–%.0f %%", *a.PassLow*100, *a.PassHigh*100)
}

// heading is a metric's title in tables.
func heading(name string) string {
	for _, m := range metrics {
		if m.name == name {
			return m.title
		}
	}
	return name
}

// columns are the metrics that any agent has, in table order.
func columns(agents []Agent) []string {
	values := map[string]*float64{}
	for _, a := range agents {
		for _, m := range a.Metrics {
			values[m.Name] = m.Value
		}
	}
	return metricNames(values)
}

// metric finds a metric of an agent; one that it lacks has no value.
func (a Agent) metric(name string) Metric {
	for _, m := range a.Metrics {
		if m.Name == name {
			return m
		}
	}
	return Metric{Name: name}
}

// label names an agent with its model, and its variant when asked for.
func (a Agent) label() string {
	if a.Model == "" {
		return a.Agent
	}
	return a.Agent + " (" + a.Model + ")"
}

// short is the first characters of an id, enough to tell tasks apart.
func short(id string) string {
	if len(id) == 64 {
		return id[:10]
	}
	return clip(id, 40)
}

// mark shows a cell in one word or sign, with its coverage.
func mark(c Cell) string {
	if c.Outcome == Absent {
		return none
	}
	s := map[string]string{Passed: "✓", Failed: "✗", Unscored: "unscored"}[c.Outcome]
	if c.Attempts > 1 {
		s += fmt.Sprintf(" %d/%d", c.Passed, c.Attempts)
	}
	if c.Coverage != nil {
		s += " " + percent(c.Coverage)
	}
	return s
}
