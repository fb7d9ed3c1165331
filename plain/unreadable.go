package plain

import (
	"tarmac/apiclient"
	"tarmac/client/problem"
)

// unreadable says why a record of a list could not be read; name is its id or number.
func unreadable(name string, why *apiclient.ContractError) string {
	if name != "" {
		name += " "
	}
	return name + "could not be read: " + problem.OfRecord(why)
}

// sayUnreadable prints how many records of a list could not be read, if any.
func sayUnreadable[T apiclient.Record](s *session, noun string, records []T) {
	if n, _ := apiclient.CountUnreadable(records); n > 0 {
		s.say("%s.", problem.Unreadable(n, noun))
	}
}
