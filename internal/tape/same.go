package tape

import (
	"slices"

	"github.com/taskwright/taskwright/datasets"
)

// SameResult says whether two answers to one call are the same: equal content,
// where JSON counts by value, not by its spelling.
func SameResult(a, b datasets.ToolResult) bool {
	return a.IsError == b.IsError && a.ErrorKind == b.ErrorKind && a.Truncated == b.Truncated &&
		slices.Equal(a.ContentTypes, b.ContentTypes) && sameText(a.Text, b.Text) && sameText(a.Structured, b.Structured)
}

func sameText(a, b string) bool {
	if a == b {
		return true
	}
	x, err := datasets.CanonicalJSON(a)
	if err != nil {
		return false
	}
	y, err := datasets.CanonicalJSON(b)
	return err == nil && x == y
}
