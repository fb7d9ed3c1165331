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

// Page describes a page of the dashboard. Each screen's package has one, and ui lists
// them.
type Page struct {
	Name   string // by which other screens visit it
	Digit  string // the key that opens it; "" for a page that has no tab and is reached from others
	Title  string // in its tab
	Short  string // Title where the tabs have little room
	Action string // its name in the palette; "" is Title
	Target any    // what the palette has it show; nil for what it showed last
	Writes bool   // it is of no use in a read-only session

	// Needs are the parts of the snapshot that the page shows: they are fetched first
	// while it is in front, and those that failed are fetched again when somebody comes
	// back to it.
	Needs []snapshot.Part

	// Background pages get ticks while another page is in front, because something goes on
	// there: an export, a proposal. Other hidden pages ignore the time.
	Background bool

	New func(Env) Screen
}

// Env is what a session gives its screens.
type Env struct {
	Context  context.Context // of the screen's requests: it ends with the session
	Snapshot *snapshot.Snapshot
	Client   *apiclient.Client
	Now      func() time.Time
	Timeout  time.Duration // of one request
	Theme    theme.Theme

	Places   export.Places           // where files go
	Open     func(path string) error // shows a file with the system's program; nil where there is none
	Drafts   string                  // the directory for typed text; "" saves none
	Origin   string                  // of the server: each has drafts of its own
	Entropy  io.Reader               // idempotency keys are drawn from it
	ReadOnly bool                    // nothing may be changed
}
