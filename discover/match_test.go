package discover

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/taskwright/taskwright/datasets"
)

func TestWords(t *testing.T) {
	for in, want := range map[string]string{
		"park_id": "park id", "toLatitude": "to lat", "HTTPServerURL": "http server url", "time_zones": "timezone",
		"categories": "category", "boxes": "box", "address": "address", "": "", "lng": "lon", "searchTerms": "query query",
	} {
		if d := cmp.Diff(want, strings.Join(words(in), " ")); d != "" {
			t.Errorf("%q: %s", in, d)
		}
	}
}

func TestMatch(t *testing.T) {
	tests := []struct {
		from, path, kind string
		to, params       string
		atLeast, atMost  float64
	}{
		{"parks/find_parks", "/parks/*/id", "string", "parks/list_campgrounds", `"park_id":{"type":"string"}`, 0.9, 1},
		{"parks/find_parks", "/parks/*/lat", "number", "places/distance", `"to_lat":{"type":"number"}`, 0.7, 0.9},
		{"parks/find_parks", "/parks/*/name", "string", "notes/search", `"query":{"type":"string"}`, 0, 0.4},
		{"parks/find_parks", "/parks/*/name", "string", "parks/get_park", `"park_id":{"type":"string"}`, 0, 0.49},
		{"parks/find_parks", "/parks/*/lat", "number", "places/get_city", `"city":{"type":"string"}`, 0, 0},
		{"books/get_book", "/pages", "integer", "books/search", `"page":{"type":"integer"}`, 0, 0.4},
		{"climate/year", "/months/*/mean_low_c", "number", "units/convert", `"value":{"type":"number"},"from":{"type":"string","enum":["C","F"]}`, 0.6, 0.7},
		{"shop/list", "/items/*/price", "number", "stats/mean", `"values":{"type":"array","items":{"type":"number"}}`, 0.5, 0.6},
		{"shop/get", "/active", "boolean", "shop/set", `"active":{"type":"boolean"}`, 0, 0},
	}
	for _, test := range tests {
		tool := func(id, schema string) *datasets.Tool {
			server, name, _ := strings.Cut(id, "/")
			return &datasets.Tool{Server: server, Name: name, InputSchema: schema}
		}
		var names []string
		for _, part := range strings.Split(test.params, `":{`)[:1] {
			names = append(names, strings.Trim(part, `"`))
		}
		required := `"` + names[0] + `"`
		slots := newSlots(1, tool(test.to, `{"type":"object","properties":{`+test.params+`},"required":[`+required+`]}`))
		f := newField(0, tool(test.from, ""), test.path, test.kind, "")
		for _, s := range slots {
			if s.param.Name != names[0] {
				continue
			}
			if got, why := match(f, s); got < test.atLeast || got > test.atMost {
				t.Errorf("%s%s for %s/%s: %.2f (%s), want %.2f to %.2f", test.from, test.path, test.to, s.param.Name, got, why, test.atLeast, test.atMost)
			}
		}
	}
}

func TestLearn(t *testing.T) {
	tool := &datasets.Tool{Server: "s", Name: "convert", InputSchema: `{"type":"object","properties":{
		"from":{"type":"string"},"to":{"type":"string"},"force":{"type":"boolean"},"limit":{"type":"integer"}},"required":["from","to"]}`}
	sent := map[string]any{"from": "test", "to": "furlong"}
	tests := []struct{ text, forced, hints string }{
		{"Unknown unit: test. Supported units: m, km, mi", "", `/from=["m","km","mi"]`},
		{"missing required parameter 'limit'", "/limit", ""},
		{`[{"path":["limit"],"message":"Required"}]`, "/limit", ""},
		{"set force to true to go on", "/force", `/force=[true]`},
		{"something went wrong", "", ""},
	}
	for _, test := range tests {
		w := newWork(0, tool)
		w.learn(test.text, sent)
		var hints []string
		for _, path := range sortedKeys(w.hints) {
			hints = append(hints, path+"="+encode(w.hints[path]))
		}
		if d := cmp.Diff(test.forced+" | "+test.hints, strings.Join(sortedKeys(w.forced), " ")+" | "+strings.Join(hints, " ")); d != "" {
			t.Errorf("%s: %s", test.text, d)
		}
	}
}

func TestFailure(t *testing.T) {
	for text, want := range map[string]bool{
		`Error: no`: true, `{"success":false}`: true, `{"error":"bad"}`: true, `{"error":null,"a":1}`: false,
		`Invalid city`: true, `All fine`: false, `{"errors":0}`: false, `The error rate is 3 %`: false,
	} {
		r := fakeText(text)
		if _, got := failure(r, datasets.Document(r)); got != want {
			t.Errorf("%s: failed = %v", text, got)
		}
	}
}
