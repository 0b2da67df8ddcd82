package claim

import (
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/literal"
)

// answer is an answer prepared for scoring: plain text in which Markdown
// emphasis is gone, cut into sentences and clauses.
type answer struct {
	text      string // without emphasis marks; offsets below are into it
	lower     string // text in lower case, byte for byte as long
	cut       bool
	values    []literal.Literal
	sentences []span
	clauses   []span
	subjects  []string // subjects of all claims, lower case
	places    map[string][]mention
	labels    []label // of all claims on numbers
}

// span is a range of bytes of the text.
type span struct{ start, end int }

func (s span) holds(at int) bool { return at >= s.start && at < s.end }

var (
	emphasis   = strings.NewReplacer("**", "", "__", "", "’", "'", "\r\n", "\n", "\u200b", "")
	listMarker = regexp.MustCompile(`(?m)^[ \t]*(?:\(?\d{1,3}[.)])[ \t]+`)
)

func read(text string) *answer {
	a := &answer{}
	if len(text) > MaxAnswer {
		text, a.cut = text[:MaxAnswer], true
		for len(text) > 0 && !utf8.ValidString(text[max(0, len(text)-4):]) && len(text) > MaxAnswer-4 {
			text = text[:len(text)-1]
		}
	}
	text = listMarker.ReplaceAllString(strings.ToValidUTF8(text, " "), "- ")
	a.text = emphasis.Replace(text)
	a.lower = lower(a.text)
	a.values = literal.Values(a.text)
	a.split()
	return a
}

// lower lower-cases without changing the number of bytes of any letter.
func lower(s string) string {
	if ascii(s) {
		return strings.ToLower(s)
	}
	return strings.Map(func(r rune) rune {
		l := []rune(strings.ToLower(string(r)))
		if len(l) == 1 && utf8.RuneLen(l[0]) == utf8.RuneLen(r) {
			return l[0]
		}
		return r
	}, s)
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// know tells the answer whose values are asked for.
func (a *answer) know(claims []datasets.Claim) {
	if len(claims) > 1 {
		a.labels = labels(claims)
	}
	seen := map[string]bool{}
	for i := range claims {
		s := lower(strings.TrimSpace(claims[i].Subject))
		if s != "" && !seen[s] {
			seen[s] = true
			a.subjects = append(a.subjects, s)
		}
	}
}

// split cuts the text into sentences (line ends and sentence ends) and clauses
// (also at commas, semicolons, dashes, brackets and conjunctions). A point or
// comma inside a literal ends nothing.
func (a *answer) split() {
	inside := 0
	sentence, clause := 0, 0
	for i := 0; i < len(a.text); i++ {
		for inside < len(a.values) && a.values[inside].End <= i {
			inside++
		}
		if inside < len(a.values) && a.values[inside].Start < i {
			continue
		}
		n, whole := a.cutAt(i)
		if n == 0 {
			continue
		}
		a.clauses = append(a.clauses, span{clause, i + 1})
		clause = i + n
		if whole {
			a.sentences = append(a.sentences, span{sentence, i + 1})
			sentence = i + n
		}
	}
	a.clauses = append(a.clauses, span{clause, len(a.text)})
	a.sentences = append(a.sentences, span{sentence, len(a.text)})
}

var conjunctions = [...]string{" and ", " while ", " but ", " whereas ", " although ", " though ", " with ", " versus ", " vs ", " followed by ", " ahead of ", " compared "}

// cutAt says how many bytes a cut at i takes, and whether it ends a sentence.
func (a *answer) cutAt(i int) (n int, sentence bool) {
	switch c := a.text[i]; c {
	case '\n':
		return 1, true
	case '.', '!', '?':
		if i+1 == len(a.text) || a.text[i+1] == ' ' || a.text[i+1] == '\n' {
			if c == '.' && abbreviation(a.lower[:i]) {
				return 0, false
			}
			return 1, true
		}
	case ';':
		return 1, false
	case ',':
		return 1, false
	case '(', ')', '|':
		return 1, false
	case ' ':
		if strings.HasPrefix(a.text[i:], " - ") || strings.HasPrefix(a.text[i:], " – ") || strings.HasPrefix(a.text[i:], " — ") {
			return 2, false
		}
		for _, w := range conjunctions {
			if strings.HasPrefix(a.lower[i:], w) {
				return 1, false
			}
		}
	}
	return 0, false
}

var abbreviations = [...]string{"approx", "ca", "st", "mt", "dr", "mr", "mrs", "no", "vs", "e.g", "i.e", "u.s", "sq", "jr", "inc", "nat'l", "ft"}

func abbreviation(before string) bool {
	for _, w := range abbreviations {
		if strings.HasSuffix(before, w) && (len(before) == len(w) || !letter(before[len(before)-len(w)-1])) {
			return true
		}
	}
	return false
}

func letter(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= 0x80
}

// around is the span of a list that holds a position.
func around(spans []span, at int) span {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].end > at })
	if i < len(spans) && spans[i].start <= at {
		return spans[i]
	}
	return span{at, at}
}

