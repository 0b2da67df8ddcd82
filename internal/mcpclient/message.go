package mcpclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// decodeMessages reads one line: a JSON-RPC message or a batch of them. What
// is no message is left out; ok says whether all of it was one. It asks less
// than the SDK: the version tag may be missing, an error may be a string, an
// id may come back as a string.
func decodeMessages(line []byte) (messages []jsonrpc.Message, ok bool) {
	raws := []json.RawMessage{line}
	if line[0] == '[' {
		if err := json.Unmarshal(line, &raws); err != nil || len(raws) == 0 {
			return nil, false
		}
	}
	ok = true
	for _, raw := range raws {
		m, err := decodeMessage(raw)
		if err != nil {
			ok = false
		} else {
			messages = append(messages, m)
		}
	}
	return messages, ok
}

var (
	errNoMessage = errors.New("not a JSON-RPC message")
	jsonNull     = []byte("null")
)

func decodeMessage(raw []byte) (jsonrpc.Message, error) {
	var wire struct {
		ID     json.RawMessage `json:"id"`
		Method *string         `json:"method"`
		Params json.RawMessage `json:"params"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(raw, &wire); err != nil {
		return nil, err
	}
	if bytes.Equal(wire.ID, jsonNull) {
		wire.ID = nil
	}
	if wire.Method != nil {
		req := &jsonrpc.Request{Method: *wire.Method, Params: wire.Params}
		if wire.ID != nil {
			id, err := decodeID(wire.ID, false)
			if err != nil {
				return nil, err
			}
			req.ID = id
		}
		return req, nil
	}
	if wire.ID == nil || wire.Result == nil && wire.Error == nil {
		return nil, errNoMessage
	}
	id, err := decodeID(wire.ID, true)
	if err != nil {
		return nil, err
	}
	resp := &jsonrpc.Response{ID: id, Result: wire.Result}
	if wire.Error != nil && !bytes.Equal(wire.Error, jsonNull) {
		resp.Result, resp.Error = nil, decodeError(wire.Error)
	}
	return resp, nil
}

// decodeID reads an id. The ids of our own requests are numbers, so a number
// in a string is one of them (ours).
func decodeID(raw json.RawMessage, ours bool) (jsonrpc.ID, error) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return jsonrpc.ID{}, err
	}
	if s, isString := v.(string); isString && ours {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			v = float64(n)
		}
	}
	return jsonrpc.MakeID(v)
}

func decodeError(raw json.RawMessage) error {
	var e struct {
		Code    json.Number     `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		return &jsonrpc.Error{Message: cutAtRune(string(raw), 4096)}
	}
	code, _ := e.Code.Int64()
	return &jsonrpc.Error{Code: code, Message: e.Message, Data: e.Data}
}
