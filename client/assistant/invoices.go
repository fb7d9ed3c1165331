package assistant

import (
	"context"
	"time"

	"tarmac/apiclient"
)

// InvoicesInput selects invoices. An empty Status selects all.
type InvoicesInput struct {
	Status string `json:"status,omitempty" jsonschema:"draft, sent, paid, overdue or voided"`
	Limit  int    `json:"limit,omitempty" jsonschema:"most invoices to return"`
}

// Invoices are the newest invoices, newest first.
type Invoices struct {
	Invoices []Invoice `json:"invoices"`
	Note     string    `json:"note,omitempty" jsonschema:"says what the list leaves out"`
}

// InvoiceInput names an invoice.
type InvoiceInput struct {
	ID string `json:"id" jsonschema:"the invoice's id, such as inv_…"`
}

// Invoice is an invoice to a customer. Times are in UTC; nil means that the time is not set or has
// not come.
type Invoice struct {
	ID          string     `json:"id"`
	Number      Untrusted  `json:"number"`
	Status      string     `json:"status"`
	Customer    Untrusted  `json:"customer"`
	Email       Untrusted  `json:"email"`
	Description Untrusted  `json:"description"`
	Subtotal    Amount     `json:"subtotal"`
	Tax         Amount     `json:"tax"`
	Total       Amount     `json:"total" jsonschema:"amount due, before part payments"`
	CreatedAt   *time.Time `json:"created_at"`
	DueDate     *string    `json:"due_date"`
	SentAt      *time.Time `json:"sent_at"`
	PaidAt      *time.Time `json:"paid_at"`
	VoidedAt    *time.Time `json:"voided_at"`
}

// ListInvoices returns the newest invoices that in selects.
func ListInvoices(ctx context.Context, source Source, in InvoicesInput) (*Invoices, error) {
	filter := apiclient.InvoiceFilter{
		Status: apiclient.InvoiceStatus(in.Status), Limit: limitOf(in.Limit, MaxInvoices),
	}
	if in.Status != "" && !filter.Status.Known() {
		return nil, &InputError{Text: "status must be draft, sent, paid, overdue or voided"}
	}
	all, err := source.Invoices(ctx, filter)
	if err != nil {
		return nil, err
	}
	list := &Invoices{Invoices: []Invoice{}, Note: unreadable(all, "invoice")}
	for _, i := range apiclient.Readable(all) {
		list.Invoices = append(list.Invoices, InvoiceOf(i))
	}
	switch {
	case len(all) == 0:
		list.Note = "There are none. What customers owe may also come from another program: use the tool receivables."
	case len(all) >= filter.Limit:
		list.Note = joinSentences(list.Note, "There may be more: only the newest invoices are listed, "+
			"at most as many as limit. Use the tool receivables for totals.")
	}
	return list, nil
}

var errInvoiceID = &InputError{Text: "id must be an invoice's id, such as inv_…"}

// GetInvoice returns one invoice.
func GetInvoice(ctx context.Context, source Source, in InvoiceInput) (*Invoice, error) {
	if identifier(in.ID) == "" {
		return nil, errInvoiceID
	}
	got, err := source.Invoice(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	invoice := InvoiceOf(*got)
	return &invoice, nil
}

// InvoiceOf returns an invoice of the API.
func InvoiceOf(i apiclient.Invoice) Invoice {
	out := Invoice{
		ID: identifier(i.ID), Number: untrusted(i.Number), Status: word(i.Status), Customer: untrusted(i.RecipientName),
		Email: untrusted(i.RecipientEmail), Description: untrusted(i.Description),
		Subtotal: amountOf(i.Subtotal), Tax: amountOf(i.Tax), Total: amountOf(i.Total),
		CreatedAt: plausible(&i.CreatedAt), SentAt: plausible(i.SentAt), PaidAt: plausible(i.PaidAt),
		VoidedAt: plausible(i.VoidedAt),
	}
	if i.DueDate != nil {
		out.DueDate = day(apiclient.DateOf(*i.DueDate))
	}
	return out
}
