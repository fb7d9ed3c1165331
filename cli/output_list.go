package cli

import (
	"io"

	"tarmac/apiclient"
	"tarmac/client/problem"
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
	w      io.Writer
	form   form
	paged  bool // {"data": […], …} instead of the bare list
	table  *grid
	csv    *sheet
	listed int

	unreadable int // records that are left out because they could not be read
	why        *apiclient.ContractError
}

// listing begins a list; sample is a record, empty perhaps, for its columns.
func (a *ask) listing(paged bool, sample object) (*listing, error) {
	l := &listing{w: a.out, form: a.form(), paged: paged}
	return l, l.begin(sample, a.columns())
}

func (l *listing) begin(sample object, columns int) error {
	var err error
	switch l.form {
	case asJSON:
		opening := "["
		if l.paged {
			opening = `{"data":[`
		}
		_, err = io.WriteString(l.w, opening)
	case asCSV:
		l.csv, err = newSheet(l.w, sample)
	default:
		l.table = newGrid(l.w, columns, sample)
	}
	return err
}

func (l *listing) add(o object) error {
	l.listed++
	switch l.form {
	case asJSON:
		line := []byte("\n")
		if l.listed > 1 {
			line = []byte(",\n")
		}
		line, err := o.appendJSON(line)
		if err == nil {
			_, err = l.w.Write(line)
		}
		return err
	case asCSV:
		return l.csv.add(o)
	}
	return l.table.add(o)
}

// addAll writes the records that could be read, and counts the others.
func addAll[T apiclient.Record](l *listing, records []T, of func(T) object) error {
	for _, record := range apiclient.Readable(records) {
		if err := l.add(of(record)); err != nil {
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
	switch l.form {
	case asJSON:
		return nil
	case asCSV:
		return l.csv.flush()
	}
	return l.table.flush()
}

// end ends the list; rest is what a paged answer has beside its rows. A list that
// breaks off is not ended, so that nobody takes it for all there is.
func (l *listing) end(rest object) error {
	if l.form != asJSON {
		return l.flush()
	}
	closing := []byte("]")
	if l.listed > 0 {
		closing = []byte("\n]")
	}
	if l.paged {
		after, err := rest.appendJSON(nil)
		if err != nil {
			return err
		}
		closing = append(append(closing, ','), after[1:]...)
	}
	_, err := l.w.Write(append(closing, '\n'))
	return err
}
