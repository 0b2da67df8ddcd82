package taskwright_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// page is a Markdown file with blocks that are tested:
//
//	```console            commands after "$ ", each with what it prints below;
//	                      a line "…" stands for any number of lines
//	```json title="NAME"  (or another language) a file that commands use
//
// A line <!-- needs WORDS --> right above a console block names what it takes
// beside Go: npm, python. With <!-- needs WORDS; counts vary --> the output is
// that of servers that are not ours: shown as it once was, and of it only the
// pass rates of the agents are compared. Blocks in sh are not run.
type page struct {
	name   string
	lines  []string
	blocks []block
}

// block is a fenced block, without its fences.
type block struct {
	line  int // number of its first line, from 1
	count int // lines that it has in the page
	file  string
	needs []string
	loose bool // only pass rates are compared
	lines []string
}

var (
	fence = regexp.MustCompile("^```(\\w+)(?: title=\"([\\w.-]+)\")?$")
	needs = regexp.MustCompile(`^<!-- needs ([a-z ]+)(; counts vary)? -->$`)
)

func readPage(name string) (*page, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	p := &page{name: name, lines: split(string(raw))}
	for i := 0; i < len(p.lines); i++ {
		m := fence.FindStringSubmatch(p.lines[i])
		if m == nil {
			continue
		}
		end := i + 1 + slices.Index(p.lines[i+1:], "```")
		if m[1] == "console" || m[2] != "" {
			b := block{line: i + 2, count: end - i - 1, file: m[2], lines: slices.Clone(p.lines[i+1 : end])}
			if n := needs.FindStringSubmatch(p.lines[max(i-1, 0)]); n != nil {
				b.needs, b.loose = strings.Fields(n[1]), n[2] != ""
			}
			p.blocks = append(p.blocks, b)
		}
		i = end
	}
	return p, nil
}

// write puts the blocks back into the page.
func (p *page) write(t *testing.T) {
	t.Helper()
	for _, b := range slices.Backward(p.blocks) {
		p.lines = slices.Replace(p.lines, b.line-1, b.line-1+b.count, b.lines...)
	}
	if err := os.WriteFile(p.name, []byte(strings.Join(p.lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// command is a command of a console block and what is shown below it.
type command struct {
	command string
	output  []string
	loose   bool
}

// commands are those of a console block. A line that ends in a backslash goes
// on in the next.
func (b *block) commands() []*command {
	var list []*command
	open := false
	for _, line := range b.lines {
		switch text, is := strings.CutPrefix(line, "$ "); {
		case open:
			c := list[len(list)-1]
			c.command += "\n" + line
			open = strings.HasSuffix(line, `\`)
		case is:
			list = append(list, &command{command: text, loose: b.loose})
			open = strings.HasSuffix(line, `\`)
		case len(list) > 0:
			list[len(list)-1].output = append(list[len(list)-1].output, line)
		}
	}
	return list
}

// elision stands for any number of lines.
const elision = "…"

// around splits what is shown at the elision, if there is one.
func (c *command) around() (head, tail []string, elided bool) {
	i := slices.Index(c.output, elision)
	if i < 0 {
		return c.output, nil, false
	}
	return c.output[:i], c.output[i+1:], true
}

func (c *command) matches(got []string) bool {
	got = c.steady(got)
	head, tail, elided := c.around()
	head, tail = c.steady(head), c.steady(tail)
	if !elided {
		return slices.Equal(head, got)
	}
	return len(got) >= len(head)+len(tail) && slices.Equal(got[:len(head)], head) && slices.Equal(got[len(got)-len(tail):], tail)
}

// renew shows what was printed, with as many lines on either side of an
// elision as before.
func (c *command) renew(got []string) {
	for i, line := range got {
		got[i] = strings.TrimRight(line, " ")
	}
	head, tail, elided := c.around()
	if !elided || len(got) < len(head)+len(tail) {
		c.output = got
		return
	}
	c.output = slices.Concat(got[:len(head)], []string{elision}, got[len(got)-len(tail):])
}

var (
	durations = regexp.MustCompile(`\b(\d+m)?\d+(\.\d+)?(ms|µs|s)\b|"(seconds|duration)": ?[\d.]+`)
	passRate  = regexp.MustCompile(`^(?:evaluate +)?(oracle|null|single)\b.*?(\d\.\d{3})`)
)

// steady leaves out what differs from run to run: durations, and of loose
// commands all but the pass rates.
func (c *command) steady(lines []string) []string {
	var out []string
	for _, line := range lines {
		if !c.loose {
			out = append(out, strings.TrimRight(durations.ReplaceAllString(line, "TIME"), " "))
		} else if m := passRate.FindStringSubmatch(line); m != nil {
			out = append(out, m[1]+" "+m[2])
		}
	}
	return out
}

// split cuts a text into lines, without an empty one at the end.
func split(text string) []string {
	if text = strings.TrimSuffix(text, "\n"); text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
