package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// fakeServerMain is an MCP server over stdio with cities and their facts:
//
//	fakeserver MODE [LOG]
//
// Each call is a line of the file LOG. Modes are: good; dies, after three
// calls; changing, whose answers differ from call to call; silent, which never
// answers; broken, which ends at the first message.
func fakeServerMain() {
	mode, log := os.Args[1], ""
	if len(os.Args) > 2 {
		log = os.Args[2]
	}
	switch mode {
	case "silent":
		stop := make(chan os.Signal, 1)
		signal.Notify(stop, os.Interrupt)
		<-stop
		os.Exit(0)
	case "broken":
		os.Stdin.Read(make([]byte, 1)) // the client is there
		fmt.Fprintln(os.Stderr, "no database at /nowhere")
		os.Exit(4)
	}
	f := &fakeServer{mode: mode, log: log}
	if err := f.server().Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		os.Exit(1)
	}
}

type fakeServer struct {
	mode, log string
	calls     int
}

type fakeCity struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Population int    `json:"population"`
}

var fakeCities = []fakeCity{
	{"arv-17", "Arvo", 418230}, {"bel-22", "Belmar", 96115}, {"cor-09", "Corvane", 1204877}, {"dun-31", "Dunmore", 57342},
}

func (f *fakeServer) server() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "fake", Version: "1"}, nil)
	f.add(s, "list_cities", "List the cities.", `{"type":"object"}`, func(map[string]any) (any, bool) {
		return map[string]any{"cities": fakeCities}, true
	})
	f.add(s, "city_facts", "Facts about one city: its area in square kilometres and its mayor.",
		`{"type":"object","properties":{"city_id":{"type":"string","description":"id of a city"}},"required":["city_id"]}`, f.facts)
	f.add(s, "river_of", "The river that a city lies at, with its length in kilometres.",
		`{"type":"object","properties":{"city_id":{"type":"string","description":"id of a city"}},"required":["city_id"]}`, f.river)
	return s
}

func (f *fakeServer) facts(in map[string]any) (any, bool) {
	for i, c := range fakeCities {
		if c.ID == in["city_id"] {
			return map[string]any{"city_id": c.ID, "area_km2": 812.5 + 131*float64(i) + f.drift(), "mayor": []string{"Ines Roth", "Otto Lind", "Maja Korr", "Piet Haan"}[i]}, true
		}
	}
	return "no such city", false
}

func (f *fakeServer) river(in map[string]any) (any, bool) {
	for i, c := range fakeCities {
		if c.ID == in["city_id"] {
			return map[string]any{"river": []string{"Alm", "Brode", "Cusk", "Dree"}[i], "length_km": 311.25 + 57*float64(i) + f.drift()}, true
		}
	}
	return "no such city", false
}

// drift makes two answers differ where the mode says so: it grows with every
// call to any instance of the server.
func (f *fakeServer) drift() float64 {
	if f.mode != "changing" {
		return 0
	}
	raw, _ := os.ReadFile(f.log)
	return 1000 * float64(strings.Count(string(raw), "\n"))
}

func (f *fakeServer) add(s *mcp.Server, name, description, schema string, answer func(map[string]any) (any, bool)) {
	tool := &mcp.Tool{Name: name, Description: description, InputSchema: json.RawMessage(schema), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: name != "river_of"}}
	s.AddTool(tool, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if f.calls++; f.mode == "dies" && f.calls > 3 {
			fmt.Fprintln(os.Stderr, "out of memory")
			os.Exit(3)
		}
		f.note(name + " " + string(r.Params.Arguments))
		var in map[string]any
		if err := json.Unmarshal(r.Params.Arguments, &in); err != nil {
			return nil, err
		}
		value, ok := answer(in)
		raw, err := json.Marshal(value)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(raw)}}, IsError: !ok}, err
	})
}

func (f *fakeServer) note(line string) {
	if f.log == "" {
		return
	}
	out, err := os.OpenFile(f.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		fmt.Fprintln(out, line)
		out.Close()
	}
}

// fakes is an mcp.json with a fake server for each mode, named after it, and
// the logs of their calls.
type fakes struct {
	file string
	dir  string
}

func newFakes(t *testing.T, modes ...string) *fakes {
	t.Helper()
	f := &fakes{dir: t.TempDir()}
	f.file = filepath.Join(f.dir, "mcp.json")
	servers := map[string]any{}
	for _, m := range modes {
		servers[m] = map[string]any{
			"command": "fakeserver", "args": []string{m, f.log(m)}, "state": "none",
			"timeouts": map[string]any{"start": "20s", "call": "20s", "stop": "1s"},
		}
		if m == "silent" {
			servers[m].(map[string]any)["timeouts"] = map[string]any{"start": "300ms", "stop": "100ms"}
		}
	}
	raw, err := json.Marshal(map[string]any{"mcpServers": servers})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.file, raw, 0o666); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *fakes) log(mode string) string { return filepath.Join(f.dir, mode+".log") }

// calls are the calls that reached the server of a mode.
func (f *fakes) calls(mode string) []string {
	raw, err := os.ReadFile(f.log(mode))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
}
