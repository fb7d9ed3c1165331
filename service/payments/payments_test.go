package payments_test

import (
	"slices"
	"testing"

	"tarmac/service/payments"
)

func TestTheLifeOfAPayment(t *testing.T) {
	all := []payments.Status{payments.Processing, payments.Held, payments.Completed, payments.Failed, payments.Canceled}
	moves := map[payments.Status][]payments.Status{
		payments.Held:       {payments.Processing, payments.Canceled},
		payments.Processing: {payments.Completed, payments.Failed, payments.Held, payments.Canceled},
	}
	for _, from := range all {
		for _, to := range all {
			if got, want := from.CanBecome(to), slices.Contains(moves[from], to); got != want {
				t.Errorf("%s to %s: %v, want %v", from, to, got, want)
			}
		}
	}
}
