package events

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/views"
)

// subject is what an event is about: the name of the record, "invoice" or "payment intent", and the
// command that opens its page. It is zero for an event that concerns neither.
type subject struct {
	name string
	open tea.Cmd
}

func subjectOf(e *apiclient.Event) subject {
	if d, ok := e.InvoiceData(); ok {
		return subject{"invoice", views.Go(views.Invoices, views.InvoiceTarget{ID: d.InvoiceID})}
	}
	if d, ok := e.PaymentData(); ok {
		return subject{"payment intent", views.Go(views.Intent, views.IntentTarget{ID: d.PaymentIntentID})}
	}
	return subject{}
}

// who returns the customer or counterparty of an event, or "" if it is not known.
func (s *Screen) who(e *apiclient.Event) string {
	if d, ok := e.InvoiceData(); ok {
		return s.Snapshot.Customer(d.InvoiceID)
	}
	if d, ok := e.PaymentData(); ok {
		return s.Snapshot.Counterparty(d.PaymentIntentID)
	}
	return ""
}
