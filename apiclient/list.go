package apiclient

import (
	"encoding/json"
	"errors"
	"strconv"

	"tarmac/internal/termtext"
)

// element is a record of a list, as far as it could be decoded.
type element[A any] struct {
	answer A
	err    error
}

// UnmarshalJSON keeps the error: the records after this one can still be decoded.
func (e *element[A]) UnmarshalJSON(b []byte) error {
	e.err = json.Unmarshal(b, &e.answer)
	return nil
}

// elements returns records that were all decoded; nil for none.
func elements[A any](answers []A) []element[A] {
	if answers == nil {
		return nil
	}
	all := make([]element[A], len(answers))
	for i := range answers {
		all[i].answer = answers[i]
	}
	return all
}

// readList reads the records of a list. One that cannot be read keeps its place, as
// what reduce leaves of it: its id and why the rest could not be read. Where that goes
// for all of them the first reason is the error.
func readList[A, T any](
	call call, list string, elements []element[A], read func(*A, *fields) T, reduce func(T, *ContractError) T,
) ([]T, error) {
	records := make([]T, len(elements))
	var first *ContractError
	bad := 0
	for i := range elements {
		f := call.fields()
		f.list, f.row = list, i
		if err := elements[i].err; err != nil {
			f.mistyped(err)
		}
		records[i] = read(&elements[i].answer, f)
		if f.err == nil {
			continue
		}
		records[i] = reduce(records[i], f.err)
		if bad++; first == nil {
			first = f.err
		}
	}
	if bad > 0 && bad == len(records) {
		return records, first
	}
	return records, nil
}

// mistyped fails with what a decoder found wrong.
func (f *fields) mistyped(err error) {
	var shape *json.UnmarshalTypeError
	if !errors.As(err, &shape) {
		f.fail("", "is not valid JSON")
		return
	}
	f.fail(termtext.Line(shape.Field), "has a JSON "+termtext.Line(shape.Value)+" where another type belongs")
}

// name is what a field of the record that is being read is called in the whole answer.
func (f *fields) name(field string) string {
	if f.row < 0 {
		return field
	}
	record := f.list + "[" + strconv.Itoa(f.row) + "]"
	if field == "" {
		return record
	}
	return record + "." + field
}

// Record is a record of a list. Its problem is why no more than its id could be read;
// nil for a record that was read.
type Record interface{ problem() *ContractError }

func (i Invoice) problem() *ContractError         { return i.Unreadable }
func (t Transaction) problem() *ContractError     { return t.Unreadable }
func (e Event) problem() *ContractError           { return e.Unreadable }
func (w Webhook) problem() *ContractError         { return w.Unreadable }
func (d WebhookDelivery) problem() *ContractError { return d.Unreadable }

// CountUnreadable returns how many of the records could not be read, and why not the
// first of them; nil where all could.
func CountUnreadable[T Record](records []T) (n int, first *ContractError) {
	for i := range records {
		if problem := records[i].problem(); problem != nil {
			if n++; first == nil {
				first = problem
			}
		}
	}
	return n, first
}

// Readable returns the records that could be read: records itself where that is all.
func Readable[T Record](records []T) []T {
	n, _ := CountUnreadable(records)
	if n == 0 {
		return records
	}
	readable := make([]T, 0, len(records)-n)
	for i := range records {
		if records[i].problem() == nil {
			readable = append(readable, records[i])
		}
	}
	return readable
}
