package discover

import (
	"regexp"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// outcome is what came of a planned call.
type outcome struct {
	planned
	call datasets.Call
	err  error // no answer
}

// record is a call that worked.
type record struct {
	arguments string
	key       string
	doc       any
	thin      bool // an answer without content
	origins   []string
}

// take notes an outcome with its tool. Outcomes are taken in plan order.
func (w *work) take(o outcome) {
	w.calls++
	if o.err != nil {
		w.lost++
		w.fail(o, o.err.Error())
		return
	}
	doc := datasets.Document(o.call.Result)
	if text, failed := failure(o.call.Result, doc); failed {
		w.fail(o, text)
		w.learn(text, o.arguments)
		return
	}
	if o.changed != "" && o.source != "" {
		w.luck[o.changed+" from "+o.source]++
	}
	w.records = append(w.records, record{o.canonical, o.call.Key, doc, empty(doc), o.origins})
	if w.base == nil || w.thin && !empty(doc) {
		w.base, w.thin = o.arguments, empty(doc)
	}
}

func (w *work) fail(o outcome, text string) {
	w.errors++
	if w.first == "" {
		w.first = cut(strings.Join(strings.Fields(text), " "), 300)
	}
	if o.changed != "" {
		if o.source != "" {
			w.luck[o.changed+" from "+o.source]--
		}
		for _, s := range w.slots {
			if s.param.Path == o.changed {
				w.bad[o.changed+"="+encode(o.arguments[s.param.Name])] = true
			}
		}
	}
}

var errorText = regexp.MustCompile(`(?i)^\W{0,4}(error\b|failed\b|failure\b|invalid\b|unknown tool\b|unknown \w+:|cannot\b|could not\b|exception\b|traceback\b|not found\b|no such\b|missing\b|unable to\b)`)

// failure says whether a result is an error, also where the server does not
// mark it as one: real servers answer "Error: …" or {"success": false}.
func failure(r datasets.ToolResult, doc any) (string, bool) {
	if r.IsError || r.ErrorKind != "" {
		return r.Text, true
	}
	object, ok := doc.(map[string]any)
	if !ok {
		return "", false
	}
	if text, ok := object["text"].(string); ok && isTextDocument(doc) {
		return text, errorText.MatchString(text)
	}
	for _, key := range []string{"success", "ok"} {
		if object[key] == false {
			return r.Text, true
		}
	}
	switch e := object["error"].(type) {
	case string:
		return e, e != ""
	case map[string]any:
		return r.Text, len(e) > 0
	}
	return "", false
}

// empty says whether an answer holds no more than empty lists and counts.
func empty(doc any) bool {
	switch v := doc.(type) {
	case nil:
		return true
	case []any:
		return len(v) == 0
	case map[string]any:
		lists, full := 0, 0
		for _, e := range v {
			switch e := e.(type) {
			case []any:
				lists++
				if len(e) > 0 {
					full++
				}
			case map[string]any:
				full++
			}
		}
		text, isText := v["text"].(string)
		return len(v) == 0 || lists > 0 && full == 0 || isText && len(v) == 1 && strings.TrimSpace(text) == ""
	}
	return false
}
