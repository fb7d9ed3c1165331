// Package ledger defines an organization's transactions, and the filters and summaries for lists of
// them (docs/api.md, Transaction, Transaction totals).
package ledger

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"tarmac/internal/civil"
)

// Direction says whether money came in or went out. Amounts themselves have no sign.
type Direction uint8

// The directions of transactions.
const (
	Outflow Direction = iota
	Inflow
)

// String returns the direction as the API names it: "inflow" or "outflow".
func (d Direction) String() string {
	if d == Inflow {
		return "inflow"
	}
	return "outflow"
}

// ParseDirection returns the direction that the API names s. ok is false for any other text.
func ParseDirection(s string) (Direction, bool) {
	switch s {
	case Inflow.String():
		return Inflow, true
	case Outflow.String():
		return Outflow, true
	}
	return 0, false
}

// Source is the kind of account that a transaction belongs to.
type Source uint8

// The sources of transactions: the account that the service manages, and linked bank accounts.
const (
	ServiceAccount Source = iota
	LinkedBank
)

// Sources lists all sources.
var Sources = [...]Source{ServiceAccount, LinkedBank}

// String returns the source as the API names it.
func (s Source) String() string {
	if s == LinkedBank {
		return "linked_bank"
	}
	return "svc"
}

// Label returns the source's name for people.
func (s Source) Label() string {
	if s == LinkedBank {
		return "Linked bank"
	}
	return "Service account"
}

// UnknownCounterparty is the Counterparty of a transaction whose other party is not known.
const UnknownCounterparty = "(unknown)"

// Categories of transactions that do not count in net burn: transfers between an organization's own
// accounts, and equity or debt financing (docs/api.md, Runway estimate).
const (
	CategoryInternalTransfer = "internal_transfer"
	CategoryFinancing        = "financing"
)

// uncategorized is the category of rows that a feed gives no other.
const uncategorized = "uncategorized"

// CategoryName returns the name of a feed's category: "Payroll taxes" for payroll_taxes, and "" for
// uncategorized rows. The two categories that do not count in net burn stay as they are.
func CategoryName(code string) string {
	switch code {
	case CategoryInternalTransfer, CategoryFinancing:
		return code
	case "", uncategorized:
		return ""
	}
	first, size := utf8.DecodeRuneInString(code)
	return string(unicode.ToUpper(first)) + strings.ReplaceAll(code[size:], "_", " ")
}

// Transaction is one row of the ledger. Amounts are not negative and in minor units; Direction says
// whether money came in or went out.
//
// If AmountKnown is false, AmountMinor is 0 and USDKnown is false. If USDKnown is false, USDCents
// is 0 and USD totals leave the transaction out (docs/api.md, Unknown amounts).
type Transaction struct {
	ID          string // public id, "txn_…"
	Date        civil.Date
	Direction   Direction
	Source      Source
	AmountMinor int64
	AmountKnown bool
	USDCents    int64
	USDKnown    bool
	// ReportingMinor is the amount in the organization's reporting currency. It is not known, and
	// 0, for an organization that reports in US dollars.
	ReportingMinor int64
	ReportingKnown bool
	Currency       string // ISO 4217 code in upper case
	Counterparty   string // UnknownCounterparty if the name is not known
	HasReceipt     bool
	Category       string // found by keyword searches, but never shown
	LogoURL        string // "" if the transaction has no logo
	Memo           string
	Method         string
	Reference      string
}

// Operating reports whether the transaction counts in net burn.
func (t Transaction) Operating() bool {
	return t.Category != CategoryInternalTransfer && t.Category != CategoryFinancing
}

// MaxAmount is the largest amount of a transaction in minor units. The store packs an amount and
// two bits into one 64-bit integer.
const MaxAmount = int64(1) << 60

// ErrOverflow is returned if a sum of transactions does not fit into 64 bits of cents.
var ErrOverflow = errors.New("the transactions add up to more than can be counted")

// Validate returns an error if a field of the transaction is not valid. It does not check the id.
func (t *Transaction) Validate() error {
	switch {
	case t.Date.IsZero():
		return errors.New("it has no date")
	case t.Direction > Inflow:
		return fmt.Errorf("direction %d is not known", t.Direction)
	case t.Source > LinkedBank:
		return fmt.Errorf("source %d is not known", t.Source)
	case t.AmountMinor < 0 || t.USDCents < 0 || t.ReportingMinor < 0:
		return errors.New("amounts are magnitudes and cannot be negative")
	case t.AmountMinor > MaxAmount || t.USDCents > MaxAmount || t.ReportingMinor > MaxAmount:
		return errors.New("the amount is too large")
	case !t.AmountKnown && (t.AmountMinor != 0 || t.USDKnown || t.ReportingKnown):
		return errors.New("an unknown amount must be 0 and have no USD amount")
	case !t.USDKnown && t.USDCents != 0 || !t.ReportingKnown && t.ReportingMinor != 0:
		return errors.New("an unknown converted amount must be 0")
	case !IsCurrencyCode(t.Currency):
		return fmt.Errorf("currency %q is not an ISO 4217 code", t.Currency)
	case t.Counterparty == "":
		return fmt.Errorf("the counterparty is empty; use %q", UnknownCounterparty)
	}
	return nil
}

// IsCurrencyCode reports whether s has the form of an ISO 4217 code: three upper-case letters.
func IsCurrencyCode(s string) bool {
	return len(s) == 3 && isUpper(s[0]) && isUpper(s[1]) && isUpper(s[2])
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// Filter selects transactions and says in which currency they are added up. Its zero value selects
// all, in US dollars.
type Filter struct {
	Direction *Direction
	From, To  civil.Date // inclusive; a zero date means no bound
	Keyword   string     // search text, trimmed and folded (Folder.Fold); "" matches all
	// Currency is the organization's reporting currency, or "" for US dollars. Cursors do not
	// depend on it.
	Currency string
}

// Summary holds the number and the totals of the transactions that match a filter (docs/api.md,
// Transaction totals).
type Summary struct {
	Count       int64
	Inflow      int64 // in minor units of the currency in which they are added up
	Outflow     int64
	Unconverted int64 // number of transactions without an amount in it, which are not in the totals
}

// Net returns inflow minus outflow.
func (s Summary) Net() int64 { return s.Inflow - s.Outflow }

// Position orders the transactions of a ledger by Date, then by Seq. The newest has the greatest
// position.
type Position struct {
	Date civil.Date
	Seq  int64 // number of the transaction within its day, from 1
}
