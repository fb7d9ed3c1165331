// Package payables describes bills of vendors (docs/api.md, Bills of own books).
package payables

import "tarmac/internal/civil"

// State says whether a bill is to be paid.
type State string

// The states of bills. Disputed ones are in no sum.
const (
	Open     State = "open"
	Disputed State = "disputed"
	Paid     State = "paid"
)

// Bill is a bill of a vendor from a list or an electronic invoice.
type Bill struct {
	Number    string // "" if unknown
	Vendor    string
	Currency  string
	OpenMinor int64 // amount to pay in minor units of Currency; 0 for a paid bill
	USDCents  *int64
	// ReportingMinor is the amount in the organization's reporting currency. It is nil for an
	// organization that reports in US dollars, and if it is not known.
	ReportingMinor *int64
	Issued         civil.Date // zero if unknown
	Due            civil.Date // zero if the bill is payable on receipt
	Paid           civil.Date // day of the last payment; zero if none is known
	PaidBy         string     // public id of the transaction of that payment; "" if none is known
	State          State
	MayBePaid      bool   // true if the user is asked whether a payment pays it
	Source         string // source of the list; "" if unknown
}
