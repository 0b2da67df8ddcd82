package mcpclient

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// fakeMode is the variable that turns the test binary into a server with the
// oddity that it names.
const fakeMode = "TASKWRIGHT_FAKE_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(fakeMode) == "holds-dirs" {
		holdDirs()
		os.Exit(0)
	}
	if mode := os.Getenv(fakeMode); mode != "" {
		runFake(mode)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// fakeConfig is the config of a fake server with an oddity.
func fakeConfig(t *testing.T, mode string) Config {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Config{
		Name: "fake", Transport: TransportStdio, Command: self,
		Env: map[string]string{fakeMode: mode}, Limits: Limits{Stop: 5 * time.Second},
	}
}

// fake is a server that speaks raw JSON-RPC over its standard streams.
type fake struct {
	out      *bufio.Writer
	in       *bufio.Reader
	version  string
	tools    string // JSON list
	calls    int
	answers  []string // answers to our own requests
	onHello  func(f *fake)
	onNotify func(f *fake)
	onList   func(f *fake, id, cursor string)
	onCall   func(f *fake, id, tool string, arguments json.RawMessage)
	caps     string
}

func runFake(mode string) {
	f := &fake{
		out: bufio.NewWriter(os.Stdout), in: bufio.NewReaderSize(os.Stdin, 1<<20), version: "2025-06-18",
		tools: `[{"name":"echo","description":"Say it again.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}},"annotations":{"readOnlyHint":true}}]`,
	}
	f.onCall = func(f *fake, id, tool string, arguments json.RawMessage) { f.text(id, string(arguments)) }
	setUp, ok := fakeModes[mode]
	if !ok {
		fmt.Fprintln(os.Stderr, "unknown mode", mode)
		os.Exit(9)
	}
	setUp(f)
	for f.serve() {
	}
}

func (f *fake) line(s string) {
	f.out.WriteString(s + "\n")
	f.out.Flush()
}

func (f *fake) result(id, result string) {
	f.line(`{"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}`)
}

func (f *fake) fault(id string, code int, message string) {
	f.line(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, id, code, message))
}

func (f *fake) text(id, text string) {
	raw, _ := json.Marshal(text)
	f.result(id, `{"content":[{"type":"text","text":`+string(raw)+`}]}`)
}

func (f *fake) serve() bool {
	line, err := f.in.ReadString('\n')
	if err != nil {
		return false
	}
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Name, Cursor string
			Arguments    json.RawMessage
			Capabilities json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		fmt.Fprintln(os.Stderr, "bad input:", err)
		os.Exit(8)
	}
	id := string(m.ID)
	switch m.Method {
	case "initialize":
		f.caps = string(m.Params.Capabilities)
		if f.onHello != nil {
			f.onHello(f)
		}
		f.result(id, `{"protocolVersion":"`+f.version+`","capabilities":{"tools":{}},"serverInfo":{"name":"fake","title":"Fake server","version":"1.2"},"instructions":"Be kind."}`)
	case "notifications/initialized":
		if f.onNotify != nil {
			f.onNotify(f)
		}
	case "tools/list":
		if f.onList != nil {
			f.onList(f, id, m.Params.Cursor)
		} else {
			f.result(id, `{"tools":`+f.tools+`}`)
		}
	case "tools/call":
		f.calls++
		f.onCall(f, id, m.Params.Name, m.Params.Arguments)
	case "ping":
		f.fault(id, -32601, "Method not found")
		os.Exit(7) // no one may depend on ping
	case "":
		f.answers = append(f.answers, strings.TrimSpace(line))
	}
	return true
}

