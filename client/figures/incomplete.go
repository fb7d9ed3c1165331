package figures

import (
	"strings"

	"tarmac/apiclient"
)

// CashWithout returns the accounts that the cash position leaves out because their currency has no
// exchange rate, such as "…3456 in GEL". It returns "" if the cash is complete. The API has no
// field for this: the server says it in its note (docs/import.md, Runway).
func CashWithout(c *apiclient.CashPosition) string {
	if c == nil {
		return ""
	}
	const sentence = "Cash is incomplete: there is no exchange rate for "
	_, rest, found := strings.Cut(c.RunwayNote, sentence)
	if !found {
		return ""
	}
	accounts, _, _ := strings.Cut(rest, ". ")
	return strings.TrimSuffix(accounts, ".")
}
