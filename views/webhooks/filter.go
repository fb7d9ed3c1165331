package webhooks

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/views/parts/listdetail"
)

// filter holds the filter text of each list and the rows that match.
type filter struct {
	prompt     listdetail.Prompt
	texts      [onDelivery]string // by the list's place; "" matches everything
	before     string             // the text before typing began
	endpoints  []*apiclient.Webhook
	deliveries []*apiclient.WebhookDelivery
}

// apply filters both lists.
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

// askFilter opens the filter prompt for the active list.
func (s *Screen) askFilter() {
	f := &s.filter
	f.before = f.texts[s.place]
	hint := "URL, status, event type or id"
	if s.place == onDeliveries {
		hint = "event, status, code, error or id"
	}
	f.prompt.Open("Filter  ", hint, 200, f.before)
}

// keyInFilter filters the list while the user types.
func (s *Screen) keyInFilter(press tea.KeyPressMsg) tea.Cmd {
	f := &s.filter
	switch {
	case key.Matches(press, s.keys.Cancel):
		return s.cancelFilter()
	case key.Matches(press, s.keys.Submit):
		f.prompt.Close()
		return nil
	}
	f.prompt.Press(press)
	return s.setFilter(s.place, f.prompt.Text())
}

// cancelFilter restores the text from before typing began.
func (s *Screen) cancelFilter() tea.Cmd {
	s.filter.prompt.Close()
	return s.setFilter(s.place, s.filter.before)
}

// setFilter filters a list by a new text. The cursor stays on its row if the row still matches.
func (s *Screen) setFilter(list place, text string) tea.Cmd {
	if text == s.filter.texts[list] {
		return nil
	}
	delivery, _ := s.delivery(s.deliveries.table.Cursor())
	s.filter.texts[list] = text
	s.apply()
	s.endpoints.table.SetRows(len(s.filter.endpoints), len(s.filter.endpoints))
	s.endpoints.table.SetCursor(max(0, slices.IndexFunc(s.filter.endpoints, func(w *apiclient.Webhook) bool { return w.ID == s.endpoints.selected })))
	s.deliveries.table.SetRows(len(s.filter.deliveries), len(s.filter.deliveries))
	s.deliveries.table.SetCursor(max(0, slices.Index(s.filter.deliveries, delivery)))
	return s.choose()
}

// removeFilter clears the filter of the active list, or of the other one if that has none.
func (s *Screen) removeFilter() tea.Cmd {
	for _, list := range [...]place{min(s.place, onDeliveries), onDeliveries, onEndpoints} {
		if s.filter.texts[list] != "" {
			return s.setFilter(list, "")
		}
	}
	return nil
}

// chips returns the active filters and the lists that they belong to.
func (s *Screen) chips() (chips listdetail.Chips, of []place) {
	for list, name := range [...]string{"endpoints", "deliveries"} {
		if text := s.filter.texts[list]; text != "" {
			chips, of = append(chips, name+`: "`+text+`"`), append(of, place(list))
		}
	}
	return chips, of
}
