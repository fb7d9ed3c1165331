package invoicing_test

import (
	"slices"
	"testing"

	"tarmac/service/invoicing"
)

func TestTheLifeOfAnInvoice(t *testing.T) {
	moves := map[invoicing.Status][]invoicing.Status{
		invoicing.Draft:   {invoicing.Sent, invoicing.Voided},
		invoicing.Sent:    {invoicing.Overdue, invoicing.Paid, invoicing.Voided},
		invoicing.Overdue: {invoicing.Paid, invoicing.Voided},
		invoicing.Paid:    nil,
		invoicing.Voided:  nil,
	}
	for _, from := range invoicing.Statuses {
		for _, to := range invoicing.Statuses {
			if got, want := from.CanBecome(to), slices.Contains(moves[from], to); got != want {
				t.Errorf("%s to %s: %v, want %v", from, to, got, want)
			}
		}
	}
	if invoicing.Status("lost").CanBecome(invoicing.Paid) {
		t.Error("an unknown status moves")
	}
}

func TestParseStatusKnowsTheFiveAndNoOther(t *testing.T) {
	for _, s := range invoicing.Statuses {
		if got, ok := invoicing.ParseStatus(string(s)); !ok || got != s {
			t.Errorf("ParseStatus(%s) = %s, %v", s, got, ok)
		}
	}
	for _, s := range []string{"", "Paid", "open", "sent "} {
		if _, ok := invoicing.ParseStatus(s); ok {
			t.Errorf("%q is a status", s)
		}
	}
}

func TestWhatIsOwed(t *testing.T) {
	for status, want := range map[invoicing.Status]int64{
		invoicing.Draft: 0, invoicing.Sent: 700, invoicing.Overdue: 700, invoicing.Paid: 0, invoicing.Voided: 0,
	} {
		inv := invoicing.Invoice{Status: status, TotalCents: 1000, PaidCents: 300}
		if got := inv.OutstandingCents(); got != want {
			t.Errorf("%s: %d cents, want %d", status, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for sequence, want := range map[int64]string{1: "INV-000001", 999_999: "INV-999999", 1_000_000: "INV-1000000"} {
		if got := (invoicing.Invoice{Sequence: sequence}).Number(); got != want {
			t.Errorf("number %d is %s, want %s", sequence, got, want)
		}
	}
}
