package record

import (
	"cmp"
	"strings"

	"tarmac/apiclient"
)

// Event describes an event. The text of its field data is the result of EventAbout. In JSON, that
// field is null if the data was too large for apiclient to keep.
func Event(e apiclient.Event) Object {
	data := Field{Name: "data", Label: "About", Kind: KindJSON, text: EventAbout(e), null: e.Data == nil}
	if e.Data != nil {
		data.value = e.Data
	}
	data.Column.WholeWord = true
	version := int64(e.Version)
	return Object{
		Text("id", "Id", e.ID).inTable().dropOrder(1),
		Text("type", "Type", string(e.Type)).inTable(),
		Count("version", "Version", &version),
		Time("occurred_at", "Occurred", &e.OccurredAt).inTable(),
		data.inTable().truncated(),
	}
}

// EventAmount returns the amount of the event's invoice or payment. It returns false if the event
// has none.
func EventAmount(e *apiclient.Event) (apiclient.Amount, bool) {
	if d, ok := e.InvoiceData(); ok {
		return d.Total, true
	}
	d, ok := e.PaymentData()
	return d.Amount, ok
}

// EventSentence says in a few words whose invoice or payment an event is about, such as "Osprey
// Analytics paid INV-000248". The number is last. It returns "" for events about neither.
func EventSentence(e *apiclient.Event, who string) string {
	if d, ok := e.InvoiceData(); ok {
		number := cmp.Or(d.Number, d.InvoiceID)
		verb, known := map[apiclient.EventType]string{
			apiclient.EventInvoicePaid: "paid", apiclient.EventInvoiceSent: "was sent",
			apiclient.EventInvoiceOverdue: "is late with", apiclient.EventInvoiceVoided: "no longer owes",
		}[e.Type]
		if who == "" || !known {
			return number
		}
		return who + " " + verb + " " + number
	}
	if _, ok := e.PaymentData(); ok && who != "" {
		return who
	}
	return ""
}

// EventAbout returns the number, amount and ID of the event's invoice or payment, such as "INV-1
// $12.50 inv_1". For a test event it returns the message, and for other events "".
func EventAbout(e apiclient.Event) string {
	if e.Omitted > 0 {
		return e.PrettyData()
	}
	if d, ok := e.InvoiceData(); ok {
		return strings.TrimSpace(d.Number + " " + d.Total.String() + " " + d.InvoiceID)
	}
	if d, ok := e.PaymentData(); ok {
		return strings.TrimSpace(d.Amount.String() + " " + d.PaymentIntentID)
	}
	return e.Message()
}
