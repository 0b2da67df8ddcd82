package world

import (
	"math"
	"time"
)

// arguments are checked arguments: strings, float64 and []float64 by name.
type arguments map[string]any

func (a arguments) text(name string) string {
	s, _ := a[name].(string)
	return s
}

func (a arguments) number(name string) float64 {
	switch v := a[name].(type) {
	case float64:
		return v
	case int:
		return float64(v)
	}
	return 0
}

func (a arguments) int(name string) int { return int(a.number(name)) }

func (a arguments) numbers(name string) []float64 {
	l, _ := a[name].([]float64)
	return l
}

// date is a checked argument of format date, at midnight UTC.
func (a arguments) date(name string) time.Time {
	t, _ := time.Parse(time.DateOnly, a.text(name))
	return t
}

func day(t time.Time) string { return t.Format(time.DateOnly) }

// round rounds half away from zero to a number of decimals.
func round(v float64, decimals int) float64 {
	p := math.Pow(10, float64(decimals))
	r := math.Round(v*p) / p
	if r == 0 {
		return 0 // never -0
	}
	return r
}
