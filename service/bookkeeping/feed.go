package bookkeeping

import (
	"fmt"

	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/internal/plural"
	"tarmac/service/providers"
	"tarmac/service/store"
)

// Feed is a connection to a provider. An import with a Feed has one source, which is a reading of
// the connection. The reading replaces what earlier readings of the same connection say about the
// days that it covers. Files are never changed by it.
type Feed struct {
	Connection string // public id of the connection, "con_…"
	Provider   string // name of the provider, such as "mercury"
	Title      string // name of the provider for people, such as "Mercury"
	// OwnFeed is true if the transactions of the connection's accounts belong to the service's own
	// feed instead of a linked bank.
	OwnFeed bool
	// History is true for a reading of the days before those that earlier readings were asked for.
	History bool
	// AcceptRemoved allows a reading that lacks many lines of the readings before (RemovedError).
	AcceptRemoved bool
	// Invoices are the invoices in the reading. It is nil for providers of accounts.
	Invoices *providers.Invoices
	// Finish is called in the transaction of the import, before it is committed. Its error rolls
	// the import back. It is not called for an unchanged reading. It may be nil.
	Finish func(tx *store.Tx, report *ownbooks.Report) error
}

// RemovedError means that a reading lacks many lines that earlier readings had, so nothing was
// imported. If the lines are really gone, the caller imports the reading again with
// Feed.AcceptRemoved.
type RemovedError struct {
	Account     string // as in ownbooks.Account
	Removed     int    // number of booked lines that the reading lacks
	Booked      int    // number of booked lines of these days before
	First, Last civil.Date
}

func (e *RemovedError) Error() string {
	return fmt.Sprintf("%d of %s of %s from %s to %s are gone, so nothing was taken in; if that is right, sync "+
		"with --accept-removed", e.Removed, plural.Count(e.Booked, "line"), e.Account, e.First, e.Last)
}