// fakeModes are the oddities, each seen in a real server.
var fakeModes = map[string]func(f *fake){
	"plain": func(f *fake) {},
	"noise": func(f *fake) {
		f.line("Starting Fake MCP server...")
		f.line("")
		f.onHello = func(f *fake) { f.line("[dotenv] injected 0 variables") }
		f.onNotify = func(f *fake) {
			f.line("ready")
			f.line(`{"level":"info","msg":"a log line that is JSON"}`)
			f.line("{broken")
		}
		f.onCall = func(f *fake, id, _ string, arguments json.RawMessage) {
			f.out.WriteString("adding…\n")
			f.text(id, string(arguments))
		}
	},
	"picky": func(f *fake) {
		line, _ := f.in.ReadString('\n')
		if !strings.Contains(line, `"initialize"`) {
			os.Exit(3)
		}
		f.in = bufio.NewReader(strings.NewReader(line))
		f.serve()
		f.in = bufio.NewReader(os.Stdin)
	},
	"big": func(f *fake) {
		f.tools = `[{"name":"echo","description":"` + strings.Repeat("long ", 300_000) + `","inputSchema":{"type":"object"}}]`
		f.onCall = func(f *fake, id, tool string, _ json.RawMessage) { f.text(id, strings.Repeat("é", 3<<20)) }
	},
	"schemas": func(f *fake) {
		f.tools = `[
			{"name":"untyped","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#"}},
			{"name":"none"},
			{"name":"draft4","inputSchema":{"type":"object","properties":{"n":{"type":"number","minimum":0,"exclusiveMinimum":true}}}},
			{"name":"list","inputSchema":[1]},
			{"name":"draft4","description":"a second one","inputSchema":{"type":"object"}},
			{"name":"","inputSchema":{"type":"object"}},
			7,
			{"name":"odd","title":5,"description":["x"],"inputSchema":{"type":"string"},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":false,"category":"x"},"icons":"no","_meta":3},
			{"name":"keeper","inputSchema":{"type":"object","properties":{"big":{"const":1234567890123456789}}},"annotations":{"destructiveHint":true,"title":"Keeper"}},
			{"name":"wipe","inputSchema":{"type":"object","required":"x"},"annotations":{"idempotentHint":true}}]`
		f.tools = strings.ReplaceAll(f.tools, "\n", " ")
	},
	"storm": func(f *fake) {
		storm := func(f *fake) {
			for range 2000 {
				f.line(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			}
		}
		f.onNotify = storm
		lists := 0
		f.onList = func(f *fake, id, _ string) {
			lists++
			f.result(id, `{"tools":`+f.tools+`}`)
			storm(f)
		}
		f.onCall = func(f *fake, id, _ string, _ json.RawMessage) {
			f.text(id, fmt.Sprintf("lists %d caps %s", lists, f.caps))
		}
	},
	"errors": func(f *fake) {
		f.tools = `[{"name":"tool","inputSchema":{"type":"object"}},{"name":"rpc","inputSchema":{"type":"object"}},{"name":"ok","inputSchema":{"type":"object"}},{"name":"structured","inputSchema":{"type":"object"}},{"name":"text-rpc","inputSchema":{"type":"object"}}]`
		f.onCall = func(f *fake, id, tool string, _ json.RawMessage) {
			switch tool {
			case "tool":
				f.result(id, `{"isError":true,"content":[{"type":"text","text":"park not found"}],"structuredContent":{"code":4}}`)
			case "rpc":
				f.fault(id, -32603, "fetch failed")
			case "ok":
				f.text(id, "Error: no such task")
			case "structured":
				f.result(id, `{"content":[],"structuredContent":{"error":"disk on fire"}}`)
			case "text-rpc":
				f.line(`{"jsonrpc":"2.0","id":"` + id + `","error":"just words"}`)
			case "ghost-rpc":
				f.fault(id, -32601, "Method not found")
			default:
				f.result(id, `{"isError":true,"content":[{"type":"text","text":"Unknown tool: `+tool+`"}]}`)
			}
		}
	},
	"list-fails": func(f *fake) { f.onList = func(f *fake, id, _ string) { f.fault(id, -32603, "fetch failed") } },
	"list-exits": func(f *fake) {
		f.onList = func(*fake, string, string) { fmt.Fprintln(os.Stderr, "no database"); os.Exit(4) }
	},
	"list-silent": func(f *fake) { f.onList = func(*fake, string, string) {} },
	"silent": func(f *fake) {
		fmt.Fprintln(os.Stderr, "listening on port 3000")
		f.onHello = func(*fake) { time.Sleep(time.Hour) }
	},
	"exits": func(f *fake) {
		fmt.Fprintln(os.Stderr, "key "+os.Getenv("API_KEY")+" refused at "+os.Getenv("HOME"))
		os.Exit(5)
	},
	"null-id": func(f *fake) {
		f.onNotify = func(f *fake) {
			f.line(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`)
			f.line(`{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}`)
		}
		f.onCall = func(f *fake, id, _ string, arguments json.RawMessage) {
			f.line(`[{"jsonrpc":"2.0","id":99999,"result":{}},{"id":` + id + `,"result":{"content":[{"type":"text","text":"in a batch"}]}}]`)
		}
	},
	"strict-arguments": func(f *fake) {
		f.onCall = func(f *fake, id, _ string, arguments json.RawMessage) {
			if !strings.HasPrefix(string(arguments), "{") {
				f.fault(id, -32603, "No arguments provided")
				return
			}
			f.text(id, string(arguments))
		}
	},
	"old-version": func(f *fake) { f.version = "1999-01-01" },
	"stubborn": func(f *fake) {
		signal.Ignore(syscall.SIGTERM)
		child := exec.Command(os.Args[0])
		child.Env = []string{fakeMode + "=sleeper"}
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			panic(err)
		}
		f.onCall = func(f *fake, id, _ string, _ json.RawMessage) {
			f.text(id, fmt.Sprint(os.Getpid(), " ", child.Process.Pid))
		}
		for f.serve() {
		}
		time.Sleep(time.Hour)
	},
	"sleeper": func(f *fake) { signal.Ignore(syscall.SIGTERM); time.Sleep(time.Hour) },
	"asks": func(f *fake) {
		f.onNotify = func(f *fake) {
			f.line(`{"jsonrpc":"2.0","id":"r1","method":"roots/list"}`)
			f.line(`{"jsonrpc":"2.0","id":2,"method":"log","params":{"level":"info"}}`)
			f.line(`{"jsonrpc":"2.0","id":3,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}`)
			f.line(`{"jsonrpc":"2.0","id":4,"method":"elicitation/create","params":{"message":"who?","requestedSchema":{"type":"object"}}}`)
			f.line(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"hello"}}`)
		}
		f.onCall = func(f *fake, id, _ string, _ json.RawMessage) {
			for len(f.answers) < 4 && f.serve() {
			}
			f.text(id, strings.Join(f.answers, "\n"))
		}
	},
	"endless-pages": func(f *fake) {
		f.onList = func(f *fake, id, cursor string) {
			next := map[string]string{"": "b", "b": "c", "c": "b"}[cursor]
			f.result(id, `{"tools":[{"name":"t`+cursor+`","inputSchema":{"type":"object"}}],"nextCursor":"`+next+`"}`)
		}
	},
	"broken-page": func(f *fake) {
		f.onList = func(f *fake, id, cursor string) {
			if cursor != "" {
				f.fault(id, -32602, "bad cursor")
				return
			}
			f.result(id, `{"tools":`+f.tools+`,"nextCursor":"2"}`)
		}
	},
	"blocks": func(f *fake) {
		f.onCall = func(f *fake, id, _ string, _ json.RawMessage) {
			f.result(id, `{"content":[{"type":"text","text":"one"},{"type":"image","data":"!!","mimeType":"image/png"},{"type":"audio","data":""},{"type":"resource","resource":{"uri":"a:b","text":"inner"}},{"type":"resource_link","uri":"c:d","name":"x"},{"type":"hologram"},{"type":"text","text":"two","annotations":{"priority":"high"}},5],"structuredContent":{"n":1234567890123456789,"dir":"`+mustWd()+`/x"}}`)
		}
	},
	"state": func(f *fake) {
		f.onCall = func(f *fake, id, tool string, arguments json.RawMessage) {
			var a struct{ Path, Text string }
			json.Unmarshal(arguments, &a)
			if a.Text != "" {
				os.WriteFile(a.Path, []byte(a.Text), 0o600)
			}
			raw, err := os.ReadFile(a.Path)
			f.text(id, fmt.Sprintf("%s=%s %v home %s wd %s temp %s arg %s", a.Path, raw, err, os.Getenv("HOME"), mustWd(), os.TempDir(), strings.Join(os.Args[1:], " ")))
		}
	},
	"environment": func(f *fake) {
		f.onCall = func(f *fake, id, _ string, _ json.RawMessage) { f.text(id, strings.Join(os.Environ(), "\n")) }
	},
	"mortal": func(f *fake) {
		f.onCall = func(f *fake, id, tool string, arguments json.RawMessage) {
			if strings.Contains(string(arguments), "die") {
				fmt.Fprintln(os.Stderr, "panic: token "+os.Getenv("API_KEY"))
				os.Exit(6)
			}
			f.text(id, fmt.Sprint("call ", f.calls))
		}
	},
	"call-silent": func(f *fake) {
		f.onCall = func(f *fake, id, _ string, arguments json.RawMessage) {
			if strings.Contains(string(arguments), "late") {
				return
			}
			f.text(id, "in time")
		}
	},
	"deaf": func(f *fake) {
		f.onNotify = func(f *fake) { time.Sleep(time.Hour) } // reads nothing more
	},
	"huge": func(f *fake) {
		f.onCall = func(f *fake, id, _ string, _ json.RawMessage) {
			f.out.WriteString(`{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"`)
			chunk := strings.Repeat("x", 1<<20)
			for range 65 {
				f.out.WriteString(chunk)
			}
			f.line(`"}]}}`)
		}
	},
}

func mustWd() string {
	wd, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	wd, err = filepath.EvalSymlinks(wd)
	if err != nil {
		panic(err)
	}
	return wd
}
