package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// plan is what a dry run answers: the work ahead, at most, and what it would
// cost. Work that an earlier run has finished is not taken off.
type plan struct {
	DryRun     bool         `json:"dry_run"` // always true
	Servers    []serverPlan `json:"servers,omitempty"`
	Stages     []stagePlan  `json:"stages"`
	ModelCalls int          `json:"model_calls"`
	Tokens     int          `json:"tokens"`
	Cost       float64      `json:"cost"` // US dollars
}

// stagePlan is the work of one stage.
type stagePlan struct {
	Stage      string  `json:"stage"`
	Units      int     `json:"units"`
	Of         string  `json:"of"` // what a unit is
	ModelCalls int     `json:"model_calls"`
	Tokens     int     `json:"tokens"`
	Cost       float64 `json:"cost"` // US dollars
}

// serverPlan says which tools of a server would be called.
type serverPlan struct {
	Name   string   `json:"name"`
	Status string   `json:"status"`
	Tools  int      `json:"tools"`
	Call   []string `json:"call"`
	Error  string   `json:"error"`
}

func newPlan() *plan { return &plan{DryRun: true, Stages: []stagePlan{}} }

// add puts a stage on the plan.
func (p *plan) add(s stagePlan) {
	p.Stages = append(p.Stages, s)
	p.ModelCalls += s.ModelCalls
	p.Tokens += s.Tokens
	p.Cost += s.Cost
}

// planned answers with a plan of one stage.
func planned(e *env, s stagePlan) error {
	p := newPlan()
	p.add(s)
	return e.answer(p, p.print)
}

func (p *plan) print(out io.Writer) error {
	if err := p.printServers(out); err != nil {
		return err
	}
	row := func(stage, units, of string, calls, tokens int, cost float64) []string {
		return []string{stage, units, of, strconv.Itoa(calls), strconv.Itoa(tokens), fmt.Sprintf("$%.2f", cost)}
	}
	var rows [][]string
	for _, s := range p.Stages {
		rows = append(rows, row(s.Stage, strconv.Itoa(s.Units), s.Of, s.ModelCalls, s.Tokens, s.Cost))
	}
	if len(p.Stages) > 1 {
		rows = append(rows, row("total", "", "", p.ModelCalls, p.Tokens, p.Cost))
	}
	if err := table(out, []string{"STAGE", "UNITS", "AT MOST", "MODEL CALLS", "TOKENS", "COST"}, rows); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, "\nA dry run: no tool was called, nothing was written.")
	return err
}

func (p *plan) printServers(out io.Writer) error {
	if len(p.Servers) == 0 {
		return nil
	}
	var rows [][]string
	for _, s := range p.Servers {
		what := s.Error
		if what == "" {
			what = callList(s)
		}
		rows = append(rows, []string{s.Name, s.Status, strconv.Itoa(s.Tools), what})
	}
	if err := table(out, []string{"SERVER", "STATUS", "TOOLS", "WOULD CALL"}, rows); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out)
	return err
}

// callList names the tools that would be called, a few of many.
func callList(s serverPlan) string {
	const most = 6
	switch n := len(s.Call); {
	case n == 0:
		return "none"
	case n > most:
		return fmt.Sprintf("%s and %d more", strings.Join(s.Call[:most], ", "), n-most)
	}
	return strings.Join(s.Call, ", ")
}
