package views

import (
	"context"
	"io"
	"time"

	"tarmac/apiclient"
	"tarmac/client/alerts"
	"tarmac/client/annotations"
	"tarmac/client/export"
	"tarmac/client/importing"
	"tarmac/client/plan"
	"tarmac/client/snapshot"
	"tarmac/client/state"
	"tarmac/theme"
)

// Page describes a page of the dashboard. The package of each screen returns one from its function
// Page, and package ui lists them all.
type Page struct {
	Name    string  // identifies the page in messages of type Visit
	Digit   string  // key that opens the page; empty if the page has no tab of its own
	Title   string  // label of the tab
	Short   string  // shorter label of the tab, for narrow terminals
	Action  string  // label in the command palette; empty means Title
	Target  any     // argument of Screen.Show when the command palette opens the page
	Entries []Entry // further entries of the command palette
	Writes  bool    // the page changes data on the server and is hidden in read-only sessions

	// Absent says what the page is for and how to get it. The page's digit answers so in a session
	// that does not have the page.
	Absent string

	// Available reports whether a session has the page. If it is nil, every session has it.
	Available func(Env) bool

	// Needs lists the parts of the snapshot that the page shows. While the page is visible, they
	// are fetched before other parts. When the user returns to the page, parts whose last fetch
	// failed are fetched again.
	//
	// snapshot.History has the transactions of the last 40 months. It is read month by month after
	// such a page has been shown, and each step sends a snapshot.Result to the screen.
	// Env.Snapshot.History has the ledger of the months read so far; package parts/reading shows
	// what is missing, and asks before it reads a large history.
	Needs []snapshot.Part

	// Later lists further parts that the page shows. They are fetched after all of Needs have been,
	// and not for a user who has connected over SSH, because there each session takes memory from
	// all others.
	Later []snapshot.Part

	// Background says that the page receives a Tick every second even while it is hidden, because
	// it continues work such as an export.
	Background bool

	New func(Env) Screen // returns a new screen for a session
}

// Entry is an entry of the command palette that opens a target of a page.
type Entry struct {
	Label  string
	Target any // argument of Screen.Show
}

// Env holds what screens get from their session, the connection to one server.
type Env struct {
	Context  context.Context // parent of all request contexts; canceled when the session ends
	Snapshot *snapshot.Snapshot
	Client   *apiclient.Client
	Now      func() time.Time
	Timeout  time.Duration // time limit of one request
	Theme    theme.Theme

	Places export.Directories      // directories for exported files
	Open   func(path string) error // opens a file with the system's viewer; nil if there is none
	Drafts state.Folder            // folder of drafts and filters; nil disables saving
	Plan   plan.Store              // nil keeps a plan until the program ends
	// Annotations are the person's categories and notes of transactions; nil keeps them until the
	// program ends.
	Annotations *annotations.File
	Origin      string // scheme, host and port of the server; drafts are stored per origin
	// Credential names what authorizes the client's requests instead of a token; "" for a token.
	Credential string
	Entropy    io.Reader // random source for idempotency keys
	ReadOnly   bool      // the program must change nothing on the server
	// KeptPages is the maximum number of pages of transactions whose rows stay in memory. 0 means
	// the default of 40.
	KeptPages int
	// Alerts reads how the person's alerts stand; nil if there are none for the session.
	Alerts alerts.Overviewer
	Books  importing.Books // own books behind the server; nil if it has none

	Providers importing.Providers // connects own books to providers; nil if that is not possible
}
