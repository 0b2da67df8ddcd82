package discover_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/discover"
	"github.com/taskwright/taskwright/internal/mcpclient"
	"github.com/taskwright/taskwright/internal/tape"
	"github.com/taskwright/taskwright/internal/world"
)

// live lets a fleet serve a tape.
type live struct{ *mcpclient.Fleet }

func (l live) Shared(ctx context.Context, server string) (tape.Conn, error) {
	return l.Fleet.Shared(ctx, server)
}

func (l live) Fresh(ctx context.Context, server string) (tape.Conn, error) {
	return l.Fleet.Fresh(ctx, server)
}

// explore discovers the embedded servers.
func explore(t *testing.T) (*discover.Result, []datasets.Edge) {
	t.Helper()
	ctx := context.Background()
	var configs []mcpclient.Config
	for _, name := range world.Names() {
		configs = append(configs, mcpclient.InMemory(name, func() *mcp.Server {
			s, err := world.New(name)
			if err != nil {
				panic(err)
			}
			return s
		}))
	}
	fleet := mcpclient.Open(ctx, configs, nil)
	defer func() {
		if err := fleet.Close(); err != nil {
			t.Error(err)
		}
	}()
	servers, tools := discover.Prepare(fleet.Catalog(ctx))
	state, effect := map[string]string{}, map[string]string{}
	for _, s := range servers {
		state[s.Name] = s.State
	}
	for i := range tools {
		effect[tools[i].ID()] = tools[i].Effect
	}
	tp := tape.New(tape.Options{
		Live:     live{fleet},
		Stateful: func(server string) bool { return state[server] == datasets.StateSession },
		Effect:   func(server, tool string) string { return effect[server+"/"+tool] },
	})
	found, err := discover.Probe(ctx, servers, tools, &discover.Options{
		Mode:   discover.ProbeAll,
		Open:   func(context.Context) (discover.Session, error) { return tp.Open(), nil },
		Repeat: tp.RepeatAll,
		Settle: func(server, to string) { state[server] = to },
	})
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]datasets.Call{}
	for _, c := range tp.Calls() {
		calls[c.Key] = c
	}
	return found, discover.Edges(found.Servers, found.Tools, func(key string) (datasets.Call, bool) {
		c, ok := calls[key]
		return c, ok
	})
}

// TestEmbeddedServers holds discovery against the flows that the embedded
// servers state. Flows of plain arithmetic are left out: there every number
// fits, and the stated list is a choice.
func TestEmbeddedServers(t *testing.T) {
	found, edges := explore(t)
	for i := range found.Tools {
		tool := &found.Tools[i]
		if tool.Health.Status != datasets.HealthOK || tool.Health.Volatile {
			t.Errorf("%s: %+v", tool.ID(), tool.Health)
		}
		if tool.OutputSchemaSource == datasets.SchemaNone {
			t.Errorf("%s: no output schema", tool.ID())
		}
	}
	gold := flows(t)
	kinds, right, seen := map[string]int{}, map[string]int{}, 0
	for _, e := range edges {
		if e.ToServer == "numbers" {
			continue
		}
		kinds[e.Kind]++
		if gold[flow{e.FromServer + "/" + e.FromTool, e.FromPath, e.ToServer + "/" + e.ToTool, e.ToParam}] {
			right[e.Kind]++
			seen++
		}
	}
	precision := float64(right[datasets.EdgeObserved]) / float64(kinds[datasets.EdgeObserved])
	recall := float64(seen) / float64(len(gold))
	t.Logf("%d flows stated; edges %v, of which stated %v; observed precision %.3f, recall of all kinds %.3f", len(gold), kinds, right, precision, recall)
	if precision < 0.94 || recall < 0.81 {
		t.Errorf("observed precision %.3f, want 0.94; recall %.3f, want 0.81", precision, recall)
	}
}

func TestEmbeddedServersTwice(t *testing.T) {
	first, edges := explore(t)
	second, again := explore(t)
	if d := cmp.Diff(first, second); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(edges, again); d != "" {
		t.Error(d)
	}
}

type flow struct{ From, Path, To, Param string }

func flows(t *testing.T) map[flow]bool {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "internal", "world", "testdata", "flows.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []flow
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	gold := map[flow]bool{}
	for _, f := range list {
		if len(f.To) < 8 || f.To[:8] != "numbers/" {
			gold[f] = true
		}
	}
	return gold
}
