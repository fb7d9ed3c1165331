package apiclient

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"tarmac/internal/termtext"
)

// element is a decoded record of a list, or the error from decoding it.
type element[A any] struct {
	response *A
	err      error
}

// UnmarshalJSON stores an error instead of returning it, so that encoding/json goes on with the
// next record.
func (e *element[A]) UnmarshalJSON(b []byte) error {
	e.response = new(A)
	e.err = json.Unmarshal(b, e.response)
	return nil
}

// elements wraps records that were decoded without errors. If responses is nil, it returns nil.
func elements[A any](responses []A) []element[A] {
	if responses == nil {
		return nil
	}
	all := make([]element[A], len(responses))
	for i := range responses {
		all[i].response = &responses[i]
	}
	return all
}

// readList converts and checks the records of a list with the function read. It replaces a record
// that could not be decoded with the result of the function reduce, which has the record's ID and
// the reason. If no record could be decoded, readList also returns the first reason as an error.
func readList[A, T any](
	call call, list string, elements []element[A], read func(*A, *fields) T, reduce func(T, *ContractError) T,
) ([]T, error) {
	records := make([]T, len(elements))
	var first *ContractError
	bad := 0
	f := call.fields()
	for i := range elements {
		f.list, f.row, f.err = list, i, nil
		if err := elements[i].err; err != nil {
			f.failDecode(err)
		}
		records[i] = read(elements[i].response, f)
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

// fetchList sends a request and reads the records in the JSON response, which consists only of the
// list.
func fetchList[J, T any](
	ctx context.Context, c *Client, call call, read func(*J, *fields) T, reduce func(T, *ContractError) T,
) ([]T, error) {
	body, err := c.send(ctx, &call)
	if err != nil {
		return nil, err
	}
	return decodeList(call, body, read, reduce)
}

func decodeList[J, T any](
	call call, body []byte, read func(*J, *fields) T, reduce func(T, *ContractError) T,
) ([]T, error) {
	var response []element[J]
	if err := decode(call, body, &response); err != nil {
		return nil, err
	}
	if response == nil {
		return nil, call.contractError("", "is null instead of a list")
	}
	list, err := readList(call, "", response, read, reduce)
	if err != nil {
		return nil, err
	}
	return list, nil
}

// failDecode stores the error from decoding a record.
func (f *fields) failDecode(err error) {
	var shape *json.UnmarshalTypeError
	if !errors.As(err, &shape) {
		f.fail("", "is not valid JSON")
		return
	}
	f.fail(termtext.Line(shape.Field), "has a JSON "+termtext.Line(shape.Value)+" where another type belongs")
}

// path returns the name of a field with its place in the response, such as data[3].amount_known.
func (f *fields) path(field string) string {
	if f.row < 0 {
		return field
	}
	record := f.list + "[" + strconv.Itoa(f.row) + "]"
	if field == "" {
		return record
	}
	return record + "." + field
}

// Record is implemented by all records of lists. Its method returns the field Unreadable of the
// record.
type Record interface{ problem() *ContractError }

func (i Invoice) problem() *ContractError         { return i.Unreadable }
func (t Transaction) problem() *ContractError     { return t.Unreadable }
func (e Event) problem() *ContractError           { return e.Unreadable }
func (w Webhook) problem() *ContractError         { return w.Unreadable }
func (d WebhookDelivery) problem() *ContractError { return d.Unreadable }

// CountUnreadable returns the number of records that could not be decoded, and the reason for the
// first one. It returns 0 and nil if all could.
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

// Readable returns the records that could be decoded. If all could, it returns the given slice.
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
