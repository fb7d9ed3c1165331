// Package extension makes extensions of cash positions for tests (docs/api.md, Facts).
package extension

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/internal/civil"
)

// Covering returns the extension of a cash position whose statements end on a day, "" for none, and
// lack others, each written as "2026-06-01..2026-06-30".
func Covering(to string, gaps ...string) *apiclient.Extension {
	c := &apiclient.Coverage{}
	if to != "" {
		c.KnownTo = civil.MustParse(to)
	}
	for _, gap := range gaps {
		first, last, _ := strings.Cut(gap, "..")
		c.Gaps = append(c.Gaps, apiclient.Days{First: civil.MustParse(first), Last: civil.MustParse(last)})
	}
	return &apiclient.Extension{Coverage: c}
}

// Forgetting returns the extension of a cash position to which a forgotten account adds an amount.
func Forgetting(cents int64) *apiclient.Extension {
	return &apiclient.Extension{Coverage: &apiclient.Coverage{Accounts: []apiclient.AccountCoverage{
		{Account: "Chase …1234", Currency: "USD", State: apiclient.AccountForgotten, CountedCents: &cents},
	}}}
}

// Unrated returns the extension of a cash position that leaves out an account without an exchange
// rate.
func Unrated(account, currency string) *apiclient.Extension {
	return &apiclient.Extension{Coverage: &apiclient.Coverage{Accounts: []apiclient.AccountCoverage{
		{Account: account, Currency: currency, State: apiclient.AccountCurrent, Unrated: true},
	}}}
}

// Asking returns the extension of a cash position with unanswered questions.
func Asking(u apiclient.Unanswered) *apiclient.Extension { return &apiclient.Extension{Unanswered: u} }
