package progress

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// State is what a progress line tells about a stage.
type State struct {
	Stage   string
	Done    int // units that need no more work: finished, failed or skipped
	Total   int // 0 if not known
	Failed  int
	Skipped int           // finished by an earlier run; in Done, not in the rate
	Cost    float64       // US dollars spent
	Elapsed time.Duration // since the stage began
}

// Style says how a line is shown.
type Style struct {
	Width  int // columns; 0 for no limit
	Colour bool
}

const (
	red   = "\x1b[31m"
	plain = "\x1b[0m"
)

// Render is the line for a state, without a line break. It never takes more
// columns than the style allows.
func Render(s State, style Style) string {
	parts := []string{s.Stage, count(s)}
	if rate := s.rate(); rate > 0 {
		parts = append(parts, formatRate(rate))
	}
	if s.Skipped > 0 {
		parts = append(parts, fmt.Sprintf("%d from before", s.Skipped))
	}
	failed := -1
	if s.Failed > 0 {
		failed = len(parts)
		parts = append(parts, fmt.Sprintf("%d failed", s.Failed))
	}
	if s.Cost > 0 {
		parts = append(parts, fmt.Sprintf("$%.2f", s.Cost))
	}
	if left, known := s.left(); known {
		parts = append(parts, formatDuration(left)+" left")
	} else if s.finished() {
		parts = append(parts, formatDuration(s.Elapsed))
	}
	return fit(parts, failed, style)
}

// fit joins the parts that have room, the first ones first.
func fit(parts []string, failed int, style Style) string {
	var b strings.Builder
	used := 0
	for i, p := range parts {
		gap := "  "
		if i == 0 {
			gap = ""
		}
		n := utf8.RuneCountInString(p) + len(gap)
		if style.Width > 0 && used+n > style.Width {
			break
		}
		used += n
		if i == failed && style.Colour {
			p = red + p + plain
		}
		b.WriteString(gap + p)
	}
	return b.String()
}

func count(s State) string {
	if s.Total > 0 {
		return fmt.Sprintf("%d/%d", s.Done, s.Total)
	}
	return fmt.Sprintf("%d done", s.Done)
}

func (s State) finished() bool { return s.Total > 0 && s.Done >= s.Total }

// rate is units a second of this run.
func (s State) rate() float64 {
	if s.Elapsed <= 0 {
		return 0
	}
	return float64(s.Done-s.Skipped) / s.Elapsed.Seconds()
}

func (s State) left() (time.Duration, bool) {
	rate := s.rate()
	if s.Total == 0 || rate <= 0 || s.finished() {
		return 0, false
	}
	return time.Duration(float64(s.Total-s.Done) / rate * float64(time.Second)), true
}

func formatRate(perSecond float64) string {
	switch {
	case perSecond >= 10:
		return fmt.Sprintf("%.0f/s", perSecond)
	case perSecond >= 1:
		return fmt.Sprintf("%.1f/s", perSecond)
	}
	return fmt.Sprintf("%.1f/min", perSecond*60)
}

func formatDuration(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
}
