package cli

import (
	"io"

	"tarmac/apiclient"
	"tarmac/client/export"
	"tarmac/client/problem"
	"tarmac/client/record"
)

// form is how a command prints what it got.
type form int

const (
	forPeople form = iota
	asJSON
	asCSV
)

// listing writes a list as it comes, in any form, in the memory of a few rows.
type listing struct {
	table  *grid
	csv    *export.Sheet
	json   *record.JSON // nil, like table and csv, for other forms
	listed int

	unreadable int // records that are left out because they could not be read
	why        *apiclient.ContractError
}

// listing begins a list; sample is a record, empty perhaps, for its columns. JSON is the bare
// list, or {"data": […], …} for a paged one.
func (a *ask) listing(paged bool, sample record.Object) (*listing, error) {
	return newListing(a.out, a.form(), paged, sample, a.columns())
}

func newListing(w io.Writer, form form, paged bool, sample record.Object, columns int) (l *listing, err error) {
	l = &listing{}
	switch form {
	case asJSON:
		l.json, err = record.NewJSON(w, paged)
	case asCSV:
		l.csv, err = export.NewSheet(w, sample)
	default:
		l.table = newGrid(w, columns, sample)
	}
	return l, err
}

func (l *listing) add(o record.Object) error {
	l.listed++
	switch {
	case l.json != nil:
		return l.json.Add(o)
	case l.csv != nil:
		return l.csv.Add(o)
	}
	return l.table.add(o)
}

// addAll writes the records that could be read, and counts the others.
func addAll[T apiclient.Record](l *listing, records []T, of func(T) record.Object) error {
	for _, one := range apiclient.Readable(records) {
		if err := l.add(of(one)); err != nil {
			return err
		}
	}
	n, first := apiclient.CountUnreadable(records)
	if l.why == nil {
		l.why = first
	}
	l.unreadable += n
	return nil
}

// lacks returns the error of a list that is without some records; nil for a whole one.
func (l *listing) lacks(noun string) error { return lacking(noun, l.unreadable, l.why) }

func lacking(noun string, n int, first *apiclient.ContractError) error {
	switch n {
	case 0:
		return nil
	case 1:
		return &unreadableRecords{problem.Unreadable(n, noun) + " and is not listed: ", first}
	}
	return &unreadableRecords{problem.Unreadable(n, noun) + " and are not listed; the first: ", first}
}

// unreadableRecords is why a list that was printed is not whole.
type unreadableRecords struct {
	text  string
	first *apiclient.ContractError
}

func (e *unreadableRecords) Error() string { return e.text + problem.OfRecord(e.first) }
func (e *unreadableRecords) Unwrap() error { return e.first }

// flush writes the rows that wait for others.
func (l *listing) flush() error {
	switch {
	case l.json != nil:
		return nil
	case l.csv != nil:
		return l.csv.Flush()
	}
	return l.table.flush()
}

// end ends the list; rest is what a paged answer has beside its rows. A list that breaks off
// is not ended.
func (l *listing) end(rest record.Object) error {
	if l.json != nil {
		return l.json.End(rest)
	}
	return l.flush()
}
