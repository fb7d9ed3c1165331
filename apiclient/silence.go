package apiclient

import (
	"io"
	"sync"
	"time"
)

// silences holds when the server was last heard from about each request that is under way.
type silences struct {
	mu    sync.Mutex
	heard map[*silence]time.Time
}

// silence is a request that was sent and is not answered completely. It is not empty, because each
// one needs an address of its own.
type silence struct{ _ byte }

// begin notes that a request is sent. It changes nothing if the request is sent again.
func (s *silences) begin(request *silence, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.heard == nil {
		s.heard = map[*silence]time.Time{}
	}
	if _, again := s.heard[request]; !again {
		s.heard[request] = now
	}
}

// note notes that the server was heard from about a request.
func (s *silences) note(request *silence, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard[request] = now
}

func (s *silences) end(request *silence) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.heard, request)
}

// longest returns for how long the server has been silent about a request, at most. It returns 0 if
// no request is under way.
func (s *silences) longest(now time.Time) (silent time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, at := range s.heard {
		silent = max(silent, now.Sub(at))
	}
	return silent
}

// Overdue returns for how long the server has been silent about a request, if that is at least a
// third of the client's timeout, and otherwise 0. The time for which the rate limit delays a
// request does not count.
func (c *Client) Overdue() time.Duration {
	if silent := c.silences.longest(c.clock.Now()); silent >= c.timeout/3 {
		return silent
	}
	return 0
}

// heardBody is the body of a response. Each part of it that arrives ends a silence.
type heardBody struct {
	io.ReadCloser
	note func()
}

func (b heardBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.note()
	}
	return n, err
}
