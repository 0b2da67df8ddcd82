package mcpclient

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sort"
	"strings"
	"sync"
	"time"
)

// stderrKept is how much of the end of stderr is kept for messages, in bytes.
const stderrKept = 4 << 10

// process is a running server in a process group of its own. Two goroutines
// belong to it, which end with it: one copies stderr, one waits.
type process struct {
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File
	stderr *tail
	dirs   *privateDirs

	silent chan struct{} // closed at the end of stdout, by its reader
	exited chan struct{} // closed after the process and its group are gone
	exit   string        // how it ended; valid after exited
	copied sync.WaitGroup
}

// drainTime bounds the wait for the rest of the output of a process that has
// ended, in case a child outside the group still holds the pipe.
const drainTime = 500 * time.Millisecond

// startProcess starts a server. The private directories are the process's from
// here on, also when starting fails.
func startProcess(c Config, dirs *privateDirs, getenv func(string) string) (*process, error) {
	cmd := exec.Command(expandWorkDir(c.Command, dirs.work))
	for _, a := range c.Args {
		cmd.Args = append(cmd.Args, expandWorkDir(a, dirs.work))
	}
	cmd.Dir = dirs.work
	cmd.Env = environment(c, dirs, getenv)
	ownGroup(cmd)
	p := &process{cmd: cmd, dirs: dirs, stderr: &tail{size: stderrKept}, silent: make(chan struct{}), exited: make(chan struct{})}
	theirs, stderr, err := p.pipes()
	if err == nil {
		err = cmd.Start()
	}
	for _, f := range theirs {
		f.Close()
	}
	if err != nil {
		for _, f := range []*os.File{p.stdin, p.stdout, stderr} {
			f.Close() // a nil file only reports an error
		}
		return nil, errors.Join(startError(err), dirs.remove())
	}
	p.copied.Go(func() {
		io.Copy(p.stderr, stderr)
		stderr.Close()
	})
	go p.wait(stderr)
	return p, nil
}

// startError keeps the command's name and drops its arguments and paths that
// may hold secrets.
func startError(err error) error {
	var e *exec.Error
	if errors.As(err, &e) {
		return fmt.Errorf("starting %s: %w", e.Name, e.Err)
	}
	return fmt.Errorf("starting: %w", err)
}

func (p *process) pipes() (theirs []*os.File, stderr *os.File, err error) {
	pipe := func() (r, w *os.File) {
		if err == nil {
			r, w, err = os.Pipe()
		}
		return r, w
	}
	inR, inW := pipe()
	outR, outW := pipe()
	errR, errW := pipe()
	p.stdin, p.stdout = inW, outR
	if err == nil {
		p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = inR, outW, errW
	}
	return []*os.File{inR, outW, errW}, errR, err
}

// wait reaps the process, kills what is left of its group and lets the readers
// of its pipes come to an end.
func (p *process) wait(stderr *os.File) {
	err := p.cmd.Wait()
	killGroup(p.cmd)
	p.exit = exitText(err)
	deadline := time.Now().Add(drainTime)
	p.stdout.SetReadDeadline(deadline)
	stderr.SetReadDeadline(deadline)
	p.copied.Wait()
	close(p.exited)
}

func exitText(err error) string {
	var e *exec.ExitError
	switch {
	case err == nil:
		return "exit status 0"
	case errors.As(err, &e):
		return e.ProcessState.String()
	}
	return err.Error()
}

// stop ends the process: it closes stdin, waits, terminates the group, waits
// and kills the group. Then it removes the private directories. It may be
// called more than once, but not concurrently.
func (p *process) stop(grace time.Duration) error {
	p.stdin.Close()
	if !p.waitFor(grace) {
		terminateGroup(p.cmd)
		if !p.waitFor(grace) {
			killGroup(p.cmd)
			<-p.exited
		}
	}
	p.stdout.Close()
	return p.dirs.remove()
}

func (p *process) waitFor(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-p.exited:
		return true
	case <-t.C:
		return false
	}
}

// environment is PATH, the locale, the private directories and what the
// config lists, sorted.
func environment(c Config, dirs *privateDirs, getenv func(string) string) []string {
	vars := map[string]string{"HOME": dirs.home, "TMPDIR": dirs.temp, "XDG_RUNTIME_DIR": dirs.temp}
	for _, name := range inherited {
		if v := getenv(name); v != "" {
			vars[name] = v
		}
	}
	for name, v := range c.Env {
		vars[name] = expandWorkDir(v, dirs.work)
	}
	env := make([]string, 0, len(vars))
	for name, v := range vars {
		env = append(env, name+"="+v)
	}
	sort.Strings(env)
	return env
}

// inherited names what a server gets of our own environment. The last three
// are what Windows needs to start any process.
var inherited = strings.Fields("PATH TZ LANG LANGUAGE LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME SYSTEMROOT COMSPEC PATHEXT")
