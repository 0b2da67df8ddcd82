package discover

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// Bounds on a saved catalog.
const (
	maxCatalogBytes = 256 << 20 // of one file
	maxCatalogTools = 200_000   // in one file
	maxNameBytes    = 256       // of a tool's or server's name
)

// Problem is an entry of a catalog file that could not be used.
type Problem struct {
	File    string // as named by the caller
	Entry   string // where in the file: "line 3", "entry 2: tools[4]"; "" for the whole
	Message string
}

func (p Problem) String() string {
	if p.Entry == "" {
		return p.File + ": " + p.Message
	}
	return p.File + ": " + p.Entry + ": " + p.Message
}

// LoadCatalog reads saved answers to tools/list: an object with "tools" (also
// inside "result", or by server name as some collections have it) and possibly
// "server" or "serverInfo" beside it, an array of tools or of such objects, or
// such values one on each line. What cannot be used becomes a problem that
// names file and entry, and the rest is loaded. Servers are named by the entry,
// else by the file. The rows are not yet prepared (see [Prepare]).
//
// An error is one of reading, or says that the file holds nothing usable.
func LoadCatalog(name string, r io.Reader) ([]datasets.Server, []datasets.Tool, []Problem, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxCatalogBytes+1))
	if err != nil {
		return nil, nil, nil, fmt.Errorf("reading catalog %s: %w", name, err)
	}
	if len(raw) > maxCatalogBytes {
		return nil, nil, nil, fmt.Errorf("reading catalog %s: more than %d bytes", name, maxCatalogBytes)
	}
	l := &loader{file: name, names: map[string]bool{}}
	l.load(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")))
	if len(l.servers) == 0 {
		if len(l.problems) > 0 {
			return nil, nil, l.problems, fmt.Errorf("reading catalog %s: no list of tools: %s", name, l.problems[0].Message)
		}
		return nil, nil, nil, fmt.Errorf("reading catalog %s: no list of tools", name)
	}
	return l.servers, l.tools, l.problems, nil
}

// loader collects what one file holds.
type loader struct {
	file     string
	servers  []datasets.Server
	tools    []datasets.Tool
	problems []Problem
	names    map[string]bool
}

func (l *loader) problem(entry, format string, args ...any) {
	if len(l.problems) < 1000 {
		l.problems = append(l.problems, Problem{l.file, entry, fmt.Sprintf(format, args...)})
	}
}

// load reads the whole as one JSON value, else line by line.
func (l *loader) load(raw []byte) {
	v, err := datasets.DecodeJSON(string(raw))
	if err == nil {
		l.value(v, "")
		return
	}
	lines := bytes.Split(raw, []byte("\n"))
	if len(lines) < 2 || !json.Valid(bytes.TrimSpace(lines[0])) && !json.Valid(bytes.TrimSpace(lines[1])) {
		l.problem("", "not JSON: %s", plainJSONError(err))
		return
	}
	for i, line := range lines {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		entry := fmt.Sprintf("line %d", i+1)
		v, err := datasets.DecodeJSON(string(line))
		if err != nil {
			l.problem(entry, "not JSON: %s", plainJSONError(err))
			continue
		}
		l.value(v, entry)
	}
}

func plainJSONError(err error) string {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Sprintf("%v at byte %d", syntax, syntax.Offset)
	}
	return err.Error()
}

// value loads one entry: an object that holds tools, or a list.
func (l *loader) value(v any, entry string) {
	switch v := v.(type) {
	case map[string]any:
		l.object(v, entry)
	case []any:
		if len(v) > 0 && looksLikeTool(v[0]) {
			l.server(map[string]any{}, v, entry)
			return
		}
		for i, e := range v {
			at := join(entry, fmt.Sprintf("entry %d", i+1))
			if object, ok := e.(map[string]any); ok {
				l.object(object, at)
			} else {
				l.problem(at, "is no object")
			}
		}
	default:
		l.problem(entry, "is neither an object nor a list")
	}
}

func looksLikeTool(v any) bool {
	m, ok := v.(map[string]any)
	if !ok {
		return false
	}
	_, list := m["tools"]
	_, named := m["name"].(string)
	return named && !list
}

