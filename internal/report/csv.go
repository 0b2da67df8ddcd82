package report

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// CSV writes one line for each attempt of each run at each task, and one line
// for a task that no run tried. A value that does not exist is empty.
//
// Text that a spreadsheet would take for a formula gets a ' in front.
func (r *Report) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	head := []string{
		"task", "status", "proof", "pattern", "servers", "steps", "depth", "claims",
		"run", "agent", "model", "variant", "attempt", "stop_reason", "outcome", "claim_coverage",
	}
	names := columns(r.Agents)
	if err := out.Write(append(head, names...)); err != nil {
		return err
	}
	for i := range r.Tasks {
		for _, line := range r.lines(&r.Tasks[i], names) {
			if err := out.Write(line); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

// lines are the lines of one task.
func (r *Report) lines(row *Row, names []string) [][]string {
	task := []string{
		safe(row.ID), safe(row.Status), safe(row.Proof), safe(row.Pattern), safe(strings.Join(row.Servers, " ")),
		strconv.Itoa(row.Steps), strconv.Itoa(row.Depth), strconv.Itoa(row.Claims),
	}
	var lines [][]string
	for i := range r.records {
		for _, rec := range r.records[i].byTask[row.ID] {
			lines = append(lines, append(append([]string(nil), task...), attempt(r.Agents[i].Run, rec, names)...))
		}
	}
	if lines == nil {
		return [][]string{append(task, make([]string, 8+len(names))...)}
	}
	return lines
}

func attempt(run string, rec record, names []string) []string {
	c := cell(run, []record{rec})
	line := []string{
		safe(run), safe(rec.t.Agent), safe(rec.t.Model), safe(rec.t.Variant), strconv.Itoa(int(rec.t.Attempt)),
		safe(rec.t.StopReason), c.Outcome, plain(c.Coverage),
	}
	for _, n := range names {
		line = append(line, plain(rec.value(n)))
	}
	return line
}

func plain(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'g', -1, 64)
}

func safe(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
