package discover

import (
	"strings"
	"unicode"
)

// words splits an identifier or phrase into canonical words: camelCase,
// snake_case, digits and punctuation are borders, plurals and a few synonyms
// are folded ("toLatitude" and "to_lat" give the same).
func words(s string) []string {
	var out []string
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			out = append(out, canonical(strings.ToLower(b.String())))
			b.Reset()
		}
	}
	runes := []rune(s)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsUpper(runes[i-1]) && unicode.IsLower(runes[i+1])):
			flush()
		}
		b.WriteRune(r)
		if b.Len() > 64 {
			break
		}
	}
	flush()
	return joinPairs(out)
}

// joinPairs folds words that are one idea in two.
func joinPairs(in []string) []string {
	var out []string
	for i := 0; i < len(in); i++ {
		if i+1 < len(in) {
			if one, ok := pairs[in[i]+" "+in[i+1]]; ok {
				out = append(out, one)
				i++
				continue
			}
		}
		out = append(out, in[i])
	}
	return out
}

var pairs = map[string]string{
	"time zone": "timezone", "post code": "postcode", "zip code": "postcode", "e mail": "email", "full name": "name",
	"file name": "filename", "file path": "path", "user name": "username", "country code": "country", "currency code": "currency",
	"language code": "language", "state code": "state",
}

// synonyms map a word to the one that stands for its group.
var synonyms = map[string]string{
	"latitude": "lat", "longitude": "lon", "lng": "lon", "long": "lon",
	"tz": "timezone", "identifier": "id", "uuid": "id", "guid": "id", "ident": "id", "ids": "id",
	"uri": "url", "link": "url", "href": "url", "temp": "temperature", "qty": "quantity", "num": "number", "no": "number", "nr": "number",
	"q": "query", "search": "query", "keyword": "query", "term": "query", "dir": "directory", "folder": "directory",
	"lang": "language", "curr": "currency", "ccy": "currency", "yr": "year", "zip": "postcode", "postal": "postcode",
	"repository": "repo", "organisation": "organization", "org": "organization", "msg": "message", "img": "image", "pic": "image", "photo": "image",
	"desc": "description", "addr": "address", "tel": "phone", "mail": "email", "auth": "author", "writer": "author",
	"begin": "start", "finish": "end", "dest": "destination", "src": "source", "departure": "origin", "arrival": "destination",
	"colour": "color", "centre": "center", "heading": "title", "label": "name",
}

func canonical(w string) string {
	w = singular(w)
	if s, ok := synonyms[w]; ok {
		return s
	}
	return w
}

var notPlural = map[string]bool{"is": true, "has": true, "was": true, "as": true, "this": true, "us": true, "gas": true, "bus": true, "lens": true,
	"news": true, "always": true, "species": true, "series": true, "tags": false}

func singular(w string) string {
	switch {
	case len(w) < 4 || notPlural[w] || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "xes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s"):
		return w[:len(w)-1]
	}
	return w
}

// verbs that change something, as the first or second word of a tool's name.
var changing = wordSet("create add insert append delete remove update set edit write move rename put patch upload mark approve complete " +
	"cancel book reserve clear reset commit push merge checkout save store drop destroy kill send post publish schedule assign close import register toggle")

// changes says whether a tool's name sounds like changing something.
func changes(name string) bool {
	w := words(name)
	for i, verb := range w {
		if i < 2 && changing[verb] {
			return true
		}
	}
	return false
}

// order of a tool of a server with state within one session: what only reads,
// what makes new things, the rest, what ends things.
func order(name string) int {
	for i, verb := range words(name) {
		if i > 1 {
			break
		}
		switch {
		case wordsReading[verb]:
			return 0
		case wordsMaking[verb]:
			return 1
		case wordsEnding[verb]:
			return 3
		}
	}
	return 2
}

var (
	wordsReading = wordSet("get list read find query show describe check count view look fetch")
	wordsMaking  = wordSet("create add insert new make plan request start init open write put register book save store")
	wordsEnding  = wordSet("delete remove cancel close drop destroy clear reset kill finish stop end")
)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// slowWords in a tool's name say that calling it often would take long.
var slowWords = wordSet("sleep wait delay long running benchmark")
