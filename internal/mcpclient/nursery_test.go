package mcpclient

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// nursery makes servers in this process and remembers them. Each has its number
// and a count of changes; peek tells both, bump changes the count, hang waits, raze is marked
// both read-only and destructive unless all are to be read-only.
type nursery struct {
	mu      sync.Mutex
	made    []*mcp.Server
	hold    chan struct{} // instances after the first wait for it to be closed, if it is set
	allRead bool          // all tools are marked read-only
}

func (n *nursery) new() *mcp.Server {
	n.mu.Lock()
	s := mcp.NewServer(&mcp.Implementation{Name: "nursery", Version: "1"}, nil)
	n.made = append(n.made, s)
	id, hold := len(n.made), n.hold
	n.mu.Unlock()
	if hold != nil && id > 1 {
		<-hold
	}
	var mu sync.Mutex
	count := 0
	tool := func(name string, read bool, do func(ctx context.Context) error) {
		mcp.AddTool(s, &mcp.Tool{Name: name, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: read}},
			func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
				err := do(ctx)
				mu.Lock()
				defer mu.Unlock()
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("%d %d", id, count)}}}, nil, err
			})
	}
	tool("peek", true, func(context.Context) error { return nil })
	tool("bump", n.allRead, func(context.Context) error {
		mu.Lock()
		defer mu.Unlock()
		count++
		return nil
	})
	destructive := !n.allRead
	mcp.AddTool(s, &mcp.Tool{Name: "raze", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &destructive}},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{}, nil, nil
		})
	tool("hang", true, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
	return s
}

// started is how many instances there were so far.
func (n *nursery) started() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.made)
}

// living is how many instances have a session.
func (n *nursery) living() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	alive := 0
	for _, s := range n.made {
		for range s.Sessions() {
			alive++
		}
	}
	return alive
}

// raise opens a fleet of servers of a nursery and lists their tools.
func raise(t *testing.T, n *nursery, servers int, change func(*Config, *Options)) *Fleet {
	t.Helper()
	var configs []Config
	var o Options
	for i := range servers {
		c := InMemory("s"+strconv.Itoa(i), n.new)
		if change != nil {
			change(&c, &o)
		}
		configs = append(configs, c)
	}
	f := Open(t.Context(), configs, &o)
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if left := n.living(); left != 0 {
			t.Errorf("%d instances outlive their fleet", left)
		}
	})
	f.Catalog(t.Context())
	return f
}

// spareLinks waits for the spares of a fleet and gives those that started.
func spareLinks(f *Fleet) []*link {
	f.spares.mu.Lock()
	var held []*spare
	for _, sp := range f.spares.held {
		held = append(held, sp)
	}
	f.spares.mu.Unlock()
	var out []*link
	for _, sp := range held {
		<-sp.ready
		if sp.link != nil {
			out = append(out, sp.link)
		}
	}
	return out
}

func mustFresh(t *testing.T, f *Fleet, server string) *freshConn {
	t.Helper()
	c, err := f.Fresh(t.Context(), server)
	if err != nil {
		t.Fatal(err)
	}
	return c.(*freshConn)
}

// peek gives the number of a connection's instance and its count of changes.
func peek(t *testing.T, c Conn) (id, count int) {
	t.Helper()
	r, err := c.Call(context.Background(), "peek", nil)
	if err != nil {
		t.Error(err)
		return 0, 0
	}
	if _, err := fmt.Sscan(r.Text, &id, &count); err != nil {
		t.Errorf("%q: %v", r.Text, err)
	}
	return id, count
}

// The variables of the fake server "script": what its starts do, one word each
// ("ok", "exit", "silent"; the last for all later ones), and where each leaves
// its process id.
const (
	scriptWords = "TASKWRIGHT_FAKE_SCRIPT"
	scriptDir   = "TASKWRIGHT_FAKE_STARTS"
)

func init() {
	fakeModes["script"] = func(f *fake) {
		words, n := strings.Fields(os.Getenv(scriptWords)), 0
		for ; ; n++ {
			w, err := os.OpenFile(filepath.Join(os.Getenv(scriptDir), strconv.Itoa(n)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
			if os.IsExist(err) {
				continue
			}
			if err != nil {
				panic(err)
			}
			fmt.Fprint(w, os.Getpid())
			w.Close()
			break
		}
		switch words[min(n, len(words)-1)] {
		case "exit":
			os.Exit(5)
		case "silent":
			f.onHello = func(*fake) { time.Sleep(time.Hour) }
		}
	}
}

// openScript opens a fleet of a scripted server. pids lists the processes that
// were started, in order.
func openScript(t *testing.T, words string, change func(*Config, *Options)) (f *Fleet, pids func() []int) {
	t.Helper()
	dir := t.TempDir()
	f = openFake(t, "script", func(c *Config, o *Options) {
		c.Env[scriptWords], c.Env[scriptDir] = words, dir
		c.Limits.Stop = 50 * time.Millisecond
		if change != nil {
			change(c, o)
		}
	})
	catalogOne(t, f)
	return f, func() []int {
		var out []int
		for {
			raw, err := os.ReadFile(filepath.Join(dir, strconv.Itoa(len(out))))
			pid, bad := strconv.Atoi(string(raw))
			if err != nil || bad != nil {
				return out
			}
			out = append(out, pid)
		}
	}
}
