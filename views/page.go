package views

import (
	"context"
	"io"
	"time"

	"tarmac/apiclient"
	"tarmac/client/export"
	"tarmac/client/snapshot"
	"tarmac/theme"
)

// Page describes a page of the dashboard. Each screen's package defines one, and package ui
// lists them all.
type Page struct {
	Name   string // names the page in a Visit
	Digit  string // opens the page; empty if the page has no tab
	Title  string // shown in the tab
	Short  string // shown in the tab if space is short
	Action string // shown in the command palette; empty means Title
	Target any    // passed to Show from the palette; nil keeps what the page last showed
	Writes bool   // hides the page in read-only sessions

	// Needs lists the parts of the snapshot that the page shows. They are fetched first while
	// the page is in front. Parts that failed are fetched again when the user returns to the
	// page.
	Needs []snapshot.Part

	// Background pages receive ticks while hidden, because they do work such as an export.
	// Other hidden pages receive no ticks.
	Background bool

	New func(Env) Screen
}

// Env holds what a session provides to its screens.
type Env struct {
	Context  context.Context // parent of all request contexts; ends with the session
	Snapshot *snapshot.Snapshot
	Client   *apiclient.Client
	Now      func() time.Time
	Timeout  time.Duration // limit for one request
	Theme    theme.Theme

	Places   export.Directories      // directories for exported files
	Open     func(path string) error // opens a file with the system's viewer; nil if there is none
	Drafts   string                  // directory for drafts; empty disables saving
	Origin   string                  // the server's origin; drafts are kept per origin
	Entropy  io.Reader               // source of idempotency keys
	ReadOnly bool                    // disables everything that changes data
}
