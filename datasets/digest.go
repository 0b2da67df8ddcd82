package datasets

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Digest is the SHA-256 of its parts in hexadecimal. Parts are length-prefixed,
// so that ("ab", "c") and ("a", "bc") differ.
func Digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		io.WriteString(h, p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// CallKey is the tape key of a call: the digest of everything that can change
// its answer. Arguments must be canonical (see [CanonicalJSON]); history is ""
// for a server without state.
func CallKey(server, tool, arguments, history string) string {
	return Digest("call", server, tool, arguments, history)
}

// NextHistory is the history of a session on one server after one more call.
func NextHistory(history, tool, arguments string) string {
	return Digest("history", history, tool, arguments)
}

// DecodeJSON decodes one JSON value and keeps numbers as [json.Number]; input
// after the value is an error.
func DecodeJSON(raw string) (any, error) {
	d := json.NewDecoder(strings.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("more input after the JSON value")
	}
	return v, nil
}

// CanonicalJSON rewrites a JSON value so that equal values have equal bytes:
// sorted keys, no white space, no HTML escapes, whole numbers without fraction
// or exponent ("5.0" becomes "5").
func CanonicalJSON(raw string) (string, error) {
	v, err := DecodeJSON(raw)
	if err != nil {
		return "", err
	}
	return EncodeJSON(v), nil
}

// EncodeJSON encodes a decoded JSON value in the form of [CanonicalJSON].
// It panics on a value that JSON cannot hold, which [DecodeJSON] never returns.
func EncodeJSON(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(canonicalNumbers(v)); err != nil {
		panic("datasets: encoding JSON: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func canonicalNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		return canonicalNumber(v)
	case float64:
		return canonicalNumber(json.Number(strconv.FormatFloat(v, 'g', -1, 64)))
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, e := range v {
			m[k] = canonicalNumbers(e)
		}
		return m
	case []any:
		s := make([]any, len(v))
		for i, e := range v {
			s[i] = canonicalNumbers(e)
		}
		return s
	}
	return v
}

func canonicalNumber(n json.Number) json.Number {
	if !strings.ContainsAny(string(n), ".eE") { // of any size: an id must not lose digits
		if n == "-0" {
			return "0"
		}
		return n
	}
	f, err := n.Float64()
	if err != nil || math.IsInf(f, 0) {
		return n
	}
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return json.Number(strconv.FormatInt(int64(f), 10))
	}
	b, err := json.Marshal(f)
	if err != nil {
		return n
	}
	return json.Number(b)
}
