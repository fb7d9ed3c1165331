package webhooks

import (
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/endpoint"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/internal/money"
	"tarmac/theme"
	"tarmac/views/parts/table"
)

type inks struct{ faint, good, caution, bad table.Ink }

func newInks(t theme.Theme) inks {
	return inks{
		faint: table.NewInk(t.Faint), good: table.NewInk(t.Good),
		caution: table.NewInk(t.Caution), bad: table.NewInk(t.Critical),
	}
}

func endpointColumns() []table.Column {
	return table.Titled(record.Webhook(apiclient.Webhook{}), []table.Column{
		{Field: "status", Min: 10, Ideal: 19},
		{Field: "url", Min: 20, Ideal: 40, Tight: 10, Flex: 2},
		{Field: "event_types", Min: 14, Ideal: 24, Flex: 1, Priority: 1},
		{Field: "created_at", Title: "Created (UTC)", Min: 16, Ideal: 16, Priority: 2},
	})
}

func (s *Screen) endpointCell(w *apiclient.Webhook, f record.Field) table.Cell {
	switch f.Name {
	case "status":
		status, ink := s.statusOf(w)
		return table.Cell{Text: status, Ink: ink}
	case "url":
		return table.Cell{Text: strings.TrimPrefix(f.TextOrDash(), "https://")}
	case "created_at":
		return table.Cell{Text: formatTime(w.CreatedAt, "2006-01-02 15:04"), Ink: s.inks.faint}
	}
	return table.Cell{Text: f.TextOrDash(), Ink: s.inks.faint}
}

// statusOf returns the status of an endpoint as text, and its color. For a disabled endpoint, the
// text includes the server's reason.
func (s *Screen) statusOf(w *apiclient.Webhook) (string, table.Ink) {
	if w.Unreadable != nil {
		return "unreadable", s.inks.caution
	}
	switch w.Status {
	case apiclient.WebhookActive:
		return "● active", s.inks.good
	case apiclient.WebhookPaused:
		return "○ paused", s.inks.caution
	case apiclient.WebhookAutoDisabled:
		if w.DisabledReason != "" {
			return "✕ disabled: " + w.DisabledReason, s.inks.bad
		}
		return "✕ disabled", s.inks.bad
	}
	return string(w.Status), s.inks.caution
}

// endpointFields returns the fields of an endpoint for the panel below the list of endpoints.
func (s *Screen) endpointFields(w *apiclient.Webhook) []table.Field {
	status, ink := s.statusOf(w)
	switch w.Status {
	case apiclient.WebhookPaused:
		status += ": no new events are sent, pending deliveries wait"
	case apiclient.WebhookAutoDisabled:
		status += s.disabledText(w)
	}
	if w.Unreadable != nil {
		status += ": " + problem.OfRecord(w.Unreadable)
	}
	o := record.Webhook(*w)
	o.SetDetail("status", status)
	fields := s.detailFields(o.Pick("url", "status", "event_types"), ink)
	if until := w.PreviousSecretExpiresAt; until != nil && s.Now().Before(*until) {
		text := "two; previous one valid for " + countdown(until.Sub(s.Now())) + ", until " + record.Minute(*until)
		fields = append(fields, table.Field{Label: "Secrets", Text: text, Ink: s.inks.caution})
	}
	rest := o.Pick("id")
	if w.UpdatedAt != nil {
		rest = o.Pick("id", "updated_at")
	}
	return append(fields, s.detailFields(append(rest, o.Extra()...), ink)...)
}

// detailFields converts the fields of a record for a detail pane. The field "status" gets the given
// color.
func (s *Screen) detailFields(o record.Object, status table.Ink) []table.Field {
	return table.Fields(o, table.Ink{}, func(f record.Field) table.Ink {
		if f.Name == "status" {
			return status
		}
		return table.Ink{}
	})
}

// disabledText explains why the service disabled an endpoint (docs/api.md, Automatic disabling).
func (s *Screen) disabledText(w *apiclient.Webhook) string {
	text := ""
	if w.DisabledAt != nil {
		text = " since " + record.Minute(*w.DisabledAt)
	}
	if why := endpoint.DisabledMeans(w.DisabledReason); why != "" {
		text += ". " + why
	}
	if s.forbidden() == "" {
		text += ". Press v to test it, a to activate it"
	}
	return text
}

