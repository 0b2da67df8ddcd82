package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/taskwright/taskwright/datasets"
)

type sumInput struct {
	A int `json:"a"`
	B int `json:"b"`
}

type sumOutput struct {
	Sum int `json:"sum"`
}

// sumServer is a server of the SDK with a tool that adds, one that counts its
// calls and one that waits for the end of its context.
func sumServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "sums", Version: "1.0"}, &mcp.ServerOptions{Instructions: "Adds."})
	mcp.AddTool(s, &mcp.Tool{Name: "sum", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *mcp.CallToolRequest, in sumInput) (*mcp.CallToolResult, sumOutput, error) {
			if in.B < 0 {
				return nil, sumOutput{}, errors.New("b is negative")
			}
			return nil, sumOutput{in.A + in.B}, nil
		})
	calls := 0
	mcp.AddTool(s, &mcp.Tool{Name: "count"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		calls++
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(calls)}}}, nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		// The notice that the call was cancelled is sent in the background; it is
		// lost when the connection is closed first.
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
		return nil, nil, ctx.Err()
	})
	return s
}

// guarded lets only requests with the right header through, and notes what it
// saw.
type guarded struct {
	next http.Handler
	mu   sync.Mutex
	seen map[string]bool // protocol revisions in headers
}

func (g *guarded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	g.seen[r.Header.Get("Mcp-Protocol-Version")] = true
	g.mu.Unlock()
	if r.Header.Get("Authorization") != "Bearer sesame-4711" {
		http.Error(w, "who are you?", http.StatusUnauthorized)
		return
	}
	g.next.ServeHTTP(w, r)
}

func serveHTTP(t *testing.T, h http.Handler) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func getServer(*http.Request) *mcp.Server { return sumServer() }

func streamable() http.Handler { return mcp.NewStreamableHTTPHandler(getServer, nil) }

func urlConfig(url, transport string) Config {
	return Config{Name: "fake", Transport: transport, URL: url, Headers: map[string]string{"Authorization": "Bearer sesame-4711"}}
}

// openOne opens a fleet of one config.
func openOne(t *testing.T, c Config) *Fleet {
	t.Helper()
	f := Open(t.Context(), []Config{c}, nil)
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

func TestTransports(t *testing.T) {
	guard := func(next http.Handler) *guarded { return &guarded{next: next, seen: map[string]bool{}} }
	tests := []struct {
		name      string
		handler   http.Handler
		transport string
		want      string
	}{
		{"http", streamable(), TransportHTTP, TransportHTTP},
		{"http found", streamable(), TransportAuto, TransportHTTP},
		{"sse", mcp.NewSSEHandler(getServer, nil), TransportSSE, TransportSSE},
		{"sse found", mcp.NewSSEHandler(getServer, nil), TransportAuto, TransportSSE},
		{"json answers", mcp.NewStreamableHTTPHandler(getServer, &mcp.StreamableHTTPOptions{JSONResponse: true}), TransportHTTP, TransportHTTP},
		{"memory", nil, TransportMemory, TransportMemory},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := InMemory("fake", sumServer)
			if test.handler != nil {
				c = urlConfig(serveHTTP(t, guard(test.handler)).URL, test.transport)
			}
			checkSums(t, openOne(t, c), test.want)
		})
	}
}

// checkSums lists and calls a sumServer.
func checkSums(t *testing.T, f *Fleet, transport string) {
	t.Helper()
	server, tools := catalogOne(t, f)
	if server.Status != datasets.ServerOK || server.Transport != transport || len(tools) != 3 || server.Title != "sums" || server.Protocol != offeredVersion || server.Instructions != "Adds." {
		t.Fatalf("%d tools of %+v", len(tools), server)
	}
	if sum := tools[1]; sum.Name != "sum" || sum.OutputSchemaSource != datasets.SchemaDeclared || sum.Effect != datasets.EffectRead {
		t.Errorf("got %+v", sum)
	}
	if r := mustCall(t, f, "sum", `{"a":19,"b":23}`); r.Structured != `{"sum":42}` || r.IsError {
		t.Errorf("got %+v", r)
	}
	if r := mustCall(t, f, "sum", `{"a":1,"b":-1}`); r.Text != "b is negative" || r.ErrorKind != datasets.ErrorTool {
		t.Errorf("got %+v", r)
	}
	if r := mustCall(t, f, "sum", `{"a":"x"}`); !r.IsError {
		t.Errorf("got %+v", r)
	}
	if r := mustCall(t, f, "nothing", ``); r.ErrorKind != datasets.ErrorUnknownTool {
		t.Errorf("got %+v", r)
	}
	mustCall(t, f, "count", "")
	if r := mustCall(t, f, "count", ""); r.Text != "2" {
		t.Errorf("shared connections share state: got %q", r.Text)
	}
	fresh, err := f.Fresh(t.Context(), "fake")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := fresh.Call(t.Context(), "count", nil); err != nil || r.Text != "1" {
		t.Errorf("fresh: %+v, %v", r, err)
	}
	if err := fresh.Close(); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	conn, err := f.Shared(ctx, "fake")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Call(ctx, "wait", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if r := mustCall(t, f, "count", ""); r.Text != "3" {
		t.Errorf("after a call without an answer: %q", r.Text)
	}
}

func TestProtocolHeader(t *testing.T) {
	g := &guarded{next: streamable(), seen: map[string]bool{}}
	f := openOne(t, urlConfig(serveHTTP(t, g).URL, TransportHTTP))
	mustCall(t, f, "count", "")
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.seen[offeredVersion] {
		t.Errorf("revisions in headers: %v", g.seen)
	}
}

func TestHTTPErrorsHoldNoSecrets(t *testing.T) {
	s := serveHTTP(t, streamable())
	url := s.URL + "/mcp?key=open-sesame"
	refused := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "no "+r.Header.Get("Authorization"), http.StatusForbidden)
	}))
	elsewhere := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, url, http.StatusTemporaryRedirect) }))
	gone := httptest.NewServer(nil)
	gone.Close()
	for name, u := range map[string]string{"refused": refused.URL + "/?key=open-sesame", "redirect": elsewhere.URL, "gone": gone.URL + "/?key=open-sesame"} {
		for _, transport := range []string{TransportHTTP, TransportSSE, TransportAuto} {
			server, _ := catalogOne(t, openOne(t, urlConfig(u, transport)))
			if server.Status != datasets.ServerFailed || strings.Contains(server.Error, "sesame") {
				t.Errorf("%s, %s: %s: %s", name, transport, server.Status, server.Error)
			}
		}
	}
}

