package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// table writes rows as aligned columns. Cells may come from servers and files:
// what would break the table or the terminal is shown, not sent.
func table(w io.Writer, header []string, rows [][]string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(header) > 0 {
		fmt.Fprintln(t, strings.Join(header, "\t"))
	}
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, c := range row {
			cells[i] = cell(c)
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	return t.Flush()
}

// shorten cuts a text to so many characters.
func shorten(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// cell is a text on one line.
func cell(s string) string {
	return strings.NewReplacer("\t", " ", "\n", " ").Replace(printable(strings.TrimSpace(s)))
}
