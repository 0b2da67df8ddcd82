package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Markdown writes the report as GitHub-flavoured Markdown. Text from tasks,
// servers and models is escaped.
func (r *Report) Markdown(w io.Writer) error {
	b := bufio.NewWriter(w)
	m := markdown{b}
	m.printf("# %s\n\n", escape(r.heading()))
	m.printf("%d candidates, %d accepted, %d rejected. %d servers, %d tools, %d edges.\n\n",
		r.Funnel.Candidates, r.Funnel.Accepted, r.Funnel.Rejected, len(r.Catalog.Servers), r.Catalog.Tools, r.Catalog.Edges)
	for _, n := range r.Notes {
		m.printf("> %s\n\n", escape(n))
	}
	m.agents(r)
	m.funnel(r)
	m.split(r)
	m.catalog(r)
	m.matrix(r)
	m.pages(r)
	m.runs(r)
	return b.Flush()
}

func (r *Report) heading() string {
	if r.Title == "" {
		return "Dataset report"
	}
	return r.Title
}

// markdown writes Markdown; errors stay in the buffered writer until Flush.
type markdown struct{ b *bufio.Writer }

func (m markdown) printf(format string, args ...any) { fmt.Fprintf(m.b, format, args...) }

// table writes a table; cells are escaped.
func (m markdown) table(head []string, rows [][]string) {
	m.printf("| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat(" --- |", len(head)))
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, c := range row {
			cells[i] = escape(c)
		}
		m.printf("| %s |\n", strings.Join(cells, " | "))
	}
	m.printf("\n")
}

func (m markdown) counts(title string, list []Count) {
	if len(list) == 0 {
		return
	}
	parts := make([]string, len(list))
	for i, c := range list {
		parts[i] = fmt.Sprintf("%s %d", escape(orNone(c.Name)), c.N)
	}
	m.printf("- %s: %s\n", title, strings.Join(parts, ", "))
}

func orNone(s string) string {
	if s == "" {
		return "(none)"
	}
	return s
}

func (m markdown) agents(r *Report) {
	if len(r.Agents) == 0 {
		return
	}
	m.printf("## Agents\n\n")
	names := columns(r.Agents)
	head := []string{"agent", "text", "tasks", "scored", "unscored", "passed", "pass rate", "95 % interval", "coverage"}
	for _, n := range names {
		head = append(head, heading(n))
	}
	var rows [][]string
	for _, a := range r.Agents {
		row := []string{a.label(), a.Variant, strconv.Itoa(a.Tasks), strconv.Itoa(a.Scored), strconv.Itoa(a.Unscored),
			strconv.Itoa(a.Passed), percent(a.PassRate), interval(a), percent(a.Coverage)}
		for _, n := range names {
			row = append(row, figure(a.metric(n)))
		}
		rows = append(rows, row)
	}
	m.table(head, rows)
	m.printf("Unscored results are in no rate; %s means that there was nothing to rate.\n\n", none)
}

func (m markdown) funnel(r *Report) {
	m.printf("## Funnel\n\n")
	m.table([]string{"", "tasks"}, [][]string{
		{"candidates", strconv.Itoa(r.Funnel.Candidates)}, {"rejected", strconv.Itoa(r.Funnel.Rejected)},
		{"undecided", strconv.Itoa(r.Funnel.Undecided)}, {"accepted", strconv.Itoa(r.Funnel.Accepted)},
		{"accepted without proof", strconv.Itoa(r.Funnel.Unproved)},
	})
	if len(r.Funnel.Reasons) == 0 {
		return
	}
	var rows [][]string
	for _, c := range r.Funnel.Reasons {
		rows = append(rows, []string{c.Name, strconv.Itoa(c.N), meaning(c.Name)})
	}
	m.table([]string{"rejected by", "tasks", "which means that"}, rows)
}

func (m markdown) split(r *Report) {
	s := &r.Split
	m.printf("## Accepted tasks\n\n")
	m.counts("patterns", s.Patterns)
	m.counts("number of servers", s.Servers)
	m.counts("depth", s.Depths)
	m.printf("- values flow between servers in %d\n", s.CrossServer)
	m.printf("- something is to be changed in %d\n", s.Deeds)
	m.counts("splits", s.Splits)
	m.counts("variants", s.Variants)
	m.printf("- variants rejected: %d\n", s.Dropped)
	m.printf("- claims: %d, of which %d essential, %d volatile\n", s.Claims, s.Essential, s.Volatile)
	m.counts("claims by kind", s.ClaimKinds)
	m.counts("judged", s.Judged)
	m.printf("\n")
}

func (m markdown) catalog(r *Report) {
	c := &r.Catalog
	m.printf("## Catalog\n\n")
	m.counts("tools by effect", c.Effects)
	m.counts("tools by health", c.Health)
	m.counts("edges", c.EdgesByKind)
	m.printf("- used by accepted tasks: %d of %d edges (%s), %d of %d tools\n\n", c.EdgesUsed, c.Edges, percent(c.EdgeCoverage), c.ToolsUsed, c.Tools)
	var rows [][]string
	for _, s := range c.Servers {
		rows = append(rows, []string{s.Name, s.Version, s.Transport, s.Status, s.Error, s.State, strconv.Itoa(s.Tools), strconv.Itoa(s.Tasks)})
	}
	if rows != nil {
		m.table([]string{"server", "version", "transport", "status", "error", "state", "tools", "tasks"}, rows)
	}
}

func (m markdown) matrix(r *Report) {
	if len(r.Tasks) == 0 {
		return
	}
	m.printf("## Tasks\n\n")
	head := []string{"task", "status", "pattern", "servers", "steps", "claims"}
	for _, a := range r.Agents {
		head = append(head, escape(a.label()))
	}
	var rows [][]string
	for _, t := range r.Tasks[:min(len(r.Tasks), r.rows)] {
		row := []string{short(t.ID), t.Status, t.Pattern, strings.Join(t.Servers, ", "), strconv.Itoa(t.Steps), strconv.Itoa(t.Claims)}
		for _, c := range t.Cells {
			row = append(row, mark(c))
		}
		rows = append(rows, row)
	}
	m.table(head, rows)
}

func (m markdown) runs(r *Report) {
	if len(r.Stages) == 0 && len(r.Agents) == 0 {
		return
	}
	m.printf("## Runs\n\n")
	var rows [][]string
	for _, s := range r.Stages {
		rows = append(rows, []string{s.Stage, "", s.Version, strconv.FormatInt(s.Seed, 10), strconv.Itoa(s.Done), strconv.Itoa(s.Failed), s.Started, s.Finished})
	}
	for _, a := range r.Agents {
		rows = append(rows, []string{"run", a.Run, "", "", strconv.Itoa(a.Scored), strconv.Itoa(a.Unscored), a.Started, a.Finished})
	}
	m.table([]string{"stage", "run", "version", "seed", "done", "failed", "started", "finished"}, rows)
	if r.Canary != "" {
		m.printf("Canary: %s\n", escape(r.Canary))
	}
}

var markdownEscapes = strings.NewReplacer("\\", "\\\\", "|", "\\|", "<", "&lt;", ">", "&gt;", "*", "\\*", "_", "\\_",
	"`", "\\`", "[", "\\[", "]", "\\]", "#", "\\#", "~", "\\~", "\r", " ", "\n", " ")

// escape makes text safe inside a line of Markdown.
func escape(s string) string { return markdownEscapes.Replace(s) }
