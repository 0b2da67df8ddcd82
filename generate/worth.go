package generate

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// dull says that a field tells of the call, or of the paging of a list, and not
// of anything that a person wants to know.
func dull(path string) bool {
	field := path[strings.LastIndex(path, "/")+1:]
	if field == "*" {
		return false
	}
	if len(field) < 2 || environment(path) {
		return true
	}
	words := splitWords(field)
	if len(words) == 0 {
		return false
	}
	switch words[len(words)-1] {
	case "message", "status", "success", "ok", "error", "note", "notes", "hint", "warning", "warnings", "limit", "offset", "page", "cursor", "next", "requested", "query", "filter", "filters", "schema", "uri", "url", "link", "instruction", "instructions", "timestamp", "path", "html", "code", "snippet", "markdown", "suggestion", "suggestions", "type", "kind", "format":
		return true
	}
	return false
}

// rawText says that a path leads to the whole text of an answer that is more
// than one short value.
func rawText(doc any, path string) bool {
	top, ok := doc.(map[string]any)
	if !ok || path != "/text" {
		return false
	}
	text, _ := top["text"].(string)
	return len(top) > 1 || len(text) > 60
}

// worth says that an ask has values that a person would want and that nothing
// in the chain's arguments gives away.
func (k *asker) worth(a *ask) bool {
	values := k.values(a)
	if len(values) == 0 || a.set && (len(values) < 2 || len(values) > maxSet) || a.each != "" && len(values) > maxEach || !a.set && a.each == "" && len(values) != 1 {
		return false
	}
	seen := map[string]bool{}
	for _, m := range values {
		raw := datasets.EncodeJSON(m.Value)
		if !tellable(m.Value) || k.draft.argumentHas(raw) || a.set && seen[raw] {
			return false
		}
		seen[raw] = true
	}
	return a.which || !k.known(a.step, seen)
}

// known says that an earlier step returned all of these values already: the
// step would not be needed for them.
func (k *asker) known(step int, values map[string]bool) bool {
	for n := 1; n < step; n++ {
		have := map[string]bool{}
		collect(k.draft.at(n).doc, have)
		all := true
		for raw := range values {
			all = all && have[raw]
		}
		if all {
			return true
		}
	}
	return false
}

func collect(v any, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			collect(e, into)
		}
	case []any:
		for _, e := range v {
			collect(e, into)
		}
	default:
		into[datasets.EncodeJSON(v)] = true
	}
}

// values are what the ask asks for.
func (k *asker) values(a *ask) []datasets.Match {
	doc := k.draft.at(a.step).doc
	path := a.path
	if a.pick != nil {
		path = strings.Replace(path, "/*", "/"+itoa(a.pick.index), 1)
	}
	matches, err := datasets.Resolve(doc, path)
	if err != nil {
		return nil
	}
	return matches
}

// argumentHas says that a value is an argument of some step: an echo, or what
// the text states.
func (d *draft) argumentHas(raw string) bool {
	for _, s := range d.steps {
		for _, a := range s.args {
			if strings.EqualFold(a.Value, raw) || a.Said != "" && strings.EqualFold(datasets.EncodeJSON(a.Said), raw) || a.Source == datasets.SourceConstant && len(raw) > 4 && strings.Contains(a.Value, strings.Trim(raw, `"`)) {
				return true
			}
		}
	}
	for _, p := range d.picks {
		if p.equal != "" && strings.EqualFold(p.equal, raw) {
			return true
		}
	}
	return false
}

// tellable says that a value makes a claim that can be checked: no flag, no
// long text, no number so small that any answer has it.
func tellable(v any) bool {
	switch v := v.(type) {
	case string:
		return len(v) >= 2 && len(v) <= 80 && strings.Count(v, " ") < 10 && !hollow(v) && !garbled(v) && !ofMachine(v) && !strings.ContainsAny(v, "\n\t{}") && !strings.HasPrefix(v, "http") && strings.TrimSpace(v) == v
	case json.Number:
		f, err := v.Float64()
		return err == nil && (math.Abs(f) > 2 || f != math.Trunc(f))
	}
	return false
}

// hollow says that a text only says that there is nothing.
func hollow(s string) bool {
	switch strings.ToLower(s) {
	case `""`, "null", "none", "n/a", "true", "false", "undefined", "unknown", "yes", "no", "all", "default", "any":
		return true
	}
	return strings.HasPrefix(s, "No ") || strings.Trim(s, "-–—.*_#`'\"() ") == ""
}

// garbled says that a text was not meant to be read: markup, quoted code, bytes
// that are no text, the result of a calculation that had none.
func garbled(s string) bool {
	if strings.ContainsAny(s, "<\uFFFD") || strings.HasPrefix(s, `"`) || strings.HasPrefix(s, "`") {
		return true
	}
	for _, w := range strings.Fields(s) {
		switch strings.Trim(w, ".,;:()") {
		case "NaN", "undefined", "Infinity", "-Infinity", "[object":
			return true
		}
	}
	return false
}

// ofMachine says that a value is a directory of the machine that the server
// runs on.
func ofMachine(s string) bool {
	for _, dir := range []string{"/tmp", "/home/user", "/workspace", "/run/user"} {
		if s == dir || strings.HasPrefix(s, dir+"/") && dir != "/workspace" {
			return true
		}
	}
	return false
}

// environment says that a field is a variable of the process that the server
// runs in: HOME, LANG, XDG_RUNTIME_DIR.
func environment(path string) bool {
	switch field := path[strings.LastIndex(path, "/")+1:]; field {
	case "HOME", "PATH", "LANG", "TMPDIR", "TEMP", "TMP", "USER", "LOGNAME", "SHELL", "PWD", "OLDPWD", "TERM", "TZ", "HOSTNAME", "SHLVL", "EDITOR", "VIRTUAL_ENV":
		return true
	default:
		return strings.HasPrefix(field, "XDG_") || strings.HasPrefix(field, "LC_") || strings.HasPrefix(field, "npm_") || strings.HasPrefix(field, "NODE_")
	}
}

// sentence says that a text is a sentence of its own: nobody asks for one.
func sentence(v any) bool {
	s, ok := v.(string)
	return ok && strings.Count(s, " ") >= 3 && (strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "。"))
}
