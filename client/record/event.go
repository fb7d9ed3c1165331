package record

import (
	"strconv"
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

// EventAbout returns the number, amount and ID of the event's invoice or payment, such as "INV-1
// $12.50 inv_1". For a reading of a provider it returns what the reading changed, such as "mercury:
// 3 added, 1 removed (…6789)". For a test event it returns the message, and for other events "".
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
	if d, ok := e.SyncData(); ok {
		return syncText(d)
	}
	return e.Message()
}

func syncText(d apiclient.SyncData) string {
	var changes []string
	for _, c := range [...]struct {
		n    *int64
		word string
	}{{d.Added, "added"}, {d.Changed, "changed"}, {d.Removed, "removed"}} {
		if c.n != nil && *c.n != 0 {
			changes = append(changes, strconv.FormatInt(*c.n, 10)+" "+c.word)
		}
	}
	text := strings.TrimSuffix(d.Provider+": "+strings.Join(changes, ", "), ": ")
	if len(d.Accounts) > 0 {
		text += " (" + strings.Join(d.Accounts, ", ") + ")"
	}
	return text
}
