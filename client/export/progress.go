package export

import (
	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/internal/plural"
)

// Progress says how far an export of all transactions that match a query has got. An export starts
// with a Progress that has only a Query.
type Progress struct {
	Query      apiclient.TransactionQuery // query for the next page
	Rows       int                        // number of transactions fetched so far
	Unreadable int                        // how many of them could not be decoded and are left out
	Total      int                        // number of transactions that match the query; 0 before the first page
}

// FileError means that a page could not be written to the file, so that a retry cannot help.
type FileError struct{ Err error }

// Error returns the text of the cause.
func (e *FileError) Error() string { return e.Err.Error() }

// Unwrap returns the cause, Err.
func (e *FileError) Unwrap() error { return e.Err }

// AddPage gets the next page by calling fetch and adds it to the file. It returns the progress
// after that page; more is false after the last page, and the caller must then call Commit. After
// an error, the progress is unchanged. The error is a *FileError if the page could not be written.
func (f *File) AddPage(
	p Progress, fetch func(apiclient.TransactionQuery) (*apiclient.TransactionPage, error),
) (after Progress, more bool, err error) {
	page, err := fetch(p.Query)
	if err != nil {
		return p, true, err
	}
	next, more, err := page.Next(p.Query)
	if err != nil {
		return p, true, err
	}
	if err := f.Add(page.Data); err != nil {
		return p, true, &FileError{err}
	}
	unreadable, _ := apiclient.CountUnreadable(page.Data)
	rows := p.Rows + len(page.Data)
	return Progress{
		Query: next, Rows: rows, Unreadable: p.Unreadable + unreadable, Total: max(rows, int(page.Summary.Count)),
	}, more, nil
}

// Exported says how many transactions the file contains and how many are left out, such as "12
// transactions (1 more could not be read and is not in the file)".
func (p Progress) Exported() string {
	return plural.Count(p.Rows-p.Unreadable, "transaction") + problem.LeftOut(p.Unreadable)
}
