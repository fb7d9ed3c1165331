package figures

import (
	"tarmac/apiclient"
	"tarmac/internal/cashnote"
)

// CashWithout returns the accounts that the cash position leaves out because their currency has no
// exchange rate, such as "…3456 in GEL". It returns "" if the cash is complete, and for servers
// that do not say so in their note.
func CashWithout(c *apiclient.CashPosition) string {
	if c == nil {
		return ""
	}
	return cashnote.Accounts(c.RunwayNote)
}
