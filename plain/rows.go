package plain

import (
	"strconv"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/internal/money"
)

// unreadable says why a record of a list could not be decoded. name is the record's ID or number.
func unreadable(name string, why *apiclient.ContractError) string {
	if name != "" {
		name += " "
	}
	return name + "could not be read: " + problem.OfRecord(why)
}

// sayUnreadableCount prints how many records of a list could not be decoded, if any.
func sayUnreadableCount[T apiclient.Record](s *session, noun string, records []T) {
	if n, _ := apiclient.CountUnreadable(records); n > 0 {
		s.say("%s.", problem.Unreadable(n, noun))
	}
}

// sayNumbered prints a line for each row. The first row has the number firstNumber.
func sayNumbered[T any](s *session, firstNumber int, rows []T, line func(row *T) string) {
	for i := range rows {
		s.say("  %s: %s.", money.Count(int64(firstNumber+i)), strings.TrimRight(line(&rows[i]), "."))
	}
}

// pick parses the number of a row in the printed list. It prints a message and returns false if
// there is no such row.
func (s *session) pick(args string, rows int) (int, bool) {
	n, err := strconv.Atoi(args)
	switch {
	case rows == 0:
		s.say("The list is empty.")
	case err != nil || n < 1 || n > rows:
		s.say("Enter a number from the list: 1 to %d.", rows)
	default:
		return n - 1, true
	}
	return 0, false
}
