package apiclient

import (
	"context"
	"time"
)

// InvoiceStatus is the state of an invoice (docs/api.md, Invoice status).
type InvoiceStatus string

// The statuses of an invoice.
const (
	InvoiceDraft   InvoiceStatus = "draft"
	InvoiceSent    InvoiceStatus = "sent"
	InvoicePaid    InvoiceStatus = "paid"
	InvoiceOverdue InvoiceStatus = "overdue"
	InvoiceVoided  InvoiceStatus = "voided"
)

// Known reports whether the API defines s.
func (s InvoiceStatus) Known() bool {
	switch s {
	case InvoiceDraft, InvoiceSent, InvoicePaid, InvoiceOverdue, InvoiceVoided:
		return true
	}
	return false
}

// Invoice is an invoice to a customer (docs/api.md, Invoice). Times are UTC; a nil time
// means "not set" or "not yet".
type Invoice struct {
	ID             string
	Number         string
	Status         InvoiceStatus
	Description    string
	RecipientName  string
	RecipientEmail string
	Subtotal       Amount
	Tax            Amount
	Total          Amount // the amount due
	CreatedAt      time.Time
	UpdatedAt      time.Time
	DueDate        *time.Time
	SentAt         *time.Time
	PaidAt         *time.Time
	VoidedAt       *time.Time
	// Unreadable is set when only ID and Number could be read, and tells why. Only records
	// of lists can be unreadable.
	Unreadable *ContractError
}

// InvoiceFilter selects invoices. Limit is 1 to 200, or 0 for the server's 50.
type InvoiceFilter struct {
	Status InvoiceStatus // "" for all
	Limit  int
}

// Invoices returns the latest invoices, newest first; the API has no further pages
// (docs/api.md, Invoice list). Unreadable invoices keep their place; see
// Invoice.Unreadable.
func (c *Client) Invoices(ctx context.Context, filter InvoiceFilter) ([]Invoice, error) {
	q := query{}
	q.text("status", string(filter.Status))
	q.limit(filter.Limit)
	call := read("/invoices", q)
	return fetchList(ctx, c, call, (*invoiceJSON).invoice, Invoice.asUnreadable)
}

func (i Invoice) asUnreadable(reason *ContractError) Invoice {
	return Invoice{ID: i.ID, Number: i.Number, Unreadable: reason}
}

// Invoice returns one invoice, or ErrNotFound.
func (c *Client) Invoice(ctx context.Context, id string) (*Invoice, error) {
	call, err := readOne("/invoices/{invoiceId}", id)
	if err != nil {
		return nil, err
	}
	return fetch(ctx, c, call, (*invoiceJSON).invoice)
}

type invoiceJSON struct {
	ID             *string `json:"id"`
	Number         *string `json:"number"`
	Status         *string `json:"status"`
	Currency       *string `json:"currency"`
	Description    *string `json:"description"`
	RecipientName  *string `json:"recipient_name"`
	RecipientEmail *string `json:"recipient_email"`
	Subtotal       *int64  `json:"subtotal_cents"`
	Tax            *int64  `json:"tax_cents"`
	Total          *int64  `json:"total_cents"`
	CreatedAt      *string `json:"created_at"`
	UpdatedAt      *string `json:"updated_at"`
	DueDate        *string `json:"due_date"`
	SentAt         *string `json:"sent_at"`
	PaidAt         *string `json:"paid_at"`
	VoidedAt       *string `json:"voided_at"`
}

func (a *invoiceJSON) invoice(f *fields) Invoice {
	currency := f.text("currency", a.Currency)
	return Invoice{
		ID:             f.text("id", a.ID),
		Number:         f.text("number", a.Number),
		Status:         InvoiceStatus(f.text("status", a.Status)),
		Description:    f.text("description", a.Description),
		RecipientName:  f.text("recipient_name", a.RecipientName),
		RecipientEmail: f.text("recipient_email", a.RecipientEmail),
		Subtotal:       NewAmount(required(f, "subtotal_cents", a.Subtotal), currency),
		Tax:            NewAmount(required(f, "tax_cents", a.Tax), currency),
		Total:          NewAmount(required(f, "total_cents", a.Total), currency),
		CreatedAt:      f.time("created_at", a.CreatedAt),
		UpdatedAt:      f.time("updated_at", a.UpdatedAt),
		DueDate:        f.optionalTime("due_date", a.DueDate),
		SentAt:         f.optionalTime("sent_at", a.SentAt),
		PaidAt:         f.optionalTime("paid_at", a.PaidAt),
		VoidedAt:       f.optionalTime("voided_at", a.VoidedAt),
	}
}
