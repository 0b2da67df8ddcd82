package world

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// effect is what a tool does to the state of its server.
type effect int

const (
	reads    effect = iota // changes nothing
	adds                   // adds something, destroys nothing
	destroys               // removes or overwrites something
)

// tool declares one tool. run gets checked arguments with defaults filled in
// and answers with a value that becomes JSON, or with [text].
type tool struct {
	name        string
	title       string
	description string
	params      []param
	output      any // JSON Schema of the structured content, nil for tools without
	effect      effect
	run         func(a arguments) (any, error)
}

// text is an answer in words instead of JSON.
type text string

// maxArguments bounds the bytes of arguments that a call may bring.
const maxArguments = 64 << 10

func (t *tool) declaration(bare bool) *mcp.Tool {
	m := &mcp.Tool{
		Name:        t.name,
		Title:       t.title,
		Description: t.description,
		InputSchema: inputSchema(t.params),
	}
	if t.output != nil {
		m.OutputSchema = t.output
	}
	if !bare {
		m.Annotations = t.annotations()
	}
	return m
}

func (t *tool) annotations() *mcp.ToolAnnotations {
	closed, destructive := false, t.effect == destroys
	a := &mcp.ToolAnnotations{
		Title:          t.title,
		ReadOnlyHint:   t.effect == reads,
		IdempotentHint: t.effect == reads,
		OpenWorldHint:  &closed,
	}
	if t.effect != reads {
		a.DestructiveHint = &destructive
	}
	return a
}

func (t *tool) handler(strictErrors bool) mcp.ToolHandler {
	return func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		answer, err := t.call(req.Params.Arguments)
		if err != nil && strictErrors {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
		}
		if err != nil {
			return textResult(err.Error(), true), nil
		}
		return t.result(answer)
	}
}

func (t *tool) call(raw json.RawMessage) (any, error) {
	if len(raw) > maxArguments {
		return nil, fmt.Errorf("arguments: %d bytes are too many, the limit is %d", len(raw), maxArguments)
	}
	given, err := decodeArguments(raw)
	if err != nil {
		return nil, err
	}
	args, err := check(t.params, given)
	if err != nil {
		return nil, err
	}
	return t.run(args)
}

func (t *tool) result(answer any) (*mcp.CallToolResult, error) {
	if words, ok := answer.(text); ok {
		return textResult(string(words), false), nil
	}
	raw, err := encode(answer)
	if err != nil {
		return nil, fmt.Errorf("encoding the answer of %s: %w", t.name, err)
	}
	r := textResult(string(raw), false)
	if t.output != nil {
		r.StructuredContent = raw
	}
	return r, nil
}

func textResult(words string, isError bool) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: words}}, IsError: isError}
}

// encode writes JSON without escaping &, < and >.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

func decodeArguments(raw json.RawMessage) (map[string]any, error) {
	given := map[string]any{}
	if len(bytes.TrimSpace(raw)) == 0 {
		return given, nil
	}
	if err := json.Unmarshal(raw, &given); err != nil {
		return nil, errors.New("arguments: not a JSON object")
	}
	return given, nil
}

// lines joins "key: value" lines to a text answer.
func lines(l ...string) text { return text(strings.Join(l, "\n")) }
