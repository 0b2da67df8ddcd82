package mcpclient

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// readLines reads all lines of a stream through a filter.
func readLines(r io.Reader, max int) (lines []string, garbage int, err error) {
	f := newLineFilter(r, max)
	for {
		line, err := f.next()
		if line != nil {
			lines = append(lines, string(line))
		}
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return lines, f.garbage, err
		}
		if line == nil {
			return lines, f.garbage, io.ErrNoProgress
		}
	}
}

func TestLineFilter(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	tests := []struct {
		name, in string
		want     []string
		garbage  int
		err      bool
	}{
		{"empty", "", nil, 0, false},
		{"messages", "{1}\r\n  {2}\n\n[3]\n", []string{"{1}", "{2}", "[3]"}, 0, false},
		{"noise", "hello\n{1}\nbye {2}\n", []string{"{1}"}, 2, false},
		{"byte order mark", "\xef\xbb\xbf{1}\n", []string{"{1}"}, 0, false},
		{"no last newline", "{1}\n{2}", []string{"{1}", "{2}"}, 0, false},
		{"long line", "{" + long + "}\n", []string{"{" + long + "}"}, 0, false},
		{"long noise", long + long + "\n{1}\n", []string{"{1}"}, 1, false},
		{"too long", "{" + long + long + "}\n{1}\n", nil, 0, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(test.in), iotest.DataErrReader(strings.NewReader(test.in))} {
				got, garbage, err := readLines(r, 250_000)
				if strings.Join(got, "|") != strings.Join(test.want, "|") || garbage != test.garbage || (err != nil) != test.err {
					t.Errorf("%d lines, %d of garbage, error %v", len(got), garbage, err)
				}
			}
		})
	}
}

func FuzzLineFilter(f *testing.F) {
	f.Add([]byte("noise\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"))
	f.Add([]byte("{\"id\":null,\"error\":1}\n[{\"method\":\"log\",\"id\":\"a\"},2]\n[]\n"))
	f.Add([]byte("\xef\xbb\xbf \t{\"id\":1e99,\"result\":null}\r\n\x00\n["))
	f.Fuzz(func(t *testing.T, in []byte) {
		const most = 100
		lines, garbage, _ := readLines(bytes.NewReader(in), most)
		if total := bytes.Count(in, []byte("\n")) + 1; len(lines)+garbage > total {
			t.Errorf("%d messages and %d lines of garbage in %d lines", len(lines), garbage, total)
		}
		for _, line := range lines {
			if len(line) > most || line[0] != '{' && line[0] != '[' || strings.Contains(line, "\n") {
				t.Errorf("passed on %q", line)
			}
			messages, _ := decodeMessages([]byte(line))
			for _, m := range messages {
				if _, err := jsonrpc.EncodeMessage(m); err != nil {
					t.Errorf("%q gave a message that cannot be encoded: %v", line, err)
				}
			}
		}
	})
}

func TestDecodeMessages(t *testing.T) {
	tests := []struct {
		line string
		want int
		ok   bool
	}{
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, 1, true},
		{`{"id":"1","result":{}}`, 1, true},
		{`{"id":1,"result":null}`, 1, true},
		{`{"method":"log","id":"x"}`, 1, true},
		{`{"method":"notifications/x"}`, 1, true},
		{`{"id":null,"error":{"code":-32700}}`, 0, false},
		{`{"level":"info"}`, 0, false},
		{`{"id":{},"result":1}`, 0, false},
		{`{"id":1}`, 0, false},
		{`{`, 0, false},
		{`[]`, 0, false},
		{`[{"id":1,"result":{}},5]`, 1, false},
	}
	for _, test := range tests {
		if got, ok := decodeMessages([]byte(test.line)); len(got) != test.want || ok != test.ok {
			t.Errorf("%s: %d messages, %v", test.line, len(got), ok)
		}
	}
}
