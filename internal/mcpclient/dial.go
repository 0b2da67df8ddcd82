package mcpclient

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// offeredVersion is the protocol revision that is offered. It is the newest
// that begins with initialize: with a newer one the SDK asks server/discover
// first, on which some servers exit.
const offeredVersion = "2025-11-25"

// carrier is what a connection stands on, and how to end it.
type carrier struct {
	transport *tapTransport
	kind      string // transport as shown in the catalog
	process   *process
	http      *httpClient
	hangUp    func() error // ends the server's side
}

// carriers lists the ways to reach a server, in the order to try them.
func carriers(c Config) []string {
	if c.Transport == TransportAuto {
		return []string{TransportHTTP, TransportSSE}
	}
	return []string{c.Transport}
}

// newCarrier makes the carrier; a process is started here. ctx lives as long
// as the connection.
func newCarrier(ctx context.Context, c Config, kind string, o Options) (*carrier, error) {
	switch kind {
	case TransportStdio:
		return stdioCarrier(c, o)
	case TransportMemory:
		return memoryCarrier(ctx, c)
	case TransportHTTP, TransportSSE:
		return httpCarrier(c, kind)
	}
	return nil, fmt.Errorf("unknown transport %q", kind)
}

func stdioCarrier(c Config, o Options) (*carrier, error) {
	dirs, err := newPrivateDirs(c, o.TempDir)
	if err != nil {
		return nil, err
	}
	p, err := startProcess(c, dirs, o.Getenv)
	if err != nil {
		return nil, err
	}
	conn := newStdioConn(p)
	return &carrier{
		kind: TransportStdio, process: p,
		transport: &tapTransport{connect: func(context.Context) (mcp.Connection, error) { return conn, nil }},
		hangUp: func() error {
			conn.Close()
			err := p.stop(c.Limits.Stop)
			<-conn.readDone
			return err
		},
	}, nil
}

func memoryCarrier(ctx context.Context, c Config) (*carrier, error) {
	if c.New == nil {
		return nil, errors.New("no way to make the server")
	}
	theirs, ours := memoryPair()
	session, err := c.New().Connect(ctx, theirs, nil)
	if err != nil {
		return nil, err
	}
	return &carrier{
		kind:      TransportMemory,
		transport: &tapTransport{connect: ours.Connect},
		hangUp:    func() error { return session.Close() },
	}, nil
}

func httpCarrier(c Config, kind string) (*carrier, error) {
	h, err := newHTTPClient(c)
	if err != nil {
		return nil, err
	}
	var t mcp.Transport = &mcp.StreamableClientTransport{
		Endpoint: c.URL, HTTPClient: h.client, MaxRetries: 1, DisableStandaloneSSE: true, MaxEventSize: maxLine,
	}
	if kind == TransportSSE {
		t = &mcp.SSEClientTransport{Endpoint: c.URL, HTTPClient: h.client, MaxEventSize: maxLine}
	}
	return &carrier{
		kind: kind, http: h,
		transport: &tapTransport{connect: t.Connect},
		hangUp:    func() error { h.base.CloseIdleConnections(); return nil },
	}, nil
}
