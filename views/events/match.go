package events

import (
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/internal/fold"
)

// allTypes is the entry of the type list that matches every event.
const allTypes = "all"

// choices returns the entries of the type list: allTypes, "invoice.*", "payment.*", the types
// documented for the API, and then any other types among the fetched events.
func (s *Screen) choices() []string {
	all := []string{allTypes, "invoice.*", "payment.*"}
	for _, t := range apiclient.EventTypes() {
		all = append(all, string(t))
	}
	known := len(all)
	for i := range s.events {
		if t := s.events[i].Type; !t.Known() && !slices.Contains(all[known:], string(t)) {
			all = append(all, string(t))
		}
	}
	slices.Sort(all[known:])
	// The chosen type stays in the list even after the feed has dropped the last event of that
	// type.
	if !slices.Contains(all, s.choice) {
		all = append(all, s.choice)
	}
	return all
}

// ofType reports whether choice, an entry of the type list, includes the event type t.
func ofType(choice string, t apiclient.EventType) bool {
	if choice == allTypes {
		return true
	}
	if family, ok := strings.CutSuffix(choice, "*"); ok {
		return strings.HasPrefix(string(t), family)
	}
	return string(t) == choice
}

// finds reports whether an event's type, ID, invoice number, counterparty or data contains a text.
// Case does not matter.
func (s *Screen) finds(e *apiclient.Event, text string) bool {
	for _, in := range [...]string{string(e.Type), e.ID, s.about(e), string(e.Data)} {
		if from, _ := fold.Find(in, text); from >= 0 {
			return true
		}
	}
	return false
}
