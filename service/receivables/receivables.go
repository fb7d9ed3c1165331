// Package receivables holds what customers still owe, and ages it by days past
// due (docs/api.md, Receivables, Aging buckets).
package receivables

import (
	"strings"

	"tarmac/internal/civil"
)

// Imported is an open item that an accounting system reported. OpenMinor is
// what is still owed in minor units of Currency; USDCents is 0 where USDKnown
// is false. A zero Due means that it has no due date.
type Imported struct {
	CustomerKey  string // the accounting system's own id of the customer
	CustomerName string
	Currency     string
	OpenMinor    int64
	USDCents     int64
	USDKnown     bool
	Due          civil.Date
}

// Open is one open item, the service's own or imported, reduced to what aging
// looks at. Items of one CustomerKey belong to one customer. OpenMinor is what is
// still owed in minor units of the item's own currency, also where it has no USD
// amount.
type Open struct {
	CustomerKey  string
	CustomerName string
	OpenMinor    int64
	USDCents     int64
	USDKnown     bool
	Due          civil.Date
}

// InvoicedCustomer returns the customer key of an invoice's recipient: addresses
// that differ only in case or in blanks around them are one customer.
func InvoicedCustomer(email string) string {
	return "invoiced:" + strings.ToLower(strings.TrimSpace(email))
}

// ImportedCustomer returns the customer key of an imported item. It cannot meet
// the key of an invoiced customer.
func ImportedCustomer(externalID string) string { return "imported:" + externalID }
