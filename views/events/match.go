package events

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/views/table"
)

// choices are what the list of types offers: everything, a family, or one type.
func choices() []string {
	return []string{
		"all", "invoice.*", "payment.*",
		string(apiclient.EventInvoiceSent), string(apiclient.EventInvoiceOverdue),
		string(apiclient.EventInvoicePaid), string(apiclient.EventInvoiceVoided),
		string(apiclient.EventPaymentHeld), string(apiclient.EventPaymentCompleted),
		string(apiclient.EventPaymentFailed), string(apiclient.EventPaymentCanceled),
		string(apiclient.EventTest),
	}
}

// ofType reports whether an event's type is among those a choice stands for.
func ofType(choice string, t apiclient.EventType) bool {
	if choice == "all" {
		return true
	}
	if family, ok := strings.CutSuffix(choice, "*"); ok {
		return strings.HasPrefix(string(t), family)
	}
	return string(t) == choice
}

// found reports whether a text stands in an event's type, id or data (numbers and
// the ids of invoices and payments are in there), letters of either case alike.
func found(e *apiclient.Event, text string) bool {
	for _, in := range [...]string{string(e.Type), e.ID, about(e), string(e.Data)} {
		if from, _ := table.Find(in, text); from >= 0 {
			return true
		}
	}
	return false
}
