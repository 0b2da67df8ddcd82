package discover

import "sync"

// lostInARow is how many calls without an answer, one after the other, make a
// server count as gone.
const lostInARow = 3

// counter deals out 0, 1, 2 … to concurrent takers.
type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) take() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.n - 1
}

// streak counts calls without an answer in a row.
type streak struct {
	mu sync.Mutex
	n  int
}

func (s *streak) note(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.n = 0
	} else {
		s.n++
	}
}

func (s *streak) gone() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n >= lostInARow
}
