package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newRoot is the command line.
func newRoot(e *env) *cobra.Command {
	root := newGroup("taskwright", "Make, curate and use task datasets for tool-using agents")
	root.Long = `Taskwright reads the tools of MCP servers, builds the graph of what flows from
one tool's output into another's input, writes tasks over chains of that graph,
keeps only the tasks that are proved solvable and useful, rewrites them as
people really ask, and evaluates agents on the result.

Exit status: 0 done; 1 failed; 2 wrong usage; 3 done, but some units failed;
130 interrupted, and what was finished is kept.`
	root.Version = version
	root.SetVersionTemplate("taskwright {{.Version}}\n")
	root.SilenceErrors, root.SilenceUsage = true, true
	flags := root.PersistentFlags()
	flags.BoolVar(&e.json, "json", false, "print one JSON object on standard output and nothing else")
	flags.BoolVarP(&e.quiet, "quiet", "q", false, "no progress and no notes, only errors")
	flags.BoolVarP(&e.verbose, "verbose", "v", false, "say more on standard error")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		newDatasetsCommand(e),
		newDoctorCommand(e),
		newGraphCommand(e),
		newServeCommand(e),
		newVersionCommand(e),
	)
	root.SetHelpCommand(newHelpCommand())
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			makeGroup(c)
		}
	}
	return root
}

// mark notes when a command of the tree begins its work: errors before that
// are about the command line.
func (e *env) mark(cmd *cobra.Command) {
	if work := cmd.RunE; work != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if e.quiet && e.verbose {
				return misuse(cmd, "--quiet and --verbose exclude each other")
			}
			e.begun = true
			return work(cmd, args)
		}
	}
	for _, c := range cmd.Commands() {
		e.mark(c)
	}
}

// newGroup is a command that only holds others.
func newGroup(use, short string) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short}
	makeGroup(cmd)
	return cmd
}

// makeGroup makes a missing or unknown command after cmd a mistake.
func makeGroup(cmd *cobra.Command) {
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return unknownCommand(cmd, args[0])
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return misuse(cmd, "%s needs a command: %s", cmd.CommandPath(), strings.Join(commandNames(cmd), ", "))
	}
}

func unknownCommand(cmd *cobra.Command, name string) error {
	cmd.SuggestionsMinimumDistance = 2
	return misuse(cmd, "unknown command %q%s", name, didYouMean(cmd.SuggestionsFor(name)))
}

func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

func didYouMean(suggestions []string) string {
	if len(suggestions) == 0 {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", strings.Join(suggestions, " or "))
}

// exactly is cobra's check of the number of arguments, in words: names are
// what the arguments are called.
func exactly(names ...string) cobra.PositionalArgs { return between(len(names), names...) }

// between allows from least to all of the named arguments.
func between(least int, names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return misuse(cmd, "%s needs %s", cmd.CommandPath(), strings.Join(names[len(args):least], " and "))
		case len(args) > len(names):
			return misuse(cmd, "unexpected argument %q", args[len(names)])
		}
		return nil
	}
}

// flagError makes a usageError of what the flag parser says and suggests the
// flag that was meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || len(unknown.GetSpecifiedName()) < 2 {
		return misuse(cmd, "%w", err)
	}
	var near []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && distance(unknown.GetSpecifiedName(), f.Name) <= 2 {
			near = append(near, "--"+f.Name)
		}
	})
	return misuse(cmd, "%w%s", err, didYouMean(near))
}

// distance is the number of letters to insert, remove or replace to get from
// one word to another.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			next := diagonal
			if a[i] != b[j] {
				next = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}

// newHelpCommand is cobra's help command with an error for unknown topics.
func newHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Help about any command",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			about, _, err := cmd.Root().Find(args)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return commandNames(about), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil {
				return misuse(cmd.Root(), "%w", err)
			}
			if len(rest) > 0 {
				return unknownCommand(about, rest[0])
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}
