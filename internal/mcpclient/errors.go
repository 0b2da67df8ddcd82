package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Error says that a server gave no answer. It is never a result.
type Error struct {
	Server  string // name of the server
	Op      string // "starting", "listing tools", "calling NAME"
	Timeout bool   // the time limit passed
	Exit    string // how the process ended; "" if it runs or there is none
	Stderr  string // end of its stderr, secrets taken out
	Err     error  // the cause, secrets taken out
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "server %s: %s: %v", e.Server, e.Op, e.Err)
	if e.Exit != "" {
		fmt.Fprintf(&b, "; the process ended with %s", e.Exit)
	}
	if e.Stderr != "" {
		fmt.Fprintf(&b, "; stderr: %s", e.Stderr)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

var (
	// ErrClosed is the cause when a connection or the fleet was closed.
	ErrClosed = errors.New("connection closed")
	// ErrUnknownServer is the cause when a fleet has no server of a name.
	ErrUnknownServer = errors.New("no such server")
)

// timeoutError is the cause of a context that a time limit ended.
type timeoutError struct{ limit time.Duration }

func (e timeoutError) Error() string { return fmt.Sprintf("no answer within %v", e.limit) }

// Is makes errors.Is(err, context.DeadlineExceeded) true.
func (e timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

// redacted is an error whose text has been cleaned. The original stays
// reachable for errors.Is.
type redacted struct {
	text string
	err  error
}

func (r redacted) Error() string        { return r.text }
func (r redacted) Is(target error) bool { return errors.Is(r.err, target) }
