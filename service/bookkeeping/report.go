// Package bookkeeping imports files of banks and accounting programs, and readings of connections
// to providers, into an organization's own books, and undoes imports. After each change, it updates
// the ledger, the balance and the receivables that the API returns (docs/import.md).
//
// The content of files and readings is stored as it was read. Package books derives everything else
// from it, again after each change. So the order of imports makes no difference, and nothing
// remains of an import that was undone.
package bookkeeping

import (
	"slices"

	"tarmac/internal/ownbooks"
)

// clone returns a report that does not change with r.
func clone(r *ownbooks.Report) *ownbooks.Report {
	c := *r
	c.Files, c.Questions = slices.Clone(r.Files), slices.Clone(r.Questions)
	if r.Feed != nil {
		feed := *r.Feed
		feed.Accounts, feed.Residuals = slices.Clone(feed.Accounts), slices.Clone(feed.Residuals)
		c.Feed = &feed
	}
	for n := range c.Files {
		f := &c.Files[n]
		f.Statements, f.Problems = slices.Clone(f.Statements), slices.Clone(f.Problems)
	}
	return &c
}

// newLines returns the number of lines that the books did not have before.
func newLines(r *ownbooks.Report) (n int) {
	for _, f := range r.Files {
		for _, s := range f.Statements {
			n += s.New
		}
	}
	return n
}
