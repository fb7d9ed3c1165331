// Package receivables computes how much customers owe, by days past due (docs/api.md, Receivables,
// Aging buckets).
package receivables

import (
	"strings"

	"tarmac/internal/civil"
)

// ImportedItem is an invoice that was imported from an accounting system. Nothing of a paid one is
// open.
type ImportedItem struct {
	Number       string // "" if unknown
	CustomerKey  string // accounting system's id of the customer
	CustomerName string
	Currency     string
	OpenMinor    int64 // unpaid amount in minor units of Currency
	USDCents     int64 // unpaid amount in USD cents; 0 if USDKnown is false
	USDKnown     bool
	// ReportingMinor is the unpaid amount in the organization's reporting currency. It is not
	// known, and 0, for an organization that reports in US dollars.
	ReportingMinor int64
	ReportingKnown bool
	Issued         civil.Date // zero if unknown
	Due            civil.Date // zero if the item has no due date
	Paid           civil.Date // day of the payment; zero while the item is open
}

// OpenItem is an invoice of this service or an imported item, in the form that Age needs.
type OpenItem struct {
	CustomerKey  string // equal for all items of a customer
	CustomerName string
	OpenMinor    int64 // unpaid amount in minor units of the item's currency
	Cents        int64 // unpaid amount in the currency of all items, in minor units; 0 if Known is false
	Known        bool
	Due          civil.Date // zero if the item has no due date
}

// InvoicedCustomer returns the customer key for an invoice to the given e-mail address. Addresses
// that differ only in letter case or in blanks around them have the same key.
func InvoicedCustomer(email string) string {
	return "invoiced:" + strings.ToLower(strings.TrimSpace(email))
}

// ImportedCustomer returns the customer key for an imported item. externalID is the accounting
// system's id of the customer. The key never equals that of an invoiced customer.
func ImportedCustomer(externalID string) string { return "imported:" + externalID }
