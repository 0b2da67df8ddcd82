package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/taskwright/taskwright/datasets"
)

// Page is one task in full, with every text clipped to a bounded length.
type Page struct {
	Number   int      // from 1
	Task     Row      // its row in the tables
	Analysis string   // dependency analysis
	Deeds    []string // what is to be done beside what is asked
	Variants []datasets.Variant
	Claims   []ClaimView
	Steps    []StepView
	Checks   []datasets.Check
	Scores   []datasets.Judgement
	Rollouts []RolloutView
	More     string // what was left out of the rollouts, "" if nothing
}

// Anchor is the page's name in links. It is made from a number, since ids may
// hold anything.
func (p Page) Anchor() string { return "task-" + strconv.Itoa(p.Number) }

// ClaimView is one claim with its evidence in words.
type ClaimView struct {
	ID, Kind, Text string
	Evidence       string // "step 2 /campgrounds/*/name"
	Expected       string
	Tolerance      string
	Essential      bool
	Volatile       bool
}

// StepView is one step of the chain.
type StepView struct {
	Number    int
	Tool      string
	Arguments []ArgumentView
	Output    string // of the reference run
	Wave      int    // round in which it can run, from 1
	After     []int  // steps that feed it
}

// ArgumentView is one argument with where its value comes from, in words.
type ArgumentView struct{ Path, Value, Source string }

// Bounds of one page, whatever a dataset holds.
const (
	maxRollouts = 12
	maxCalls    = 40
	maxClaims   = 60
)

// pages adds the tasks in full, accepted ones first, until a limit.
func (r *Report) pages(in Input, opts Options) {
	left := opts.PageBytes
	for _, accepted := range []bool{true, false} {
		for i := range in.Tasks {
			if (in.Tasks[i].Status == datasets.StatusAccepted) != accepted {
				continue
			}
			if len(r.Pages) >= opts.Pages {
				return
			}
			p := page(&in.Tasks[i], opts.Clip)
			p.Number, p.Task = len(r.Pages)+1, r.Tasks[i]
			p.Task.Text = clip(p.Task.Text, 8*opts.Clip)
			for j := range r.records {
				p.rollouts(r.records[j].byTask[p.Task.ID], opts.Clip)
			}
			if left -= p.size(); left < 0 {
				return
			}
			r.Pages = append(r.Pages, p)
		}
	}
}

func page(t *datasets.Task, clipAt int) Page {
	p := Page{Analysis: clip(t.DependencyAnalysis, 4*clipAt), Checks: t.Checks, Scores: t.Scores}
	for _, v := range t.Variants {
		v.Text = clip(v.Text, 8*clipAt)
		p.Variants = append(p.Variants, v)
	}
	for _, part := range t.Outline {
		if part.Role == datasets.RoleDeed && len(p.Deeds) < maxClaims {
			p.Deeds = append(p.Deeds, clip(part.Text, clipAt))
		}
	}
	for i := range t.Claims[:min(len(t.Claims), maxClaims)] {
		p.Claims = append(p.Claims, claimView(&t.Claims[i], clipAt))
	}
	outputs := map[int32]string{}
	for _, e := range t.Reference {
		outputs[e.Step] = e.Output
	}
	wave := make([]int, len(t.Chain))
	for i := range t.Chain {
		s := stepView(&t.Chain[i], i, wave, clipAt)
		s.Output = clip(outputs[int32(i+1)], clipAt)
		wave[i] = s.Wave
		p.Steps = append(p.Steps, s)
	}
	return p
}

func claimView(c *datasets.Claim, clipAt int) ClaimView {
	v := ClaimView{
		ID: c.ID, Kind: c.Kind, Text: clip(c.Text, clipAt), Expected: clip(c.Expected, clipAt),
		Evidence: fmt.Sprintf("step %d %s", c.Step, c.Pointer), Essential: c.Essential, Volatile: c.Volatile,
	}
	switch c.ToleranceKind {
	case datasets.ToleranceAbsolute:
		v.Tolerance = strings.TrimSpace("± " + number(c.Tolerance) + " " + c.Unit)
	case datasets.ToleranceRelative:
		v.Tolerance = "± " + number(c.Tolerance*100) + " %"
	default:
		v.Tolerance = "exact"
	}
	return v
}

func stepView(s *datasets.Step, i int, wave []int, clipAt int) StepView {
	v := StepView{Number: i + 1, Tool: s.ID(), Wave: 1}
	seen := map[int]bool{}
	for _, a := range s.Arguments {
		v.Arguments = append(v.Arguments, ArgumentView{a.Path, clip(a.Value, clipAt), source(&a)})
		from := int(a.Step)
		if a.Source != datasets.SourceStep || from < 1 || from > i {
			continue
		}
		v.Wave = max(v.Wave, wave[from-1]+1)
		if !seen[from] {
			seen[from] = true
			v.After = append(v.After, from)
		}
	}
	return v
}

// source says in words where an argument's value comes from.
func source(a *datasets.Argument) string {
	switch a.Source {
	case datasets.SourceConstant:
		if a.Said != "" {
			return fmt.Sprintf("stated as “%s”", a.Said)
		}
		return "stated by the text"
	case datasets.SourceDefault:
		return "default, or any value does"
	}
	from := fmt.Sprintf("step %d %s", a.Step, a.From)
	switch a.Pick {
	case datasets.PickLargest, datasets.PickSmallest:
		return fmt.Sprintf("%s of the one with the %s %s", from, a.Pick, a.By)
	case datasets.PickEqual:
		return fmt.Sprintf("%s of the one whose %s is %s", from, a.By, a.Equal)
	case datasets.PickFirst:
		return from + " of the first"
	case datasets.PickAll:
		return from + " of all"
	}
	return from
}

// size is about how many bytes of text a page holds.
func (p *Page) size() int {
	n := len(p.Task.Text) + len(p.Analysis)
	for _, v := range p.Variants {
		n += len(v.Text)
	}
	for _, c := range p.Claims {
		n += len(c.Text) + len(c.Expected) + 100
	}
	for _, s := range p.Steps {
		n += len(s.Output) + 100*len(s.Arguments)
	}
	for _, r := range p.Rollouts {
		n += len(r.Answer) + 100*len(r.Claims) + 200
		for _, c := range r.Calls {
			n += len(c.Arguments) + len(c.Result) + 100
		}
	}
	return n
}

// clip cuts a text after n characters and says how many are left out.
func clip(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	runes := []rune(s)
	return fmt.Sprintf("%s … (%d more characters)", string(runes[:n]), len(runes)-n)
}
