package mcpclient_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/mcpclient"
)

// npmServers opens the pinned servers, or skips. TASKWRIGHT_NPM_SERVERS is the
// folder that holds their node_modules, ci/npm where it is not set.
func npmServers(t *testing.T) *mcpclient.Fleet {
	t.Helper()
	folder := os.Getenv("TASKWRIGHT_NPM_SERVERS")
	if folder == "" {
		folder = "../../ci/npm"
	}
	_, nodeErr := exec.LookPath("node")
	_, npmErr := os.Stat(filepath.Join(folder, "node_modules", "@modelcontextprotocol"))
	for _, need := range []struct {
		word string
		err  error
		why  string
	}{
		{"node", nodeErr, "node is not installed"},
		{"npm", npmErr, "the pinned servers are not installed: run npm ci --ignore-scripts in ci/npm"},
	} {
		if need.err == nil {
			continue
		}
		if slices.Contains(strings.Split(os.Getenv("TASKWRIGHT_REQUIRE"), ","), need.word) {
			t.Fatal(need.why)
		}
		t.Skip(need.why)
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	configs, err := mcpclient.ReadConfig("../../ci/npm/mcp.json", func(name string) string {
		return map[string]string{"TASKWRIGHT_NPM": folder}[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	fleet := mcpclient.Open(t.Context(), configs, nil)
	t.Cleanup(func() {
		if err := fleet.Close(); err != nil {
			t.Error(err)
		}
	})
	return fleet
}

// npmCall is one call that must succeed on a pinned server, and a part of its
// answer.
type npmCall struct{ server, tool, arguments, want string }

var npmCalls = []npmCall{
	{"everything", "echo", `{"message":"good morning"}`, "good morning"},
	{"everything", "get-sum", `{"a":19,"b":23}`, "42"},
	{"filesystem", "read_text_file", `{"path":"/workspace/letters/2025-03-14-skarvik.txt"}`, "SK-2291"},
	{"filesystem", "directory_tree", `{"path":"/workspace"}`, "summer.csv"},
	{"filesystem", "list_allowed_directories", ``, "/workspace"},
	{"memory", "search_nodes", `{"query":"Skarvik"}`, "west basin"},
	{"thinking", "sequentialthinking", `{"thought":"first","nextThoughtNeeded":false,"thoughtNumber":1,"totalThoughts":1}`, "thoughtNumber"},
	{"calc", "math", `{"action":"eval","expression":"6*7"}`, "42"},
	{"git", "git_log", `{"path":"/workspace"}`, "spring ranges"},
	{"time", "days_in_month", `{"date":"2024-02-10"}`, "29"},
	{"cooking", "mcp_howtocook_getAllRecipes", ``, ""},
	{"tailwind", "get_tailwind_colors", `{}`, ""},
	{"primevue", "list", `{"kind":"components","limit":5}`, "Accordion"},
	{"contracts", "solidity-erc20", `{"name":"Tide","symbol":"TDE"}`, "contract Tide"},
	{"tasks", "request_planning", `{"originalRequest":"paint the boat","tasks":[{"title":"buy paint","description":"white"}]}`, "req-1"},
	{"scenarios", "get-scenario-data", `{}`, ""},
	{"customers", "get-customer-data", `{}`, ""},
	{"webcomponents", "list_components", `{}`, ""},
	{"drawio", "new_diagram", `{"file_path":"/workspace/bay.drawio.svg"}`, "/workspace/bay.drawio.svg"},
}

func TestPinnedNPMServers(t *testing.T) {
	fleet := npmServers(t)
	servers, tools := fleet.Catalog(t.Context())
	for _, s := range servers {
		t.Logf("%-14s %-7s %3d tools, protocol %s, state %s, warnings %q %s", s.Name, s.Status, s.Tools, s.Protocol, s.State, s.Warnings, s.Error)
		if s.Status != datasets.ServerOK {
			t.Errorf("server %s: %s: %s", s.Name, s.Status, s.Error)
		}
	}
	for _, tool := range tools {
		if len(tool.Warnings) > 0 {
			t.Logf("%s: %q", tool.ID(), tool.Warnings)
		}
	}
	if len(servers) != 16 || len(tools) < 180 {
		t.Errorf("listed %d servers with %d tools, want 16 and at least 180", len(servers), len(tools))
	}
	for _, c := range npmCalls {
		t.Run(c.server+"/"+c.tool, func(t *testing.T) {
			t.Parallel()
			conn, err := fleet.Fresh(context.Background(), c.server)
			if err != nil {
				t.Fatal(err)
			}
			checkNPMCall(t, conn, c)
			if err := conn.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func checkNPMCall(t *testing.T, conn mcpclient.Conn, c npmCall) {
	t.Helper()
	r, err := conn.Call(context.Background(), c.tool, json.RawMessage(c.arguments))
	if err != nil {
		t.Error(err)
		return
	}
	all := r.Text + r.Structured
	t.Logf("%s/%s: error %v %s, types %v, %d bytes of text, %d structured: %.150q", c.server, c.tool, r.IsError, r.ErrorKind, r.ContentTypes, len(r.Text), len(r.Structured), r.Text)
	if r.IsError || !strings.Contains(all, c.want) || strings.Contains(all, "taskwright-") {
		t.Errorf("%s/%s: answer %.300q, want %q and no private path", c.server, c.tool, all, c.want)
	}
	if r, err := conn.Call(context.Background(), "no_such_tool", nil); err != nil || !r.IsError || r.ErrorKind != datasets.ErrorUnknownTool {
		t.Errorf("%s: unknown tool: %+v, %v", c.server, r, err)
	}
}
