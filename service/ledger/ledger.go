// Package ledger holds the rows of an organization's ledger: money that came in
// or went out, on which day, through which feed (docs/api.md, Transaction,
// Transaction totals).
package ledger

import (
	"errors"
	"fmt"

	"tarmac/internal/civil"
)

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

// ParseDirection returns the direction of the API's word.
func ParseDirection(s string) (Direction, bool) {
	switch s {
	case Inflow.String():
		return Inflow, true
	case Outflow.String():
		return Outflow, true
	}
	return 0, false
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
// an organization's own accounts, and equity or debt financing (docs/api.md, Runway
// estimate).
const (
	CategoryInternalTransfer = "internal_transfer"
	CategoryFinancing        = "financing"
)

// Transaction is one row. Amounts are magnitudes in minor units.
//
// When AmountKnown is false, AmountMinor is 0 and USDKnown is false; when
// USDKnown is false, USDCents is 0 and the row is left out of USD totals
// (docs/api.md, Unknown amounts). Category is searched and never shown.
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

// MaxAmount bounds a single amount in minor units; it leaves room for the
// store's packed form of an amount.
const MaxAmount = int64(1) << 60

// ErrOverflow is returned when a total does not fit in 64 bits of cents.
var ErrOverflow = errors.New("the transactions add up to more than can be counted")

// Validate returns what breaks the rules of a row, if anything does. It does not
// look at the id.
func (t *Transaction) Validate() error {
	switch {
	case t.Date.IsZero():
		return errors.New("it has no date")
	case t.Direction > Inflow:
		return fmt.Errorf("direction %d is not known", t.Direction)
	case t.Source > LinkedBank:
		return fmt.Errorf("source %d is not known", t.Source)
	case t.AmountMinor < 0 || t.USDCents < 0:
		return errors.New("amounts are magnitudes and cannot be negative")
	case t.AmountMinor > MaxAmount || t.USDCents > MaxAmount:
		return errors.New("the amount is too large")
	case !t.AmountKnown && (t.AmountMinor != 0 || t.USDKnown):
		return errors.New("an unknown amount must be 0 and have no USD amount")
	case !t.USDKnown && t.USDCents != 0:
		return errors.New("an unknown USD amount must be 0")
	case !IsCurrencyCode(t.Currency):
		return fmt.Errorf("currency %q is not an ISO 4217 code", t.Currency)
	case t.Counterparty == "":
		return fmt.Errorf("the counterparty is empty; use %q", UnknownCounterparty)
	}
	return nil
}

// IsCurrencyCode reports whether s has the form of an ISO 4217 code: three
// upper-case letters.
func IsCurrencyCode(s string) bool {
	return len(s) == 3 && isUpper(s[0]) && isUpper(s[1]) && isUpper(s[2])
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// Filter narrows a listing; its zero value is everything. Dates are inclusive,
// a zero date is no bound. Keyword is already trimmed and case-folded (Fold).
type Filter struct {
	Direction *Direction
	From, To  civil.Date
	Keyword   string
}

// Summary totals a whole filter (docs/api.md, Transaction totals). Rows without a
// known USD amount count in Count and Unconverted and in no sum.
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
