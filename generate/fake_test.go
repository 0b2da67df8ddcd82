package generate

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/taskwright/taskwright/datasets"
)

// lakeWorld is a deterministic session over four tools of three servers.
type lakeWorld struct{}

func (lakeWorld) Close() error { return nil }

func (lakeWorld) Call(_ context.Context, server, tool, arguments string) (datasets.Call, bool, error) {
	var a map[string]any
	if err := json.Unmarshal([]byte(arguments), &a); err != nil {
		return datasets.Call{}, false, err
	}
	call := datasets.Call{Key: datasets.CallKey(server, tool, arguments, ""), Server: server, Tool: tool, Arguments: arguments}
	call.Result = datasets.ToolResult{Structured: "null", ContentTypes: []string{"text"}}
	call.Result.Text, call.Result.IsError = lakeAnswer(server+"/"+tool, a)
	return call, false, nil
}

func lakeAnswer(id string, a map[string]any) (text string, isError bool) {
	switch id {
	case "lakes/search_lakes":
		switch a["country"] {
		case "FI":
			return `{"lakes":[{"id":"l-101","name":"Inari","depth_m":92.5,"lat":69.05,"lon":27.88},{"id":"l-107","name":"Oulu","depth_m":35.2,"lat":64.33,"lon":27.25},{"id":"l-119","name":"Saimaa","depth_m":85.8,"lat":61.25,"lon":28.25}]}`, false
		case "SE":
			return `{"lakes":[{"id":"l-204","name":"Vättern","depth_m":128.4,"lat":58.4,"lon":14.6},{"id":"l-211","name":"Siljan","depth_m":134.1,"lat":60.86,"lon":14.8}]}`, false
		}
		return "unknown country", true
	case "lakes/lake_details":
		for i, id := range []string{"l-101", "l-107", "l-119", "l-204", "l-211"} {
			if a["lake_id"] == id {
				return fmt.Sprintf(`{"lake_id":%q,"shoreline_km":%d.5,"ports":["Port %c","Bay %c"],"islands":%d}`, id, 300+17*i, 'A'+i, 'K'+i, 31+i), false
			}
		}
		return "no such lake", true
	case "weather/monthly":
		lat, _ := a["lat"].(float64)
		month, _ := a["month"].(float64)
		return fmt.Sprintf("Mean high %.1f C, mean low %.1f C, %d wet days", 30-lat/3+month/10, 20-lat/3-month/10, int(lat)%7+4), false
	case "units/convert":
		v, _ := a["value"].(float64)
		if a["from"] == "km" && a["to"] == "mi" {
			return fmt.Sprintf(`{"value":%.3f}`, v/1.609344), false
		}
		if a["from"] == "C" && a["to"] == "F" {
			return fmt.Sprintf(`{"value":%.2f}`, v*9/5+32), false
		}
		return "cannot convert", true
	}
	return "no such tool", true
}

func lakeCatalog() (servers []datasets.Server, tools []datasets.Tool, edges []datasets.Edge) {
	for _, name := range []string{"lakes", "units", "weather", "idle"} {
		servers = append(servers, datasets.Server{Name: name, Status: datasets.ServerOK})
	}
	tool := func(server, name, description, schema string, samples ...string) {
		t := datasets.Tool{Server: server, Name: name, Description: description, InputSchema: schema, Health: datasets.Health{Status: datasets.HealthOK}}
		for _, s := range samples {
			t.Samples = append(t.Samples, datasets.Sample{Arguments: s})
		}
		tools = append(tools, t)
	}
	tool("lakes", "search_lakes", "Finds the lakes of a country.", `{"type":"object","properties":{"country":{"type":"string","enum":["FI","SE"]}},"required":["country"]}`, `{"country":"FI"}`, `{"country":"SE"}`)
	tool("lakes", "lake_details", "Get details of a lake.", `{"type":"object","properties":{"lake_id":{"type":"string"}},"required":["lake_id"]}`, `{"lake_id":"l-101"}`)
	tool("units", "convert", "Convert a value between units.", `{"type":"object","properties":{"value":{"type":"number"},"from":{"type":"string"},"to":{"type":"string"}},"required":["value","from","to"]}`, `{"value":3,"from":"km","to":"mi"}`, `{"value":3,"from":"C","to":"F"}`)
	tool("weather", "monthly", "Get the monthly climate at a place.", `{"type":"object","properties":{"lat":{"type":"number"},"lon":{"type":"number"},"month":{"type":"integer"}},"required":["lat","lon","month"]}`, `{"lat":60,"lon":25,"month":7}`, `{"lat":60,"lon":25,"month":10}`)
	edge := func(fs, ft, fp, ts, tt, tp string) {
		edges = append(edges, datasets.Edge{FromServer: fs, FromTool: ft, FromPath: fp, ToServer: ts, ToTool: tt, ToParam: tp, Kind: datasets.EdgeObserved, Score: 0.9})
	}
	edge("lakes", "search_lakes", "/lakes/*/id", "lakes", "lake_details", "/lake_id")
	edge("lakes", "search_lakes", "/lakes/*/lat", "weather", "monthly", "/lat")
	edge("lakes", "search_lakes", "/lakes/*/lon", "weather", "monthly", "/lon")
	edge("lakes", "lake_details", "/shoreline_km", "units", "convert", "/value")
	edge("weather", "monthly", "/fields/mean_low", "units", "convert", "/value")
	return servers, tools, edges
}

const lakePhrases = `
reasons:
  lakes: ["I am writing a quiz about lakes", "We are choosing where to go sailing"]
tools:
  lakes/search_lakes:
    noun: lake
    plural: lakes
    list: /lakes
    identity: name
    keys: [id, name, lat, lon]
    scope: "in {country}"
    order:
      depth_m: {largest: deepest, smallest: shallowest}
    values:
      /lakes/*/depth_m: {np: "the depth of {it}", unit: m, said: metres}
      /lakes/*/name: {np: "the lakes in {country}", kind: set}
  lakes/lake_details:
    subject: lake_id
    keys: [lake_id]
    values:
      /shoreline_km: {np: "the length of the shoreline of {it}", unit: km, said: kilometres}
      /ports/*: {np: "the ports on {it}", kind: set}
      /islands: {np: "the number of islands in {it}"}
  weather/monthly:
    values:
      /fields/mean_low: {np: "the average low at {lat} in {month}", unit: C, said: degrees Celsius}
  units/convert:
    transform: value
    unit_param: from
    values:
      /value: {np: "{value}", suffix: "in {to}", unit: "{to}"}
say:
  country: {FI: Finland, SE: Sweden}
  month: {"7": July, "10": October}
  to: {F: degrees Fahrenheit, mi: miles}
`
