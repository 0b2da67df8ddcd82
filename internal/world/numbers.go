package world

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

var numbersServer = server{
	title:        "Statistics and arithmetic",
	instructions: "Statistics of lists of numbers, and arithmetic. Arithmetic answers with a bare number.",
	tools:        numbersTools,
}

func numbersTools() []tool {
	values := param{name: "numbers", kind: list, description: "Numbers, e.g. [3, 1.5, 8]", maxItems: 1000, examples: []any{[]float64{3, 1.5, 8}}}
	a := param{name: "a", kind: num, description: "First number, e.g. 12.5", examples: []any{12.5}}
	b := param{name: "b", kind: num, description: "Second number, e.g. 4", examples: []any{4}}
	return []tool{
		{
			name: "summarize", title: "Summary statistics",
			description: "Count, sum, mean, median, smallest, largest and sample standard deviation of a list of numbers, to six significant digits.",
			params:      []param{values},
			run:         summarize,
		},
		{
			name: "percentile", title: "Percentile",
			description: "A percentile of a list of numbers, by linear interpolation between closest ranks.",
			params:      []param{values, {name: "percent", kind: num, description: "Percentile, 0 to 100, e.g. 90", min: at(0), max: at(100), examples: []any{25, 75, 90}}},
			run: func(a arguments) (any, error) {
				return bare(percentile(a.numbers("numbers"), a.number("percent"))), nil
			},
		},
		{
			name: "percent_change", title: "Change in percent",
			description: "By how many percent a value changed from an old to a new one.",
			params: []param{{name: "old", kind: num, description: "Old value, not zero, e.g. 80", examples: []any{80}},
				{name: "new", kind: num, description: "New value, e.g. 100", examples: []any{100}}},
			run: percentChange,
		},
		{
			name: "multiply", title: "Multiply", description: "The product of two numbers.", params: []param{a, b},
			run: func(args arguments) (any, error) { return bare(args.number("a") * args.number("b")), nil },
		},
		{
			name: "divide", title: "Divide", description: "The first number divided by the second.", params: []param{a, b},
			run: divide,
		},
		{
			name: "subtract", title: "Subtract", description: "The first number less the second.", params: []param{a, b},
			run: func(args arguments) (any, error) { return bare(args.number("a") - args.number("b")), nil },
		},
	}
}

// bare is an answer that is nothing but a number, to six significant digits
// or, if it is larger, to whole numbers.
func bare(v float64) text {
	return text(strconv.FormatFloat(significant(v, 6), 'f', -1, 64))
}

// significant rounds to a number of significant digits, but never digits
// before the decimal point.
func significant(v float64, digits int) float64 {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return v
	}
	decimals := max(0, digits-1-int(math.Floor(math.Log10(math.Abs(v)))))
	if decimals > 15 {
		return v
	}
	return round(v, decimals)
}

func sum(numbers []float64) float64 {
	total := 0.0
	for _, n := range numbers {
		total += n
	}
	return total
}

func mean(numbers []float64) float64 { return sum(numbers) / float64(len(numbers)) }

// deviation is the sample standard deviation, 0 for fewer than two numbers.
func deviation(numbers []float64) float64 {
	if len(numbers) < 2 {
		return 0
	}
	m, squares := mean(numbers), 0.0
	for _, n := range numbers {
		squares += (n - m) * (n - m)
	}
	return math.Sqrt(squares / float64(len(numbers)-1))
}

// percentile interpolates between the closest ranks.
func percentile(numbers []float64, percent float64) float64 {
	sorted := slices.Sorted(slices.Values(numbers))
	rank := percent / 100 * float64(len(sorted)-1)
	low := int(math.Floor(rank))
	if low == len(sorted)-1 {
		return sorted[low]
	}
	return sorted[low] + (rank-float64(low))*(sorted[low+1]-sorted[low])
}

func summarize(a arguments) (any, error) {
	n := a.numbers("numbers")
	total := sum(n)
	return struct {
		Count     int     `json:"count"`
		Sum       float64 `json:"sum"`
		Mean      float64 `json:"mean"`
		Median    float64 `json:"median"`
		Min       float64 `json:"min"`
		Max       float64 `json:"max"`
		Deviation float64 `json:"standard_deviation"`
	}{len(n), significant(total, 6), significant(mean(n), 6), significant(percentile(n, 50), 6), slices.Min(n), slices.Max(n), significant(deviation(n), 6)}, nil
}

func percentChange(a arguments) (any, error) {
	if a.number("old") == 0 {
		return nil, errors.New("the old value is zero: no change in percent")
	}
	change := 100 * (a.number("new") - a.number("old")) / a.number("old")
	if math.Abs(change) > 1e12 {
		return nil, errors.New("the change is out of range")
	}
	return lines(fmt.Sprintf("Change in percent: %v", round(change, 2))), nil
}

func divide(a arguments) (any, error) {
	if a.number("b") == 0 {
		return nil, errors.New("division by zero")
	}
	q := a.number("a") / a.number("b")
	if math.IsInf(q, 0) {
		return nil, errors.New("the quotient is out of range")
	}
	return bare(q), nil
}
