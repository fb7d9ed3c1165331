package record

import (
	"strings"

	"tarmac/apiclient"
)

// Event describes an event. For people a summary replaces the data. Data that was too large
// to keep is null.
func Event(e apiclient.Event) Object {
	data := Field{Name: "data", Label: "About", Kind: KindJSON, text: EventAbout(e), null: e.Data == nil}
	if e.Data != nil {
		data.value = e.Data
	}
	data.Column.WholeWord = true
	version := int64(e.Version)
	return Object{
		Text("id", "Id", e.ID).inTable().dropped(1),
		Text("type", "Type", string(e.Type)).inTable(),
		Count("version", "Version", &version),
		Time("occurred_at", "Occurred", &e.OccurredAt).inTable(),
		data.inTable().truncated(),
	}
}

// EventAmount returns the amount of the event's invoice or payment, or false if the event
// has none.
func EventAmount(e *apiclient.Event) (apiclient.Amount, bool) {
	if d, ok := e.InvoiceData(); ok {
		return d.Total, true
	}
	d, ok := e.PaymentData()
	return d.Amount, ok
}

// EventAbout returns a summary of an event, such as "INV-1 $12.50 inv_1", or "" if there is
// none.
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
