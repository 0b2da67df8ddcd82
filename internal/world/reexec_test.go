package world

import (
	"context"
	"fmt"
	"os"
)

// serveVariable names the embedded server that the test binary runs over stdio
// instead of the tests.
const serveVariable = "TASKWRIGHT_TEST_SERVE"

// runServer serves when the environment asks for it.
func runServer() bool {
	name := os.Getenv(serveVariable)
	if name == "" {
		return false
	}
	if err := Serve(context.Background(), name, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}
