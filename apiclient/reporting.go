package apiclient

import (
	"encoding/json"
	"net/http"
	"strings"

	"tarmac/internal/money"
)

// reportingCurrency is the preference for figures in the currency in which the organization reports
// (docs/api.md, Reporting currency). Servers that do not know it ignore it.
const reportingCurrency = "reporting-currency"

// importedInvoices is the preference for the imported lists of open invoices in the aging
// (docs/api.md, Receivables of own books).
const importedInvoices = "imported-invoices"

// applies reports whether a response follows a preference. Only the header decides, never a field
// of the body.
func applies(header http.Header, preference string) bool {
	for _, value := range header.Values("Preference-Applied") {
		for one := range strings.SplitSeq(value, ",") {
			name, _, _ := strings.Cut(one, "=")
			if strings.EqualFold(strings.TrimSpace(name), preference) {
				return true
			}
		}
	}
	return false
}

// currency returns the currency of the figures of a response. sent is what the body says, which
// counts only if the server has applied the preference: without it, any value is ignored.
func (f *fields) currency(name string, sent json.RawMessage) string {
	if !f.call.reporting {
		return DefaultCurrency
	}
	var code string
	if json.Unmarshal(sent, &code) != nil || !money.IsCode(code) {
		f.fail(name, "is not a currency")
		return DefaultCurrency
	}
	return code
}
