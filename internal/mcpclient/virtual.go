package mcpclient

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// Paths that stand for a server's private directories in arguments and answers.
const (
	VirtualWork = "/workspace"
	VirtualHome = "/home/user"
	VirtualTemp = "/tmp/user"
)

// pathMap replaces whole paths at their beginning in any text.
type pathMap [][2]string // from, to; longest from first

// virtualPaths gives the maps from private to virtual paths and back.
func virtualPaths(d *privateDirs) (outward, inward pathMap) {
	add := func(real, virtual string) {
		outward = append(outward, [2]string{real, virtual})
		inward = append(inward, [2]string{virtual, real})
	}
	if d.ownWork {
		add(d.work, VirtualWork)
	}
	if d.ownHome && d.home != d.work {
		add(d.home, VirtualHome)
	}
	add(d.temp, VirtualTemp)
	for _, m := range []pathMap{outward, inward} {
		sort.SliceStable(m, func(i, j int) bool { return len(m[i][0]) > len(m[j][0]) })
	}
	return outward, inward
}

// text replaces the paths in s.
func (m pathMap) text(s string) string {
	for _, pair := range m {
		s = replacePath(s, pair[0], pair[1])
	}
	return s
}

func replacePath(s, from, to string) string {
	if !strings.Contains(s, from) {
		return s
	}
	var b strings.Builder
	for at := 0; ; {
		i := strings.Index(s[at:], from)
		if i < 0 {
			b.WriteString(s[at:])
			return b.String()
		}
		start, end := at+i, at+i+len(from)
		b.WriteString(s[at:start])
		if pathStarts(s[:start]) && pathEnds(s[end:]) {
			b.WriteString(to)
		} else {
			b.WriteString(from)
		}
		at = end
	}
}

// pathStarts says whether an absolute path can begin after before: "x/work"
// and "host.org/work" hold no path "/work", "file:///work" does.
func pathStarts(before string) bool {
	if before == "" {
		return true
	}
	c := before[len(before)-1]
	return !isNameByte(c) && c != '~' && c != '.' && c != '-'
}

// pathEnds says whether the path's last name ends before after: "/workshop"
// is not "/work", "/work." at the end of a sentence is.
func pathEnds(after string) bool {
	after = strings.TrimLeft(after, ".-")
	return after == "" || !isNameByte(after[0])
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// value replaces the paths in all strings and keys of a decoded JSON value.
func (m pathMap) value(v any) any {
	switch v := v.(type) {
	case string:
		return m.text(v)
	case []any:
		for i := range v {
			v[i] = m.value(v[i])
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[m.text(k)] = m.value(e)
		}
		return out
	}
	return v
}

// arguments gives the arguments to send: always an object, with real paths.
func (m pathMap) arguments(raw json.RawMessage) (json.RawMessage, error) {
	if s := strings.TrimSpace(string(raw)); s == "" || s == "null" {
		return json.RawMessage("{}"), nil
	}
	v, err := datasets.DecodeJSON(string(raw))
	if err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	if _, ok := v.(map[string]any); !ok {
		return nil, fmt.Errorf("arguments: want a JSON object")
	}
	return json.RawMessage(datasets.EncodeJSON(m.value(v))), nil
}
