// Taskwright makes, curates and uses task datasets for tool-using agents.
//
//	taskwright run demo
//
// makes a dataset from the embedded servers, proves every task of it,
// evaluates the baseline agents and writes a report. See taskwright help.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := interruptible(context.Background())
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the program without the process around it. It returns the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	e := newEnv(stdin, stdout, stderr)
	return e.execute(ctx, newRoot(e), args)
}

// interruptible is a context that the first Ctrl-C (or request to terminate)
// cancels, so that finished work is kept. A second one ends the process at once.
func interruptible(parent context.Context) (ctx context.Context, stop func()) {
	ctx, stop = signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // gives the signals their usual effect back
	return ctx, stop
}
