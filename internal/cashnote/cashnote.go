// Package cashnote holds the sentence of a cash position's note that names accounts without an
// exchange rate. The API has no field for them (docs/import.md, Runway): the service writes the
// sentence, and the client recognizes it.
package cashnote

import (
	"regexp"
	"strings"
)

const beginning = "Cash is incomplete: there is no exchange rate for "

// Incomplete returns the sentence for accounts that the cash leaves out. Each account is named
// with its currency, such as "mBank …6666 in PLN".
func Incomplete(accounts []string) string { return beginning + strings.Join(accounts, " and ") + "." }

// named matches the accounts at the beginning of a text. They end with a currency code and a
// period, because the names of accounts may contain periods.
var named = regexp.MustCompile(`^(.+? in [A-Z]{3})\.(?: |$)`)

// Accounts returns the accounts that a note names as left out, such as "mBank …6666 in PLN and N26
// …1111 in CHF". It returns "" if the note does not have the sentence.
func Accounts(note string) string {
	_, rest, found := strings.Cut(note, beginning)
	if !found {
		return ""
	}
	if accounts := named.FindStringSubmatch(rest); accounts != nil {
		return accounts[1]
	}
	return ""
}
