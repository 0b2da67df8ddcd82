package mcpclient

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxLine bounds one line of a server's stdout, in bytes. The biggest answer
// seen in the wild is 1 MB.
const maxLine = 64 << 20

// lineFilter passes on the lines of a server's stdout that can be JSON-RPC and
// counts the others. It is not safe for concurrent use.
type lineFilter struct {
	r       *bufio.Reader
	max     int
	garbage int    // lines that were no message
	first   string // the first of them, cut
}

func newLineFilter(r io.Reader, max int) *lineFilter {
	return &lineFilter{r: bufio.NewReaderSize(r, 64<<10), max: max}
}

// next returns the next line that begins with "{" or "[". The line is the
// caller's. A line over the bound is skipped when it is no message, and an
// error when it looks like one, since its answer is lost. At the end of the
// stream a last line without a newline is returned too.
func (f *lineFilter) next() ([]byte, error) {
	for {
		line, err := f.line()
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")))
		if len(line) > 0 && (line[0] == '{' || line[0] == '[') {
			if len(line) > f.max {
				return nil, fmt.Errorf("a line of stdout is longer than %d bytes", f.max)
			}
			return line, nil
		}
		if len(line) > 0 {
			f.reject(line)
		}
		if err != nil {
			return nil, err
		}
	}
}

// reject counts a line that was no message.
func (f *lineFilter) reject(line []byte) {
	if f.garbage++; f.garbage == 1 {
		f.first = clip(string(line[:min(len(line), 200)]))
	}
}

// line reads one line. Of a line over the bound it keeps one byte more than
// the bound, or, when it is no message, only the beginning.
func (f *lineFilter) line() ([]byte, error) {
	var line []byte
	for {
		part, err := f.r.ReadSlice('\n')
		room := f.max + 1
		if start := bytes.TrimLeft(line, " \t\r\xef\xbb\xbf"); len(start) > 0 && start[0] != '{' && start[0] != '[' {
			room = 1024
		}
		if len(line) < room {
			line = append(line, part[:min(len(part), room-len(line))]...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}
