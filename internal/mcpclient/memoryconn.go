package mcpclient

import (
	"context"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// memoryConn is one end of a connection within the process. It passes messages
// as they are, where the SDK's own in-memory transport writes and parses each
// of them.
type memoryConn struct {
	in     <-chan jsonrpc.Message
	out    chan<- jsonrpc.Message
	closed chan struct{} // of both ends
	close  *sync.Once
}

// memoryPair makes two ends that are connected to each other.
func memoryPair() (a, b *memoryConn) {
	ab, ba := make(chan jsonrpc.Message), make(chan jsonrpc.Message)
	closed, once := make(chan struct{}), new(sync.Once)
	return &memoryConn{ba, ab, closed, once}, &memoryConn{ab, ba, closed, once}
}

// Connect implements [mcp.Transport]: a pair is connected from the beginning.
func (c *memoryConn) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// Read implements [mcp.Connection].
func (c *memoryConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-c.in:
		return m, nil
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write implements [mcp.Connection]. An error in a response takes the form
// that it has on the wire.
func (c *memoryConn) Write(ctx context.Context, m jsonrpc.Message) error {
	if r, ok := m.(*jsonrpc.Response); ok && r.Error != nil {
		raw, err := jsonrpc.EncodeMessage(r)
		if err != nil {
			return err
		}
		if m, err = jsonrpc.DecodeMessage(raw); err != nil {
			return err
		}
	}
	select {
	case c.out <- m:
		return nil
	case <-c.closed:
		return io.ErrClosedPipe
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close implements [mcp.Connection]. It closes both ends.
func (c *memoryConn) Close() error {
	c.close.Do(func() { close(c.closed) })
	return nil
}

// SessionID implements [mcp.Connection].
func (c *memoryConn) SessionID() string { return "" }
