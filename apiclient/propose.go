package apiclient

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
)

const maxIdempotencyKey = 255

// ProposalError means that a proposal was not sent because it breaks rules.
type ProposalError struct{ Fields []FieldError }

// Error returns one line with the first broken rule.
func (e *ProposalError) Error() string {
	if len(e.Fields) == 0 {
		return "the proposal was not sent"
	}
	return "the proposal was not sent: " + e.Fields[0].Text
}

// ProposeOption configures how a proposal is sent.
type ProposeOption func(*call) error

// IdempotencyKey makes it safe to send the same proposal again. For 24 hours, the server responds
// to the same key and proposal with the invoice that the first request created. Not every server
// supports this (docs/api.md, Idempotency key). A key has 1 to 255 printable ASCII characters.
func IdempotencyKey(key string) ProposeOption {
	return func(c *call) error {
		if key == "" || len(key) > maxIdempotencyKey {
			return errors.New("an idempotency key has 1 to 255 characters")
		}
		for i := 0; i < len(key); i++ {
			if key[i] <= ' ' || key[i] > '~' {
				return errors.New("the idempotency key has a space or an unprintable character")
			}
		}
		c.key = key
		return nil
	}
}

// ProposeInvoice creates a draft invoice. Nothing is sent to the customer and nothing is
// charged (docs/api.md, Propose-only). It sends the request once, even with an idempotency
// key. There are three kinds of errors:
//
//   - nothing was sent: a *ProposalError, an option's error, or a *NetworkError that does
//     not match ErrOutcomeUnknown, such as a refused connection;
//   - the server refused: an *Error that does not match ErrOutcomeUnknown, such as
//     ErrConflict when the organization has no active owner or too many drafts;
//   - errors.Is(err, ErrOutcomeUnknown): the draft may exist. Check before proposing again.
func (c *Client) ProposeInvoice(ctx context.Context, p InvoiceProposal, opts ...ProposeOption) (*Invoice, error) {
	if found := p.Check(); len(found) > 0 {
		return nil, &ProposalError{Fields: found}
	}
	call := write(http.MethodPost, "/invoices", http.StatusCreated)
	for _, set := range opts {
		if err := set(&call); err != nil {
			return nil, err
		}
	}
	var err error
	if call.body, err = json.Marshal(p.request()); err != nil {
		return nil, err
	}
	return fetch(ctx, c, call, (*invoiceJSON).invoice)
}

type proposalRequest struct {
	Currency       string        `json:"currency"`
	Description    string        `json:"description"`
	LineItems      []lineRequest `json:"line_items"`
	RecipientName  string        `json:"recipient_name"`
	RecipientEmail string        `json:"recipient_email"`
	// Notes are sent even if empty, because some servers require the field (docs/api.md, Invoice
	// proposal).
	Notes   string `json:"notes"`
	DueDate string `json:"due_date,omitempty"`
}

type lineRequest struct {
	Description    string `json:"description"`
	Quantity       string `json:"quantity"`
	UnitPriceCents int64  `json:"unit_price_cents"`
}

// request returns the proposal in the form in which it is sent as JSON.
func (p InvoiceProposal) request() proposalRequest {
	r := proposalRequest{
		Currency:       InvoiceCurrency,
		Description:    strings.TrimSpace(p.Description),
		LineItems:      make([]lineRequest, len(p.LineItems)),
		RecipientName:  strings.TrimSpace(p.RecipientName),
		RecipientEmail: strings.TrimSpace(p.RecipientEmail),
		Notes:          strings.TrimSpace(p.Notes),
		DueDate:        p.DueDate.String(),
	}
	for i, line := range p.LineItems {
		r.LineItems[i] = lineRequest{
			Description: strings.TrimSpace(line.Description), Quantity: line.Quantity.String(),
			UnitPriceCents: line.UnitPriceCents,
		}
	}
	return r
}
