package apiclient

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"tarmac/internal/termtext"
)

// InvoiceData is the data of events whose type begins with "invoice.".
type InvoiceData struct {
	InvoiceID string
	Number    string
	Status    InvoiceStatus
	Total     Amount
}

// PaymentData is the data of events whose type begins with "payment.".
type PaymentData struct {
	PaymentIntentID string
	Amount          Amount
}

// InvoiceData returns the data of an invoice event. It returns false for other events, and for data
// without an invoice ID. Other missing values are "" or unknown.
func (e Event) InvoiceData() (InvoiceData, bool) {
	data, ok := e.object("invoice.")
	if !ok {
		return InvoiceData{}, false
	}
	d := InvoiceData{
		InvoiceID: data.text("invoice_id"),
		Number:    data.text("number"),
		Status:    InvoiceStatus(data.text("status")),
		Total:     data.amount("total_cents"),
	}
	return d, d.InvoiceID != ""
}

// PaymentData returns the data of a payment event. It returns false for other events, and for data
// without a payment intent ID. A missing amount is unknown.
func (e Event) PaymentData() (PaymentData, bool) {
	data, ok := e.object("payment.")
	if !ok {
		return PaymentData{}, false
	}
	d := PaymentData{PaymentIntentID: data.text("payment_intent_id"), Amount: data.amount("amount_cents")}
	return d, d.PaymentIntentID != ""
}

// Message returns the message of a test event. For other events it returns "".
func (e Event) Message() string {
	data, ok := e.object(string(EventTest))
	if !ok {
		return ""
	}
	return data.text("message")
}

func (e Event) object(prefix string) (*object, bool) {
	var data object
	if !strings.HasPrefix(string(e.Type), prefix) || json.Unmarshal(e.Data, &data) != nil {
		return nil, false
	}
	return &data, true
}

// PrettyData returns the data as indented JSON that is safe to print.
func (e Event) PrettyData() string {
	if e.Omitted > 0 {
		return fmt.Sprintf("(%d bytes of data, more than are shown)", e.Omitted)
	}
	var indented bytes.Buffer
	if json.Indent(&indented, e.Data, "", "  ") != nil {
		return ""
	}
	return termtext.Block(indented.String())
}
