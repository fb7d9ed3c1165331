package webhooks

import (
	"strconv"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/theme"
	"tarmac/views/parts/table"
)

// dash stands for what is not known.
const dash = "—"

type inks struct{ faint, good, caution, bad table.Ink }

func newInks(t theme.Theme) inks {
	return inks{
		faint: table.NewInk(t.Faint), good: table.NewInk(t.Good),
		caution: table.NewInk(t.Caution), bad: table.NewInk(t.Critical),
	}
}

func endpointColumns() []table.Column {
	return []table.Column{
		{Title: "Status", Min: 10, Ideal: 19},
		{Title: "URL", Min: 20, Ideal: 40, Tight: 10, Flex: 2},
		{Title: "Events", Min: 14, Ideal: 24, Flex: 1, Priority: 1},
		{Title: "Created (UTC)", Min: 16, Ideal: 16, Priority: 2},
	}
}

type endpointRows struct{ *Screen }

func (r endpointRows) Row(i int, dst []table.Cell) ([]table.Cell, bool) {
	w := r.endpoint(i)
	if w == nil {
		return dst, false
	}
	status, ink := r.statusOf(w)
	return append(dst,
		table.Cell{Text: status, Ink: ink},
		table.Cell{Text: or(strings.TrimPrefix(w.URL, "https://"))},
		table.Cell{Text: r.typesOf(w), Ink: r.inks.faint},
		table.Cell{Text: minute(w.CreatedAt), Ink: r.inks.faint},
	), true
}

// statusOf says how an endpoint stands, and why where the server does.
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

// typesOf names the event types of an endpoint.
func (s *Screen) typesOf(w *apiclient.Webhook) string {
	if len(w.EventTypes) == 0 {
		return dash
	}
	names := make([]string, len(w.EventTypes))
	for i, t := range w.EventTypes {
		names[i] = string(t)
	}
	return strings.Join(names, ", ")
}

// endpointFields says everything about an endpoint.
func (s *Screen) endpointFields(w *apiclient.Webhook) []table.Field {
	status, ink := s.statusOf(w)
	switch w.Status {
	case apiclient.WebhookPaused:
		status += ": nothing new is sent there, and what was on its way waits"
	case apiclient.WebhookAutoDisabled:
		status += s.disabled(w)
	}
	if w.Unreadable != nil {
		status += ": " + problem.OfRecord(w.Unreadable)
	}
	fields := []table.Field{
		{Label: "URL", Text: or(w.URL)},
		{Label: "Status", Text: status, Ink: ink},
		{Label: "Events", Text: s.typesOf(w)},
	}
	if until := w.PreviousSecretExpiresAt; until != nil && s.now().Before(*until) {
		fields = append(fields, table.Field{
			Label: "Secrets", Text: "two; the previous one signs for another " + left(until.Sub(s.now())) + ", until " + moment(*until), Ink: s.inks.caution,
		})
	}
	fields = append(fields, table.Field{Label: "Id", Text: or(w.ID)})
	if w.UpdatedAt != nil {
		fields = append(fields, table.Field{Label: "Changed", Text: moment(*w.UpdatedAt)})
	}
	return append(fields, extra(w.Extra)...)
}

// disabled explains why the service turned an endpoint off (docs/api.md, Automatic
// disabling).
func (s *Screen) disabled(w *apiclient.Webhook) string {
	text := ""
	if w.DisabledAt != nil {
		text = " since " + moment(*w.DisabledAt)
	}
	switch w.DisabledReason {
	case "gone":
		text += ". The receiver answered 410: it is gone for good"
	case "failing":
		text += ". Nothing was accepted there for days"
	}
	if s.forbidden() == "" {
		text += ". v sends a test, a activates it again"
	}
	return text
}

