package events

import (
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/internal/fold"
)

// everything is the choice of all types.
const everything = "all"

// choices are what the list of types offers: everything, a family, one type; last
// those that came and are not the API's.
func (s *Screen) choices() []string {
	all := []string{
		everything, "invoice.*", "payment.*",
		string(apiclient.EventInvoiceSent), string(apiclient.EventInvoiceOverdue),
		string(apiclient.EventInvoicePaid), string(apiclient.EventInvoiceVoided),
		string(apiclient.EventPaymentHeld), string(apiclient.EventPaymentCompleted),
		string(apiclient.EventPaymentFailed), string(apiclient.EventPaymentCanceled),
		string(apiclient.EventTest),
	}
	known := len(all)
	for i := range s.seen {
		if t := s.seen[i].Type; !t.Known() && !slices.Contains(all[known:], string(t)) {
			all = append(all, string(t))
		}
	}
	slices.Sort(all[known:])
	// What is chosen stays to be seen, also when the feed has let go of the last of it.
	if !slices.Contains(all, s.filter.choice) {
		all = append(all, s.filter.choice)
	}
	return all
}

// ofType reports whether an event's type is among those a choice stands for.
func ofType(choice string, t apiclient.EventType) bool {
	if choice == everything {
		return true
	}
	if family, ok := strings.CutSuffix(choice, "*"); ok {
		return strings.HasPrefix(string(t), family)
	}
	return string(t) == choice
}

// found reports whether the text that is filtered by stands in an event's type, id,
// counterparty or data (numbers and the ids of invoices and payments are in there),
// letters of either case alike.
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
