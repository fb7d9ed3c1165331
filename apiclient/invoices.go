package apiclient

import (
	"context"
	"time"
)

// InvoiceStatus is the status of an invoice (docs/api.md, Invoice status).
type InvoiceStatus string

// Values of InvoiceStatus.
const (
	InvoiceDraft   InvoiceStatus = "draft"
	InvoiceSent    InvoiceStatus = "sent"
	InvoicePaid    InvoiceStatus = "paid"
	InvoiceOverdue InvoiceStatus = "overdue"
	InvoiceVoided  InvoiceStatus = "voided"
)

// Known reports whether s is one of the values that the API defines.
func (s InvoiceStatus) Known() bool {
	switch s {
	case InvoiceDraft, InvoiceSent, InvoicePaid, InvoiceOverdue, InvoiceVoided:
		return true
	}
	return false
}

// Invoice is an invoice to a customer (docs/api.md, Invoice). Times are in UTC; nil means that the
// time is not set or has not come.
type Invoice struct {
	ID             string
	Number         string
	Status         InvoiceStatus
	Description    string
	RecipientName  string
	RecipientEmail string
	Subtotal       Amount
	Tax            Amount
	Total          Amount // amount due
	CreatedAt      time.Time
	UpdatedAt      time.Time
	DueDate        *time.Time
	SentAt         *time.Time
	PaidAt         *time.Time
	VoidedAt       *time.Time
	// Unreadable says why the invoice could not be decoded. If it is set, only ID and Number are
	// valid. Only invoices of a list can be unreadable.
	Unreadable *ContractError
}

// InvoiceFilter selects invoices. Limit is 1 to 200; 0 means 50, the server's default.
type InvoiceFilter struct {
	Status InvoiceStatus // "" for all
	Limit  int
}

// Invoices returns the newest invoices, newest first. The API cannot list older ones (docs/api.md,
// Invoice list). An invoice that could not be decoded has its place in the list; see
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

// Invoice returns the invoice with this ID. It returns ErrNotFound if there is none.
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
