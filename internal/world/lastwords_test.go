package world

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// hello is how a client begins.
const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"printf","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// answered serves an input that ends right after its last byte and returns the
// numbers of the requests that were answered without an error.
func answered(t *testing.T, input string) map[int]bool {
	t.Helper()
	var out bytes.Buffer
	if err := Serve(context.Background(), "units", strings.NewReader(input), &out); err != nil {
		t.Errorf("Serve: %v", err)
	}
	got := map[int]bool{}
	for d := json.NewDecoder(&out); ; {
		var answer struct {
			ID     int
			Result json.RawMessage
		}
		if err := d.Decode(&answer); err == io.EOF {
			return got
		} else if err != nil {
			t.Fatal(err)
		}
		got[answer.ID] = len(answer.Result) > 0
	}
}

func TestWhatWasReadIsAnswered(t *testing.T) {
	for name, c := range map[string]struct {
		input string
		want  map[int]bool
	}{
		"nothing":       {"", map[int]bool{}},
		"hello":         {hello, map[int]bool{1: true}},
		"list":          {hello + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n", map[int]bool{1: true, 2: true}},
		"no line break": {hello + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, map[int]bool{1: true, 2: true}},
		"bad method":    {hello + `{"jsonrpc":"2.0","id":2,"method":"tools/lost"}` + "\n", map[int]bool{1: true, 2: false}},
		"call": {hello + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"convert","arguments":{"value":1,"from":"km","to":"m"}}}
`, map[int]bool{1: true, 2: true, 3: true}},
	} {
		t.Run(name, func(t *testing.T) {
			for range 50 {
				if diff := cmp.Diff(c.want, answered(t, c.input)); diff != "" {
					t.Fatal(diff)
				}
			}
		})
	}
}

func TestManyRequestsAtOnce(t *testing.T) {
	var input strings.Builder
	input.WriteString(hello)
	const n = 200
	for id := 2; id <= n; id++ {
		fmt.Fprintf(&input, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}\n", id)
	}
	if got := answered(t, input.String()); len(got) != n {
		t.Errorf("%d answers to %d requests", len(got), n)
	}
}
