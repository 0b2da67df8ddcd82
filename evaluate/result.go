package evaluate

import (
	"strings"
	"unicode/utf8"

	"github.com/taskwright/taskwright/datasets"
)

// clip cuts the text of a result at a byte limit, between two characters.
// Structured content has no meaning when cut: beyond the limit it is dropped.
func clip(res datasets.ToolResult, limit int) datasets.ToolResult {
	if len(res.Text) > limit {
		cut := limit
		for cut > 0 && !utf8.RuneStart(res.Text[cut]) {
			cut--
		}
		res.Text, res.Truncated = res.Text[:cut], true
	}
	if len(res.Structured) > limit {
		res.Structured, res.Truncated = "null", true
	}
	if res.Structured == "" {
		res.Structured = "null"
	}
	return res
}

// Observation is a result as the text that an agent reads: an error is marked
// as one, and content that is no text is named.
func Observation(res datasets.ToolResult) string {
	var parts []string
	switch {
	case res.Text != "":
		parts = append(parts, res.Text)
	case res.Structured != "" && res.Structured != "null":
		parts = append(parts, res.Structured)
	}
	for _, t := range res.ContentTypes {
		if t != "text" {
			parts = append(parts, "["+t+" content is not shown]")
		}
	}
	if res.Truncated {
		parts = append(parts, "[the result was cut here]")
	}
	text := strings.Join(parts, "\n")
	if res.IsError {
		return "Error: " + text
	}
	return text
}
