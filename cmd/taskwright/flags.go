package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/taskwright/taskwright/datasets"
)

func addSeed(cmd *cobra.Command, seed *int64) {
	cmd.Flags().Int64Var(seed, "seed", 1, "seed of all sampling: the same seed gives the same bytes")
}

func addDryRun(cmd *cobra.Command, dryRun *bool) {
	cmd.Flags().BoolVar(dryRun, "dry-run", false, "say what would be done and what it would cost, and do nothing")
}

// oneOf refuses values of a flag that are not among the allowed ones.
func oneOf(cmd *cobra.Command, flag string, allowed []string, values ...string) error {
	for _, v := range values {
		if !slices.Contains(allowed, v) {
			return misuse(cmd, "--%s %s: want %s", flag, v, alternatives(allowed))
		}
	}
	return nil
}

// alternatives lists words as in "none, read or all".
func alternatives(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// completes makes the shell offer the words as values of a flag.
func completes(cmd *cobra.Command, flag string, words []string) {
	offers(cmd, flag, func(*cobra.Command, []string) []string { return words })
}

// offers makes the shell offer the words that find returns, also for what
// stands after a comma in a list. The flag must exist.
func offers(cmd *cobra.Command, flag string, find func(*cobra.Command, []string) []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndex(typed, ",")+1]
		var out []string
		for _, w := range find(cmd, args) {
			if !slices.Contains(strings.Split(before, ","), w) {
				out = append(out, before+w)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err)
	}
}

// partsOf finds the splits of tasks, or the runs, of the dataset that the
// command line names.
func partsOf(table string) func(*cobra.Command, []string) []string {
	return func(_ *cobra.Command, args []string) (parts []string) {
		if len(args) > 0 {
			_ = reading(args[0], func(d *datasets.Dir) error { // no dataset, nothing to offer
				parts = d.Manifest().Parts(table)
				return nil
			})
		}
		return parts
	}
}
