// Package npm_test checks the phrasebook of the pinned npm servers.
package npm_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/taskwright/taskwright/generate"
)

func phrasebook(t *testing.T) *generate.Phrasebook {
	t.Helper()
	raw, err := os.ReadFile("phrases.yaml")
	if err != nil {
		t.Fatal(err)
	}
	book, err := generate.ParsePhrasebook(raw)
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// named lists the tools that the phrasebook speaks of, "server/*" for all.
func named(book *generate.Phrasebook) []string {
	var ids []string
	for id, tool := range book.Tools {
		ids = append(ids, id)
		for _, sources := range tool.Flows {
			for _, from := range sources {
				source, path, _ := strings.Cut(from, " ")
				if !strings.HasPrefix(path, "/") {
					ids = append(ids, from) // no path: fails as unknown
				}
				ids = append(ids, source)
			}
		}
	}
	for id := range book.NotAskable {
		ids = append(ids, id)
	}
	for param := range book.Say {
		if id, _, ok := strings.Cut(param, "."); ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func TestPhrasesNameConfiguredServers(t *testing.T) {
	var config struct {
		Servers map[string]json.RawMessage `json:"mcpServers"`
	}
	read(t, "mcp.json", &config)
	book := phrasebook(t)
	for _, id := range named(book) {
		server, _, _ := strings.Cut(id, "/")
		if config.Servers[server] == nil {
			t.Errorf("%s: mcp.json has no server %s", id, server)
		}
	}
	for server, reasons := range book.Reasons {
		if config.Servers[server] == nil || len(reasons) < 4 {
			t.Errorf("%d reasons for server %s, configured: %v", len(reasons), server, config.Servers[server] != nil)
		}
	}
}

func TestNoToolIsBothAskableAndNot(t *testing.T) {
	book := phrasebook(t)
	for id := range book.Tools {
		if reason, both := book.NotAskable[id]; both {
			t.Errorf("%s has phrases, and is not askable: %s", id, reason)
		}
	}
	for id, reason := range book.NotAskable {
		if reason == "" {
			t.Errorf("%s is not askable without a reason", id)
		}
	}
}

func TestPhrasesNameRealTools(t *testing.T) {
	tools := catalogs(t)
	for _, id := range named(phrasebook(t)) {
		server, tool, _ := strings.Cut(id, "/")
		if tool != "*" && !slices.Contains(tools[server], tool) {
			t.Errorf("%s: the server has no such tool", id)
		}
	}
}

// catalogs are the tools of each configured server, by its package's tools/list
// answers in the corpus.
func catalogs(t *testing.T) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpus(t), "catalogs", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	byPackage := map[string][]string{}
	for _, file := range files {
		var catalog struct {
			Package string
			Tools   []struct{ Name string }
		}
		read(t, file, &catalog)
		for _, tool := range catalog.Tools {
			byPackage[catalog.Package] = append(byPackage[catalog.Package], tool.Name)
		}
	}
	var config struct {
		Servers map[string]struct{ Args []string } `json:"mcpServers"`
	}
	read(t, "mcp.json", &config)
	tools := map[string][]string{}
	for server, c := range config.Servers {
		for name, list := range byPackage {
			if strings.Contains(strings.Join(c.Args, " "), "/node_modules/"+name+"/") {
				tools[server] = list
			}
		}
	}
	return tools
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("reading %s: %v", file, err)
	}
}

func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("TASKWRIGHT_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	if _, err := os.Stat(dir); err != nil {
		if strings.Contains(os.Getenv("TASKWRIGHT_REQUIRE"), "corpus") {
			t.Fatal("no corpus of real inputs: set TASKWRIGHT_CORPUS")
		}
		t.Skip("no corpus of real inputs: set TASKWRIGHT_CORPUS")
	}
	return dir
}
