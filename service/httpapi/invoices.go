package httpapi

import (
	"time"

	"tarmac/internal/civil"
	"tarmac/service/invoicing"
	"tarmac/service/store"
)

const (
	maxInvoices     = 200
	defaultInvoices = 50
)

// invoiceResponse is the JSON form of an invoice, without notes and line items (docs/api.md,
// Invoice).
type invoiceResponse struct {
	ID             string           `json:"id"`
	Number         string           `json:"number"`
	Status         invoicing.Status `json:"status"`
	Currency       string           `json:"currency"`
	Description    string           `json:"description"`
	RecipientName  string           `json:"recipient_name"`
	RecipientEmail string           `json:"recipient_email"`
	SubtotalCents  int64            `json:"subtotal_cents"`
	TaxCents       int64            `json:"tax_cents"`
	TotalCents     int64            `json:"total_cents"`
	CreatedAt      time.Time        `json:"created_at"`
	UpdatedAt      time.Time        `json:"updated_at"`
	DueDate        *time.Time       `json:"due_date"`
	SentAt         *time.Time       `json:"sent_at"`
	PaidAt         *time.Time       `json:"paid_at"`
	VoidedAt       *time.Time       `json:"voided_at"`
}

func newInvoiceResponse(inv invoicing.Invoice) invoiceResponse {
	return invoiceResponse{
		ID: inv.ID, Number: inv.Number(), Status: inv.Status, Currency: inv.Currency, Description: inv.Description,
		RecipientName: inv.RecipientName, RecipientEmail: inv.RecipientEmail,
		SubtotalCents: inv.SubtotalCents, TaxCents: inv.TaxCents, TotalCents: inv.TotalCents,
		CreatedAt: timestamp(inv.CreatedAt), UpdatedAt: timestamp(inv.UpdatedAt), DueDate: dueDate(inv.DueDate),
		SentAt: nullableTime(inv.SentAt), PaidAt: nullableTime(inv.PaidAt), VoidedAt: nullableTime(inv.VoidedAt),
	}
}

// dueDate returns a due date as midnight UTC, or nil for the zero date.
func dueDate(d civil.Date) *time.Time {
	if d.IsZero() {
		return nil
	}
	t := d.Time()
	return &t
}

// listInvoices responds with invoices, newest first (docs/api.md, Invoice list).
func listInvoices(c *call) (any, error) {
	values, err := c.query("status", "limit")
	if err != nil {
		return nil, err
	}
	var status invoicing.Status
	if values.Has("status") {
		var ok bool
		if status, ok = invoicing.ParseStatus(values.Get("status")); !ok {
			return nil, invalid("status must be one of draft, sent, paid, overdue, voided")
		}
	}
	size, err := pageSize(values, maxInvoices, defaultInvoices)
	if err != nil {
		return nil, err
	}
	var all []invoicing.Invoice
	err = c.api.Store.Read(c.ctx, func(snap *store.Snapshot) (err error) {
		all, err = snap.Invoices(c.credential.Org, status, size)
		return err
	})
	if err != nil {
		return nil, err
	}
	response := make([]invoiceResponse, len(all))
	for i, inv := range all {
		response[i] = newInvoiceResponse(inv)
	}
	return response, nil
}

func getInvoice(c *call) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	var inv invoicing.Invoice
	err := c.api.Store.Read(c.ctx, func(snap *store.Snapshot) (err error) {
		inv, err = snap.Invoice(c.credential.Org, c.pathParam)
		return err
	})
	if err != nil {
		return nil, lookupError(err, "invoice")
	}
	return newInvoiceResponse(inv), nil
}
