package fuzz

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/taskwright/taskwright/datasets"
)

// corpus is the folder of real inputs; a test without it skips.
func corpus(t *testing.T, name string) string {
	t.Helper()
	dir := os.Getenv("TASKWRIGHT_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "corpus")
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		if slices.Contains(strings.Split(os.Getenv("TASKWRIGHT_REQUIRE"), ","), "corpus") {
			t.Fatalf("the corpus has no %s", name)
		}
		t.Skipf("needs the corpus: %s is missing", name)
	}
	return path
}

// TestPublishedBenchmark counts on published fuzzy texts, written by a model
// without gates: the counters must find losses and leaks there, and see that
// most literals survive in one form or another.
func TestPublishedBenchmark(t *testing.T) {
	var total Counts
	for _, name := range []string{"mcp-bench/mcpbench_tasks_single_runner_format.json", "mcp-bench/mcpbench_tasks_multi_3server_runner_format.json"} {
		raw, err := os.ReadFile(corpus(t, name))
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			Entries []struct {
				Servers []string `json:"servers"`
				Tasks   []struct {
					Concrete string `json:"task_description"`
					Fuzzy    string `json:"fuzzy_description"`
				} `json:"tasks"`
			} `json:"server_tasks"`
		}
		if err := json.Unmarshal(raw, &file); err != nil {
			t.Fatal(err)
		}
		for _, e := range file.Entries {
			for _, x := range e.Tasks {
				total.Add(Check(&datasets.Task{Servers: e.Servers, Instruction: x.Concrete, Variants: []datasets.Variant{{Level: datasets.LevelLight, Text: x.Fuzzy}}}))
			}
		}
	}
	t.Logf("%+v", total)
	if total.Tasks != 74 || total.Kept+total.Normalised+total.Inferable+total.Lost+total.Altered != total.Literals {
		t.Errorf("counts don't add up: %+v", total)
	}
	if total.Lost*10 < total.Literals || total.Leaks == 0 || total.Invented == 0 {
		t.Errorf("the counters see too little: %+v", total)
	}
}

func BenchmarkGate(b *testing.B) {
	g := newGate(lakes())
	text := strings.Repeat(right+" ", 5)[:1024]
	b.SetBytes(1024)
	for b.Loop() {
		v := datasets.Variant{Text: text}
		g.judge(&v)
	}
}

func BenchmarkVary(b *testing.B) {
	for b.Loop() {
		if err := Vary(lakes(), nil); err != nil {
			b.Fatal(err)
		}
	}
}
