package discover

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/taskwright/taskwright/datasets"
)

// fakeWorld is a handful of tools behind sessions: parks and their campgrounds,
// a distance on another server, a clock, notes with state.
type fakeWorld struct {
	mu    sync.Mutex
	calls map[string]datasets.Call
	log   []string
	ticks int
	dies  string // a server that stops answering after its first call
	alive int

	more     map[string]fakeTool // tools of one test, by id
	state    map[string]string   // by server; nil: notes keeps state
	shared   map[string]*memory  // of servers without state
	sessions []*fakeSession      // opened so far
	repeats  [][]datasets.Call   // what was repeated
}

// fakeTool answers a call; what the server remembers is in m.
type fakeTool struct {
	annotations, schema string
	run                 func(m *memory, a map[string]any) datasets.ToolResult
}

// memory is what one instance of a server was told.
type memory struct {
	notes []string
	hist  string
}

// fakeSession has instances of its own of the servers that keep state; a fresh
// one has some of all servers.
type fakeSession struct {
	w     *fakeWorld
	own   map[string]*memory
	fresh bool
	log   []string
}

func (w *fakeWorld) open(context.Context) (Session, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := &fakeSession{w: w, own: map[string]*memory{}}
	w.sessions = append(w.sessions, s)
	return s, nil
}

func (w *fakeWorld) stateful(server string) bool {
	if w.state == nil {
		return server == "notes"
	}
	return w.state[server] == datasets.StateSession
}

func (s *fakeSession) memory(server string) *memory {
	at := s.own
	if !s.fresh && !s.w.stateful(server) {
		if s.w.shared == nil {
			s.w.shared = map[string]*memory{}
		}
		at = s.w.shared
	}
	if at[server] == nil {
		at[server] = &memory{}
	}
	return at[server]
}

func (w *fakeWorld) answer(key string) (datasets.Call, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	c, ok := w.calls[key]
	return c, ok
}

func (w *fakeWorld) repeat(_ context.Context, calls []datasets.Call) ([]bool, error) {
	s := &fakeSession{w: w, own: map[string]*memory{}, fresh: true}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.repeats = append(w.repeats, calls)
	var same []bool
	for _, c := range calls {
		now := s.run(c.Server, c.Tool, c.Arguments)
		before := w.calls[datasets.CallKey(c.Server, c.Tool, c.Arguments, s.memory(c.Server).hist)]
		s.remember(c.Server, c.Tool, c.Arguments)
		same = append(same, now.Text == before.Result.Text)
	}
	return same, nil
}

// remember extends the history by a call that changes something.
func (s *fakeSession) remember(server, tool, arguments string) {
	reads := server+"/"+tool == "notes/list_notes" || s.w.more[server+"/"+tool].annotations == readOnly
	if m := s.memory(server); s.w.stateful(server) && !reads {
		m.hist = datasets.NextHistory(m.hist, tool, arguments)
	}
}

func (s *fakeSession) Close() error { return nil }

func (s *fakeSession) Call(_ context.Context, server, tool, arguments string) (datasets.Call, bool, error) {
	s.w.mu.Lock()
	defer s.w.mu.Unlock()
	s.w.log = append(s.w.log, server+"/"+tool+" "+arguments)
	s.log = append(s.log, server+"/"+tool+" "+arguments)
	if s.w.dies == server {
		if s.w.alive--; s.w.alive < 0 {
			return datasets.Call{}, false, errors.New("the process ended: exit status 1")
		}
	}
	c := datasets.Call{Server: server, Tool: tool, Arguments: arguments, History: s.memory(server).hist, Result: s.run(server, tool, arguments)}
	c.Key = datasets.CallKey(server, tool, arguments, c.History)
	s.remember(server, tool, arguments)
	if s.w.calls == nil {
		s.w.calls = map[string]datasets.Call{}
	}
	s.w.calls[c.Key] = c
	return c, false, nil
}

// fakeParks is id, state and coordinates; the ids are opaque on purpose.
var fakeParks = [][4]string{{"zx81q", "UT", "37.3123", "-110.9231"}, {"kk20w", "UT", "38.7331", "-109.5925"}, {"pp77v", "AZ", "36.1069", "-112.1129"}}

