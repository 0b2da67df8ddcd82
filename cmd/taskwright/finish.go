package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"
)

// printer is an answer that people can read.
type printer interface {
	print(io.Writer) error
}

// finish prints an answer and returns what a command ends with: nil, or the
// error that says that some units failed.
func finish(e *env, answer printer, partial error) error {
	if err := e.answer(answer, answer.print); err != nil {
		return err
	}
	return partial
}

// inWorkspace opens a workspace, works in it and closes it, whatever happens.
func inWorkspace(e *env, dir string, open func(*env, string) (*workspace, error), work func(*workspace) error) error {
	w, err := open(e, dir)
	if err != nil {
		return err
	}
	return errors.Join(work(w), w.Close())
}

// firstOf is the first error that is not nil.
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func addSeed(cmd *cobra.Command, seed *int64) {
	cmd.Flags().Int64Var(seed, "seed", 1, "seed of all sampling: the same seed gives the same bytes")
}
