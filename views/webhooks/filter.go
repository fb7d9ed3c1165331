package webhooks

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/views/parts/listdetail"
)

// filter holds, for each list, the filter text and the matching rows.
type filter struct {
	texts      [onDelivery]string // filter text of each list; "" matches all rows
	endpoints  []*apiclient.Webhook
	deliveries []*apiclient.WebhookDelivery
	fetch      tea.Cmd // fetches the deliveries that a changed filter needs; nil if there is nothing to fetch
}

// apply recomputes the matching rows of both lists and highlights the matches.
func (s *Screen) apply() {
	f := &s.filter
	f.endpoints, f.deliveries = nil, nil
	endpoints, _ := s.endpoints.list.Value()
	for i := range endpoints {
		w := &endpoints[i]
		searched := record.Webhook(*w).Pick("url", "status", "disabled_reason", "event_types", "id")
		if searched.Contains(f.texts[onEndpoints]) {
			f.endpoints = append(f.endpoints, w)
		}
	}
	deliveries, _ := s.deliveries.log.Value()
	for i := range deliveries {
		d := &deliveries[i]
		searched := record.Delivery(*d).Pick(
			"event_type", "status", "last_response_code", "last_error", "id", "event_id",
		)
		if searched.Contains(f.texts[onDeliveries]) {
			f.deliveries = append(f.deliveries, d)
		}
	}
	s.endpoints.table.Highlight(f.texts[onEndpoints])
	s.deliveries.table.Highlight(f.texts[onDeliveries])
}

// askFilter opens the filter prompt for the list that has the focus.
func (s *Screen) askFilter() {
	hint := "URL, status, event type or id"
	if s.focus == onDeliveries {
		hint = "event, status, code, error or id"
	}
	s.search.AskWith(hint)
}

// setFilter sets the filter text of a list. The cursor stays on its row if that still matches, and
// moves to the first row otherwise.
func (s *Screen) setFilter(list focus, text string) tea.Cmd {
	if text == s.filter.texts[list] {
		return nil
	}
	delivery, _ := s.delivery(s.deliveries.table.Cursor())
	s.filter.texts[list] = text
	s.apply()
	s.endpoints.table.SetRows(len(s.filter.endpoints), len(s.filter.endpoints))
	s.endpoints.table.SetCursor(max(0, slices.IndexFunc(s.filter.endpoints, func(w *apiclient.Webhook) bool {
		return w.ID == s.endpoints.selected
	})))
	s.deliveries.table.SetRows(len(s.filter.deliveries), len(s.filter.deliveries))
	s.deliveries.table.SetCursor(max(0, slices.Index(s.filter.deliveries, delivery)))
	return s.selectEndpoint()
}

// removeFilter removes the filter of the focused list. If that has none, it removes the filter of
// the other list.
func (s *Screen) removeFilter() tea.Cmd {
	for _, list := range [...]focus{min(s.focus, onDeliveries), onDeliveries, onEndpoints} {
		if s.filter.texts[list] != "" {
			return s.setFilter(list, "")
		}
	}
	return nil
}

// chips returns the labels of the active filters, and for each label the list to which it belongs.
func (s *Screen) chips() (chips listdetail.Chips, of []focus) {
	for list, name := range [...]string{"endpoints", "deliveries"} {
		if text := s.filter.texts[list]; text != "" {
			chips, of = append(chips, name+`: "`+text+`"`), append(of, focus(list))
		}
	}
	return chips, of
}
