package world

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestNewRefusesUnknownNames(t *testing.T) {
	if _, err := New("atlantis"); err == nil || !strings.Contains(err.Error(), "parks") {
		t.Errorf("New(atlantis): %v, want an error that lists the servers", err)
	}
	if err := Serve(context.Background(), "atlantis", strings.NewReader(""), io.Discard); err == nil {
		t.Error("Serve(atlantis): no error")
	}
	if !slices.IsSorted(Names()) {
		t.Errorf("Names are not sorted: %v", Names())
	}
}

func TestDeclarations(t *testing.T) {
	w := newWorld(t)
	withOutput, names := map[string]bool{}, map[string][]string{}
	for id, tool := range liveTools(w) {
		server, name, _ := strings.Cut(id, "/")
		names[name] = append(names[name], server)
		if tool.OutputSchema != nil {
			withOutput[server] = true
		}
		if (tool.Annotations == nil) != servers[server].bare {
			t.Errorf("%s: annotations %+v", id, tool.Annotations)
		}
		if len(tool.Description) < 15 || tool.Title == "" {
			t.Errorf("%s: title %q, description %q", id, tool.Title, tool.Description)
		}
		for param, schema := range properties(tool) {
			if schema["type"] == nil || len(schema["description"].(string)) < 5 {
				t.Errorf("%s: parameter %s lacks a type or a description", id, param)
			}
		}
	}
	if len(withOutput) != 2 {
		t.Errorf("servers with output schemas: %v, want 2", withOutput)
	}
	for _, name := range []string{"search", "convert"} {
		if len(names[name]) != 2 {
			t.Errorf("%s is a tool of %v: want two servers", name, names[name])
		}
	}
}

func TestEffectsOfTheStatefulServer(t *testing.T) {
	want := map[string][2]bool{ // read-only, destructive
		"create_itinerary": {false, false}, "add_stop": {false, false}, "cancel_stop": {false, true},
		"read_itinerary": {true, false}, "list_itineraries": {true, false},
	}
	for _, tool := range newWorld(t).tools("itinerary") {
		a := tool.Annotations
		got := [2]bool{a.ReadOnlyHint, a.DestructiveHint != nil && *a.DestructiveHint}
		if got != want[tool.Name] {
			t.Errorf("%s: read-only and destructive are %v, want %v", tool.Name, got, want[tool.Name])
		}
	}
}

func TestToolListComesInPages(t *testing.T) {
	s := connect(t, "places")
	first, err := s.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Tools) != 3 || first.NextCursor == "" {
		t.Errorf("first page: %d tools, cursor %q", len(first.Tools), first.NextCursor)
	}
}

func TestResultsComeInPages(t *testing.T) {
	w := newWorld(t)
	args := map[string]any{"genre": "modernist novel"}
	total, seen := w.value("books/search", args, "/total"), 0
	for page := 1; ; page++ {
		args["page"] = page
		books := w.value("books/search", args, "/books")
		seen += strings.Count(books, `"book_id"`)
		if strings.Count(w.value("books/search", args, ""), `"next"`) == 0 {
			break
		}
	}
	if encoded(t, seen) != total || seen <= booksPerPage {
		t.Errorf("%d books on all pages, total %s", seen, total)
	}
}

func TestErrorsOfTheStrictServerAreJSONRPC(t *testing.T) {
	_, err := connect(t, "elements").CallTool(context.Background(), &mcp.CallToolParams{Name: "get_element", Arguments: map[string]any{"symbol": "Xx"}})
	var rpc *jsonrpc.Error
	if !errors.As(err, &rpc) || rpc.Code != jsonrpc.CodeInvalidParams {
		t.Errorf("error %v, want JSON-RPC code %d", err, jsonrpc.CodeInvalidParams)
	}
}

// TestStructuredContent holds structured answers against the declared schema's
// properties, and the text against the structured answer.
func TestStructuredContent(t *testing.T) {
	all, live := samples(t), liveTools(newWorld(t))
	for id, tool := range live {
		r := newWorldWith(t, all[id]).call(id, all[id].Arguments)
		if tool.OutputSchema == nil {
			if r.Structured != "null" {
				t.Errorf("%s: structured content without a schema", id)
			}
			continue
		}
		var structured, text map[string]any
		if err := json.Unmarshal([]byte(r.Structured), &structured); err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		if err := json.Unmarshal([]byte(r.Text), &text); err != nil || encoded(t, text) != encoded(t, structured) {
			t.Errorf("%s: text %s differs from structured content %s", id, r.Text, r.Structured)
		}
		declared := tool.OutputSchema.(map[string]any)["properties"].(map[string]any)
		if len(declared) != len(structured) {
			t.Errorf("%s: declares %d properties, answers with %d", id, len(declared), len(structured))
		}
		for name := range structured {
			if declared[name] == nil {
				t.Errorf("%s: %s is not declared", id, name)
			}
		}
	}
}

