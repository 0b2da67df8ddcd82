package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// counts lists numbers by name, the greatest first: "5 observed, 2 declared".
func counts[N cmp.Ordered](of map[string]N) string {
	names := slices.SortedFunc(maps.Keys(of), func(a, b string) int {
		return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(a, b))
	})
	var parts []string
	for _, name := range names {
		parts = append(parts, fmt.Sprintf("%v %s", of[name], name))
	}
	return strings.Join(parts, ", ")
}

// bracketed is counts in brackets after what they are parts of, nothing for
// none.
func bracketed[N cmp.Ordered](of map[string]N) string {
	if len(of) == 0 {
		return ""
	}
	return " (" + counts(of) + ")"
}

// plural is a number with the name of what it counts, which takes an s when
// it is not one.
func plural(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", n, name)
}

// printing writes lines until one fails.
type printing struct {
	out io.Writer
	err error
}

func (p *printing) f(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.out, format, args...)
	}
}
