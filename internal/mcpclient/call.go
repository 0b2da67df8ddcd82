package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/taskwright/taskwright/datasets"
)

// call calls a tool. known says whether the server listed the tool; nil means
// that nothing is known.
func (l *link) call(ctx context.Context, tool string, arguments json.RawMessage, known func(string) bool) (datasets.ToolResult, error) {
	op := "calling " + clip(tool)
	arguments, err := l.inward.arguments(arguments)
	if err != nil {
		return datasets.ToolResult{}, fmt.Errorf("server %s: %s: %w", l.config.Name, op, err)
	}
	select {
	case l.calls <- struct{}{}:
		defer func() { <-l.calls }()
	case <-ctx.Done():
		return datasets.ToolResult{}, l.failed(op, context.Cause(ctx))
	}
	ctx, cancel := l.within(ctx)
	defer cancel(nil)
	capt := &capture{stub: stubCall}
	_, err = l.session.CallTool(withCapture(ctx, capt), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	raw, serverErr, done := l.carrier.transport.conn.take(capt)
	if !done || err != nil && ctx.Err() != nil { // an answer to the cancellation is none to the call
		return datasets.ToolResult{}, l.noAnswer(ctx, op, err)
	}
	reader := resultReader{tool: tool, unlisted: known != nil && !known(tool), paths: l.outward, size: l.options.ResultSize}
	if serverErr != nil {
		return reader.protocolError(serverErr), nil
	}
	return reader.read(raw), nil
}

// within bounds a call by its time limit and by the life of the link.
func (l *link) within(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	limit := l.config.Limits.Call
	ctx, cancelTime := context.WithTimeoutCause(ctx, limit, timeoutError{limit})
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(l.life, func() { cancel(context.Cause(l.life)) })
	return ctx, func(cause error) {
		stop()
		cancel(cause)
		cancelTime()
	}
}

// noAnswer is the error of a request that was not answered.
func (l *link) noAnswer(ctx context.Context, op string, err error) error {
	for _, c := range []context.Context{l.life, ctx} {
		if cause := context.Cause(c); cause != nil {
			return l.failed(op, cause)
		}
	}
	if err == nil {
		err = errors.New("the answer was lost")
	}
	l.unusable.Store(true)
	return l.failed(op, err)
}

// listPage asks for one page of the tools.
func (l *link) listPage(ctx context.Context, cursor string) (json.RawMessage, noise, error) {
	capt := &capture{stub: stubList}
	_, err := l.session.ListTools(withCapture(ctx, capt), &mcp.ListToolsParams{Cursor: cursor})
	raw, serverErr, done := l.carrier.transport.conn.take(capt)
	if !done {
		return nil, noise{}, l.noAnswer(ctx, "listing tools", err)
	}
	if serverErr != nil {
		var wire *jsonrpc.Error
		errors.As(serverErr, &wire)
		return nil, noise{}, l.failed("listing tools", wire)
	}
	capt.noise.first = l.redact.text(l.outward.text(capt.noise.first))
	return json.RawMessage(l.outward.text(string(raw))), capt.noise, nil
}
