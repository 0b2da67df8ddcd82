package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/taskwright/taskwright/datasets"
)

type cityInput struct {
	CityID string `json:"city_id" jsonschema:"id of a city"`
}

type cityList struct {
	Cities []fakeCity `json:"cities"`
}

type cityMayor struct {
	CityID string `json:"city_id"`
	Mayor  string `json:"mayor"`
}

// remoteServer is a server whose second tool takes what the first one gives.
func remoteServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "cities", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "list_cities", Description: "List the cities."},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, cityList, error) {
			return nil, cityList{fakeCities}, nil
		})
	mcp.AddTool(s, &mcp.Tool{Name: "mayor_of", Description: "The mayor of one city."},
		func(_ context.Context, _ *mcp.CallToolRequest, in cityInput) (*mcp.CallToolResult, cityMayor, error) {
			for _, c := range fakeCities {
				if c.ID == in.CityID {
					return nil, cityMayor{c.ID, "Mayor of " + c.Name}, nil
				}
			}
			return nil, cityMayor{}, fmt.Errorf("no city %q", in.CityID)
		})
	return s
}

// remotes gives a [remoteServer] to each client and ends all sessions with the
// test, also those that their clients could not end.
func remotes(t *testing.T) func(*http.Request) *mcp.Server {
	var mu sync.Mutex
	var made []*mcp.Server
	t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		for _, s := range made {
			for session := range s.Sessions() {
				session.Close()
			}
		}
	})
	return func(*http.Request) *mcp.Server {
		mu.Lock()
		defer mu.Unlock()
		made = append(made, remoteServer())
		return made[len(made)-1]
	}
}

func overHTTP(t *testing.T) http.Handler { return mcp.NewStreamableHTTPHandler(remotes(t), nil) }

