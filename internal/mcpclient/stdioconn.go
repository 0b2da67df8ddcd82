package mcpclient

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// stdioConn is a [mcp.Connection] over the standard streams of a process. The
// SDK's own gives up at the first line that is no message. One goroutine reads
// and ends with the stream or with Close.
type stdioConn struct {
	stdin    *os.File
	incoming chan incoming
	closed   chan struct{}
	close    sync.Once
	readDone chan struct{}
	writing  chan struct{} // holds a token while a message is written

	mu    sync.Mutex
	noise noise // guarded by mu
}

type incoming struct {
	message jsonrpc.Message
	err     error
	noise   noise // what had been seen when the message was read
}

// noise is what a server wrote to stdout that was no message.
type noise struct {
	lines int
	first string
}

func newStdioConn(p *process) *stdioConn {
	c := &stdioConn{
		stdin: p.stdin, incoming: make(chan incoming), closed: make(chan struct{}),
		readDone: make(chan struct{}), writing: make(chan struct{}, 1),
	}
	go c.readAll(newLineFilter(p.stdout, maxLine), p.silent)
	return c
}

// readAll passes on the messages of stdout and closes silent at its end.
func (c *stdioConn) readAll(f *lineFilter, silent chan<- struct{}) {
	defer close(c.readDone)
	for {
		line, err := f.next()
		var messages []jsonrpc.Message
		if err == nil {
			var ok bool
			if messages, ok = decodeMessages(line); !ok {
				f.reject(line)
			}
		}
		seen := noise{f.garbage, f.first}
		for _, m := range messages {
			if !c.push(incoming{message: m, noise: seen}) {
				return
			}
		}
		if err != nil {
			close(silent)
			c.push(incoming{err: err, noise: seen})
			return
		}
	}
}

func (c *stdioConn) push(in incoming) bool {
	select {
	case c.incoming <- in:
		return true
	case <-c.closed:
		return false
	}
}

// Read implements [mcp.Connection].
func (c *stdioConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case in := <-c.incoming:
		c.mu.Lock()
		c.noise = in.noise
		c.mu.Unlock()
		return in.message, in.err
	case <-c.closed:
		return nil, io.EOF
	case <-c.readDone:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write implements [mcp.Connection]. It does not wait longer than ctx for a
// server that does not read; a message that was cut closes the connection.
func (c *stdioConn) Write(ctx context.Context, m jsonrpc.Message) error {
	raw, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	select {
	case c.writing <- struct{}{}:
		defer func() { <-c.writing }()
	case <-c.closed:
		return io.ErrClosedPipe
	case <-ctx.Done():
		return ctx.Err()
	}
	// Closing is what wakes a write that is stuck. It costs the connection,
	// which a server that reads nothing has lost anyway.
	stop := context.AfterFunc(ctx, func() { c.Close() })
	_, err = c.stdin.Write(append(raw, '\n'))
	if !stop() && err != nil {
		return fmt.Errorf("the server does not read its input: %w", context.Cause(ctx))
	}
	return err
}

// Close implements [mcp.Connection]. It closes the server's stdin; the process
// is stopped by its owner.
func (c *stdioConn) Close() error {
	c.close.Do(func() {
		close(c.closed)
		c.stdin.Close()
	})
	return nil
}

// SessionID implements [mcp.Connection].
func (c *stdioConn) SessionID() string { return "" }

func (c *stdioConn) noiseSoFar() noise {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.noise
}

var _ mcp.Connection = (*stdioConn)(nil)