func (l *loader) object(v map[string]any, entry string) {
	if result, ok := v["result"].(map[string]any); ok && v["tools"] == nil {
		merged := clone(v)
		for k, e := range result {
			merged[k] = e
		}
		v = merged
	}
	switch tools := v["tools"].(type) {
	case []any:
		l.server(v, tools, entry)
	case map[string]any: // by server name
		for _, name := range sortedKeys(tools) {
			inner, ok := tools[name].(map[string]any)
			list, isList := inner["tools"].([]any)
			if !ok || !isList {
				l.problem(join(entry, "tools/"+cut(name, 80)), "holds no list of tools")
				continue
			}
			inner = clone(inner)
			inner["server_name"] = name
			l.server(inner, list, entry)
		}
	case nil:
		if e, ok := v["error"]; ok {
			l.problem(entry, "the answer is an error: %.200s", encode(e))
			return
		}
		l.problem(entry, "has no tools")
	default:
		l.problem(entry, "tools is no list")
	}
}

// server adds one server with its tools.
func (l *loader) server(v map[string]any, tools []any, entry string) {
	info := object(v, "server")
	if inner := object(info, "serverInfo"); len(inner) > 0 {
		info = merge(info, inner)
	}
	info = merge(info, object(v, "serverInfo"))
	s := datasets.Server{
		Name:         l.serverName(v, info, entry),
		Title:        text(info, "title", "name"),
		Version:      firstOf(text(info, "version"), text(v, "version")),
		Protocol:     firstOf(text(info, "protocolVersion"), text(v, "protocolVersion")),
		Instructions: firstOf(text(info, "instructions"), text(v, "instructions")),
		Transport:    "catalog",
		Status:       datasets.ServerCatalog,
	}
	l.servers = append(l.servers, s)
	for i, t := range tools {
		if len(l.tools) >= maxCatalogTools {
			l.problem(entry, "more than %d tools: the rest is left out", maxCatalogTools)
			return
		}
		l.tool(s.Name, t, join(entry, fmt.Sprintf("tools[%d]", i)))
	}
}

// serverName is a name that no other server of the file has. A catalog file of
// one server is named by the file, which tells variants apart.
func (l *loader) serverName(v, info map[string]any, entry string) string {
	base := strings.TrimSuffix(strings.TrimSuffix(path.Base(strings.ReplaceAll(l.file, "\\", "/")), ".jsonl"), ".json")
	name := base
	if entry != "" {
		name = firstOf(text(v, "server_name", "name"), text(info, "name"), base)
	}
	name = strings.ReplaceAll(cut(strings.TrimSpace(name), maxNameBytes), "/", "-")
	if name == "" {
		name = "server"
	}
	unique := name
	for n := 2; l.names[unique]; n++ {
		unique = fmt.Sprintf("%s-%d", name, n)
	}
	l.names[unique] = true
	return unique
}

func (l *loader) tool(server string, v any, entry string) {
	m, ok := v.(map[string]any)
	name, _ := m["name"].(string)
	switch {
	case !ok:
		l.problem(entry, "is no object")
		return
	case name == "":
		l.problem(entry, "has no name")
		return
	case len(name) > maxNameBytes:
		l.problem(entry, "name of %d bytes: more than %d", len(name), maxNameBytes)
		return
	}
	l.tools = append(l.tools, datasets.Tool{
		Server:       server,
		Name:         name,
		Title:        text(m, "title"),
		Description:  text(m, "description"),
		InputSchema:  raw(m, "inputSchema", "input_schema", "parameters"),
		OutputSchema: raw(m, "outputSchema", "output_schema"),
		Annotations:  raw(m, "annotations"),
	})
}

func join(entry, part string) string {
	if entry == "" {
		return part
	}
	return entry + ": " + part
}

func object(m map[string]any, key string) map[string]any {
	o, _ := m[key].(map[string]any)
	return o
}

func merge(a, b map[string]any) map[string]any {
	out := clone(a)
	for k, v := range b {
		out[k] = v
	}
	return out
}

func text(m map[string]any, keys ...string) string {
	for _, k := range keys {
		if s, ok := m[k].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

// raw is a member as JSON, "null" if there is none.
func raw(m map[string]any, keys ...string) string {
	for _, k := range keys {
		if v, ok := m[k]; ok && v != nil {
			return encode(v)
		}
	}
	return "null"
}
