package discover

import (
	"fmt"
	"strings"
	"testing"

	"github.com/taskwright/taskwright/datasets"
)

// Names that agree on two servers count in full only where they mean the same
// on both.
func TestNamesAcrossServers(t *testing.T) {
	tests := []struct {
		from, path, to, param string
		full                  bool
	}{
		{"atlas/get_place", "/country", "trade/list_ports", "country", true},
		{"atlas/get_place", "/lat", "sky/sunrise", "lat", true},
		{"pens/get_pen", "/color", "paint/mix", "color", true},
		{"shop/get_item", "/category", "news/list_articles", "category", false},
		{"forum/get_post", "/topic", "news/list_articles", "topic", false},
		{"shop/get_order", "/token", "bank/pay", "token", false},
		{"library/find_book", "/books/*/publisher", "shop/get_book", "publisher", true}, // both about books
		{"library/find_book", "/books/*/publisher", "games/get_game", "publisher", false},
		{"shop/list_orders", "/orders/*/country_id", "trade/list_ports", "country_id", false},
	}
	for _, test := range tests {
		score := func(to string) float64 {
			server, name, _ := strings.Cut(to, "/")
			s := newSlots(1, &datasets.Tool{Server: server, Name: name, InputSchema: onlyWith(test.param)})[0]
			server, name, _ = strings.Cut(test.from, "/")
			got, _ := match(newField(0, &datasets.Tool{Server: server, Name: name}, test.path, "string", ""), s)
			return got
		}
		_, name, _ := strings.Cut(test.to, "/")
		server, _, _ := strings.Cut(test.from, "/")
		here, across := score(server+"/"+name), score(test.to)
		if here < staticAtLeast {
			t.Errorf("%s%s to %s: only %.2f on one server", test.from, test.path, test.param, here)
		}
		if test.full && across < here || !test.full && across >= staticAtLeast {
			t.Errorf("%s%s to %s/%s: %.2f on one server, %.2f across", test.from, test.path, test.to, test.param, here, across)
		}
	}
}

// TestConstantFields has a tool whose answers all carry one date, and another
// that takes a date: three different calls show that the date says nothing of
// what was asked.
func TestConstantFields(t *testing.T) {
	const source, sink = "stats/get_population", "stats/list_events"
	tests := []struct {
		name  string
		dates []string // in the answers of different calls
		same  bool     // the calls are one and the same
		path  string
		edge  bool
	}{
		{"always the same", []string{"2021-03-04", "2021-03-04", "2021-03-04"}, false, "/updated", false},
		{"twice the same", []string{"2021-03-04", "2021-03-04"}, false, "/updated", true},
		{"once another", []string{"2021-03-04", "2021-03-04", "2021-03-05"}, false, "/updated", true},
		{"one call thrice", []string{"2021-03-04", "2021-03-04", "2021-03-04"}, true, "/updated", true},
		{"in a list", []string{"2021-03-04", "2021-03-04", "2021-03-04"}, false, "/rows/*/updated", true},
		{"names that agree", []string{"2021-03-04", "2021-03-04", "2021-03-04"}, false, "/event_date", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			calls := map[string]datasets.Call{}
			tool := func(id, schema string) datasets.Tool {
				server, name, _ := strings.Cut(id, "/")
				return datasets.Tool{Server: server, Name: name, InputSchema: schema, OutputSchema: "null"}
			}
			sample := func(to *datasets.Tool, arguments, answer string) {
				c := datasets.Call{Server: to.Server, Tool: to.Name, Arguments: arguments, Result: fakeText(answer)}
				c.Key = fmt.Sprint("call ", len(calls))
				calls[c.Key] = c
				to.Samples = append(to.Samples, datasets.Sample{Arguments: arguments, TapeKey: c.Key})
			}
			tools := []datasets.Tool{tool(source, onlyWith("city")), tool(sink, `{"type":"object","properties":{"event_date":{"type":"string","format":"date"}},"required":["event_date"]}`)}
			field := test.path[strings.LastIndexByte(test.path, '/')+1:]
			answer := `{"` + field + `":"%s","people":%d}`
			schema := `{"type":"object","properties":{"` + field + `":{"type":"string","format":"date"},"people":{"type":"integer"}}}`
			if strings.Contains(test.path, "*") {
				answer = `{"rows":[` + answer + `]}`
				schema = `{"type":"object","properties":{"rows":{"type":"array","items":` + schema + `}}}`
			}
			tools[0].OutputSchema, tools[0].OutputSchemaSource = schema, datasets.SchemaObserved
			for i, date := range test.dates {
				city := fmt.Sprintf(`{"city":"town %d"}`, i)
				if test.same {
					city = `{"city":"town"}`
				}
				sample(&tools[0], city, fmt.Sprintf(answer, date, 1000+i))
			}
			sample(&tools[1], `{"event_date":"2021-03-04"}`, `{"events":[]}`)
			edge := ""
			for _, e := range Edges([]datasets.Server{{Name: "stats", Status: datasets.ServerOK}}, tools, func(key string) (datasets.Call, bool) { c, ok := calls[key]; return c, ok }) {
				if e.FromTool == tools[0].Name && e.FromPath == test.path {
					edge = fmt.Sprintf("%s %.2f %s", e.Kind, e.Score, e.Evidence)
				}
			}
			if (edge != "") != test.edge {
				t.Errorf("edge from %s: %q", test.path, edge)
			}
		})
	}
}
