package events

import (
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/internal/fold"
)

// everything selects all types.
const everything = "all"

// choices returns the entries of the type list: everything, the families, the API's types, and
// then unknown types that were received.
func (s *Screen) choices() []string {
	all := []string{everything, "invoice.*", "payment.*"}
	for _, t := range apiclient.EventTypes() {
		all = append(all, string(t))
	}
	known := len(all)
	for i := range s.seen {
		if t := s.seen[i].Type; !t.Known() && !slices.Contains(all[known:], string(t)) {
			all = append(all, string(t))
		}
	}
	slices.Sort(all[known:])
	// The current choice stays listed, even if the feed has dropped its last event.
	if !slices.Contains(all, s.filter.choice) {
		all = append(all, s.filter.choice)
	}
	return all
}

// ofType reports whether a choice includes an event type.
func ofType(choice string, t apiclient.EventType) bool {
	if choice == everything {
		return true
	}
	if family, ok := strings.CutSuffix(choice, "*"); ok {
		return strings.HasPrefix(string(t), family)
	}
	return string(t) == choice
}

// found reports whether an event's type, ID, counterparty or data contains the search text.
// Case does not matter. The data contain invoice numbers and the IDs of invoices and payments.
func (s *Screen) found(e *apiclient.Event) bool {
	if s.filter.search == "" {
		return true
	}
	for _, in := range [...]string{string(e.Type), e.ID, s.about(e), string(e.Data)} {
		if from, _ := fold.Find(in, s.filter.search); from >= 0 {
			return true
		}
	}
	return false
}
