package report

import (
	"encoding/json"
	"io"
)

// JSON writes the report as one indented JSON object. A rate without a
// denominator is null.
func (r *Report) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}
