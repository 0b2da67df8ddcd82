package world

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// version is what the embedded servers report as theirs. It changes when an
// answer changes.
const version = "1.0.0"

// server declares one embedded server.
type server struct {
	title        string
	instructions string
	pageSize     int  // tools in one page of tools/list, 0 for all
	bare         bool // tools carry no annotations
	strictErrors bool // errors are JSON-RPC errors instead of results
	tools        func() []tool
}

// servers lists the embedded servers by name. The functions that make tools
// are called for each instance, so that state is never shared.
var servers = map[string]server{
	"books":     booksServer,
	"calendar":  calendarServer,
	"climate":   climateServer,
	"elements":  elementsServer,
	"foods":     foodsServer,
	"itinerary": itineraryServer,
	"money":     moneyServer,
	"numbers":   numbersServer,
	"parks":     parksServer,
	"places":    placesServer,
	"timezones": timezonesServer,
	"units":     unitsServer,
}

// Names lists the embedded servers in alphabetical order.
func Names() []string { return slices.Sorted(maps.Keys(servers)) }

// New makes a fresh instance of an embedded server, with fresh state. A name
// that [Names] does not list is an error.
func New(name string) (*mcp.Server, error) {
	decl, ok := servers[name]
	if !ok {
		return nil, fmt.Errorf("no embedded server %q: there are %v", name, Names())
	}
	s := mcp.NewServer(
		&mcp.Implementation{Name: name, Title: decl.title, Version: version},
		&mcp.ServerOptions{Instructions: decl.instructions, PageSize: decl.pageSize},
	)
	for _, t := range decl.tools() {
		s.AddTool(t.declaration(decl.bare), t.handler(decl.strictErrors))
	}
	return s, nil
}

// Serve runs a fresh instance of an embedded server over newline-delimited
// JSON-RPC, the stdio transport of MCP, until in ends or ctx is done. The end
// of in is no error, and what was read before it is answered. Serve closes in
// and out, if they can be closed.
func Serve(ctx context.Context, name string, in io.Reader, out io.Writer) error {
	s, err := New(name)
	if err != nil {
		return err
	}
	transport := lastWords{&mcp.IOTransport{Reader: readCloser(in), Writer: writeCloser(out)}}
	if err := s.Run(ctx, transport); err != nil && ctx.Err() == nil {
		return fmt.Errorf("serving %s: %w", name, err)
	}
	return ctx.Err()
}

func readCloser(r io.Reader) io.ReadCloser {
	if rc, ok := r.(io.ReadCloser); ok {
		return rc
	}
	return io.NopCloser(r)
}

func writeCloser(w io.Writer) io.WriteCloser {
	if wc, ok := w.(io.WriteCloser); ok {
		return wc
	}
	return nopWriteCloser{w}
}

type nopWriteCloser struct{ io.Writer }

func (nopWriteCloser) Close() error { return nil }
