package datasets

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func readCard(t *testing.T, d *Dir) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(d.Path(), CardName))
	must(t, err)
	return string(raw)
}

func TestCard(t *testing.T) {
	d := sampleDir(t, 3)
	card := readCard(t, d)
	for _, want := range []string{
		"---\nlicense: other\n", "configs:\n- config_name: tasks\n  default: true\n  data_files:\n  - split: candidates\n    path: tasks/candidates-*.parquet\n",
		"- config_name: scores-r1\n  data_files:\n  - split: train\n    path: runs/r1/scores-*.parquet\n", "| tasks | 3 | 1 |", "| accepted | 2 |", Canary,
	} {
		if !strings.Contains(card, want) {
			t.Errorf("the card lacks %q:\n%s", want, card)
		}
	}
	must(t, d.WriteCard())
	if again := readCard(t, d); again != card {
		t.Errorf("writing the card again changed it:\n%s", again)
	}
}

func TestCardKeepsTheAuthorsText(t *testing.T) {
	d := sampleDir(t, 1)
	mine := strings.Replace(readCard(t, d), "license: other", "license: mit # mine\nconfigs:\n- config_name: stale\nannotations:\n- me", 1)
	mine = strings.Replace(mine, cardBegin, "Hello.\n\n"+cardBegin+"\nold text", 1) + "\nGoodbye.\n"
	must(t, os.WriteFile(filepath.Join(d.Path(), CardName), []byte(mine), 0o644))
	rewrite(t, d, sampleTasks(2))
	card := readCard(t, d)
	for _, want := range []string{"license: mit # mine\nannotations:\n- me\n", "\nHello.\n", "\nGoodbye.\n", "| tasks | 2 | 1 |"} {
		if !strings.Contains(card, want) {
			t.Errorf("the card lacks %q:\n%s", want, card)
		}
	}
	for _, gone := range []string{"stale", "old text", "| tasks | 1 |"} {
		if strings.Contains(card, gone) {
			t.Errorf("the card still has %q:\n%s", gone, card)
		}
	}
	if strings.Count(card, "configs:") != 1 || strings.Count(card, cardBegin) != 1 {
		t.Errorf("parts are there twice:\n%s", card)
	}
}

func TestCardOfAnotherShape(t *testing.T) {
	for _, old := range []string{"", "just text", "---\n---\nbody\n", "---\nlicense: mit\nno end", "---\r\nlicense: mit\r\n---\r\nbody\r\n", "x\n" + cardBegin + "\nno end marker"} {
		d := sampleDir(t, 1)
		must(t, os.WriteFile(filepath.Join(d.Path(), CardName), []byte(old), 0o644))
		must(t, d.WriteCard())
		first := readCard(t, d)
		must(t, d.WriteCard())
		if second := readCard(t, d); second != first {
			t.Errorf("%q: not stable:\n%s\n---- then\n%s", old, first, second)
		}
		if !strings.HasPrefix(first, "---\n") || strings.Count(first, "config_name: tasks\n") != 1 {
			t.Errorf("%q became\n%s", old, first)
		}
	}
}

func TestInfoHeadShow(t *testing.T) {
	d := sampleDir(t, 5)
	info, err := d.Info()
	must(t, err)
	raw, err := json.Marshal(info)
	must(t, err)
	for _, want := range []string{`"format":"1.0"`, `{"table":"tasks","files":1,"rows":5,"bytes":`, `"splits":{"candidates":5}`, `"status":{"accepted":4,"rejected":1}`, `"runs":["r1"]`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("info lacks %s: %s", want, raw)
		}
	}
	for _, l := range tables {
		if l.row == nil {
			continue
		}
		rows, err := d.Head(l.table, 1)
		if err != nil || len(rows) != 1 {
			t.Errorf("head of %s: %d rows, %v", l.table, len(rows), err)
		}
	}
	if _, err := d.Head("nothing", 1); err == nil || !strings.Contains(err.Error(), `no table is called "nothing"`) {
		t.Errorf("head of an unknown table: %v", err)
	}
	id := sampleTask(3).ID
	for _, ask := range []string{id, id[:8], "parks/camps"} {
		if raw, err := d.Show(ask); err != nil || !strings.Contains(string(raw), `"`) {
			t.Errorf("show %s: %v", ask, err)
		}
	}
	if _, err := d.Show("nobody"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("show of an unknown id: %v", err)
	}
}

func TestStatusIsCountedWithoutMetadata(t *testing.T) {
	d := newerDir(t) // its file has no counts
	info, err := d.Info()
	must(t, err)
	if info.Status[StatusCandidate] != 3 {
		t.Errorf("status %v", info.Status)
	}
}
