package report

import (
	"fmt"
	"strings"
)

// pages writes the tasks in full.
func (m markdown) pages(r *Report) {
	if len(r.Pages) == 0 {
		return
	}
	m.printf("## Tasks in full\n\n")
	for i := range r.Pages {
		m.page(&r.Pages[i])
	}
}

func (m markdown) page(p *Page) {
	m.printf("### %d. %s, %s, %s\n\n", p.Number, escape(short(p.Task.ID)), escape(p.Task.Pattern), escape(p.Task.Status))
	for _, reason := range p.Task.Reasons {
		m.printf("- rejected: %s\n", escape(reason))
	}
	m.text("Instruction (for a judge)", p.Task.Text)
	for _, v := range p.Variants {
		m.text(strings.ToUpper(v.Level[:min(1, len(v.Level))])+v.Level[min(1, len(v.Level)):]+" variant, "+v.Status, v.Text)
	}
	var rows [][]string
	for _, c := range p.Claims {
		flags := []string{c.Tolerance}
		if c.Essential {
			flags = append(flags, "essential")
		}
		if c.Volatile {
			flags = append(flags, "volatile")
		}
		rows = append(rows, []string{c.ID, c.Text, c.Kind, c.Evidence, c.Expected, strings.Join(flags, ", ")})
	}
	if rows != nil {
		m.table([]string{"claim", "text", "kind", "evidence", "expected", "tolerance"}, rows)
	}
	m.steps(p)
	m.rollouts(p)
}

func (m markdown) text(title, text string) {
	if text != "" {
		m.printf("**%s.** %s\n\n", escape(title), escape(text))
	}
}

func (m markdown) steps(p *Page) {
	var rows [][]string
	for _, s := range p.Steps {
		var args []string
		for _, a := range s.Arguments {
			args = append(args, fmt.Sprintf("%s = %s (%s)", a.Path, a.Value, a.Source))
		}
		rows = append(rows, []string{fmt.Sprint(s.Number), s.Tool, strings.Join(args, "; "), s.Output})
	}
	if rows != nil {
		m.table([]string{"step", "tool", "arguments", "reference output"}, rows)
	}
}

func (m markdown) rollouts(p *Page) {
	for _, r := range p.Rollouts {
		m.printf("<details><summary>%s: %s, coverage %s, %d calls, stopped: %s</summary>\n\n",
			escape(r.Agent), r.Outcome, percent(r.Coverage), len(r.Calls)+r.More, escape(r.Stop))
		m.text("Error", r.Error)
		var rows [][]string
		for _, c := range r.Calls {
			rows = append(rows, []string{fmt.Sprint(c.Round), c.Tool, c.Arguments, c.Problem, c.Result})
		}
		if rows != nil {
			m.table([]string{"round", "tool", "arguments", "problem", "result"}, rows)
		}
		m.text("Answer", r.Answer)
		rows = nil
		for _, s := range r.Claims {
			rows = append(rows, []string{s.ID, s.Outcome, s.Detail})
		}
		if rows != nil {
			m.table([]string{"claim", "outcome", "why"}, rows)
		}
		m.printf("</details>\n\n")
	}
	if p.More != "" {
		m.printf("%s\n\n", escape(p.More))
	}
}
