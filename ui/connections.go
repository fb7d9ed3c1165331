package ui

import (
	"context"
	"errors"
	"sync"

	"tarmac/apiclient"
)

// Connection is an open connection to a server whose figures the dashboard shows.
type Connection struct {
	Client *apiclient.Client
	// Profile is the name in the header: "demo", a profile, or the server's host.
	Profile  string
	ReadOnly bool // whether the dashboard offers no writes
	// Close releases what belongs to the connection, such as an embedded service. It may be nil.
	Close func()
}

// connections keeps every open connection, so that all are closed at the end, including those that
// opened after their dial was cancelled.
type connections struct {
	mu     sync.Mutex
	ended  bool
	making sync.WaitGroup
	made   []Connection
}

var errEnded = errors.New("the dashboard has ended")

// make runs start and registers the connection that start returns, so that close closes it. After
// close it returns errEnded.
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

// end closes a connection and returns when that is done. Closing a connection twice is safe.
func (c *connections) end(connection Connection) {
	if connection.Close != nil {
		connection.Close()
	}
}

// close waits for connections that are still opening, whose context must have ended, and closes all
// connections.
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
