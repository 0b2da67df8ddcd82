package mcpclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/taskwright/taskwright/datasets"
)

// maxBlocks bounds the content blocks that are read of one answer.
const maxBlocks = 10_000

// resultReader turns raw answers to one tool's call into results.
type resultReader struct {
	tool     string
	unlisted bool    // the server did not list the tool
	paths    pathMap // private to virtual
	size     int     // bytes kept of the text, and of the structured content
}

// read reads the result of tools/call. It never fails: what is odd is left
// out. An error text in an answer that is not marked as an error stays an
// answer, and so does structured content with an "error" key.
func (rd resultReader) read(raw json.RawMessage) datasets.ToolResult {
	var wire struct {
		Content    json.RawMessage `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		Legacy     json.RawMessage `json:"toolResult"` // protocol 2024-10-07
		IsError    json.RawMessage `json:"isError"`
	}
	if err := json.Unmarshal(raw, &wire); err != nil {
		wire.Structured = raw // not even an object
	}
	if wire.Structured == nil {
		wire.Structured = wire.Legacy
	}
	var r datasets.ToolResult
	texts, types, cut := readBlocks(wire.Content)
	r.ContentTypes = types
	var cutText, cutStructured bool
	r.Text, cutText = rd.text(strings.Join(texts, "\n"))
	r.Structured, cutStructured = rd.structured(wire.Structured)
	r.Truncated = cut || cutText || cutStructured
	if bytes.Equal(wire.IsError, []byte("true")) {
		r.IsError, r.ErrorKind = true, datasets.ErrorTool
		if rd.unlisted || saysUnknown(r.Text, rd.tool) {
			r.ErrorKind = datasets.ErrorUnknownTool
		}
	}
	return r
}

// protocolError is the result for a JSON-RPC error.
func (rd resultReader) protocolError(err error) datasets.ToolResult {
	r := datasets.ToolResult{Structured: "null", ContentTypes: []string{}, IsError: true, ErrorKind: datasets.ErrorProtocol}
	text := err.Error()
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		text = fmt.Sprintf("JSON-RPC error %d: %s", wire.Code, wire.Message)
	}
	r.Text, r.Truncated = rd.text(text)
	if rd.unlisted || saysUnknown(r.Text, rd.tool) {
		r.ErrorKind = datasets.ErrorUnknownTool
	}
	return r
}

func (rd resultReader) text(s string) (string, bool) {
	s = rd.paths.text(strings.ToValidUTF8(s, "\uFFFD"))
	cut := cutAtRune(s, rd.size)
	return cut, len(cut) < len(s)
}

// structured gives canonical JSON. What is over the bound cannot be cut and is
// dropped.
func (rd resultReader) structured(raw json.RawMessage) (string, bool) {
	if raw == nil {
		return "null", false
	}
	v, err := datasets.DecodeJSON(string(raw))
	if err != nil {
		return "null", true
	}
	s := datasets.EncodeJSON(rd.paths.value(v))
	if len(s) > rd.size {
		return "null", true
	}
	return s, false
}

// readBlocks gives the text blocks and the types of all content blocks.
// Images, audio, resources and links to them are named and not kept.
func readBlocks(raw json.RawMessage) (texts, types []string, cut bool) {
	types = []string{}
	var blocks []json.RawMessage
	if err := json.Unmarshal(raw, &blocks); err != nil {
		if raw == nil || bytes.Equal(raw, jsonNull) {
			return nil, types, false
		}
		blocks = []json.RawMessage{raw} // one block, or a bare string, without its list
	}
	if cut = len(blocks) > maxBlocks; cut {
		blocks = blocks[:maxBlocks]
	}
	for _, b := range blocks {
		var block struct {
			Type string  `json:"type"`
			Text *string `json:"text"`
		}
		var bare string
		if b[0] == '"' && json.Unmarshal(b, &bare) == nil {
			block.Type, block.Text = "text", &bare
		} else if json.Unmarshal(b, &block) != nil || block.Type == "" {
			block.Type = "unknown"
		}
		types = append(types, clip(block.Type))
		if block.Type == "text" && block.Text != nil {
			texts = append(texts, *block.Text)
		}
	}
	return texts, types, cut
}

var unknownTool = regexp.MustCompile(`(?i)\b(?:unknown|unrecognized|no such|nonexistent|invalid|unsupported) (?:tool|function|method)\b|\b(?:tool|function|method)\b.{0,120}\b(?:not found|not exist|unknown|not supported|not available)`)

// saysUnknown says whether an error text means that there is no such tool. The
// text must name the tool, since "method not found" has other meanings too.
func saysUnknown(text, tool string) bool {
	text = cutAtRune(text, 1000)
	return strings.Contains(text, tool) && unknownTool.MatchString(text)
}
