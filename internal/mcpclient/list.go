package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// Bounds of a tool list. The longest description seen in the wild has 34,527
// characters, the biggest tool 45,796 bytes.
const (
	maxPages       = 200
	maxTools       = 20_000
	maxToolName    = 256
	maxTitle       = 1 << 10
	maxDescription = 256 << 10
	maxSchema      = 2 << 20
	maxWarnings    = 50
)

// listing is what a server listed.
type listing struct {
	tools    []datasets.Tool
	warnings []string
	noise    noise
}

// list reads all pages within the list limit. A failure after the first page
// costs only the rest.
func (l *link) list(ctx context.Context) (listing, error) {
	limit := l.config.Limits.List
	ctx, cancel := context.WithTimeoutCause(ctx, limit, timeoutError{limit})
	defer cancel()
	stop := context.AfterFunc(l.life, cancel)
	defer stop()
	c := &collector{server: l.config.Name, names: map[string]bool{}}
	cursors := map[string]bool{}
	for page, cursor := 1, ""; ; page++ {
		raw, seen, err := l.listPage(ctx, cursor)
		if err != nil && page == 1 {
			return listing{}, err
		}
		if err != nil {
			var e *Error
			errors.As(err, &e)
			c.warn("page %d of the tool list is missing: %v", page, e.Err)
			break
		}
		c.noise = seen
		next, err := c.page(raw)
		if err != nil && page == 1 {
			return listing{}, l.failed("listing tools", err)
		}
		if next == "" || err != nil {
			break
		}
		if cursors[next] || page == maxPages || len(c.tools) >= maxTools {
			c.warn("the tool list does not end; read %d pages with %d tools", page, len(c.tools))
			break
		}
		cursors[next] = true
		cursor = next
	}
	return c.listing, nil
}

type collector struct {
	listing
	server string
	names  map[string]bool
}

func (c *collector) warn(format string, args ...any) {
	if len(c.warnings) < maxWarnings {
		c.warnings = append(c.warnings, fmt.Sprintf(format, args...))
	}
}

// page reads one answer to tools/list.
func (c *collector) page(raw json.RawMessage) (next string, err error) {
	var wire struct {
		Tools []json.RawMessage `json:"tools"`
		Next  json.RawMessage   `json:"nextCursor"`
	}
	if err := json.Unmarshal(raw, &wire); err != nil {
		return "", fmt.Errorf("the answer holds no list of tools")
	}
	for i, t := range wire.Tools {
		if len(c.tools) >= maxTools {
			break
		}
		c.tool(i, t)
	}
	json.Unmarshal(wire.Next, &next) // anything but a string means the end
	return next, nil
}

func (c *collector) tool(i int, raw json.RawMessage) {
	tool, err := readTool(c.server, raw)
	switch {
	case err != nil:
		c.warn("tool %d is left out: %v", i+1, err)
	case c.names[tool.Name]:
		c.warn("tool %q is listed twice; the first is kept", clip(tool.Name))
	default:
		c.names[tool.Name] = true
		c.tools = append(c.tools, tool)
	}
}

// readTool reads one tool of a list. What is odd about it becomes a warning of
// the tool; only without a name it is of no use.
func readTool(server string, raw json.RawMessage) (datasets.Tool, error) {
	var wire map[string]json.RawMessage
	if err := json.Unmarshal(raw, &wire); err != nil {
		return datasets.Tool{}, errors.New("it is not an object")
	}
	t := datasets.Tool{Server: server, Warnings: []string{}, Samples: []datasets.Sample{}}
	t.Health.Status = datasets.HealthUntested
	r := &toolReader{tool: &t, wire: wire}
	if err := json.Unmarshal(wire["name"], &t.Name); err != nil || t.Name == "" {
		return t, errors.New("it has no name")
	}
	if len(t.Name) > maxToolName {
		return t, fmt.Errorf("its name %q is longer than %d bytes", clip(t.Name), maxToolName)
	}
	t.Title = r.text("title", maxTitle)
	t.Description = r.text("description", maxDescription)
	r.inputSchema()
	r.outputSchema()
	r.annotations()
	return t, nil
}

type toolReader struct {
	tool *datasets.Tool
	wire map[string]json.RawMessage
}

func (r *toolReader) warn(format string, args ...any) {
	if len(r.tool.Warnings) < maxWarnings {
		r.tool.Warnings = append(r.tool.Warnings, fmt.Sprintf(format, args...))
	}
}

func (r *toolReader) text(key string, most int) string {
	raw := r.wire[key]
	if raw == nil || bytes.Equal(raw, jsonNull) {
		return ""
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		r.warn("%s is not a string", key)
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) > most {
		r.warn("%s has %d bytes and is cut to %d", key, len(s), most)
	}
	return cutAtRune(s, most)
}

// object decodes a value that should be an object; nil if it is none.
func (r *toolReader) object(key string) map[string]any {
	raw := r.wire[key]
	if raw == nil || bytes.Equal(raw, jsonNull) {
		return nil
	}
	if len(raw) > maxSchema {
		r.warn("%s has %d bytes and is left out", key, len(raw))
		return nil
	}
	v, err := datasets.DecodeJSON(string(raw))
	if err != nil {
		r.warn("%s is no JSON value: %v", key, err)
	}
	m, ok := v.(map[string]any)
	if !ok {
		r.warn("%s is not an object and is left out", key)
		return nil
	}
	return m
}

func (r *toolReader) inputSchema() {
	schema := r.object("inputSchema")
	if schema == nil {
		r.warn("no input schema; taken as an object without properties")
		schema = map[string]any{}
	} else if _, ok := schema["type"]; !ok {
		r.warn("input schema without type; taken as an object")
	} else if schema["type"] != "object" {
		r.warn("input schema of type %v; taken as an object", clip(fmt.Sprint(schema["type"])))
	}
	for _, w := range schemaOddities(schema) {
		r.warn("input schema: %s", w)
	}
	schema["type"] = "object"
	properties, _ := schema["properties"].(map[string]any)
	r.tool.Health.NoInput = len(properties) == 0
	r.tool.InputSchema = datasets.EncodeJSON(schema)
}

func (r *toolReader) outputSchema() {
	r.tool.OutputSchema, r.tool.OutputSchemaSource = "null", datasets.SchemaNone
	if schema := r.object("outputSchema"); schema != nil {
		for _, w := range schemaOddities(schema) {
			r.warn("output schema: %s", w)
		}
		r.tool.OutputSchema, r.tool.OutputSchemaSource = datasets.EncodeJSON(schema), datasets.SchemaDeclared
	}
}

// annotations keeps the annotations as they are and reads the effect. The
// protocol's defaults are not applied: a server that says nothing has said
// nothing. Of hints that contradict each other the more dangerous counts: what
// has called such a tool is not as good as new.
func (r *toolReader) annotations() {
	a := r.object("annotations")
	r.tool.Annotations, r.tool.Effect = "null", datasets.EffectUnknown
	if a == nil {
		return
	}
	r.tool.Annotations = datasets.EncodeJSON(a)
	if title, ok := a["title"].(string); ok && r.tool.Title == "" {
		r.tool.Title = cutAtRune(title, maxTitle)
	}
	switch {
	case a["destructiveHint"] == true || a["readOnlyHint"] == false:
		r.tool.Effect = datasets.EffectWrite
	case a["readOnlyHint"] == true:
		r.tool.Effect = datasets.EffectRead
	}
}
