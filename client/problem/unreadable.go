package problem

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// Unreadable says how many records of a list could not be read, such as "2 invoices could not be
// read".
func Unreadable(n int, noun string) string {
	return plural.Count(n, noun) + " could not be read"
}

// LeftOut returns a note in brackets that says that n records could not be decoded and are missing
// from a file. If n is 0, it returns "".
func LeftOut(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " (1 more could not be read and is not in the file)"
	}
	return " (" + money.Count(int64(n)) + " more could not be read and are not in the file)"
}

// OfRecord says why a record could not be decoded, such as "field total_cents is missing". The text
// does not contain the record's index in its list.
func OfRecord(e *apiclient.ContractError) string {
	_, field, _ := strings.Cut(e.Field, "].")
	if field == "" {
		return "it " + e.Problem
	}
	return "field " + field + " " + e.Problem
}

// UnreadableRows returns an error that says that n records of a list could not be read and are left
// out. It returns nil if n is 0. first is the error of the first one.
func UnreadableRows(n int, noun string, first *apiclient.ContractError) error {
	switch n {
	case 0:
		return nil
	case 1:
		return &unreadableRows{Unreadable(n, noun) + " and is not listed: ", first}
	}
	return &unreadableRows{Unreadable(n, noun) + " and are not listed; the first: ", first}
}

type unreadableRows struct {
	text  string
	first *apiclient.ContractError
}

func (e *unreadableRows) Error() string { return e.text + OfRecord(e.first) }
func (e *unreadableRows) Unwrap() error { return e.first }
