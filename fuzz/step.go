package fuzz

import (
	"regexp"
	"strings"
)

// stepPhrase is a way of speaking that gives away that the text is a list of
// calls. hints and also are lists of which a text must have one each, in lower
// case.
type stepPhrase struct {
	hints, also []string
	re          *regexp.Regexp
}

var stepPhrases = []stepPhrase{
	{hints: []string{"step "}, re: regexp.MustCompile(`(?i)\bstep (?:\d+|one|two|three)\b`)},
	{hints: []string{"first", "next", "finally", "then", "after that"}, also: []string{" call", " use", " run", " fetch", " query", " invoke", " take", " pass", " feed", " convert the result"}, re: regexp.MustCompile(`(?i)\b(?:first|next|finally|then|after that),? (?:call|use|run|fetch|query|invoke|take|pass|feed|convert the result)\b`)},
	{hints: []string{"use the", "using the", "with the", "take the", "pass the", "feed the", "from the"}, also: []string{" id", "identifier", "output", "result", "response"}, re: regexp.MustCompile(`(?i)\b(?:use|using|with|take|pass|feed|from) the (?:returned |resulting |resolved |same )?(?:ids?|identifiers?|outputs?|results?|response)\b`)},
	{hints: []string{"the returned", "the resulting"}, re: regexp.MustCompile(`(?i)\bthe (?:returned|resulting) \w+`)},
	{hints: []string{"the id ", "the ids "}, re: regexp.MustCompile(`(?i)\bthe ids? (?:you|that|from|of)\b`)},
	{hints: []string{"tool call", "function call", "api call"}, re: regexp.MustCompile(`(?i)\b(?:tool|function|api) calls?\b`)},
	{hints: []string{"call "}, also: []string{"_"}, re: regexp.MustCompile(`(?i)\bcall (?:the )?\w+_\w+`)},
	{hints: []string{"invoke"}, re: regexp.MustCompile(`(?i)\binvoke\b`)},
	{hints: []string{"endpoint"}, re: regexp.MustCompile(`(?i)\bendpoint\b`)},
}

var listItem = regexp.MustCompile(`(?m:^\s*(?:\d+[.)]|[-*])\s+\w)`)

// stepPhrasing lists the step phrases of a text; low is the text in lower case.
func stepPhrasing(text, low string) []string {
	var found []string
	for i := range stepPhrases {
		p := &stepPhrases[i]
		if !hasAny(low, p.hints) || len(p.also) > 0 && !hasAny(low, p.also) {
			continue
		}
		if m := p.re.FindString(text); m != "" {
			found = append(found, m)
		}
	}
	start := strings.TrimLeft(low, " \n")
	if strings.Contains(low, "\n") || start != "" && strings.IndexByte("0123456789-*", start[0]) >= 0 {
		if m := listItem.FindString(text); m != "" {
			found = append(found, m)
		}
	}
	return found
}
