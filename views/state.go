package views

import (
	"tarmac/client/filters"
	"tarmac/client/resource"
	"tarmac/client/state"
)

// Messages of the dashboard to a screen, besides key presses, pastes and those of package visit.
type (
	// Click is a mouse click at column X and line Y of the screen, counted from its top left.
	Click struct{ X, Y int }
	// Refresh asks for the screen's own data to be fetched again.
	Refresh struct{}
	// Visible says whether the screen is visible. A hidden one receives no ticks.
	Visible bool
	// Restore shows what an earlier session left. Names that the screen does not know are ignored.
	Restore Kept
)

// Kept is what the next session finds of a screen. Its zero parts are the defaults.
type Kept struct {
	Filter filters.Filter // without one that another page has set
	Shown  state.Shown
}

// State is what the dashboard asks a screen about.
type State struct {
	Typing     bool             // letters are input for the screen and not commands of the dashboard
	Filtered   bool             // the user has set a filter
	Fetched    []resource.State // of what Refresh fetches, the most important first
	Kept       Kept
	Records    func() []Record // what the finder lists, the newest first; nil for nothing
	Places     func() []Place  // where else the row under the cursor is; nil for nowhere
	Unfinished string          // work that is lost if the session ends now, such as "an export is running"
	Work       []string        // what the user has made in this session, such as "2 proposed invoices"
}
