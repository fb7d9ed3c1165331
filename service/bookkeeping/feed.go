package bookkeeping

import (
	"fmt"

	"tarmac/internal/civil"
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
	Finish func(tx *store.Tx, report *Report) error
}

// FeedReport says what a reading of a connection changed in the books. Lines are booked lines.
type FeedReport struct {
	// Unchanged is true if the reading is the same as the one before. Then nothing was written, and
	// the counts are 0.
	Unchanged bool `json:"unchanged"`
	Added     int  `json:"added"`   // number of lines that the books did not have before
	Changed   int  `json:"changed"` // number of lines whose text is now another
	Removed   int  `json:"removed"` // number of lines that the books no longer have
	Pending   int  `json:"pending"` // number of lines in the reading that are not booked yet
	// Gap is true if no reading covers the days between the reading of an account and the reading
	// before.
	Gap bool `json:"-"`
	// Accounts are the accounts of the reading, written as in StatementReport.
	Accounts []string `json:"accounts"`
	// Residuals says of each account whose lines do not add up to its balances which amount is
	// missing. It is empty if all add up.
	Residuals []string `json:"residuals"`
}

// RemovedError means that a reading lacks many lines that earlier readings had, so nothing was
// imported. If the lines are really gone, the caller imports the reading again with
// Feed.AcceptRemoved.
type RemovedError struct {
	Account     string // written as in StatementReport
	Removed     int    // number of booked lines that the reading lacks
	Booked      int    // number of booked lines of these days before
	First, Last civil.Date
}

func (e *RemovedError) Error() string {
	return fmt.Sprintf("%d of %s of %s from %s to %s are gone, so nothing was taken in; if that is right, sync "+
		"with --accept-removed", e.Removed, plural.Count(e.Booked, "line"), e.Account, e.First, e.Last)
}
