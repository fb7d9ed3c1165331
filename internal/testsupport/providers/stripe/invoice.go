package stripe

import (
	"fmt"
	"time"
)

// Invoice is an invoice. Amounts are in Stripe's unit of the currency. What is set in its fields
// before it is sent is what Stripe answers with.
type Invoice struct {
	ID       string // set by Send
	Number   string // "" for null
	Customer string
	Email    string // "" for null
	Currency string // lower case
	Total    int64
	Due      time.Time // zero for null
	// Credit is the part of the total that the customer's balance pays.
	Credit int64

	status             string
	created            time.Time
	paid               int64
	paidAt             time.Time
	voidedAt, writeOff time.Time
}

// Send adds an invoice that is open from now on. It returns a pointer to it for the other methods.
func (s *Server) Send(i Invoice) *Invoice {
	s.mu.Lock()
	defer s.mu.Unlock()
	i.ID = fmt.Sprintf("in_1Sesame%06d", len(s.invoices)+1)
	i.status, i.created = "open", s.now()
	s.invoices = append(s.invoices, &i)
	return &i
}

// Pay pays an amount of an invoice, which may be a part of it.
func (s *Server) Pay(i *Invoice, amount int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i.paid += amount; i.paid >= i.Total-i.Credit {
		i.status, i.paidAt = "paid", s.now()
	}
}

// Void voids an invoice.
func (s *Server) Void(i *Invoice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i.status, i.voidedAt = "void", s.now()
}

// WriteOff marks an invoice as uncollectible.
func (s *Server) WriteOff(i *Invoice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i.status, i.writeOff = "uncollectible", s.now()
}

// Remove removes an invoice, as if the key were one of another company.
func (s *Server) Remove(i *Invoice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := s.index(i.ID); at >= 0 {
		s.invoices = append(s.invoices[:at:at], s.invoices[at+1:]...)
	}
}

// object returns the invoice as Stripe has it in answers.
func (i *Invoice) object(live bool) map[string]any {
	due := i.Total - i.Credit
	collection := "charge_automatically"
	if !i.Due.IsZero() {
		collection = "send_invoice"
	}
	return map[string]any{
		"id": i.ID, "object": "invoice", "number": null(i.Number), "status": i.status, "livemode": live,
		"created": i.created.Unix(), "customer": "cus_" + i.ID[len("in_"):], "customer_name": null(i.Customer),
		"customer_email": null(i.Email), "currency": i.Currency, "collection_method": collection,
		"total": i.Total, "subtotal": i.Total, "amount_due": due, "amount_paid": i.paid,
		"amount_remaining": max(0, due-i.paid), "amount_overpaid": max(0, i.paid-due), "starting_balance": -i.Credit,
		"due_date": unix(i.Due), "metadata": map[string]string{}, "lines": map[string]any{
			"object": "list", "data": []any{}, "has_more": false, "url": "/v1/invoices/" + i.ID + "/lines",
		},
		"status_transitions": map[string]any{
			"finalized_at": unix(i.created), "paid_at": unix(i.paidAt), "voided_at": unix(i.voidedAt),
			"marked_uncollectible_at": unix(i.writeOff),
		},
	}
}

// null returns a text, or nil for "".
func null(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// unix returns the Unix seconds of a time, or nil for the zero time.
func unix(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.Unix()
}
