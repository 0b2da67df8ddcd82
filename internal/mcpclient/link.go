package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// link is one connection to one server, over which initialize has succeeded.
// It is safe for concurrent use but for close, which is called once.
type link struct {
	config   Config
	options  Options
	carrier  *carrier
	session  *mcp.ClientSession
	hello    hello
	redact   redactor
	outward  pathMap // private to virtual paths
	inward   pathMap
	calls    chan struct{} // a token for each call in flight
	life     context.Context
	end      context.CancelCauseFunc
	gone     chan struct{} // closed when the session has ended
	unusable atomic.Bool   // a request failed without an answer: connect again before the next
}

// hello is what a server says about itself.
type hello struct {
	ProtocolVersion string `json:"protocolVersion"`
	Instructions    string `json:"instructions"`
	ServerInfo      struct {
		Name    string `json:"name"`
		Title   string `json:"title"`
		Version string `json:"version"`
	} `json:"serverInfo"`
}

// protocolHeader is the negotiated revision, known after initialize.
type protocolHeader struct{ v atomic.Pointer[string] }

func (p *protocolHeader) set(v string) { p.v.Store(&v) }

func (p *protocolHeader) get() string {
	if v := p.v.Load(); v != nil {
		return *v
	}
	return ""
}

// connect starts or reaches a server and says hello, within the start limit.
func connect(ctx context.Context, c Config, o Options) (*link, error) {
	var failures []error
	for i, kind := range carriers(c) {
		l, err := connectBy(ctx, c, kind, o)
		if err == nil {
			return l, nil
		}
		failures = append(failures, err)
		if ctx.Err() != nil || i == 0 && kind == TransportHTTP && errors.Is(err, context.DeadlineExceeded) {
			break
		}
	}
	if len(failures) == 2 {
		var second *Error
		if errors.As(failures[1], &second) && failures[0].Error() != failures[1].Error() {
			second.Err = fmt.Errorf("%w (by SSE; by streamable HTTP: %v)", second.Err, errors.Unwrap(failures[0]))
		}
	}
	return nil, failures[len(failures)-1]
}

func connectBy(ctx context.Context, c Config, kind string, o Options) (*link, error) {
	l := &link{config: c, options: o, redact: newRedactor(c), calls: make(chan struct{}, c.Limits.Calls), gone: make(chan struct{})}
	l.life, l.end = context.WithCancelCause(context.WithoutCancel(ctx))
	var err error
	if l.carrier, err = newCarrier(l.life, c, kind, o); err != nil {
		l.end(ErrClosed)
		return nil, l.failed("starting", err)
	}
	if p := l.carrier.process; p != nil {
		l.outward, l.inward = virtualPaths(p.dirs)
	}
	if err := l.greet(ctx); err != nil {
		if err := l.hangUp(); err != nil {
			slog.Debug("stopping a server that did not start", "server", c.Name, "error", err)
		}
		return nil, err
	}
	go func() {
		l.session.Wait()
		close(l.gone)
	}()
	return l, nil
}

// greet runs initialize. The SDK ties some connections to the context of
// Connect, so the limit must not end with it: a timer ends the link's life.
func (l *link) greet(ctx context.Context) error {
	limit := l.config.Limits.Start
	timer := time.AfterFunc(limit, func() { l.end(timeoutError{limit}) })
	stop := context.AfterFunc(ctx, func() { l.end(context.Cause(ctx)) })
	client := mcp.NewClient(&mcp.Implementation{Name: "taskwright", Version: "1"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{}, // no roots, no sampling, no elicitation
		Logger:       slog.New(slog.DiscardHandler),
	})
	capt := &capture{stub: stubInitialize}
	session, err := client.Connect(withCapture(l.life, capt), l.carrier.transport, &mcp.ClientSessionOptions{ProtocolVersion: offeredVersion})
	inTime := timer.Stop()
	if waited := stop(); err == nil && !(inTime && waited) {
		session.Close()
		err = ErrClosed
	}
	if err != nil {
		if cause := context.Cause(l.life); cause != nil {
			err = cause
		}
		return l.failed("starting", err)
	}
	l.session = session
	l.readHello(capt)
	return nil
}

func (l *link) readHello(capt *capture) {
	raw, _, _ := l.carrier.transport.conn.take(capt)
	if err := json.Unmarshal(raw, &l.hello); err != nil {
		// Odd types in it are no reason to refuse the server.
		slog.Debug("reading the answer to initialize", "server", l.config.Name, "error", err)
	}
	l.hello.Instructions = l.outward.text(l.hello.Instructions)
	if h := l.carrier.http; h != nil {
		h.protocol.set(l.hello.ProtocolVersion)
	}
}

// lost says whether the connection is of no more use.
func (l *link) lost() bool {
	select {
	case <-l.gone:
		return true
	default:
		return l.unusable.Load()
	}
}

// close ends the calls in flight, the session, the process and its directories.
func (l *link) close() error {
	err := l.hangUp()
	<-l.gone
	return err
}

func (l *link) hangUp() error {
	l.end(ErrClosed)
	if l.session != nil && l.carrier.process == nil {
		l.session.Close() // says goodbye; a process is told by closing its stdin
	}
	err := l.carrier.hangUp()
	if l.session != nil {
		l.session.Close()
	}
	return err
}

// failed makes the error of an operation that got no answer. If the process has
// closed its stdout, it is ending: the error waits, to say how it ended.
func (l *link) failed(op string, err error) error {
	text := err.Error()
	if l.carrier != nil && l.carrier.http != nil {
		text = l.carrier.http.plain(text)
	}
	e := &Error{Server: l.config.Name, Op: op, Err: redacted{l.redact.text(l.outward.text(text)), err}}
	e.Timeout = errors.As(err, new(timeoutError))
	if l.carrier == nil || l.carrier.process == nil {
		return e
	}
	p := l.carrier.process
	select {
	case <-p.silent:
		p.waitFor(2 * drainTime)
	default:
	}
	select {
	case <-p.exited:
		e.Exit = p.exit
	default:
	}
	e.Stderr = l.redact.text(l.outward.text(p.stderr.String()))
	return e
}
