// Package ledger holds the rows of an organization's ledger: money that came in
// or went out, on which day, through which feed (specification 2.3, 2.4).
package ledger

import "tarmac/internal/civil"

// Direction carries a transaction's sign; amounts themselves are unsigned.
type Direction uint8

// The two directions.
const (
	Outflow Direction = iota
	Inflow
)

// String returns the API's word.
func (d Direction) String() string {
	if d == Inflow {
		return "inflow"
	}
	return "outflow"
}

// Source is the money feed that a transaction came from.
type Source uint8

// The two feeds: the service's own account and a linked bank.
const (
	ServiceAccount Source = iota
	LinkedBank
)

// Sources lists every feed.
var Sources = [...]Source{ServiceAccount, LinkedBank}

// String returns the API's value of the feed.
func (s Source) String() string {
	if s == LinkedBank {
		return "linked_bank"
	}
	return "svc"
}

// Label returns the readable name of the feed.
func (s Source) Label() string {
	if s == LinkedBank {
		return "Linked bank"
	}
	return "Service account"
}

// UnknownCounterparty stands where no name could be resolved.
const UnknownCounterparty = "(unknown)"

// Categories that the cash position leaves out of net burn: money moved between
// an organization's own accounts, and equity or debt financing (decision 1.8).
const (
	CategoryInternalTransfer = "internal_transfer"
	CategoryFinancing        = "financing"
)

// Transaction is one row. Amounts are magnitudes in minor units.
//
// When AmountKnown is false, AmountMinor is 0 and USDKnown is false; when
// USDKnown is false, USDCents is 0 and the row is left out of USD totals
// (decision 1.10). Category is searched and never shown.
type Transaction struct {
	ID           string // public id, "txn_…"
	Date         civil.Date
	Direction    Direction
	Source       Source
	AmountMinor  int64
	AmountKnown  bool
	USDCents     int64
	USDKnown     bool
	Currency     string // ISO 4217, upper case
	Counterparty string // UnknownCounterparty when not resolved
	HasReceipt   bool
	Category     string
	LogoURL      string // "" when not known
	Memo         string
	Method       string
	Reference    string
}

// Operating reports whether the row counts towards net burn.
func (t Transaction) Operating() bool {
	return t.Category != CategoryInternalTransfer && t.Category != CategoryFinancing
}

// Filter narrows a listing; its zero value is everything. Dates are inclusive,
// a zero date is no bound. Keyword is already trimmed and case-folded (Fold).
type Filter struct {
	Direction *Direction
	From, To  civil.Date
	Keyword   string
}

// Summary totals a whole filter (specification 2.4). Rows without a known USD
// amount count in Count and Unconverted and in no sum.
type Summary struct {
	Count       int64
	InflowUSD   int64 // cents
	OutflowUSD  int64 // cents
	Unconverted int64
}

// NetUSD returns inflow minus outflow in cents.
func (s Summary) NetUSD() int64 { return s.InflowUSD - s.OutflowUSD }

// Position is a place between two rows of the ledger: Seq numbers the rows of a
// day. The newest row has the greatest (Date, Seq).
type Position struct {
	Date civil.Date
	Seq  int64
}
