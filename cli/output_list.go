package cli

import (
	"io"

	"tarmac/apiclient"
	"tarmac/client/export"
	"tarmac/client/problem"
	"tarmac/client/record"
)

// format is an output format of a command.
type format int

const (
	asText format = iota
	asJSON
	asCSV
)

// listing prints a list in one of the formats while the list is being read. It keeps only a few
// rows in memory.
type listing struct {
	table  *grid
	csv    *export.CSVWriter
	json   *record.JSONWriter // set for JSON output only; table and csv are set for theirs
	listed int

	unreadable int // number of records left out because they could not be decoded
	why        *apiclient.ContractError
}

// listing starts to print a list in the output format of the command. The fields of the sample
// record, which may be empty, are the columns. JSON output is an array or, for a list that has
// pages, an object {"data": […], …}.
func (a *call) listing(paged bool, sample record.Object) (*listing, error) {
	return newListing(a.out, a.format(), paged, sample, a.columns())
}

func newListing(w io.Writer, format format, paged bool, sample record.Object, columns int) (l *listing, err error) {
	l = &listing{}
	switch format {
	case asJSON:
		l.json, err = record.NewJSONWriter(w, paged)
	case asCSV:
		l.csv, err = export.NewCSVWriter(w, sample)
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

// addAll prints the records that could be decoded and counts the others.
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

// unreadableError returns an error if records of the list were left out. Otherwise it returns nil.
func (l *listing) unreadableError(noun string) error {
	return problem.UnreadableRows(l.unreadable, noun, l.why)
}

// flush writes the buffered rows.
func (l *listing) flush() error {
	switch {
	case l.json != nil:
		return nil
	case l.csv != nil:
		return l.csv.Flush()
	}
	return l.table.flush()
}

// end finishes a complete list. The trailer contains the fields of the response that follow its
// rows.
func (l *listing) end(trailer record.Object) error {
	if l.json != nil {
		return l.json.End(trailer)
	}
	return l.flush()
}