func (s *fakeSession) run(server, tool, arguments string) datasets.ToolResult {
	var a map[string]any
	if err := json.Unmarshal([]byte(arguments), &a); err != nil {
		return fakeError("arguments are no object")
	}
	m := s.memory(server)
	if f, ok := s.w.more[server+"/"+tool]; ok {
		return f.run(m, a)
	}
	switch server + "/" + tool {
	case "parks/find_parks":
		return fakeFind(a)
	case "parks/list_campgrounds":
		for _, p := range fakeParks {
			if p[0] == a["park_id"] {
				return fakeText(fmt.Sprintf(`{"campgrounds":[{"name":"Camp %s","sites":78}]}`, p[0]))
			}
		}
		return fakeError(fmt.Sprintf("unknown park %v", a["park_id"]))
	case "geo/distance":
		lat, ok := a["to_lat"].(float64)
		if !ok {
			return fakeError("missing required parameter to_lat")
		}
		return fakeText(fmt.Sprintf(`{"km":%.4f}`, lat*3.1))
	case "geo/convert":
		if a["unit"] != "parsec" && a["unit"] != "furlong" {
			return fakeText("Error: unknown unit. Valid units are: parsec, furlong")
		}
		return fakeText("42.5")
	case "geo/clock":
		s.w.ticks++
		return fakeText(fmt.Sprintf("tick %d", s.w.ticks))
	case "notes/add_note":
		m.notes = append(m.notes, fmt.Sprint(a["text"]))
		return fakeText(fmt.Sprintf(`{"note_id":"note-%d"}`, len(m.notes)))
	case "notes/get_note":
		for i, n := range m.notes {
			if a["note_id"] == fmt.Sprintf("note-%d", i+1) {
				return fakeText(fmt.Sprintf(`{"text":%q}`, n))
			}
		}
		return fakeError("no such note")
	case "notes/list_notes":
		return fakeText(fmt.Sprintf(`{"count":%d}`, len(m.notes)))
	}
	return fakeError("unknown tool")
}

func fakeFind(a map[string]any) datasets.ToolResult {
	var list []string
	for _, p := range fakeParks {
		if p[1] == a["state"] {
			list = append(list, fmt.Sprintf(`{"id":%q,"name":"Park %s","lat":%s,"lon":%s}`, p[0], p[0], p[2], p[3]))
		}
	}
	return fakeText(`{"parks":[` + strings.Join(list, ",") + `]}`)
}

func fakeText(s string) datasets.ToolResult {
	return datasets.ToolResult{Text: s, Structured: "null", ContentTypes: []string{"text"}}
}

func fakeError(s string) datasets.ToolResult {
	r := fakeText(s)
	r.IsError, r.ErrorKind = true, datasets.ErrorTool
	return r
}

const readOnly = `{"readOnlyHint":true}`

// fakeCatalog is the listing of the fake world, prepared.
func fakeCatalog() ([]datasets.Server, []datasets.Tool) {
	server := func(name string) datasets.Server { return datasets.Server{Name: name, Status: datasets.ServerOK} }
	tool := func(id, annotations, schema string) datasets.Tool {
		s, n, _ := strings.Cut(id, "/")
		return datasets.Tool{Server: s, Name: n, Description: "Does " + n, Annotations: annotations, InputSchema: schema}
	}
	return Prepare([]datasets.Server{server("parks"), server("geo"), server("notes")}, []datasets.Tool{
		tool("parks/find_parks", readOnly, `{"type":"object","properties":{"state":{"type":"string","enum":["UT","AZ"]}},"required":["state"]}`),
		tool("parks/list_campgrounds", readOnly, `{"type":"object","properties":{"park_id":{"type":"string"}},"required":["park_id"]}`),
		tool("geo/distance", readOnly, `{"type":"object","properties":{"from":{"type":"string","description":"City, e.g. \"Salt Lake City\""},"to_lat":{"type":"number"},"to_lon":{"type":"number"}},"required":["from","to_lat","to_lon"]}`),
		tool("geo/convert", readOnly, `{"type":"object","properties":{"unit":{"type":"string"},"value":{"type":"number"}},"required":["unit","value"]}`),
		tool("geo/clock", readOnly, `{"type":"object"}`),
		tool("notes/add_note", `{"readOnlyHint":false}`, `{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`),
		tool("notes/get_note", "null", `{"type":"object","properties":{"note_id":{"type":"string"}},"required":["note_id"]}`),
		tool("notes/list_notes", readOnly, `{"type":"object"}`),
	})
}