func TestHTTPServerThatNeverAnswers(t *testing.T) {
	release := make(chan struct{})
	s := serveHTTP(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	t.Cleanup(func() { close(release) })
	for _, transport := range []string{TransportHTTP, TransportSSE, TransportAuto} {
		c := urlConfig(s.URL, transport)
		c.Limits.Start = 100 * time.Millisecond
		f := Open(t.Context(), []Config{c}, nil)
		server, _ := catalogOne(t, f)
		if server.Status != datasets.ServerFailed || !strings.Contains(server.Error, "no answer within 100ms") {
			t.Errorf("%s: %+v", transport, server)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestLostHTTPSessionIsMadeAgain(t *testing.T) {
	var mu sync.Mutex
	server := sumServer()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	s := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		h := handler
		mu.Unlock()
		h.ServeHTTP(w, r)
	}))
	f := openOne(t, urlConfig(s.URL, TransportHTTP))
	mustCall(t, f, "count", "")
	mu.Lock()
	handler = mcp.NewStreamableHTTPHandler(getServer, nil) // knows no session of the old one
	mu.Unlock()
	for session := range server.Sessions() {
		session.Close()
	}
	if _, err := tryCall(t, f, "count", ""); err == nil {
		t.Error("an answer from a session that is gone")
	}
	if r := mustCall(t, f, "count", ""); r.Text != "1" {
		t.Errorf("got %q", r.Text)
	}
}

func TestFleetKeepsOrderAndRefusesTakenNames(t *testing.T) {
	configs := []Config{
		InMemory("b", sumServer),
		InMemory("a", sumServer),
		{Name: "broken", Transport: TransportMemory},
		InMemory("b", sumServer),
	}
	f := Open(t.Context(), configs, &Options{Lazy: true, Starts: 1})
	defer f.Close()
	servers, tools := f.Catalog(t.Context())
	var got []string
	for _, s := range servers {
		got = append(got, s.Name+" "+s.Status)
	}
	if strings.Join(got, ", ") != "b ok, a ok, broken failed, b failed" || len(tools) != 6 || tools[0].Server != "b" {
		t.Errorf("got %v, %d tools", got, len(tools))
	}
	if strings.Join(f.Names(), " ") != "b a broken b" {
		t.Errorf("names %v", f.Names())
	}
}

func TestConcurrencyLimit(t *testing.T) {
	var mu sync.Mutex
	running, most := 0, 0
	release := make(chan struct{})
	c := InMemory("fake", func() *mcp.Server {
		s := mcp.NewServer(&mcp.Implementation{Name: "slow", Version: "1"}, nil)
		mcp.AddTool(s, &mcp.Tool{Name: "work"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			mu.Lock()
			running++
			most = max(most, running)
			if running == 2 {
				close(release)
			}
			mu.Unlock()
			<-release
			mu.Lock()
			running--
			if running == 0 {
				release = make(chan struct{})
				close(release)
			}
			mu.Unlock()
			return &mcp.CallToolResult{}, nil, nil
		})
		return s
	})
	c.Limits.Calls = 2
	f := openOne(t, c)
	conn, err := f.Shared(t.Context(), "fake")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if _, err := conn.Call(t.Context(), "work", json.RawMessage(`{}`)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most != 2 {
		t.Errorf("%d calls at once, want 2", most)
	}
	link := f.servers[0].link
	link.calls <- struct{}{}
	link.calls <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := conn.Call(ctx, "work", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a third call: %v", err)
	}
	<-link.calls
	<-link.calls
}

func TestClosedFleet(t *testing.T) {
	f := Open(t.Context(), []Config{InMemory("fake", sumServer)}, nil)
	fresh, err := f.Fresh(t.Context(), "fake")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := f.Shared(t.Context(), "fake"); !errors.Is(err, ErrClosed) {
		t.Errorf("Shared: %v", err)
	}
	if _, err := f.Fresh(t.Context(), "fake"); !errors.Is(err, ErrClosed) {
		t.Errorf("Fresh: %v", err)
	}
	if _, err := fresh.Call(t.Context(), "count", nil); !errors.Is(err, ErrClosed) {
		t.Errorf("Call: %v", err)
	}
}
