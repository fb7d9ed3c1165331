package ui

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"tarmac/apiclient"
	"tarmac/client/alerts"
	"tarmac/client/annotations"
	"tarmac/client/importing"
	"tarmac/client/plan"
	"tarmac/client/state"
)

// Connection is an open connection to a server whose figures the dashboard shows.
type Connection struct {
	Client *apiclient.Client
	// Profile is the name shown in the header: "demo", the name of a profile, or the server's host.
	Profile  string
	ReadOnly bool // the dashboard offers no changes on the server
	// Books are the own books behind the server. Nil means that the page Books is absent.
	Books importing.Books
	// Providers connect own books to providers. Nil means that they cannot be connected.
	Providers importing.Providers
	// New says that nothing was imported into the own books yet: the session begins with that.
	New bool
	// Drafts is the folder of drafts, plans and filters; nil means that of Options.
	Drafts state.Folder
	// PlanFile is the path of the plan, whose file need not exist. If it is "", the plan is a
	// document in Drafts.
	PlanFile string
	// Plan, if not nil, is used instead of PlanFile and of the document in Drafts.
	Plan plan.Store
	// Alerts reads how the person's alerts stand; nil if there are none for the connection.
	Alerts alerts.Overviewer
	// Annotations are the person's categories and notes of transactions; nil means those in the
	// folder of drafts.
	Annotations *annotations.File
	// Temporary says that closing the connection deletes the server's data. The session then saves
	// nothing, and says before it ends what will be gone.
	Temporary bool
	// Close releases what belongs to the connection, such as an embedded service. It may be nil.
	Close func()
}

// draftsIn returns the folder of drafts, plans and filters: the connection's own, or else the
// given one. It returns nil if nothing is saved.
func (c Connection) draftsIn(folder state.Folder) state.Folder {
	switch {
	case c.Temporary:
		return nil
	case c.Drafts != nil:
		return c.Drafts
	}
	return folder
}

// planIn returns what keeps the plan: its file, or else a document in the folder of drafts. It
// returns nil if nothing is saved.
func (c Connection) planIn(drafts state.Folder) plan.Store {
	switch {
	case c.Plan != nil:
		return c.Plan
	case c.PlanFile != "" && !c.Temporary:
		return plan.File{Path: c.PlanFile}
	case drafts != nil:
		return plan.DocumentOf(drafts, c.Client.Origin())
	}
	return nil
}

// annotationsIn returns what keeps categories and notes: the connection's own, or else a file in
// the folder of drafts. Without a folder, they are kept until the program ends.
func (c Connection) annotationsIn(drafts state.Folder) *annotations.File {
	if c.Annotations != nil {
		return c.Annotations
	}
	return annotations.NewFile(drafts)
}

// connections keeps track of all open connections, so that every one is closed when the program
// ends. This includes connections that opened after the attempt to connect was cancelled.
type connections struct {
	mu     sync.Mutex
	ended  bool
	making sync.WaitGroup
	open   map[int]func() // functions that close the open connections
	count  int            // connections that were opened so far
}

var errEnded = errors.New("the dashboard has ended")

// make calls start to open a connection, and keeps the connection so that close can close it. After
// close, make returns errEnded.
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
		connection.Close = c.keep(connection.Close)
	}
	return connection, err
}

// keep returns a function that calls end once, and keeps it until it was called.
func (c *connections) keep(end func()) func() {
	if end == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	number := c.count
	once := sync.OnceFunc(func() {
		end()
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.open, number)
	})
	if c.open == nil {
		c.open = map[int]func(){}
	}
	c.open[number] = once
	return once
}

// end closes a connection and waits until it is closed. Closing a connection twice is safe.
func (c *connections) end(connection Connection) {
	if connection.Close != nil {
		connection.Close()
	}
}

// close waits for connections that are still being opened, and closes all connections. Call it
// after their contexts have ended.
func (c *connections) close() {
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	c.making.Wait()
	c.mu.Lock()
	left := slices.Collect(maps.Values(c.open))
	c.mu.Unlock()
	for _, end := range left {
		end()
	}
}
