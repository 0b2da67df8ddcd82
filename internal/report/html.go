package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

var (
	//go:embed page/report.html.tmpl
	pageTemplate string
	//go:embed page/task.html.tmpl
	taskTemplate string
	//go:embed page/style.css
	pageStyle string
	//go:embed page/script.js
	pageScript string
)

// htmlPage is parsed once; its functions are pure.
var htmlPage = template.Must(template.Must(template.New("report").Funcs(template.FuncMap{
	"percent": percent, "figure": figure, "basis": basis, "interval": interval, "heading": heading,
	"short": short, "mark": mark, "orNone": orNone, "join": strings.Join,
	"bars": bars, "graph": drawing, "width": width, "excerpt": excerpt, "meaning": meaning,
	"title": func(s string) string { return strings.ToUpper(s[:min(1, len(s))]) + s[min(1, len(s)):] },
}).Parse(pageTemplate)).New("task").Parse(taskTemplate))

// HTML writes the report as one page that needs nothing else: no network, no
// script for reading. Its content security policy lets no other script than
// its own run, whatever text a server or a model put into the dataset.
func (r *Report) HTML(w io.Writer) error {
	hash := sha256.Sum256([]byte(pageScript))
	data := view{
		Report: r, Heading: r.heading(), Tables: r.Tasks[:min(len(r.Tasks), r.rows)], Metrics: columns(r.Agents),
		Style: template.CSS(pageStyle), Script: template.JS(pageScript),
		Policy: "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'; base-uri 'none'; form-action 'none'",
		pages:  map[string]string{},
	}
	for _, p := range r.Pages {
		data.pages[p.Task.ID] = p.Anchor()
	}
	if err := htmlPage.ExecuteTemplate(w, "report", data); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

// view is what the template gets.
type view struct {
	*Report
	Heading string
	Tables  []Row
	Metrics []string
	Style   template.CSS
	Script  template.JS
	Policy  string
	pages   map[string]string // anchor by task id
}

// excerpt is the beginning of a text, up to a word's end.
func excerpt(s string) string {
	const n = 150
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	cut := string(runes[:n])
	if i := strings.LastIndexByte(cut, ' '); i > n/2 {
		cut = cut[:i]
	}
	return cut + " …"
}

// Anchor is that of a task's page, "" if the task is not shown in full.
func (v view) Anchor(id string) string { return v.pages[id] }

// Metric is a metric of an agent by name.
func (v view) Metric(a Agent, name string) Metric { return a.metric(name) }

// Label names an agent.
func (v view) Label(a Agent) string { return a.label() }

// Oracle is the pass rate of the first oracle run, nil if there is none.
func (v view) Oracle() *float64 {
	for _, a := range v.Agents {
		if a.Agent == "oracle" {
			return a.PassRate
		}
	}
	return nil
}

// bar is one line of a bar chart.
type bar struct {
	Name  string
	N     int
	Share string // of the longest bar, as a CSS percentage
}

func bars(list []Count) []bar {
	longest := 1
	for _, c := range list {
		longest = max(longest, c.N)
	}
	out := make([]bar, len(list))
	for i, c := range list {
		out[i] = bar{orNone(c.Name), c.N, width(float64(c.N) / float64(longest))}
	}
	return out
}

// width is a rate as an SVG percentage; nil and out of range count as 0 and 1.
func width(v any) string {
	f, ok := v.(float64)
	if p, is := v.(*float64); is && p != nil {
		f, ok = *p, true
	}
	if !ok {
		f = 0
	}
	return fmt.Sprintf("%.2f%%", max(0, min(1, f))*100)
}

// Steps is the funnel as bars.
func (v view) Steps() []Count {
	f := v.Funnel
	list := []Count{{"candidates", f.Candidates}, {"rejected", f.Rejected}}
	if f.Undecided > 0 {
		list = append(list, Count{"undecided", f.Undecided})
	}
	list = append(list, Count{"accepted", f.Accepted})
	if f.Unproved > 0 {
		list = append(list, Count{"of which unproved", f.Unproved})
	}
	return list
}

// maxRejected bounds the rejected tasks that the funnel lists.
const maxRejected = 12

// Rejected are the first rejected tasks.
func (v view) Rejected() []Row {
	var list []Row
	for _, row := range v.Tasks {
		if row.Status == datasets.StatusRejected && len(list) < maxRejected {
			list = append(list, row)
		}
	}
	return list
}

// meanings say what it means that a check failed.
var meanings = map[string]string{
	"schema":      "a tool is not in the catalog, or arguments do not fit its schema",
	"reference":   "the chain or a claim does not follow from the recorded answers",
	"stated":      "the instruction lacks a value that the calls need, or gives a claim away",
	"oracle":      "the chain, run again, does not fulfil every claim",
	"stable":      "every essential claim changed when the calls were repeated",
	"null":        "an agent that calls nothing passes",
	"single-call": "a single call is enough",
	"threshold":   "the judges’ scores are too low",
	"claims":      "an ask has no claim, or a claim no evidence",
}

// meaning is that of a reason's name.
func meaning(name string) string { return meanings[name] }
