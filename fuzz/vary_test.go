package fuzz

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/taskwright/taskwright/datasets"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", path, diff)
	}
}

// TestVary holds the texts against a golden file that a person can read.
func TestVary(t *testing.T) {
	var b strings.Builder
	for _, task := range samples() {
		if err := Vary(task, nil); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "== %s\ninstruction: %s\n", task.ID, task.Instruction)
		for _, v := range task.Variants {
			fmt.Fprintf(&b, "%s (%s): %s\n", v.Level, v.Status, v.Text)
			for _, r := range v.Reasons {
				fmt.Fprintf(&b, "  %s\n", r)
			}
			if v.Status != datasets.StatusAccepted {
				t.Errorf("%s %s: %q: %v", task.ID, v.Level, v.Text, v.Reasons)
			}
		}
		fmt.Fprintf(&b, "claims: %s\n\n", task.Checks[0].Detail)
	}
	golden(t, "variants.txt", b.String())
}
