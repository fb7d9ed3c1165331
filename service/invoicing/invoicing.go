// Package invoicing defines invoices, the transitions between their statuses, and proposed invoices
// (docs/api.md, Invoice, Invoice status, Invoice proposal).
package invoicing

import (
	"fmt"
	"time"

	"tarmac/internal/civil"
)

// Status is the status of an invoice, such as "sent".
type Status string

// The statuses of an invoice. Paid and Voided are final.
const (
	Draft   Status = "draft"
	Sent    Status = "sent"
	Paid    Status = "paid"
	Overdue Status = "overdue"
	Voided  Status = "voided"
)

// Statuses lists all statuses of an invoice, in the order in which it can reach them.
var Statuses = [...]Status{Draft, Sent, Overdue, Paid, Voided}

// ParseStatus returns the status named s. ok is false if no status has that name.
func ParseStatus(s string) (Status, bool) {
	for _, known := range Statuses {
		if string(known) == s {
			return known, true
		}
	}
	return "", false
}

// CanBecome reports whether an invoice's status may change from s to newStatus. A draft can be sent
// or voided, a sent invoice can become overdue, paid or voided, and an overdue one paid or voided.
// Paid and voided are final.
func (s Status) CanBecome(newStatus Status) bool {
	switch s {
	case Draft:
		return newStatus == Sent || newStatus == Voided
	case Sent:
		return newStatus == Overdue || newStatus == Paid || newStatus == Voided
	case Overdue:
		return newStatus == Paid || newStatus == Voided
	}
	return false
}

// Open reports whether an invoice with this status is sent but not yet paid or voided.
func (s Status) Open() bool { return s == Sent || s == Overdue }

// Invoice is an invoice. Amounts are in cents of Currency. Times are in UTC; nil means that
// something has not happened.
type Invoice struct {
	ID             string // public id, "inv_…"
	Sequence       int64  // number of the invoice within the organization, from 1
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
	Notes          string // internal notes, which the API never shows
	LineItems      []LineItem
	// OwnerName is the organization's owner at the time of the proposal. It is "" for an invoice
	// that was not proposed.
	OwnerName  string
	OwnerEmail string
	Withheld   bool // true if an operator has forbidden rendering the invoice as a PDF
}

// Number returns the invoice number for people, such as INV-000042.
func (i Invoice) Number() string { return fmt.Sprintf("INV-%06d", i.Sequence) }

// OutstandingCents returns the unpaid amount. It is 0 unless the invoice is sent or overdue.
func (i Invoice) OutstandingCents() int64 {
	if !i.Status.Open() {
		return 0
	}
	return i.TotalCents - i.PaidCents
}

// LineItem is a billed item of an invoice. Amounts are in cents of the invoice's currency.
type LineItem struct {
	Description    string
	Quantity       string // decimal as the proposal gave it
	UnitPriceCents int64
	AmountCents    int64
}
