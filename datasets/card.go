package datasets

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
)

// CardName is the dataset card.
const CardName = "README.md"

// The part of the card between these lines is written anew by every commit;
// the rest is the author's.
const (
	cardBegin = "<!-- taskwright: begin; this part is generated -->"
	cardEnd   = "<!-- taskwright: end -->"
)

// cardDefaults is the front matter of a new card, without its configs. The
// author may change all of it.
const cardDefaults = `license: other
pretty_name: %s
language:
- en
task_categories:
- text-generation
tags:
- tool-use
- agents
- mcp
- taskwright
`

// WriteCard brings README.md up to date: the configs of its front matter, by
// which Hugging Face datasets and its viewer find the tables, and the part
// between the markers. What else the author wrote stays.
func (d *Dir) WriteCard() error {
	path := filepath.Join(d.path, CardName)
	old, err := readBounded(path, maxManifest)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	text, err := d.card(string(old))
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if text == string(old) {
		return nil
	}
	if err := writeDurably(d.fsys, path, writeAll([]byte(text))); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// card is the card's text, given what it was.
func (d *Dir) card(old string) (string, error) {
	front, body := splitFront(old)
	title := cardTitle(d.path)
	if front == "" {
		front = fmt.Sprintf(cardDefaults, title)
	}
	if strings.TrimSpace(body) == "" {
		body = "# " + title + "\n\n" + cardBegin + "\n" + cardEnd + "\n"
	}
	front = withoutKey(front, "configs") + d.configs()
	generated, err := d.cardBody()
	if err != nil {
		return "", err
	}
	return "---\n" + front + "---\n" + replaceBetween(body, generated), nil
}

func cardTitle(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return strings.Trim(regexp.MustCompile(`[^A-Za-z0-9._-]+`).ReplaceAllString(filepath.Base(dir), "-"), "-.")
}

// splitFront takes the YAML front matter off a card.
func splitFront(card string) (front, body string) {
	card = strings.ReplaceAll(card, "\r\n", "\n")
	rest, ok := strings.CutPrefix(card, "---\n")
	if !ok {
		return "", card
	}
	if body, ok := strings.CutPrefix(rest, "---\n"); ok {
		return "", body
	}
	front, body, ok = strings.Cut(rest, "\n---\n")
	if !ok {
		return "", card
	}
	return front + "\n", body
}

// withoutKey drops a top-level key and what is indented below it, or listed
// at its own indentation, from YAML text.
func withoutKey(front, key string) string {
	var kept strings.Builder
	inside := false
	for line := range strings.Lines(front) {
		topLevel := line[0] != ' ' && line[0] != '\t' && line[0] != '\n' && !strings.HasPrefix(line, "- ") && !strings.HasPrefix(line, "#")
		if topLevel {
			inside = strings.HasPrefix(line, key+":")
		}
		if !inside {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// replaceBetween puts the generated part between the markers; a body without
// markers gets them at its end.
func replaceBetween(body, generated string) string {
	before, rest, ok := strings.Cut(body, cardBegin)
	if !ok {
		return strings.TrimRight(body, "\n") + "\n\n" + cardBegin + "\n" + generated + cardEnd + "\n"
	}
	_, after, ok := strings.Cut(rest, cardEnd)
	if !ok {
		after = "\n" + strings.TrimPrefix(rest, "\n")
	}
	return before + cardBegin + "\n" + generated + cardEnd + after
}

// configs is the YAML that names every table. A table without rows is left
// out: a reader could not tell its columns.
func (d *Dir) configs() string {
	var b strings.Builder
	b.WriteString("configs:\n")
	start := b.Len()
	if splits := d.filledParts(TableTasks); len(splits) > 0 {
		b.WriteString("- config_name: tasks\n  default: true\n  data_files:\n")
		for _, split := range splits {
			fmt.Fprintf(&b, "  - split: %s\n    path: tasks/%s-*.parquet\n", split, split)
		}
	}
	for _, table := range []string{TableTools, TableServers, TableEdges, TableTape} {
		l, _ := layoutOf(table)
		if rowsOf(d.manifest.Table(table)) > 0 {
			fmt.Fprintf(&b, "- config_name: %s\n  data_files:\n  - split: train\n    path: %s\n", table, strings.ReplaceAll(l.files, "{shard}", "*"))
		}
	}
	for _, table := range []string{TableTrajectories, TableScores} {
		for _, run := range d.filledParts(table) {
			fmt.Fprintf(&b, "- config_name: %s-%s\n  data_files:\n  - split: train\n    path: runs/%s/%s-*.parquet\n", table, run, run, table)
		}
	}
	if b.Len() == start {
		return ""
	}
	return b.String()
}

func (d *Dir) filledParts(table string) []string {
	var parts []string
	for _, p := range d.manifest.Parts(table) {
		if rowsOf(d.manifest.Table(table, p)) > 0 {
			parts = append(parts, p)
		}
	}
	return parts
}

func rowsOf(files []File) (rows int64) {
	for _, f := range files {
		rows += f.Rows
	}
	return rows
}

// cardBody is the part between the markers.
func (d *Dir) cardBody() (string, error) {
	info, err := d.Info()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nA [taskwright](https://github.com/taskwright/taskwright) dataset, format %s.\n\n", info.Format)
	b.WriteString("| table | rows | files | bytes |\n| --- | ---: | ---: | ---: |\n")
	for _, t := range info.Tables {
		if t.Table != TableRun {
			fmt.Fprintf(&b, "| %s | %d | %d | %d |\n", t.Table, t.Rows, t.Files, t.Bytes)
		}
	}
	for _, counts := range []struct {
		name string
		of   map[string]int64
	}{{"split", info.Splits}, {"status", info.Status}} {
		if len(counts.of) > 0 {
			fmt.Fprintf(&b, "\n| %s | tasks |\n| --- | ---: |\n", counts.name)
		}
		for _, k := range sortedStrings(counts.of) {
			fmt.Fprintf(&b, "| %s | %d |\n", k, counts.of[k])
		}
	}
	if rowsOf(d.manifest.Table(TableTasks)) > 0 {
		b.WriteString("\n```python\nfrom datasets import load_dataset\n\ntasks = load_dataset(\"path/to/this/directory\", \"tasks\")\n```\n")
	}
	fmt.Fprintf(&b, "\nAn agent is given a variant's `text`; `instruction` is for a judge. %s.\n\n", Canary)
	return b.String(), nil
}
