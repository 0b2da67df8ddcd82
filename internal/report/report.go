// Package report turns the rows of a dataset and of its runs into one report,
// as Markdown, JSON, CSV or a self-contained HTML page.
//
// [Build] is pure: the same rows give the same [Report], and the writers add
// nothing of their own, no clock and no map order. Times appear only where they
// belong to a stage or a run.
//
// What was not scored is shown as not scored. An empty denominator is shown as
// a dash and is null in JSON and empty in CSV; it is never 0.
package report

import (
	"fmt"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// Input is what a report is made from. Only what is given is reported.
type Input struct {
	Title   string // name of the dataset
	Version string // taskwright version
	Canary  string // canary of the manifest
	Servers []datasets.Server
	Tools   []datasets.Tool
	Edges   []datasets.Edge
	Tasks   []datasets.Task
	Runs    []RunRows
	Stages  []Stage // log of the manifest, oldest first
	Options Options
}

// RunRows is one run with its rows.
type RunRows struct {
	Run          datasets.Run
	Trajectories []datasets.Trajectory
	Scores       []datasets.Score
}

// Stage is one entry of the manifest's log.
type Stage struct {
	Stage    string `json:"stage"`
	Version  string `json:"version"`
	Options  string `json:"options"`
	Seed     int64  `json:"seed"`
	Started  string `json:"started"`
	Finished string `json:"finished"`
	Done     int    `json:"done"`
	Failed   int    `json:"failed"`
}

// Options bounds the report. The zero value of a field means its default.
type Options struct {
	Pages     int // tasks shown in full, accepted ones first; 60 if 0, none if negative
	PageBytes int // text of all task pages together; 4 MiB if 0
	Rows      int // rows of the task tables in Markdown and HTML; 1000 if 0
	Clip      int // characters of one shown result; 600 if 0
}

func (o Options) withDefaults() Options {
	set := func(n *int, v int) {
		if *n == 0 {
			*n = v
		}
	}
	set(&o.Pages, 60)
	set(&o.PageBytes, 4<<20)
	set(&o.Rows, 1000)
	set(&o.Clip, 600)
	return o
}

// Report is what the writers show. Its JSON form is what JSON writes.
type Report struct {
	Title   string   `json:"title"`
	Version string   `json:"version"`
	Canary  string   `json:"canary"`
	Funnel  Funnel   `json:"funnel"`
	Catalog Catalog  `json:"catalog"`
	Split   Split    `json:"split"`
	Agents  []Agent  `json:"agents"`
	Tasks   []Row    `json:"tasks"`
	Stages  []Stage  `json:"stages"`
	Pages   []Page   `json:"-"` // tasks in full
	Notes   []string `json:"notes"`

	rows    int       // limit of the task tables
	records []records // by run, for CSV
}

// Count is a name with how often it occurs.
type Count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// Funnel says what became of the candidates.
type Funnel struct {
	Candidates int     `json:"candidates"` // all tasks, whatever their status
	Accepted   int     `json:"accepted"`
	Rejected   int     `json:"rejected"`
	Undecided  int     `json:"undecided"` // still candidates
	Unproved   int     `json:"unproved"`  // accepted with proof none
	Reasons    []Count `json:"reasons"`   // rejected tasks by the check that failed them; a task may have several
}

// Build makes the report of an input.
func Build(in Input) Report {
	opts := in.Options.withDefaults()
	r := Report{
		Title: in.Title, Version: in.Version, Canary: in.Canary, Stages: in.Stages, rows: opts.Rows,
		Funnel:  funnel(in.Tasks),
		Catalog: catalog(in),
		Split:   split(in.Tasks),
	}
	for i := range in.Runs {
		r.records = append(r.records, index(&in.Runs[i]))
	}
	for i := range in.Runs {
		r.Agents = append(r.Agents, agent(&in.Runs[i], &r.records[i]))
	}
	r.Tasks = taskRows(in.Tasks, in.Runs, r.records)
	r.pages(in, opts)
	r.notes(opts)
	return r
}

// notes says what was left out and what to keep in mind.
func (r *Report) notes(opts Options) {
	if n := len(r.Tasks) - len(r.Pages); n > 0 && opts.Pages >= 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d of %d tasks are shown in full, accepted ones first (at most %d tasks and %d KiB of text); the dataset holds all of them.", len(r.Pages), len(r.Tasks), opts.Pages, opts.PageBytes>>10))
	}
	if len(r.Tasks) > opts.Rows {
		r.Notes = append(r.Notes, fmt.Sprintf("The task table shows the first %d of %d tasks; JSON and CSV hold all.", opts.Rows, len(r.Tasks)))
	}
	if note := r.unscored(); note != "" {
		r.Notes = append(r.Notes, note)
	}
	if r.Funnel.Unproved > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("Accepted tasks that were never executed: %d (proof: none). Only judges vouch for them.", r.Funnel.Unproved))
	}
}

// unscored says how many results have no score, and the most frequent reasons.
func (r *Report) unscored() string {
	n, reasons := 0, tally{}
	for _, a := range r.Agents {
		n += a.Unscored
	}
	if n == 0 {
		return ""
	}
	for _, run := range r.records {
		for _, list := range run.byTask {
			for _, rec := range list {
				if rec.t.Error != "" {
					reasons[clip(strings.ReplaceAll(rec.t.Error, "task "+rec.t.Task, "the task"), 160)]++
				}
			}
		}
	}
	const most = 3
	var why []string
	for _, c := range reasons.ranked()[:min(len(reasons), most)] {
		why = append(why, fmt.Sprintf("%s (%d)", strings.TrimRight(c.Name, "."), c.N))
	}
	note := fmt.Sprintf("Unscored results: %d. They are in no rate.", n)
	if why != nil {
		note += " Why: " + strings.Join(why, "; ") + "."
	}
	return note
}