// errorColumn is the index of the column with the errors of deliveries.
const errorColumn = 5

func deliveryColumns() []table.Column {
	return table.Titled(record.Delivery(apiclient.WebhookDelivery{}), []table.Column{
		{Field: "created_at", Title: "When (UTC)", Min: 11, Ideal: 11, Priority: 2},
		{Field: "event_type", Min: 17, Ideal: 19, Tight: 10},
		{Field: "status", Min: 11, Ideal: 11},
		{Field: "attempt_count", Min: 5, Ideal: 5, Align: table.Right, Priority: 4},
		{Field: "last_response_code", Min: 4, Ideal: 4, Align: table.Right, Priority: 1},
		{Field: "last_error", Min: 11, Ideal: 18, Flex: 1, Priority: 3},
		{Field: "next_retry_at", Min: 10, Ideal: 10},
		{Field: "event_id", Min: 30, Ideal: 30, Priority: 5},
	})
}

func (s *Screen) deliveryCell(d *apiclient.WebhookDelivery, f record.Field) table.Cell {
	switch f.Name {
	case "created_at":
		return table.Cell{Text: formatTime(d.CreatedAt, "01-02 15:04"), Ink: s.inks.faint}
	case "event_type":
		if s.writes.testEvent.isFor(s.log.Key) && s.writes.testEvent.matches(d) {
			return table.Cell{Text: "▸ " + f.Text()}
		}
	case "status":
		status, ink := s.stateOf(d)
		return table.Cell{Text: status, Ink: ink}
	case "last_error":
		return table.Cell{Text: f.Text(), Ink: s.inks.caution}
	case "next_retry_at":
		return table.Cell{Text: s.nextOf(d)}
	case "event_id":
		return table.Cell{Text: f.TextOrDash(), Ink: s.inks.faint}
	}
	return table.Cell{Text: f.TextOrDash()}
}

// nextOf returns the table cell about the next delivery attempt: a countdown, "held" for a paused
// endpoint, "sending" while the first attempt runs, or "" if the delivery has succeeded or failed
// for good.
func (s *Screen) nextOf(d *apiclient.WebhookDelivery) string {
	switch w := s.chosen(); {
	case d.Status != apiclient.DeliveryPending:
		return ""
	case w != nil && w.Status == apiclient.WebhookPaused && d.EventType != apiclient.EventTest:
		return "held"
	case firstAttemptRunning(d):
		return "sending"
	}
	return nextAttempt(d, s.Now())
}

func (s *Screen) stateOf(d *apiclient.WebhookDelivery) (string, table.Ink) {
	if d.Unreadable != nil {
		return "unreadable", s.inks.caution
	}
	switch d.Status {
	case apiclient.DeliveryDelivered:
		return "✓ delivered", s.inks.good
	case apiclient.DeliveryFailed:
		return "✕ failed", s.inks.bad
	case apiclient.DeliveryPending:
		if d.Attempts != nil && *d.Attempts > 0 && !firstAttemptRunning(d) {
			return "! pending", s.inks.caution
		}
		return "… pending", table.Ink{}
	}
	return string(d.Status), s.inks.caution
}

// deliveryFields returns all fields of a delivery for its detail pane.
func (s *Screen) deliveryFields(d *apiclient.WebhookDelivery) []table.Field {
	status, ink := s.stateOf(d)
	if d.Unreadable != nil {
		status += ": " + problem.OfRecord(d.Unreadable)
	}
	o := record.Delivery(*d)
	o.SetDetail("status", status)
	if d.Status == apiclient.DeliveryPending {
		text := s.nextOf(d)
		if d.NextRetryAt != nil && !firstAttemptRunning(d) {
			text += " (" + record.Minute(*d.NextRetryAt) + ")"
		}
		o.SetDetail("next_retry_at", text)
	} else {
		o = o.Without("next_retry_at")
	}
	facts := o.Pick("event_type", "status", "attempt_count", "last_response_code", "last_error", "next_retry_at",
		"created_at", "last_attempt_at", "delivered_at", "id", "event_id")
	return s.detailFields(append(facts, o.Extra()...), ink)
}

func formatTime(t *time.Time, layout string) string {
	if t == nil {
		return money.Dash
	}
	return t.UTC().Format(layout)
}
