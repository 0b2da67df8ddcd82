package fuzz

import (
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/literal"
)

// question is an ask as a direct question without its mark.
func (v *voice) question(a *datasets.Part) string {
	if isClause(a.Text) {
		if a.Question != "" && !strings.HasPrefix(a.Question, "what is wh") && !strings.HasPrefix(a.Question, "what are wh") {
			return a.Question
		}
		return a.Text
	}
	np, unit := cutUnit(a.Text)
	if s := v.spoken(np, unit); s != "" {
		return s
	}
	asked := a.Question
	if asked == "" {
		asked = be(np) + " " + a.Text
	}
	if v.rng.IntN(2) == 0 {
		asked = strings.Replace(asked, "what is ", "what's ", 1)
	}
	return asked
}

// spoken turns "the distance from A to B" into a question as people ask it, ""
// where the bank has none or chance wants the plain form.
func (v *voice) spoken(np, unit string) string {
	for i := range loadBank().Spoken {
		w := &loadBank().Spoken[i]
		parts, ok := w.match(np)
		if !ok {
			continue
		}
		if len(w.Unit) > 0 && plural(unit) && v.rng.IntN(3) > 0 {
			return put(v.choose(w.Unit), parts, unit)
		}
		forms := w.Ask
		if v.level == datasets.LevelMedium {
			forms = append(append([]string(nil), w.Casual...), forms...)
		}
		if len(forms) == 0 || v.rng.IntN(5) == 0 {
			return ""
		}
		s := put(v.choose(forms), parts, "")
		if unit != "" {
			s += put(v.choose([]string{" in {unit}", " ({unit})"}), nil, unit)
		}
		return s
	}
	return ""
}

func plural(unit string) bool {
	return strings.HasSuffix(unit, "s") && !strings.Contains(unit, "degree")
}

// brief is the shortest form of an ask: the unit in brackets, no article.
func (v *voice) brief(a *datasets.Part) string {
	short := a.Brief
	if short == "" {
		short = a.Text
	}
	if isClause(short) && a.Question != "" {
		return a.Question
	}
	rest, unit := cutUnit(short)
	rest = bare(rest)
	for i := range loadBank().Spoken {
		w := &loadBank().Spoken[i]
		if len(w.Brief) == 0 {
			continue
		}
		if parts, ok := w.match("the " + rest); ok && v.rng.IntN(3) > 0 {
			rest = put(v.choose(w.Brief), parts, "")
			break
		}
	}
	if unit == "" {
		return rest
	}
	return rest + " (" + shortUnit(unit) + ")"
}

func bare(s string) string {
	for _, p := range [...]string{"the ", "what is the ", "what are the ", "what is ", "what are "} {
		if r, ok := strings.CutPrefix(s, p); ok {
			return r
		}
	}
	return s
}

// withArticle gives a brief form back the article that the full form has.
func withArticle(brief string, a *datasets.Part) string {
	if strings.HasPrefix(a.Text, "the "+wordAt(brief, 0)+" ") || strings.HasPrefix(a.Text, "which ") && !isClause(brief) {
		return "the " + brief
	}
	return brief
}

// match compares a noun phrase with that of the way.
func (w *way) match(np string) (parts []string, ok bool) {
	parts, ok = match(w.NP, np)
	return parts, ok && (!w.Short || strings.Count(parts[0], " ") < 2)
}

// match compares a noun phrase with a pattern of the bank and gives what stands
// at its places, in the order {a}, {b}, {c}.
func match(pattern, np string) (parts []string, ok bool) {
	rest := np
	for {
		at := strings.IndexByte(pattern, '{')
		if at < 0 {
			return parts, rest == pattern
		}
		if !strings.HasPrefix(rest, pattern[:at]) {
			return nil, false
		}
		rest, pattern = rest[at:], pattern[at+len("{a}"):]
		end := len(rest)
		if next := strings.IndexByte(pattern, '{'); next >= 0 {
			end = strings.Index(rest, pattern[:next])
		} else if pattern != "" {
			end = len(rest) - len(pattern)
		}
		if end <= 0 {
			return nil, false
		}
		parts, rest = append(parts, rest[:end]), rest[end:]
	}
}

// put fills the places of a form.
func put(form string, parts []string, unit string) string {
	for i, p := range parts {
		form = strings.ReplaceAll(form, "{"+string(rune('a'+i))+"}", p)
	}
	return strings.ReplaceAll(form, "{unit}", unit)
}

// cutUnit takes " in kilometres" off the end of an ask.
func cutUnit(s string) (rest, unit string) {
	at := strings.LastIndex(s, " in ")
	if at < 0 {
		return s, ""
	}
	if _, ok := literal.Unit(s[at+4:]); !ok {
		return s, ""
	}
	return s[:at], s[at+4:]
}