func deliveryColumns() []table.Column {
	return []table.Column{
		{Title: "When (UTC)", Min: 11, Ideal: 11, Priority: 3},
		{Title: "Event", Min: 12, Ideal: 19, Tight: 10},
		{Title: "Status", Min: 11, Ideal: 11},
		{Title: "Tries", Min: 5, Ideal: 5, Align: table.Right, Priority: 4},
		{Title: "Code", Min: 4, Ideal: 4, Align: table.Right, Priority: 1},
		{Title: "Error", Min: 11, Ideal: 18, Flex: 1, Priority: 2},
		{Title: "Next try", Min: 10, Ideal: 10},
	}
}

type deliveryRows struct{ *Screen }

func (r deliveryRows) Row(i int, dst []table.Cell) ([]table.Cell, bool) {
	d, ok := r.delivery(i)
	if !ok {
		return dst, false
	}
	status, ink := r.stateOf(d)
	kind := string(d.EventType)
	if r.test.at(r.chosen) && r.test.is(d) {
		kind = "▸ " + kind
	}
	return append(dst,
		table.Cell{Text: stamp(d.CreatedAt, "01-02 15:04"), Ink: r.inks.faint},
		table.Cell{Text: or(kind)},
		table.Cell{Text: status, Ink: ink},
		table.Cell{Text: number(d.Attempts)},
		table.Cell{Text: number(d.LastResponseCode)},
		table.Cell{Text: d.LastError, Ink: r.inks.caution},
		table.Cell{Text: r.nextOf(d)},
	), true
}

// nextOf says when a delivery is tried again; nothing for one that is over.
func (s *Screen) nextOf(d *apiclient.WebhookDelivery) string {
	switch w := s.endpoint(s.endpoints.Cursor()); {
	case d.Status != apiclient.DeliveryPending:
		return ""
	case w != nil && w.Status == apiclient.WebhookPaused && d.EventType != apiclient.EventTest:
		return "held"
	case sending(d):
		return "sending"
	}
	return next(d, s.now())
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
		if d.Attempts != nil && *d.Attempts > 0 && !sending(d) {
			return "! pending", s.inks.caution
		}
		return "… pending", table.Ink{}
	}
	return string(d.Status), s.inks.caution
}

// deliveryFields says everything about a delivery.
func (s *Screen) deliveryFields(d *apiclient.WebhookDelivery) []table.Field {
	status, ink := s.stateOf(d)
	if d.Unreadable != nil {
		status += ": " + problem.OfRecord(d.Unreadable)
	}
	fields := []table.Field{
		{Label: "Event", Text: or(string(d.EventType))},
		{Label: "Status", Text: status, Ink: ink},
		{Label: "Tries", Text: number(d.Attempts)},
		{Label: "Code", Text: number(d.LastResponseCode)},
		{Label: "Error", Text: or(d.LastError)},
	}
	if d.Status == apiclient.DeliveryPending {
		text := s.nextOf(d)
		if d.NextRetryAt != nil && !sending(d) {
			text += " (" + moment(*d.NextRetryAt) + ")"
		}
		fields = append(fields, table.Field{Label: "Next try", Text: text})
	}
	return append(append(fields,
		table.Field{Label: "Created", Text: second(d.CreatedAt)},
		table.Field{Label: "Last try", Text: second(d.LastAttemptAt)},
		table.Field{Label: "Delivered", Text: second(d.DeliveredAt)},
		table.Field{Label: "Delivery", Text: or(d.ID)},
		table.Field{Label: "Event id", Text: or(d.EventID)},
	), extra(d.Extra)...)
}

func extra(more []apiclient.Field) []table.Field {
	fields := make([]table.Field, len(more))
	for i, f := range more {
		fields[i] = table.Field{Label: f.Name, Text: f.Value}
	}
	return fields
}

func or(text string) string {
	if text == "" {
		return dash
	}
	return text
}

func number(n *int64) string {
	if n == nil {
		return dash
	}
	return strconv.FormatInt(*n, 10)
}

func minute(t *time.Time) string { return stamp(t, "2006-01-02 15:04") }
func second(t *time.Time) string { return stamp(t, "2006-01-02 15:04:05 UTC") }

func stamp(t *time.Time, layout string) string {
	if t == nil {
		return dash
	}
	return t.UTC().Format(layout)
}

func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") + " UTC" }
