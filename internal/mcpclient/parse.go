package mcpclient

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Bounds of an mcp.json file.
const (
	maxConfigBytes = 4 << 20
	maxConfigDepth = 20
	maxServers     = 1000
)

// value is a JSON value that knows its line and keeps the order of its keys.
type value struct {
	line    int
	scalar  any  // string, json.Number, bool or nil; unset for objects and arrays
	kind    byte // '{', '[' or 's'
	members []member
	items   []value
}

type member struct {
	key   string
	line  int
	value value
}

// parseValue reads exactly one JSON value. Errors name the line.
func parseValue(r io.Reader) (value, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxConfigBytes+1))
	if err != nil {
		return value{}, err
	}
	if len(raw) > maxConfigBytes {
		return value{}, fmt.Errorf("larger than %d bytes", maxConfigBytes)
	}
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	p := &valueParser{raw: raw, dec: json.NewDecoder(bytes.NewReader(raw))}
	p.dec.UseNumber()
	v, err := p.value(0)
	if err != nil {
		return value{}, p.at(err)
	}
	if _, err := p.dec.Token(); err != io.EOF {
		return value{}, p.at(fmt.Errorf("more input after the JSON value"))
	}
	return v, nil
}

type valueParser struct {
	raw []byte
	dec *json.Decoder
}

func (p *valueParser) line() int {
	end := min(int(p.dec.InputOffset()), len(p.raw))
	return 1 + bytes.Count(p.raw[:end], []byte("\n"))
}

func (p *valueParser) at(err error) error {
	line := p.line()
	if s, ok := err.(*json.SyntaxError); ok {
		line = 1 + bytes.Count(p.raw[:min(int(s.Offset), len(p.raw))], []byte("\n"))
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = fmt.Errorf("unexpected end of the file")
	}
	return fmt.Errorf("line %d: %w", line, err)
}

func (p *valueParser) value(depth int) (value, error) {
	if depth > maxConfigDepth {
		return value{}, fmt.Errorf("nested deeper than %d levels", maxConfigDepth)
	}
	tok, err := p.dec.Token()
	if err != nil {
		return value{}, err
	}
	v := value{line: p.line(), kind: 's', scalar: tok}
	switch tok {
	case json.Delim('{'):
		v.kind, v.scalar = '{', nil
		err = p.object(&v, depth)
	case json.Delim('['):
		v.kind, v.scalar = '[', nil
		err = p.array(&v, depth)
	}
	return v, err
}

func (p *valueParser) object(v *value, depth int) error {
	seen := map[string]int{}
	for p.dec.More() {
		tok, err := p.dec.Token()
		if err != nil {
			return err
		}
		m := member{key: tok.(string), line: p.line()}
		if first, dup := seen[m.key]; dup {
			return fmt.Errorf("key %q is there twice (first on line %d)", clip(m.key), first)
		}
		seen[m.key] = m.line
		if m.value, err = p.value(depth + 1); err != nil {
			return err
		}
		v.members = append(v.members, m)
	}
	_, err := p.dec.Token()
	return err
}

func (p *valueParser) array(v *value, depth int) error {
	for p.dec.More() {
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		v.items = append(v.items, item)
	}
	_, err := p.dec.Token()
	return err
}

func (v value) what() string {
	switch v.scalar.(type) {
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case bool:
		return "a boolean"
	}
	switch v.kind {
	case '{':
		return "an object"
	case '[':
		return "a list"
	}
	return "null"
}

// clip bounds a name from the outside for use in a message.
func clip(s string) string {
	const most = 80
	if len(s) > most {
		s = cutAtRune(s, most) + "…"
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// closest is the known name that the author most likely meant, or "".
func closest(name string, known []string) string {
	best, bestDistance := "", 3
	for _, k := range known {
		if d := editDistance(strings.ToLower(clip(name)), strings.ToLower(k)); d < bestDistance && d < len(k) {
			best, bestDistance = k, d
		}
	}
	return best
}

func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
