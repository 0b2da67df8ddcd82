package claim

import (
	"sort"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/literal"
)

// mention is a place where a subject is named.
type mention struct {
	span
	subject string
}

// about says that what stands at a place is said of the claim's subject. In
// this order: the JSON object around it, the table row or column, two lists in
// the same order ("A and B have 1 and 2"), the clause, the sentence, and the
// nearest subject named before (a heading, "It has …").
func (a *answer) about(c *datasets.Claim, at span) bool {
	own := lower(strings.TrimSpace(c.Subject))
	if own == "" {
		return true
	}
	all := a.subjectMentions(own)
	if who, ok := a.object(at.start, all); ok {
		return who == own
	}
	if who, ok := a.row(at.start, all); ok {
		return who == own
	}
	s := around(a.sentences, at.start)
	here := inside(all, s)
	if who, ok := only(here); ok {
		return who == own
	}
	if len(here) > 1 {
		return a.inSentence(s, at, here) == own
	}
	who := ""
	for _, m := range all {
		if m.end <= at.start && at.start-m.end < 800 {
			who = m.subject
		}
	}
	return who == own
}

// subjectMentions finds every subject in the text, in order. A name inside a
// longer name is not one, and neither is what a comparison sets aside.
func (a *answer) subjectMentions(own string) []mention {
	if ms, ok := a.places[own]; ok {
		return ms
	}
	var all []mention
	known := a.subjects
	if !contains(known, own) {
		known = append([]string{own}, known...)
	}
	for _, s := range known {
		for _, m := range a.named(s) {
			if !a.compared(m) {
				all = append(all, mention{m, s})
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool {
		if all[i].start != all[j].start {
			return all[i].start < all[j].start
		}
		return all[i].end > all[j].end
	})
	kept := all[:0]
	for _, m := range all {
		if len(kept) > 0 && m.start < kept[len(kept)-1].end {
			continue
		}
		kept = append(kept, m)
	}
	if a.places == nil {
		a.places = map[string][]mention{}
	}
	a.places[own] = kept
	return kept
}

func contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}

func (a *answer) compared(m span) bool {
	before := strings.TrimRight(a.lower[max(0, m.start-16):m.start], " ")
	for _, w := range [...]string{"unlike", " than", "compared to", "compared with", "as opposed to"} {
		if strings.HasSuffix(before, w) {
			return true
		}
	}
	return false
}

func inside(all []mention, s span) []mention {
	from := sort.Search(len(all), func(i int) bool { return all[i].start >= s.start })
	to := sort.Search(len(all), func(i int) bool { return all[i].start >= s.end })
	return all[from:max(from, to)]
}

// only is the one subject of the mentions, if they are all of one.
func only(ms []mention) (string, bool) {
	if len(ms) == 0 {
		return "", false
	}
	for _, m := range ms[1:] {
		if m.subject != ms[0].subject {
			return "", false
		}
	}
	return ms[0].subject, true
}

// inSentence decides between several subjects of one sentence.
func (a *answer) inSentence(s, at span, here []mention) string {
	if who, ok := a.respectively(s, at, here); ok {
		return who
	}
	if who, ok := only(inside(here, around(a.clauses, at.start))); ok {
		return who
	}
	who := here[0].subject
	for _, m := range here {
		if m.end <= at.start {
			who = m.subject
		}
	}
	return who
}

// respectively pairs subjects and numbers when all subjects come first and
// there is a number for each.
func (a *answer) respectively(s, at span, here []mention) (string, bool) {
	var numbers []span
	for i := range a.values {
		l := &a.values[i]
		if l.Start >= s.start && l.End <= s.end && (l.Kind == literal.Number || l.Kind == literal.Quantity || l.Kind == literal.Money) {
			numbers = append(numbers, span{l.Start, l.End})
		}
	}
	if len(numbers) != len(here) || numbers[0].start < here[len(here)-1].end {
		return "", false
	}
	for i, n := range numbers {
		if n == at {
			return here[i].subject, true
		}
	}
	return "", false
}

// object is the subject that the innermost JSON object around a place names.
func (a *answer) object(at int, all []mention) (string, bool) {
	open, depth := -1, 0
	for i := at - 1; i >= 0 && at-i < 8000; i-- {
		if a.text[i] == '}' {
			depth++
		} else if a.text[i] == '{' {
			if depth == 0 {
				open = i
				break
			}
			depth--
		}
	}
	if open < 0 {
		return "", false
	}
	depth = 0
	for i := at; i < len(a.text) && i-at < 8000; i++ {
		if a.text[i] == '{' {
			depth++
		} else if a.text[i] == '}' {
			if depth == 0 {
				return only(inside(all, span{open, i}))
			}
			depth--
		}
	}
	return "", false
}

// row is the subject of the table row of a place, or else of its column.
func (a *answer) row(at int, all []mention) (string, bool) {
	line := a.line(at)
	if strings.Count(a.text[line.start:line.end], "|") < 2 {
		return "", false
	}
	if who, ok := only(inside(all, line)); ok {
		return who, true
	}
	if len(inside(all, line)) > 0 {
		return "", false
	}
	column := strings.Count(a.text[line.start:at], "|")
	cells := a.header(at)
	if column >= len(cells) {
		return "", false
	}
	cell := (&answer{text: cells[column], lower: lower(cells[column])})
	for _, m := range all {
		if len(cell.named(m.subject)) > 0 {
			return m.subject, true
		}
	}
	return "", false
}

// header is the first row of the table around a place, as cells; nil where
// there is no table.
func (a *answer) header(at int) []string {
	line := a.line(at)
	if !strings.Contains(a.text[line.start:line.end], "|") {
		return nil
	}
	for rows := 0; line.start > 0 && rows < 500; rows++ {
		prev := a.line(line.start - 1)
		if !strings.Contains(a.text[prev.start:prev.end], "|") {
			break
		}
		line = prev
	}
	return strings.Split(a.text[line.start:line.end], "|")
}

// negated says that the words next to a mention deny it: "not X", "rather than
// X", "X is not the …".
func (a *answer) negated(m span) bool {
	clause := around(a.clauses, m.start)
	before := strings.Fields(a.lower[clause.start:m.start])
	n := len(before)
	for n > 0 && (before[n-1] == "the" || before[n-1] == "a" || before[n-1] == "an") {
		n--
	}
	for i := max(0, n-2); i < n; i++ {
		w := strings.Trim(before[i], ",:\"'(")
		if w == "not" || w == "never" || w == "nor" || w == "except" || w == "excluding" || strings.HasSuffix(w, "n't") {
			return i+1 >= n || before[i+1] != "only" && before[i+1] != "just" && before[i+1] != "merely"
		}
	}
	if n >= 2 {
		if pair := before[n-2] + " " + before[n-1]; pair == "rather than" || pair == "instead of" || pair == "other than" {
			return true
		}
	}
	after := strings.Fields(a.lower[m.end:min(len(a.lower), m.end+60)])
	return deniedAfter(after)
}

func deniedAfter(after []string) bool {
	for i := 0; i+1 < len(after) && i < 2; i++ {
		if after[i] == "not" || strings.HasSuffix(after[i], "n't") {
			switch strings.Trim(after[i+1], ".,;!") {
			case "the", "it", "correct", "right":
				return true
			}
		}
	}
	return false
}

var stopWords = map[string]bool{}

func init() {
	for _, w := range strings.Fields("the and are was were for from that this with its has have had can you your which what who how many much not but per all any each there here they them their his her our will would about into than then also only one two value number amount total it's is in of on at to by a an as be or") {
		stopWords[w] = true
	}
}

// words are the content words of a text: letters only, plural s off, no stop
// words.
func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.FieldsFunc(lower(text), func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= 0x80) }) {
		if len(w) > 3 {
			w = strings.TrimSuffix(w, "s")
		}
		if len(w) > 2 && !stopWords[w] {
			set[w] = true
		}
	}
	return set
}
