// Package progress shows how far a stage is: one live line on a terminal, a
// plain line now and then elsewhere, nothing when quiet. It writes to the
// given writer only, which is never the one that carries data.
package progress

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// How often a line is renewed while nothing else asks for it.
const (
	liveEvery  = 200 * time.Millisecond
	plainEvery = 10 * time.Second
)

// Options of a display. The zero value shows nothing.
type Options struct {
	Out      io.Writer // nil shows nothing
	Terminal bool      // Out is a terminal: one live line
	Width    int       // its columns; 0 means 80
	Colour   bool
}

// Display is where stages show their progress, one after another or several
// at once; the live line belongs to the one that began last. Its methods may
// be called concurrently.
type Display struct {
	options Options // fixed at creation

	mu    sync.Mutex
	shown bool // a live line is on the screen and not ended
	top   *Stage
}

// New makes a display.
func New(o Options) *Display {
	if o.Width == 0 {
		o.Width = 80
	}
	return &Display{options: o}
}

// Begin starts to show a stage of total units, 0 if the number is not known.
// The stage must be ended.
func (d *Display) Begin(name string, total int) *Stage {
	s := &Stage{display: d, began: time.Now(), state: State{Stage: name, Total: total}}
	s.drawn = s.began
	d.mu.Lock()
	defer d.mu.Unlock()
	d.top = s
	if d.options.Out != nil && d.options.Terminal {
		s.stop, s.stopped = make(chan struct{}), make(chan struct{})
		go s.tick()
		s.draw()
	}
	return s
}

// Printf writes a message of its own line, above the live line if there is one.
func (d *Display) Printf(format string, args ...any) {
	if d.options.Out == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clear()
	fmt.Fprintln(d.options.Out, strings.TrimRight(fmt.Sprintf(format, args...), "\n"))
	if d.options.Terminal && d.top != nil {
		d.top.draw()
	}
}

// clear takes the live line off the screen. The caller holds mu.
func (d *Display) clear() {
	if d.shown {
		io.WriteString(d.options.Out, "\r\x1b[K")
		d.shown = false
	}
}

// Stage counts the units of one stage. Its methods may be called concurrently.
type Stage struct {
	display *Display
	began   time.Time
	stop    chan struct{} // closed by End
	stopped chan struct{} // closed when tick has returned

	// guarded by display.mu
	state State
	drawn time.Time
	ended bool
}

// Finish counts a unit that ended well.
func (s *Stage) Finish() { s.change(func(st *State) { st.Done++ }) }

// Fail counts a unit that failed.
func (s *Stage) Fail() { s.change(func(st *State) { st.Done++; st.Failed++ }) }

// Skip counts units that an earlier run finished.
func (s *Stage) Skip(units int) {
	s.change(func(st *State) { st.Done += units; st.Skipped += units })
}

// At sets how many units are finished, and of how many, for stages that learn
// both as they go.
func (s *Stage) At(done, total int) { s.change(func(st *State) { st.Done, st.Total = done, total }) }

// Spend adds to the cost, in US dollars.
func (s *Stage) Spend(dollars float64) { s.change(func(st *State) { st.Cost += dollars }) }

// State is what the line shows now.
func (s *Stage) State() State {
	s.display.mu.Lock()
	defer s.display.mu.Unlock()
	return s.now()
}

// End shows the last state for good and stops. A second End does nothing.
func (s *Stage) End() {
	d := s.display
	d.mu.Lock()
	if s.ended {
		d.mu.Unlock()
		return
	}
	s.ended = true
	if d.top == s {
		d.top = nil
	}
	if d.options.Out != nil {
		d.clear()
		fmt.Fprintln(d.options.Out, Render(s.now(), s.style()))
	}
	d.mu.Unlock()
	if s.stop != nil {
		close(s.stop)
		<-s.stopped
	}
}

func (s *Stage) change(f func(*State)) {
	s.display.mu.Lock()
	defer s.display.mu.Unlock()
	f(&s.state)
	s.due()
}

// tick renews the live line, so that a slow unit does not look like a standstill.
func (s *Stage) tick() {
	defer close(s.stopped)
	t := time.NewTicker(liveEvery)
	defer t.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-t.C:
			s.change(func(*State) {})
		}
	}
}

// due renews the line if the last renewal is long enough ago. The caller
// holds display.mu.
func (s *Stage) due() {
	every := plainEvery
	if s.display.options.Terminal {
		every = liveEvery
	}
	if s.display.options.Out != nil && !s.ended && s.display.top == s && time.Since(s.drawn) >= every {
		s.draw()
	}
}

// draw writes the line. The caller holds display.mu.
func (s *Stage) draw() {
	d := s.display
	s.drawn = time.Now()
	line := Render(s.now(), s.style())
	if d.options.Terminal {
		io.WriteString(d.options.Out, "\r\x1b[K"+line)
		d.shown = true
		return
	}
	fmt.Fprintln(d.options.Out, line)
}

func (s *Stage) now() State {
	st := s.state
	st.Elapsed = time.Since(s.began)
	return st
}

func (s *Stage) style() Style {
	if !s.display.options.Terminal {
		return Style{}
	}
	return Style{Width: s.display.options.Width - 1, Colour: s.display.options.Colour}
}
