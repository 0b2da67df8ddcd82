package mcpclient

import (
	"runtime"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Transports of a server. [TransportAuto] tries streamable HTTP, then SSE.
const (
	TransportStdio  = "stdio"
	TransportHTTP   = "http"
	TransportSSE    = "sse"
	TransportMemory = "memory"
	TransportAuto   = "auto"
)

// Config says how one server is started or reached. Values are expanded
// already, but for ${WORKDIR}, which stands for the working directory of the
// process and is known only at its start.
type Config struct {
	Name      string // the server's name in the dataset
	Transport string // one of the Transport constants

	Command string            // stdio: the program
	Args    []string          // stdio: its arguments
	Env     map[string]string // stdio: variables beside PATH and the locale
	Dir     string            // stdio: working directory; "" for a private one
	Seed    string            // stdio: folder copied into the private working directory at each start

	URL     string            // http, sse, auto
	Headers map[string]string // http, sse, auto: sent to the URL's own host only

	New func() *mcp.Server // memory: makes an instance with fresh state

	Allow  []string // tools that may be called though not marked read-only
	State  string   // "none" or "session" if the author knows; else ""
	Limits Limits   // zero fields take the Options' values

	secrets []string // values that came from variables: never shown
}

// Limits bound one server. A zero field means the default.
type Limits struct {
	Calls int           // calls in flight at once on one connection; default 4
	Start time.Duration // from start to the answer to initialize; default 30 s
	List  time.Duration // for all pages of tools/list together; default 30 s
	Call  time.Duration // for one tools/call; default 60 s
	Stop  time.Duration // wait after closing stdin, and again after SIGTERM; default 2 s
}

// Options of a [Fleet]. The zero value means defaults.
type Options struct {
	Limits     Limits                   // for servers that set none
	Starts     int                      // servers starting at once; default twice the cores
	Restarts   int                      // times a shared connection that was lost is made again; default 2, negative none
	Spares     int                      // instances kept ready for Fresh, over all servers; default 8, negative none
	ResultSize int                      // bytes of text, and of structured content, kept of one answer; default 4 MiB
	TempDir    string                   // parent of the private directories; default os.TempDir
	Getenv     func(name string) string // source of PATH and the locale; default os.Getenv
	Lazy       bool                     // start a server at its first use instead of in Open
}

// InMemory is the Config of a server in this process.
func InMemory(name string, new func() *mcp.Server) Config {
	return Config{Name: name, Transport: TransportMemory, New: new}
}

func (l Limits) or(d Limits) Limits {
	if l.Calls <= 0 {
		l.Calls = d.Calls
	}
	if l.Start <= 0 {
		l.Start = d.Start
	}
	if l.List <= 0 {
		l.List = d.List
	}
	if l.Call <= 0 {
		l.Call = d.Call
	}
	if l.Stop <= 0 {
		l.Stop = d.Stop
	}
	return l
}

var defaultLimits = Limits{Calls: 4, Start: 30 * time.Second, List: 30 * time.Second, Call: time.Minute, Stop: 2 * time.Second}

func (o Options) withDefaults() Options {
	o.Limits = o.Limits.or(defaultLimits)
	if o.Starts <= 0 {
		o.Starts = 2 * runtime.GOMAXPROCS(0)
	}
	if o.Restarts == 0 {
		o.Restarts = 2
	}
	if o.Spares == 0 {
		o.Spares = 8
	}
	if o.ResultSize <= 0 {
		o.ResultSize = 4 << 20
	}
	return o
}

// workDir is the variable that is expanded at the start of a process.
const workDir = "${WORKDIR}"

func expandWorkDir(s, dir string) string { return strings.ReplaceAll(s, workDir, dir) }
