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

// Known reports whether s is one of the API's.
func (s InvoiceStatus) Known() bool {
	switch s {
	case InvoiceDraft, InvoiceSent, InvoicePaid, InvoiceOverdue, InvoiceVoided:
		return true
	}
	return false
}

// Invoice is an invoice to a customer (docs/api.md, Invoice). Times are UTC; nil is
// "not (yet)".
type Invoice struct {
	ID             string
	Number         string
	Status         InvoiceStatus
	Description    string
	RecipientName  string
	RecipientEmail string
	Subtotal       Amount
	Tax            Amount
	Total          Amount // due, in the invoice's currency
	CreatedAt      time.Time
	UpdatedAt      time.Time
	DueDate        *time.Time
	SentAt         *time.Time
	PaidAt         *time.Time
	VoidedAt       *time.Time
	// Unreadable is why all but the id and the number could not be read; nil where it
	// could. Only lists have such records.
	Unreadable *ContractError
}

// InvoiceFilter selects invoices. Limit is 1 to 200, or 0 for the server's 50.
type InvoiceFilter struct {
	Status InvoiceStatus // "" for all
	Limit  int
}

// Invoices returns the newest invoices, newest first; the API cannot page to older ones
// (docs/api.md, Invoice list). An invoice that could not be read keeps its place: see
// Invoice.Unreadable.
func (c *Client) Invoices(ctx context.Context, filter InvoiceFilter) ([]Invoice, error) {
	q := query{}
	q.text("status", string(filter.Status))
	q.limit(filter.Limit)
	call := read("/invoices", q)
	body, err := c.send(ctx, call)
	if err != nil {
		return nil, err
	}
	var answer []element[invoiceAnswer]
	if err := decode(call, body, &answer); err != nil {
		return nil, err
	}
	if answer == nil {
		return nil, call.broken("", "is null instead of a list")
	}
	invoices, err := readList(call, "", answer, (*invoiceAnswer).invoice, Invoice.reduced)
	if err != nil {
		return nil, err
	}
	return invoices, nil
}

func (i Invoice) reduced(why *ContractError) Invoice {
	return Invoice{ID: i.ID, Number: i.Number, Unreadable: why}
}

// Invoice returns one invoice, or ErrNotFound.
func (c *Client) Invoice(ctx context.Context, id string) (*Invoice, error) {
	call, err := readOne("/invoices/{invoiceId}", id)
	if err != nil {
		return nil, err
	}
	return c.invoice(ctx, call)
}

// invoice carries out a call that is answered with an invoice.
func (c *Client) invoice(ctx context.Context, call call) (*Invoice, error) {
	body, err := c.send(ctx, call)
	if err != nil {
		return nil, err
	}
	var answer invoiceAnswer
	if err := decode(call, body, &answer); err != nil {
		return nil, err
	}
	f := call.fields()
	invoice := answer.invoice(f)
	if err := f.failure(); err != nil {
		return nil, err
	}
	return &invoice, nil
}

type invoiceAnswer struct {
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

func (a *invoiceAnswer) invoice(f *fields) Invoice {
	currency := f.text("currency", a.Currency)
	return Invoice{
		ID:             f.text("id", a.ID),
		Number:         f.text("number", a.Number),
		Status:         InvoiceStatus(f.text("status", a.Status)),
		Description:    f.text("description", a.Description),
		RecipientName:  f.text("recipient_name", a.RecipientName),
		RecipientEmail: f.text("recipient_email", a.RecipientEmail),
		Subtotal:       NewAmount(need(f, "subtotal_cents", a.Subtotal), currency),
		Tax:            NewAmount(need(f, "tax_cents", a.Tax), currency),
		Total:          NewAmount(need(f, "total_cents", a.Total), currency),
		CreatedAt:      f.time("created_at", a.CreatedAt),
		UpdatedAt:      f.time("updated_at", a.UpdatedAt),
		DueDate:        f.optionalTime("due_date", a.DueDate),
		SentAt:         f.optionalTime("sent_at", a.SentAt),
		PaidAt:         f.optionalTime("paid_at", a.PaidAt),
		VoidedAt:       f.optionalTime("voided_at", a.VoidedAt),
	}
}
