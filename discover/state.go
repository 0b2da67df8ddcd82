package discover

import (
	"regexp"
	"strings"
	"time"

	"github.com/taskwright/taskwright/datasets"
)

var moment = regexp.MustCompile(`\b(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2})?|\b(1[6-9]\d{8})(?:\d{3})?\b`)

// holdsPresent says whether an answer holds a date or Unix time within two days
// of now that the call did not send: such an answer is another one tomorrow.
func holdsPresent(doc any, sent string, now time.Time) bool {
	for _, l := range leavesOf(doc) {
		text, ok := l.value.(string)
		if !ok {
			text = encode(l.value)
		}
		for _, m := range moment.FindAllStringSubmatch(cut(text, 2000), 8) {
			if isPresent(m, now) && !strings.Contains(sent, m[1]+m[2]) {
				return true
			}
		}
	}
	return false
}

func isPresent(m []string, now time.Time) bool {
	var t time.Time
	if m[1] != "" {
		d, err := time.Parse(time.DateOnly, m[1])
		if err != nil {
			return false
		}
		t = d.Add(12 * time.Hour)
	} else {
		var n int64
		for _, c := range m[2] {
			n = n*10 + int64(c-'0')
		}
		t = time.Unix(n, 0)
	}
	return t.Sub(now).Abs() < 48*time.Hour
}

// learn banks an outcome for the rest of its session.
func (b *bank) learn(o outcome) {
	if o.err != nil {
		return
	}
	doc := datasets.Document(o.call.Result)
	if _, failed := failure(o.call.Result, doc); !failed {
		b.add(o.work.index, doc, sentValues(o.arguments))
	}
}

// deposit banks what a round returned, in plan order, without what changes by
// itself: the next plans must not depend on the moment.
func (p *prober) deposit(outcomes [][]outcome) {
	for _, lane := range outcomes {
		for _, o := range lane {
			if !o.work.vary {
				p.global.learn(o)
			}
		}
	}
}

// sentValues are the encoded scalars of a call's arguments.
func sentValues(arguments map[string]any) map[string]bool {
	out := map[string]bool{}
	for _, l := range leavesOf(arguments) {
		out[encode(l.value)] = true
	}
	return out
}
