package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// capture takes the raw answer to one request off the connection. The SDK gets
// a stub in its place, so that an answer it cannot decode is not lost, and
// keeps its accounting.
type capture struct {
	stub   string // a result that the SDK accepts
	id     jsonrpc.ID
	result json.RawMessage
	err    error // the server's JSON-RPC error
	noise  noise // what stdout held before the answer
	done   bool
}

type captureKey struct{}

func withCapture(ctx context.Context, c *capture) context.Context {
	return context.WithValue(ctx, captureKey{}, c)
}

// Stubs of the results that are captured.
const (
	stubInitialize = `{"protocolVersion":"` + offeredVersion + `","capabilities":{},"serverInfo":{"name":"server","version":"0"}}`
	stubList       = `{"tools":[]}`
	stubCall       = `{"content":[]}`
)

// tapTransport connects through another transport and lets captures see the
// answers. It is used once.
type tapTransport struct {
	connect func(context.Context) (mcp.Connection, error)
	conn    *tapConn
}

// Connect implements [mcp.Transport].
func (t *tapTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	inner, err := t.connect(ctx)
	if err != nil {
		return nil, err
	}
	t.conn = &tapConn{Connection: inner, pending: map[jsonrpc.ID]*capture{}}
	return t.conn, nil
}

type tapConn struct {
	mcp.Connection
	mu      sync.Mutex
	pending map[jsonrpc.ID]*capture // guarded by mu, like the fields of a capture
}

// Write registers the capture of a request and sends the request.
func (c *tapConn) Write(ctx context.Context, m jsonrpc.Message) error {
	if req, ok := m.(*jsonrpc.Request); ok && req.IsCall() {
		if capt, ok := ctx.Value(captureKey{}).(*capture); ok {
			c.mu.Lock()
			capt.id = req.ID
			c.pending[req.ID] = capt
			c.mu.Unlock()
		}
	}
	return c.Connection.Write(ctx, m)
}

// maxUnreadable bounds the messages in a row that an SSE connection may fail to
// decode before it counts as lost.
const maxUnreadable = 100

// Read returns the next response or request. Notifications are dropped: no one
// here acts on them, and servers send storms of them.
func (c *tapConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for unreadable := 0; ; {
		m, err := c.Connection.Read(ctx)
		if err != nil {
			unreadable++
			if unreadable > maxUnreadable || ctx.Err() != nil || !skips(c.Connection, err) {
				return nil, err
			}
			continue
		}
		switch m := m.(type) {
		case *jsonrpc.Request:
			if m.IsCall() {
				return m, nil
			}
		case *jsonrpc.Response:
			return c.answer(m), nil
		}
	}
}

// skips says whether a read error is about one message only.
func skips(c mcp.Connection, err error) bool {
	_, stdio := c.(*stdioConn)
	return !stdio && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrClosedPipe)
}

func (c *tapConn) answer(m *jsonrpc.Response) *jsonrpc.Response {
	c.mu.Lock()
	defer c.mu.Unlock()
	capt, ok := c.pending[m.ID]
	if !ok {
		return m
	}
	delete(c.pending, m.ID)
	capt.result, capt.err, capt.done = m.Result, m.Error, true
	if s, ok := c.Connection.(*stdioConn); ok {
		capt.noise = s.noiseSoFar()
	}
	if m.Error != nil {
		return m
	}
	return &jsonrpc.Response{ID: m.ID, Result: json.RawMessage(capt.stub)}
}

// take ends a capture and returns what it holds.
func (c *tapConn) take(capt *capture) (result json.RawMessage, serverErr error, done bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, capt.id)
	return capt.result, capt.err, capt.done
}
