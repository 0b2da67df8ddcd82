package world

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// lastWordsTime bounds the wait for answers after the end of the input.
const lastWordsTime = 10 * time.Second

// lastWords is a transport that reports the end of its input only after every
// request that was read has been answered: the SDK drops the answers that are
// on their way when its input ends, as it does in printf … | taskwright serve.
type lastWords struct{ mcp.Transport }

func (t lastWords) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &answering{Connection: conn, changed: make(chan struct{}), closed: make(chan struct{})}, nil
}

// answering counts the requests that have no answer yet. It is safe for
// concurrent use, as far as the connection within is.
type answering struct {
	mcp.Connection

	mu      sync.Mutex
	open    int           // requests without an answer
	changed chan struct{} // closed, and made anew, at each answer

	once   sync.Once
	closed chan struct{}
}

func (a *answering) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := a.Connection.Read(ctx)
	if err != nil {
		a.settle(ctx)
		return m, err
	}
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		a.mu.Lock()
		a.open++
		a.mu.Unlock()
	}
	return m, nil
}

func (a *answering) Write(ctx context.Context, m jsonrpc.Message) error {
	err := a.Connection.Write(ctx, m)
	if _, ok := m.(*jsonrpc.Response); ok {
		a.mu.Lock()
		a.open--
		close(a.changed)
		a.changed = make(chan struct{})
		a.mu.Unlock()
	}
	return err
}

func (a *answering) Close() error {
	a.once.Do(func() { close(a.closed) })
	return a.Connection.Close()
}

// settle waits until no request is without an answer, the connection is
// closed, ctx is done or the time is over.
func (a *answering) settle(ctx context.Context) {
	limit := time.NewTimer(lastWordsTime)
	defer limit.Stop()
	for {
		a.mu.Lock()
		open, changed := a.open, a.changed
		a.mu.Unlock()
		if open <= 0 {
			return
		}
		select {
		case <-changed:
		case <-a.closed:
			return
		case <-ctx.Done():
			return
		case <-limit.C:
			return
		}
	}
}