func (a *answer) line(at int) span {
	start := strings.LastIndexByte(a.text[:at], '\n') + 1
	end := strings.IndexByte(a.text[at:], '\n')
	if end < 0 {
		end = len(a.text)
	} else {
		end += at
	}
	return span{start, end}
}

// maxMentions bounds how many places of one name are looked at, and
// maxCandidates how many numbers that fit one claim.
const (
	maxMentions   = 200
	maxCandidates = 200
)

// mentions finds where the text names a thing: as whole words, in any case and
// spacing, with any accents kept.
func (a *answer) mentions(name string) []span {
	words := strings.Fields(lower(emphasis.Replace(name)))
	if len(words) == 0 {
		return nil
	}
	var found []span
	for from := 0; len(found) < maxMentions; {
		at := strings.Index(a.lower[from:], words[0])
		if at < 0 {
			break
		}
		at += from
		if end := a.wordsAt(at, words); end > at && !wordBefore(a.lower, at, name) && !wordAfter(a.lower, end) {
			found = append(found, span{at, end})
			from = end
			continue
		}
		from = at + len(words[0])
	}
	return found
}

func (a *answer) wordsAt(at int, words []string) int {
	for i, w := range words {
		if i > 0 {
			gap := len(a.lower[at:]) - len(strings.TrimLeft(a.lower[at:], " \n\t-\u00a0"))
			if gap == 0 {
				return -1
			}
			at += gap
		}
		if !strings.HasPrefix(a.lower[at:], w) {
			return -1
		}
		at += len(w)
	}
	return at
}

func wordBefore(s string, at int, name string) bool {
	return at > 0 && (letter(s[at-1]) || s[at-1] == '_') && letter(name[0])
}

func wordAfter(s string, end int) bool {
	return end < len(s) && end > 0 && letter(s[end-1]) && (letter(s[end]) && !nonLetter(s[end:]) || s[end] == '_')
}

// nonLetter says that s starts with a sign of several bytes, such as a dash.
func nonLetter(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	return n > 1 && strings.ContainsRune("–—“”…°²³•·→", r)
}

// generic words at the end of a name that people leave out.
var generic = map[string]bool{"campground": true, "campsite": true, "park": true, "national": true, "city": true, "airport": true, "museum": true, "restaurant": true, "hotel": true, "station": true, "state": true, "the": true}

// named finds a thing by its name, or by the name without the generic words at
// its end ("Glen Mesa National Park" as "Glen Mesa").
func (a *answer) named(name string) []span {
	if m := a.mentions(name); len(m) > 0 {
		return m
	}
	words := strings.Fields(name)
	n := len(words)
	for n > 1 && generic[strings.ToLower(words[n-1])] {
		n--
	}
	if n == len(words) {
		return nil
	}
	return a.mentions(strings.Join(words[:n], " "))
}
