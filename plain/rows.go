package plain

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/internal/money"
)

// unreadable says why a record of a list could not be read; name is its id or number.
func unreadable(name string, why *apiclient.ContractError) string {
	if name != "" {
		name += " "
	}
	return name + "could not be read: " + problem.OfRecord(why)
}

// sayUnreadableCount prints how many records of a list could not be read, if any.
func sayUnreadableCount[T apiclient.Record](s *session, noun string, records []T) {
	if n, _ := apiclient.CountUnreadable(records); n > 0 {
		s.say("%s.", problem.Unreadable(n, noun))
	}
}

// sayNumbered prints one line for each row, numbered from first.
func sayNumbered[T any](s *session, first int, rows []T, line func(row *T) string) {
	for i := range rows {
		s.say("  %s: %s.", money.Count(int64(first+i)), strings.TrimRight(line(&rows[i]), "."))
	}
}
