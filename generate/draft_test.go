package generate

import (
	"testing"

	"github.com/taskwright/taskwright/datasets"
)

// chained makes a draft whose step i takes values from the steps in from[i].
func chained(from ...[]int) *draft {
	d := &draft{}
	for i, sources := range from {
		s := &step{tool: &datasets.Tool{Server: "s", Name: string(rune('a' + i))}}
		for _, n := range sources {
			s.args = append(s.args, datasets.Argument{Path: "/p", Source: datasets.SourceStep, Step: int32(n)})
		}
		d.steps = append(d.steps, s)
	}
	return d
}

func TestShape(t *testing.T) {
	tests := []struct {
		name         string
		draft        *draft
		pattern      string
		depth, width int
	}{
		{"one call", chained(nil), datasets.PatternSingle, 1, 1},
		{"a line", chained(nil, []int{1}, []int{2}), datasets.PatternLinear, 3, 1},
		{"two calls", chained(nil, nil), datasets.PatternParallel, 1, 2},
		{"two lines", chained(nil, []int{1}, nil, []int{3}), datasets.PatternParallel, 2, 2},
		{"fan-out", chained(nil, []int{1}, []int{1}), datasets.PatternHybrid, 2, 2},
		{"fan-in", chained(nil, nil, []int{1, 2}), datasets.PatternHybrid, 2, 2},
		{"skipping a step", chained(nil, []int{1}, []int{1, 2}), datasets.PatternHybrid, 3, 1},
	}
	for _, tt := range tests {
		pattern, depth, width := tt.draft.shape()
		if pattern != tt.pattern || depth != tt.depth || width != tt.width {
			t.Errorf("%s: %s, depth %d, width %d; want %s, %d, %d", tt.name, pattern, depth, width, tt.pattern, tt.depth, tt.width)
		}
	}
}

func TestPickElement(t *testing.T) {
	_, tools, _ := lakeCatalog()
	doc, err := datasets.DecodeJSON(`{"lakes":[{"id":"a","name":"One","depth_m":3},{"id":"b","name":"Two","depth_m":9},{"id":"c","name":"Three","depth_m":9}]}`)
	if err != nil {
		t.Fatal(err)
	}
	s := &step{tool: &tools[0], doc: doc}
	zero := func() float64 { return 0 }
	p := pickElement(nil, zero, s, "/lakes")
	if p == nil || p.rule == datasets.PickLargest {
		t.Fatalf("picked %+v: two lakes share the largest depth, so it singles out none", p)
	}
	if p.rule != datasets.PickEqual || p.equal != `"One"` {
		t.Errorf("picked %+v, want the one with a name", p)
	}
	book := lakeBook(t)
	low := 0.3
	if p := pickElement(book, func() float64 { return low }, s, "/lakes"); p == nil || p.rule != datasets.PickSmallest || p.index != 0 {
		t.Errorf("picked %+v, want the smallest", p)
	}
}

func TestTimeless(t *testing.T) {
	tool := datasets.Tool{Server: "time", Name: "days_in_month", Description: "Get the number of days in a month. If no date is provided, the current month.",
		InputSchema: `{"type":"object","properties":{"date":{"type":"string"}}}`, Health: datasets.Health{Status: datasets.HealthOK}}
	c := newCatalog([]datasets.Tool{tool}, nil, nil)
	if c.timeless(&tool, map[string]any{}) {
		t.Error("a call that falls back to the current month counts as timeless")
	}
	if !c.timeless(&tool, map[string]any{"date": "2024-02-10"}) {
		t.Error("a call with a date does not count as timeless")
	}
}
