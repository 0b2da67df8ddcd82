package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/taskwright/taskwright/internal/progress"
	"golang.org/x/term"
)

// env is the world outside of the program, replaceable in tests, and what the
// flags of all commands say about it.
type env struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	now            func() time.Time
	terminal       bool // stderr is a terminal
	width          int  // its columns

	json    bool // --json: one object on stdout and nothing else
	quiet   bool // --quiet: nothing on stderr but errors
	verbose bool // --verbose: more on stderr

	begun    bool              // the command line is right and its command works
	answered bool              // the one object has been printed
	display  *progress.Display // made when first asked for
}

// newEnv is the real world around the given streams.
func newEnv(stdin io.Reader, stdout, stderr io.Writer) *env {
	e := &env{stdin: stdin, stdout: stdout, stderr: stderr, getenv: os.Getenv, now: time.Now}
	if f, ok := stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" {
		e.terminal = true
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			e.width = width
		}
	}
	return e
}

// answer prints what the command came to: v as JSON under --json, else the
// text that human writes. A command answers once.
func (e *env) answer(v any, human func(io.Writer) error) error {
	if e.answered {
		panic("a command answered twice")
	}
	e.answered = true
	if !e.json {
		return wrap("writing to standard output", human(e.stdout))
	}
	out := json.NewEncoder(e.stdout)
	out.SetEscapeHTML(false)
	return wrap("writing to standard output", out.Encode(v))
}

// progress is where stages show how far they are.
func (e *env) progress() *progress.Display {
	if e.display == nil {
		o := progress.Options{Out: e.stderr, Terminal: e.terminal, Width: e.width, Colour: e.colour()}
		if e.quiet {
			o.Out = nil
		}
		e.display = progress.New(o)
	}
	return e.display
}

// colour says whether stderr takes colours.
func (e *env) colour() bool { return e.terminal && e.getenv("NO_COLOR") == "" }

// notef tells the user something, unless --quiet.
func (e *env) notef(format string, args ...any) {
	e.progress().Printf("%s", printable(fmt.Sprintf(format, args...)))
}

// detailf tells the user something that only --verbose asks for.
func (e *env) detailf(format string, args ...any) {
	if e.verbose {
		e.notef(format, args...)
	}
}

// printable makes text that came from a server or a file harmless for a
// terminal: control characters other than tab and line break are shown, not sent.
func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '\t' || r == '\n' || r >= ' ' && (r < 0x7f || r > 0x9f) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, `\x%02x`, r)
	}
	return b.String()
}