// keyed lets only requests with the key through and counts those without.
func keyed(next http.Handler, refused *atomic.Int32) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Api-Key") != "sesame-4711" {
			refused.Add(1)
			http.Error(w, "a key is needed", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// goneAfter is a server that is switched off at the n-th call of a tool.
func goneAfter(t *testing.T, n int32) *httptest.Server {
	t.Helper()
	var calls atomic.Int32
	next := overHTTP(t)
	s := httptest.NewUnstartedServer(nil)
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil && strings.Contains(string(body), `"tools/call"`) {
			calls.Add(1)
		}
		if calls.Load() >= n {
			s.Listener.Close()
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		next.ServeHTTP(w, r)
	})
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// remoteFile writes an mcp.json of servers with a URL, beside one over stdio.
func remoteFile(t *testing.T, remote map[string]map[string]any) string {
	t.Helper()
	servers := map[string]any{"local": map[string]any{"command": "fakeserver", "args": []string{"good"}, "state": "none"}}
	for name, s := range remote {
		s["timeouts"] = map[string]any{"start": "20s", "call": "20s"}
		servers[name] = s
	}
	raw, err := json.Marshal(map[string]any{"mcpServers": servers})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "mcp.json")
	if err := os.WriteFile(file, raw, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func listening(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func TestServersOverHTTP(t *testing.T) {
	t.Setenv("CITIES_KEY", "sesame-4711")
	var refused atomic.Int32
	key := map[string]string{"X-Api-Key": "${CITIES_KEY}"}
	file := remoteFile(t, map[string]map[string]any{
		"streamable": {"url": listening(t, keyed(overHTTP(t), &refused)), "headers": key},
		"events":     {"url": listening(t, keyed(mcp.NewSSEHandler(remotes(t), nil), &refused)), "type": "sse", "headers": key},
	})
	dir := filepath.Join(t.TempDir(), "d")
	a := expect(t, exitDone, "run", dir, "--servers", file, "--probe", "all", "-n", "9", "--json").object(t)
	if a["servers"] != 3.0 || a["accepted"].(float64) < 1 || refused.Load() != 0 {
		t.Errorf("%d requests without the key, %v", refused.Load(), a)
	}
	answered := map[string]int{}
	for _, c := range readCalls(t, dir) {
		if !c.Result.IsError {
			answered[c.Server+"/"+c.Tool]++
		}
	}
	for _, server := range []string{"streamable", "events"} {
		if answered[server+"/list_cities"] == 0 || answered[server+"/mayor_of"] == 0 {
			t.Errorf("%s was not probed: %v", server, answered)
		}
	}
	for name, transport := range map[string]string{"streamable": "http", "events": "sse", "local": "stdio"} {
		row := readServer(t, dir, name)
		if row.Transport != transport || row.Status != datasets.ServerOK || row.Tools < 2 {
			t.Errorf("%+v", row)
		}
	}
	expect(t, exitDone, "datasets", "validate", dir)
	noSecret(t, dir, "sesame-4711")
}

func readServer(t *testing.T, dir, name string) datasets.Server {
	t.Helper()
	d, err := datasets.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	servers, err := datasets.Collect(d.Servers())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range servers {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no server %s", name)
	return datasets.Server{}
}

// noSecret holds that no row of the catalog and the tape repeats a secret.
func noSecret(t *testing.T, dir, secret string) {
	t.Helper()
	for _, c := range readCalls(t, dir) {
		if strings.Contains(fmt.Sprintf("%+v", c), secret) {
			t.Errorf("%+v", c)
		}
	}
	for _, name := range []string{"streamable", "events", "local"} {
		if row := readServer(t, dir, name); strings.Contains(fmt.Sprintf("%+v", row), secret) {
			t.Errorf("%+v", row)
		}
	}
}

func TestServersOverHTTPThatFail(t *testing.T) {
	var refused atomic.Int32
	unknown := httptest.NewUnstartedServer(overHTTP(t))
	unknown.Config.ErrorLog = log.New(io.Discard, "", 0)
	unknown.StartTLS()
	t.Cleanup(unknown.Close)
	off := httptest.NewServer(nil)
	off.Close()
	file := remoteFile(t, map[string]map[string]any{
		"streamable": {"url": listening(t, overHTTP(t))},
		"keyless":    {"url": listening(t, keyed(overHTTP(t), &refused))},
		"wrongkey":   {"url": listening(t, keyed(overHTTP(t), &refused)), "type": "sse", "headers": map[string]string{"X-Api-Key": "wrong-key-8"}},
		"unknownca":  {"url": unknown.URL},
		"lost":       {"url": goneAfter(t, 2).URL},
		"off":        {"url": off.URL},
		"nowhere":    {"url": listening(t, http.NotFoundHandler())},
	})
	dir := filepath.Join(t.TempDir(), "d")
	s := expect(t, exitPartial, "discover", dir, "--servers", file, "--probe", "all", "--json")
	a := s.object(t)
	for name, want := range map[string]struct{ status, says string }{
		"local":      {"ok", ""},
		"streamable": {"ok", ""},
		"keyless":    {"failed", "HTTP status 401, Unauthorized: it asks for credentials"},
		"wrongkey":   {"failed", "HTTP status 401, Unauthorized: it does not accept the headers"},
		"unknownca":  {"failed", "certificate signed by unknown authority"},
		"lost":       {"died", "connection refused"},
		"off":        {"failed", "connection refused"},
		"nowhere":    {"failed", "HTTP status 404, Not Found"},
	} {
		row := serverOf(t, a, name)
		t.Logf("%s: %v", name, row["error"])
		if row["status"] != want.status || !strings.Contains(row["error"].(string), want.says) || strings.Contains(row["error"].(string), "wrong-key-8") {
			t.Errorf("%v, want %s that says %q", row, want.status, want.says)
		}
	}
	if !strings.Contains(s.stderr, "6 of 8 servers failed") {
		t.Errorf("%s", s.stderr)
	}
	expect(t, exitDone, "datasets", "validate", dir)
}
