package main

import (
	"errors"
	"net/http"
	"time"

	"tarmac/internal/testsupport/faults"
)

// site is a provider.
type site struct {
	name, host string
	faults     *faults.Handler // passes requests to the fake
	token      func() string   // returns a new token
	// does holds the commands that only this provider has, by name.
	does map[string]func(words []string) error
}

// fakes returns the providers, with the data of a small company.
func fakes(now func() time.Time) []site {
	return []site{simpleFIN(now), mercuryBank(now), stripeInvoices(now)}
}

// sample is a transaction that a fake has from the start.
type sample struct {
	daysAgo int
	minor   int64
	text    string
}

// samples returns the transactions of the last three months, oldest first.
func samples() (all []sample) {
	for daysAgo := 85; daysAgo > 0; daysAgo-- {
		switch {
		case daysAgo%28 == 1:
			all = append(all, sample{daysAgo, -1_850_000, "Payroll"}, sample{daysAgo, -240_000, "Harbor Office Rent"})
		case daysAgo%14 == 3:
			all = append(all, sample{daysAgo, 1_275_000, "Fernhill Foods invoice"})
		case daysAgo%7 == 5:
			all = append(all, sample{daysAgo, -11_990, "Cloud hosting"})
		}
	}
	return all
}

// hold is a pending transaction, with its amount in USD cents.
type hold[L any] struct {
	line  L
	minor int64
}

// withFaults returns a handler that passes requests to a fake, and can apply faults to them.
func withFaults(fake http.Handler) *faults.Handler {
	return faults.New(fake, faults.Options{Elsewhere: "https://elsewhere.example.net"})
}

var errNothing = errors.New("there is no such transaction")

// last removes and returns the last element of a list.
func last[T any](list *[]T) (element T, err error) {
	if len(*list) == 0 {
		return element, errNothing
	}
	element = (*list)[len(*list)-1]
	*list = (*list)[:len(*list)-1]
	return element, nil
}

// first removes and returns the first element of a list.
func first[T any](list *[]T) (element T, err error) {
	if len(*list) == 0 {
		return element, errNothing
	}
	element = (*list)[0]
	*list = (*list)[1:]
	return element, nil
}
