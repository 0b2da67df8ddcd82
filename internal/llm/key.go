package llm

import (
	"fmt"
	"log/slog"
	"strings"
)

// Key is an API key. However it is printed, it does not show.
type Key string

// hidden stands for a key in whatever is printed.
const hidden = "[key]"

// String implements [fmt.Stringer].
func (k Key) String() string {
	if k == "" {
		return ""
	}
	return hidden
}

// Format implements [fmt.Formatter], so that no verb shows the key.
func (k Key) Format(f fmt.State, _ rune) { fmt.Fprint(f, k.String()) }

// MarshalText implements [encoding.TextMarshaler].
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// LogValue implements [slog.LogValuer].
func (k Key) LogValue() slog.Value { return slog.StringValue(k.String()) }

// scrub removes the key from a text that came from outside.
func (k Key) scrub(text string) string {
	if k == "" {
		return text
	}
	return strings.ReplaceAll(text, string(k), hidden)
}
