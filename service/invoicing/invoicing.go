// Package invoicing describes invoices, the changes of their status, and proposals (docs/api.md,
// Invoice, Invoice status, Invoice proposal).
package invoicing

import (
	"fmt"
	"time"

	"tarmac/internal/civil"
)

// Status is an invoice's status.
type Status string

// The statuses of an invoice.
const (
	Draft   Status = "draft"
	Sent    Status = "sent"
	Paid    Status = "paid"
	Overdue Status = "overdue"
	Voided  Status = "voided"
)

// Statuses lists all statuses in the order in which an invoice reaches them.
var Statuses = [...]Status{Draft, Sent, Overdue, Paid, Voided}

// ParseStatus returns the status of that name, or false if there is none.
func ParseStatus(s string) (Status, bool) {
	for _, known := range Statuses {
		if string(known) == s {
			return known, true
		}
	}
	return "", false
}

// CanBecome reports whether an invoice's status may change from s to next. A draft can be sent or
// voided, a sent invoice can become overdue, paid or voided, and an overdue one paid or voided.
// Paid and voided are final.
func (s Status) CanBecome(next Status) bool {
	switch s {
	case Draft:
		return next == Sent || next == Voided
	case Sent:
		return next == Overdue || next == Paid || next == Voided
	case Overdue:
		return next == Paid || next == Voided
	}
	return false
}

// Open reports whether money is still owed on invoices of this status.
func (s Status) Open() bool { return s == Sent || s == Overdue }

// Invoice is an invoice. Money is integer cents of Currency. Times are in UTC, and nil for what
// has not happened.
type Invoice struct {
	ID             string // public id, "inv_…"
	Sequence       int64  // 1, 2, 3 … within the organization
	Status         Status
	Currency       string
	Description    string
	RecipientName  string
	RecipientEmail string
	SubtotalCents  int64
	TaxCents       int64
	TotalCents     int64
	PaidCents      int64 // payments so far; less than the total while the invoice is open
	DueDate        civil.Date
	CreatedAt      time.Time
	UpdatedAt      time.Time
	SentAt         *time.Time
	PaidAt         *time.Time
	VoidedAt       *time.Time
	Notes          string // internal; never shown by the API
	LineItems      []LineItem
	OwnerName      string // organization's owner when it was proposed; "" if it was not proposed
	OwnerEmail     string
	Withheld       bool // the invoice must not be rendered as a PDF
}

// Number returns the invoice number that people see, such as INV-000042.
func (i Invoice) Number() string { return fmt.Sprintf("INV-%06d", i.Sequence) }

// OutstandingCents returns what is still owed. It is 0 unless the invoice is sent or overdue.
func (i Invoice) OutstandingCents() int64 {
	if !i.Status.Open() {
		return 0
	}
	return i.TotalCents - i.PaidCents
}

// LineItem is one line of an invoice.
type LineItem struct {
	Description    string
	Quantity       string // a decimal, as it was proposed
	UnitPriceCents int64
	AmountCents    int64
}
