package ui

import (
	"context"
	"errors"
	"sync"

	"tarmac/apiclient"
)

// Connection is a server to look at.
type Connection struct {
	Client *apiclient.Client
	// Profile is what the header calls it: "demo", or the server's host.
	Profile  string
	ReadOnly bool // whatever would change something is left out
	// Close ends what belongs to the connection, such as an embedded service. It
	// may be nil.
	Close func()
}

// connections are those that were made, so that each is closed at the end: also
// one whose answer came when nobody was listening any more.
type connections struct {
	mu     sync.Mutex
	ended  bool
	making sync.WaitGroup
	made   []Connection
}

var errEnded = errors.New("the dashboard has ended")

// make runs start and keeps what it returns.
func (c *connections) make(ctx context.Context, start func(context.Context) (Connection, error)) (Connection, error) {
	c.mu.Lock()
	if c.ended {
		c.mu.Unlock()
		return Connection{}, errEnded
	}
	c.making.Add(1)
	c.mu.Unlock()
	defer c.making.Done()

	connection, err := start(ctx)
	if err == nil {
		if end := connection.Close; end != nil {
			connection.Close = sync.OnceFunc(end)
		}
		c.mu.Lock()
		c.made = append(c.made, connection)
		c.mu.Unlock()
	}
	return connection, err
}

// end closes one of them before the others. It returns when that is done.
func (c *connections) end(connection Connection) {
	if connection.Close != nil {
		connection.Close()
	}
}

// close waits for connections that are being made, whose context must have
// ended, and closes all of them.
func (c *connections) close() {
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	c.making.Wait()
	for _, connection := range c.made {
		if connection.Close != nil {
			connection.Close()
		}
	}
}
