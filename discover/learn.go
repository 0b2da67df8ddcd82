package discover

import (
	"regexp"
	"slices"
	"strings"
)

var (
	missingNamed = []*regexp.Regexp{
		regexp.MustCompile(`(?i)(?:missing|requires?|required)\s+(?:the\s+)?(?:required\s+)?(?:parameters?|arguments?|propert(?:y|ies)|fields?|keys?)?\s*:?\s*["'` + "`" + `]?(\w+)`),
		regexp.MustCompile(`(?i)["'` + "`" + `]?(\w+)["'` + "`" + `]?\s+(?:is|are)\s+(?:a\s+)?(?:required|missing)`),
		regexp.MustCompile(`(?i)(?:specify|provide|supply|pass)\s+(?:an?\s+|the\s+)?["'` + "`" + `](\w+)["'` + "`" + `]`),
		regexp.MustCompile(`"path":\s*\[\s*"(\w+)"`),
	}
	allowedList = regexp.MustCompile(`(?i)\b(?:must be(?: one of)?|expected(?: one of)?|one of|allowed(?: \w+)?(?: are| is)?|valid \w+(?: are| is)?|available(?: \w+)?(?: are| is)?|supported(?: \w+)?(?: are| is)?|known \w+(?: are| is)?|options(?: are)?|choose from|did you mean)\s*:?\s*([^\n]{1,600})`)
	switchOn    = regexp.MustCompile(`(?i)["'` + "`" + `]?(\w+)["'` + "`" + `]?\s*[:=]\s*true\b|(?:set|pass)\s+["'` + "`" + `]?(\w+)["'` + "`" + `]?\s+to\s+true`)
	listBorder  = regexp.MustCompile(`\s*(?:,|\||;|\bor\b|\band\b)\s*`)
)

// maxHints bounds the values learnt for one parameter.
const maxHints = 12

// learn reads an error message: which parameter it misses, and which values it
// would take. Both only steer the next plan; what is not understood is ignored.
func (w *work) learn(text string, sent map[string]any) {
	text = cut(text, 4000)
	for _, m := range switchOn.FindAllStringSubmatch(text, 5) {
		if s := w.slot(m[1] + m[2]); s != nil && s.param.Is("boolean") {
			w.forced[s.param.Path] = true
			w.hints[s.param.Path] = []any{true}
		}
	}
	for _, form := range missingNamed {
		for _, m := range form.FindAllStringSubmatch(text, 5) {
			if s := w.slot(m[1]); s != nil {
				w.forced[s.param.Path] = true
				w.reject(s, sent[s.param.Name])
				w.reject(s, s.param.Default)
			}
		}
	}
	m := allowedList.FindStringSubmatch(text)
	if m == nil {
		return
	}
	values := listed(m[1])
	for _, s := range w.concerned(text, sent) {
		for _, v := range values {
			if t, ok := typed(s.param, v); ok && fitsParam(&s.param, t) && !contains(w.hints[s.param.Path], t) && len(w.hints[s.param.Path]) < maxHints {
				w.hints[s.param.Path] = append(w.hints[s.param.Path], t)
			}
		}
	}
}

// reject keeps a value of a parameter from being tried again: a message asked
// for the parameter though it was sent, or has the value without being sent.
func (w *work) reject(s *slot, v any) {
	if v != nil {
		w.bad[s.param.Path+"="+encode(v)] = true
	}
}

// prerequisites are the other tools of the server that a message names, unless
// it names a parameter of this tool that would do.
func (l *lane) prerequisites(w *work, text string) []*work {
	if len(w.forced) > 0 {
		return nil
	}
	named := strings.FieldsFunc(cut(text, 4000), func(r rune) bool { return !isNameRune(r) && r != '-' })
	var out []*work
	for _, o := range l.works {
		if o != w && len(o.tool.Name) > 3 && strings.ContainsAny(o.tool.Name, "_-") && slices.Contains(named, o.tool.Name) {
			out = append(out, o)
		}
	}
	return out
}

func (w *work) slot(name string) *slot {
	for _, s := range w.slots {
		if s.param.Name == name {
			return s
		}
	}
	return nil
}

// concerned are the parameters that a message names; else those whose value it
// repeats; else the only one that takes text and has no enum.
func (w *work) concerned(text string, sent map[string]any) []*slot {
	var named, repeated, open []*slot
	said := words(cut(text, 1000))
	for _, s := range w.slots {
		if slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return !isNameRune(r) }), s.param.Name) || subset(s.words, said) && !allGeneric(s.words) {
			named = append(named, s)
		}
		if v, ok := sent[s.param.Name].(string); ok && len(v) >= 2 && strings.Contains(text, v) {
			repeated = append(repeated, s)
		}
		if s.param.Is("string") && len(s.param.Enum) == 0 && w.required(s) {
			open = append(open, s)
		}
	}
	if len(named) > 0 {
		return named
	}
	if len(repeated) > 0 {
		return repeated
	}
	if len(open) == 1 {
		return open
	}
	return nil
}

func isNameRune(r rune) bool {
	return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// listed are the values of an enumeration in prose.
func listed(text string) []string {
	var out []string
	if quoted := quotedText.FindAllStringSubmatch(text, 20); len(quoted) > 0 {
		for _, q := range quoted {
			out = append(out, q[1]+q[2]+q[3]+q[4])
		}
		return out
	}
	for _, part := range listBorder.Split(text, 20) {
		part = strings.Trim(part, " .()[]{}?!:\"'`")
		if part != "" && len(part) <= 60 && strings.Count(part, " ") < 4 {
			out = append(out, part)
		}
	}
	return out
}
