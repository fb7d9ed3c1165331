// Package receivables sorts what customers still owe by days past due (docs/api.md, Receivables,
// Aging buckets).
package receivables

import (
	"strings"

	"tarmac/internal/civil"
)

// ImportedItem is an open item that an accounting system reported.
type ImportedItem struct {
	CustomerKey  string // the accounting system's own id of the customer
	CustomerName string
	Currency     string
	OpenMinor    int64 // still owed, in minor units of Currency
	USDCents     int64 // 0 if USDKnown is false
	USDKnown     bool
	Due          civil.Date // zero for no due date
}

// OpenItem is an open invoice or an imported open item, as Age needs it.
type OpenItem struct {
	CustomerKey  string // the same for all items of a customer
	CustomerName string
	OpenMinor    int64 // still owed, in minor units of the item's own currency
	USDCents     int64 // 0 if USDKnown is false
	USDKnown     bool
	Due          civil.Date // zero for no due date
}

// InvoicedCustomer returns the customer key of an invoice's recipient. Addresses that differ only
// in case or in blanks around them are one customer.
func InvoicedCustomer(email string) string {
	return "invoiced:" + strings.ToLower(strings.TrimSpace(email))
}

// ImportedCustomer returns the customer key of an imported item. It is never the key of an
// invoiced customer.
func ImportedCustomer(externalID string) string { return "imported:" + externalID }
