package bank

import (
	"encoding/csv"
	"errors"
	"io"
)

// MaxFields is the largest number of values in a line of a table.
const MaxFields = 2000

// Records reads comma-separated values. It needs no more memory than MaxLine for each record.
type Records struct {
	budget *Budget
	csv    *csv.Reader
	in     *allowance
	number int
}

// NewRecords returns the records of r, whose text must be UTF-8 (see Decode). The parameter
// separator is the character between two fields of a record.
func NewRecords(b *Budget, r io.Reader, separator rune) *Records {
	in := &allowance{in: b.Reader(r), left: MaxLine}
	records := &Records{budget: b, csv: csv.NewReader(in), in: in}
	records.csv.Comma = separator
	records.csv.FieldsPerRecord = -1
	records.csv.ReuseRecord = true
	records.csv.TrimLeadingSpace = separator != '\t'
	return records
}

// Next returns the fields of the next record and the number of its first line. The fields are valid
// until the next call. Empty lines are skipped. Next returns io.EOF after the last record, and an
// *Error for a record that is too long or has misplaced quotes.
func (r *Records) Next() (fields []string, line int, err error) {
	r.in.left = MaxLine
	fields, err = r.csv.Read()
	var wrong *csv.ParseError
	switch {
	case errors.As(err, &wrong):
		return nil, 0, Errorf(wrong.StartLine, "a quotation mark is in the wrong place or has no end")
	case errors.Is(err, errAllowance):
		return nil, 0, Errorf(r.number+1, "longer than 1 MB")
	case err != nil:
		return nil, 0, err
	}
	r.number, _ = r.csv.FieldPos(0)
	if len(fields) > MaxFields {
		return nil, 0, Errorf(r.number, "has more than %d columns", MaxFields)
	}
	return fields, r.number, r.budget.Step(len(fields))
}

var errAllowance = errors.New("too many bytes")

// allowance is an io.Reader that fails after left bytes.
type allowance struct {
	in   io.Reader
	left int
}

func (a *allowance) Read(p []byte) (int, error) {
	if a.left <= 0 {
		return 0, errAllowance
	}
	n, err := a.in.Read(p)
	a.left -= n
	return n, err
}
