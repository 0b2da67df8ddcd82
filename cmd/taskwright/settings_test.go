package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSettings(t *testing.T) {
	got, err := parseSettings("f", []byte(`# mine
servers: mcp.json
allow: [parks, "places/distance"]
seeds:
  park_id: [glca, 7]
thresholds:
  utility: 6.5
models: {author: big, judge: small}
prices:
  big: {input: 1.25, output: 10}
phrases: phrases.yaml
`))
	want := settings{
		Servers: "mcp.json", Allow: []string{"parks", "places/distance"},
		Seeds:      map[string][]any{"park_id": {"glca", uint64(7)}},
		Thresholds: thresholds{Solvability: 9, Utility: 6.5},
		Models:     models{Author: "big", Judge: "small"},
		Prices:     map[string]price{"big": {1.25, 10}},
		Phrases:    "phrases.yaml",
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

func TestSettingsErrors(t *testing.T) {
	tests := map[string]string{
		"allow: []\nalow: []\n":            `f:2:1: unknown field "alow" (known: allow, models, phrases, prices, seeds, servers, thresholds)`,
		"thresholds:\n  utilty: 5\n":       `f:2:3: unknown field "utilty"`,
		"models: {auther: x}":              `f:1:10: unknown field "auther"`,
		"allow: parks\n":                   `f:1:8: `,
		"servers: a\nservers: b\n":         `f:2:1: `,
		"servers: [\n":                     `f:1:10: `,
		"thresholds: {utility: 11}":        `f: thresholds.utility is 11, not between 0 and 10`,
		"thresholds: {solvability: .nan}":  `f: thresholds.solvability is NaN, not between 0 and 10`,
		"prices: {m: {input: -1}}":         `f: prices.m is negative`,
		"servers: a\n---\nservers: b\n":    `f: more than one document`,
		"thresholds: {utility: very much}": `f:1:23: `,
	}
	for raw, want := range tests {
		if _, err := parseSettings("f", []byte(raw)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", raw, err, want)
		}
	}
}

func TestLoadSettings(t *testing.T) {
	dir := t.TempDir()
	if got, err := loadSettings(dir); err != nil || !cmp.Equal(got, defaultSettings()) {
		t.Errorf("without a file: %+v, %v", got, err)
	}
	name := filepath.Join(dir, settingsFile)
	for content, want := range map[string]settings{
		"":                                 defaultSettings(),
		"thresholds:\nseeds:\nmodels: ~\n": defaultSettings(),
		"---\n":                            defaultSettings(),
		"# nothing\n":                      defaultSettings(),
		"servers: a/mcp.json\nphrases: /abs.yaml": {Servers: filepath.Join(dir, "a/mcp.json"), Phrases: "/abs.yaml", Thresholds: thresholds{9, 5}},
	} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := loadSettings(dir); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%q: %+v, %v", content, got, err)
		}
	}
	if err := os.WriteFile(name, make([]byte, maxSettings+1), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := loadSettings(dir); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("a large file: %v", err)
	}
}

func FuzzSettings(f *testing.F) {
	f.Add([]byte("thresholds: {utility: 5}\n"))
	f.Add([]byte("seeds:\n  a: [1, {b: c}]\n"))
	f.Add([]byte("a: &a [*a]\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if s, err := parseSettings("f", raw); err == nil && s.check() != nil {
			t.Error("accepted settings that it would refuse")
		}
	})
}
