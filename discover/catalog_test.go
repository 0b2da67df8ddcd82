package discover

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/taskwright/taskwright/datasets"
)

func TestLoadCatalogShapes(t *testing.T) {
	const one = `{"name":"t1","inputSchema":{"type":"object"}}`
	tests := []struct{ name, file, raw, want string }{
		{"saved answer", "x/time-mcp.json", `{"server":{"serverInfo":{"name":"Time","version":"1.2"},"protocolVersion":"2025-06-18"},"tools":[` + one + `]}`, "time-mcp/t1"},
		{"bare", "a.json", `{"tools":[` + one + `]}`, "a/t1"},
		{"result", "a.json", `{"jsonrpc":"2.0","id":1,"result":{"tools":[` + one + `]}}`, "a/t1"},
		{"array of tools", "a.json", `[` + one + `,{"name":"t2"}]`, "a/t1 a/t2"},
		{"array of servers", "a.json", `[{"name":"s1","tools":[` + one + `]},{"name":"s1","tools":[` + one + `]}]`, "s1/t1 s1-2/t1"},
		{"lines", "a.jsonl", `{"server_name":"S 1","tools":[` + one + `]}` + "\n\n" + `{"server_name":"S 2","tools":[` + one + `]}`, "S 1/t1 S 2/t1"},
		{"by server name", "a.json", `[{"name":"shop","tools":{"in":{"tools":[` + one + `]}}}]`, "in/t1"},
		{"byte order mark", "a.json", "\xef\xbb\xbf" + `{"tools":[` + one + `]}`, "a/t1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			servers, tools, problems, err := LoadCatalog(test.file, strings.NewReader(test.raw))
			if err != nil || len(problems) > 0 {
				t.Fatalf("error %v, problems %v", err, problems)
			}
			var ids []string
			for _, tool := range tools {
				ids = append(ids, tool.ID())
			}
			if d := cmp.Diff(test.want, strings.Join(ids, " ")); d != "" {
				t.Error(d)
			}
			for _, s := range servers {
				if s.Status != datasets.ServerCatalog || s.Transport != "catalog" {
					t.Errorf("server %+v", s)
				}
			}
		})
	}
}

// What is bad is named, and the rest is loaded.
func TestLoadCatalogGoesOn(t *testing.T) {
	raw := `{"tools":[{"name":"good"},7,{"description":"no name"},{"name":"` + strings.Repeat("n", 300) + `"}]}` + "\n" +
		`{"tools":` + "\n" + `{"error":{"code":-32603,"message":"fetch failed"}}` + "\n" + `{"tools":[{"name":"also"}]}`
	_, tools, problems, err := LoadCatalog("some.jsonl", strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range problems {
		got = append(got, p.String())
	}
	want := []string{
		"some.jsonl: line 1: tools[1]: is no object",
		"some.jsonl: line 1: tools[2]: has no name",
		"some.jsonl: line 1: tools[3]: name of 300 bytes: more than 256",
		"some.jsonl: line 2: not JSON: unexpected EOF",
		`some.jsonl: line 3: the answer is an error: {"code":-32603,"message":"fetch failed"}`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if len(tools) != 2 {
		t.Errorf("%d tools", len(tools))
	}
}

func TestLoadCatalogRefuses(t *testing.T) {
	for name, raw := range map[string]string{"empty": "", "no JSON": "hello", "a number": "7", "no tools": `{"a":1}`, "an error": `{"error":"x"}`} {
		_, _, _, err := LoadCatalog("bad.json", strings.NewReader(raw))
		if err == nil || !strings.HasPrefix(err.Error(), "reading catalog bad.json: ") {
			t.Errorf("%s: error = %v", name, err)
		}
	}
}

func corpus(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("TASKWRIGHT_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "corpus")
	}
	if _, err := os.Stat(dir); err != nil {
		if slices.Contains(strings.Split(os.Getenv("TASKWRIGHT_REQUIRE"), ","), "corpus") {
			t.Fatal("no corpus of real inputs: set TASKWRIGHT_CORPUS")
		}
		t.Skip("no corpus of real inputs: set TASKWRIGHT_CORPUS")
	}
	return dir
}

func load(t testing.TB, file string) ([]datasets.Server, []datasets.Tool) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	servers, tools, problems, err := LoadCatalog(file, f)
	if err != nil {
		t.Fatal(err)
	}
	if len(problems) > 0 {
		t.Errorf("%v", problems)
	}
	return Prepare(servers, tools)
}

func TestLoadCatalogCorpus(t *testing.T) {
	dir := corpus(t)
	tests := []struct {
		files          string
		servers, tools int // at least
	}{
		{"catalogs/*.json", 97, 1500},
		{"reconstructed/*.json", 17, 150},
		{"toucan/*.jsonl", 572, 3100},
		{"livemcpbench/tools.json", 69, 520},
	}
	for _, test := range tests {
		t.Run(test.files, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join(dir, test.files))
			if err != nil || len(files) == 0 {
				t.Fatalf("no files: %v", err)
			}
			servers, tools := 0, 0
			for _, file := range files {
				s, all := load(t, file)
				servers, tools = servers+len(s), tools+len(all)
				for i := range all {
					if all[i].Digest == "" || !strings.HasPrefix(all[i].InputSchema, "{") {
						t.Errorf("%s: %s not prepared", file, all[i].ID())
					}
				}
			}
			t.Logf("%d servers, %d tools", servers, tools)
			if servers < test.servers || tools < test.tools {
				t.Errorf("%d servers and %d tools, want at least %d and %d", servers, tools, test.servers, test.tools)
			}
		})
	}
}

func FuzzLoadCatalog(f *testing.F) {
	f.Add(`{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"x":{"type":"string"}}}}]}`)
	f.Add(`[{"name":"s","tools":{"in":{"tools":[{"name":"a","annotations":{"readOnlyHint":true}}]}}}]`)
	f.Add("{\"tools\":[]}\n{\"tools\":[{\"name\":\"b\",\"inputSchema\":7}]}")
	f.Add(`{"result":{"tools":[null]},"server":{"serverInfo":[]}}`)
	f.Fuzz(func(t *testing.T, raw string) {
		servers, tools, _, err := LoadCatalog("fuzz.json", strings.NewReader(raw))
		if err != nil {
			return
		}
		servers, tools = Prepare(servers, tools)
		Edges(servers, tools, nil)
		for i := range tools {
			if tools[i].Name == "" || tools[i].InputSchema[0] != '{' {
				t.Errorf("tool %+v", tools[i])
			}
		}
	})
}

// BenchmarkEdges is the static search over all tools of a public registry.
func BenchmarkEdges(b *testing.B) {
	servers, tools := load(b, filepath.Join(corpus(b), "toucan", "catalog_ok.jsonl"))
	for b.Loop() {
		edges := Edges(servers, tools, nil)
		b.ReportMetric(float64(len(edges)), "edges")
	}
	b.ReportMetric(float64(len(tools)), "tools")
}

func ExampleLoadCatalog() {
	saved := `{"tools":[{"name":"find_parks","inputSchema":{"type":"object"}},{"description":"nameless"}]}`
	_, tools, problems, err := LoadCatalog("parks.json", strings.NewReader(saved))
	fmt.Println(tools[0].ID(), problems, err)
	// Output: parks/find_parks [parks.json: tools[1]: has no name] <nil>
}
