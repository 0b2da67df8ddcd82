package main

import "fmt"

// firstOf is the first error that is not nil.
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// maxReasons bounds the reasons that are printed.
const maxReasons = 5

// firstReasons are as many reasons as are printed, and how many there are
// beside them.
func firstReasons(reasons []string) []string {
	if len(reasons) <= maxReasons {
		return reasons
	}
	return append(reasons[:maxReasons:maxReasons], "and "+plural(len(reasons)-maxReasons, "more reason"))
}

// summed is each of the reasons once, with how often it was given.
func summed(reasons []string) []string {
	times := map[string]int{}
	var first []string
	for _, r := range reasons {
		if times[r]++; times[r] == 1 {
			first = append(first, r)
		}
	}
	for i, r := range first {
		if n := times[r]; n > 1 {
			first[i] = fmt.Sprintf("%s (%d times)", r, n)
		}
	}
	return firstReasons(first)
}
