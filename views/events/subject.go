package events

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/internal/termtext"
	"tarmac/views"
)

// current returns the event under the cursor, or false if no event is listed.
func (s *Screen) current() (*apiclient.Event, bool) {
	if !s.data.Feed.State().HasFigures() {
		return nil, false
	}
	return s.event(s.table.Cursor())
}

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
		return s.data.Customer(d.InvoiceID)
	}
	if d, ok := e.PaymentData(); ok {
		return s.data.Counterparty(d.PaymentIntentID)
	}
	return ""
}

// copyID returns the command that copies the ID of the event under the cursor.
func (s *Screen) copyID() tea.Cmd {
	e, ok := s.current()
	if !ok {
		return nil
	}
	return views.PutOnClipboard("the event's id", termtext.Line(e.ID))
}

func (s *Screen) copyJSON() tea.Cmd {
	e, ok := s.current()
	if !ok {
		return nil
	}
	text, whole := envelope(e)
	if !whole {
		return views.Warn("The event is too large to copy; fetch it by its id through the API.")
	}
	return s.question.Copy(s.theme, "the event as JSON", text)
}