func newWorldWith(t *testing.T, s sample) *world {
	w := newWorld(t)
	for _, p := range s.Prepare {
		w.document(p.Tool, p.Arguments)
	}
	return w
}

func TestInstancesShareNoState(t *testing.T) {
	one, two := newWorld(t), newWorld(t)
	args := map[string]any{"title": "Tour", "start_date": "2026-10-03"}
	id := one.value("itinerary/create_itinerary", args, "/itinerary_id")
	if got := two.value("itinerary/list_itineraries", nil, "/itineraries"); got != "[]" {
		t.Errorf("another instance lists %s", got)
	}
	if got := two.value("itinerary/create_itinerary", args, "/itinerary_id"); got != id {
		t.Errorf("the first id of an instance is %s here and %s there", got, id)
	}
	if got := one.value("itinerary/create_itinerary", args, "/itinerary_id"); got == id {
		t.Errorf("two itineraries with id %s", got)
	}
}

func TestCancellingMovesLaterStops(t *testing.T) {
	w := newWorldWith(t, samples(t)["itinerary/read_itinerary"])
	w.document("itinerary/cancel_stop", map[string]any{"itinerary_id": "it-1001", "stop_id": "it-1001-s1"})
	id := map[string]any{"itinerary_id": "it-1001"}
	want := `[{"arrive":"2026-10-03","nights":3,"place":"Torrey","stop_id":"it-1001-s2","weekday":"Saturday"}]`
	if got := w.value("itinerary/read_itinerary", id, "/stops"); got != want {
		t.Errorf("stops after the cancellation: %s, want %s", got, want)
	}
	if got := w.value("itinerary/add_stop", map[string]any{"itinerary_id": "it-1001", "place": "Moab", "nights": 1}, "/stop_id"); got != `"it-1001-s3"` {
		t.Errorf("id of the next stop: %s; an id is never used twice", got)
	}
}

func TestConcurrentCalls(t *testing.T) {
	s := connect(t, "itinerary")
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			args := map[string]any{"title": "Tour", "start_date": "2026-10-03"}
			if r, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: "create_itinerary", Arguments: args}); err != nil || r.IsError {
				t.Errorf("%v, %+v", err, r)
			}
		})
	}
	wg.Wait()
	r, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: "list_itineraries"})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(r.Content[0].(*mcp.TextContent).Text, "itinerary_id"); n != 20 {
		t.Errorf("%d itineraries after 20 calls", n)
	}
}

func TestServe(t *testing.T) {
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Serve(context.Background(), "units", fromClient, toClient) }()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s, err := c.Connect(context.Background(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	args := map[string]any{"value": 7.8, "from": "C", "to": "F"}
	r, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: "convert", Arguments: args})
	if err != nil || r.Content[0].(*mcp.TextContent).Text != `{"value":46.04,"unit":"F"}` {
		t.Errorf("convert: %v, %+v", err, r)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Errorf("Serve after its input ended: %v", err)
	}
}

func TestServeStopsWithItsContext(t *testing.T) {
	in, hold := io.Pipe()
	defer hold.Close()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, "units", in, io.Discard) }()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("Serve: %v, want %v", err, context.Canceled)
	}
}

// FuzzArguments holds that no arguments, whatever they are, make a tool panic
// or answer with what cannot be encoded.
func FuzzArguments(f *testing.F) {
	var all []tool
	for _, name := range Names() {
		all = append(all, servers[name].tools()...)
	}
	for _, seed := range []string{"", "null", "[]", "{", `{"state":"UT"}`, `{"lat":1e308,"lon":-1e308}`, `{"value":1e-300,"from":"mm","to":"nmi"}`,
		`{"numbers":[1e15,-1e15,0]}`, `{"date":"0001-01-01","days":-40000}`, `{"formula":"H999"}`, `{"a":1e15,"b":1e-15}`, `{"lat":90,"lon":180,"date":"9999-12-31"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, tool := range all {
			answer, err := tool.call(raw)
			if err != nil {
				continue
			}
			if _, err := tool.result(answer); err != nil {
				t.Errorf("%s(%s): %v", tool.name, raw, err)
			}
		}
	})
}
