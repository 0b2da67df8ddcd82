package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Exit statuses.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2   // the command line is wrong
	exitPartial     = 3   // done, but some units failed
	exitInterrupted = 130 // stopped by Ctrl-C; what was finished is kept
)

// usageError is a mistake in the command line.
type usageError struct {
	err     error
	command string // whose help to look at
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// misuse is a usageError of a command.
func misuse(cmd *cobra.Command, format string, args ...any) error {
	return &usageError{err: fmt.Errorf(format, args...), command: cmd.CommandPath()}
}

// partialError says that a command did its work except for some units.
type partialError struct {
	Stage         string
	Failed, Total int
	Of            string   // what was counted; "units" if empty
	Reasons       []string // the first ones, each once
}

func (e *partialError) Error() string {
	return fmt.Sprintf("%s: %d of %d %s failed:\n  %s", e.Stage, e.Failed, e.Total, cmp.Or(e.Of, "units"), strings.Join(e.Reasons, "\n  "))
}

// wrap puts an error into the context of an operation; nil stays nil.
func wrap(operation string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", operation, err)
}

// execute runs a command line and turns its outcome into messages and the exit
// status. It is called once.
func (e *env) execute(ctx context.Context, root *cobra.Command, args []string) int {
	root.SetArgs(append([]string{}, args...)) // never nil, which means os.Args
	root.SetIn(e.stdin)
	root.SetOut(e.stdout)
	root.SetErr(e.stderr)
	e.mark(root)
	cmd, err := root.ExecuteContextC(ctx)
	if usage := new(usageError); err != nil && !e.begun && !errors.As(err, &usage) {
		err = misuse(cmd, "%w", err)
	}
	code := status(ctx, err)
	if err != nil {
		e.complain(err, code)
	}
	return code
}

func status(ctx context.Context, err error) int {
	var usage *usageError
	var partial *partialError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &usage):
		return exitUsage
	case ctx.Err() != nil:
		return exitInterrupted
	case errors.As(err, &partial):
		return exitPartial
	}
	return exitFailed
}

// complain says on stderr what went wrong. Under --json a command that has not
// answered says it on stdout, too, so that there is one object in every case.
func (e *env) complain(err error, code int) {
	message := err.Error()
	if code == exitInterrupted {
		message = interrupted(err)
	}
	fmt.Fprintf(e.stderr, "taskwright: %s\n", printable(message))
	var usage *usageError
	if errors.As(err, &usage) {
		fmt.Fprintf(e.stderr, "Run '%s --help' for usage.\n", usage.command)
	}
	if e.json && !e.answered {
		e.answered = true
		json.NewEncoder(e.stdout).Encode(map[string]any{"error": message, "exit": code}) // nothing left to tell it to
	}
}

func interrupted(err error) string {
	const message = "interrupted; what was finished is kept, and the same command goes on from there"
	if errors.Is(err, context.Canceled) {
		return message
	}
	return message + ": " + err.Error()
}
