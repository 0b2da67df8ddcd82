package discover

import (
	"fmt"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/schema"
)

// maxSamples bounds the sample calls kept for one tool.
const maxSamples = 8

// report writes what was found into the rows.
func (p *prober) report(r *Result) {
	for _, l := range p.lanes {
		if l.dead != "" {
			l.server.Status, l.server.Error = datasets.ServerDied, "stopped answering while probed: "+l.dead
		}
		for _, w := range l.works {
			w.report(l.dead)
			r.Calls += w.calls
		}
	}
}

func (w *work) report(dead string) {
	t, h := w.tool, &w.tool.Health
	h.Calls, h.Errors, h.Volatile = int32(w.calls), int32(w.errors), w.vary
	h.Detail = w.first
	switch {
	case len(w.records) > 0:
		h.Status = datasets.HealthOK
	case w.calls > 0:
		h.Status = datasets.HealthFailing
	default:
		h.Status, h.Detail = datasets.HealthFailing, "no arguments that fit its schema were found"
	}
	if dead != "" {
		h.Detail = fmt.Sprintf("server died: %s", dead)
		if len(w.records) == 0 {
			h.Status = datasets.HealthFailing
		}
	}
	t.Samples = nil
	for _, r := range w.chosen() {
		t.Samples = append(t.Samples, datasets.Sample{Arguments: r.arguments, TapeKey: r.key})
	}
	w.observe()
}

// observe infers an output schema where the server declares none.
func (w *work) observe() {
	if w.tool.OutputSchemaSource == datasets.SchemaDeclared || len(w.records) == 0 {
		return
	}
	docs := make([]any, len(w.records))
	for i, r := range w.records {
		docs[i] = r.doc
	}
	w.tool.OutputSchema, w.tool.OutputSchemaSource = schema.Infer(docs), datasets.SchemaObserved
}

// chosen are the calls to keep as samples: those that used a value from a new
// place first, then the others, empty answers last; within each in the order
// in which they were made.
func (w *work) chosen() []record {
	var fresh, more, thin []record
	seen := map[string]bool{}
	for i, r := range w.records {
		isNew := i == 0
		for _, o := range r.origins {
			if !seen[o] && !strings.HasPrefix(o, "group ") {
				seen[o], isNew = true, true
			}
		}
		switch {
		case r.thin:
			thin = append(thin, r)
		case isNew:
			fresh = append(fresh, r)
		default:
			more = append(more, r)
		}
	}
	all := append(append(fresh, more...), thin...)
	return all[:min(len(all), maxSamples)]
}
