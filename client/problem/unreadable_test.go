package problem_test

import (
	"testing"

	"tarmac/apiclient"
	"tarmac/client/problem"
)

func TestUnreadableRecordsAreCountedInWords(t *testing.T) {
	for want, c := range map[string]struct {
		n    int
		noun string
	}{
		"1 invoice could not be read": {1, "invoice"}, "1,200 transactions could not be read": {1200, "transaction"},
		"1 delivery could not be read": {1, "delivery"}, "2 deliveries could not be read": {2, "delivery"},
	} {
		if got := problem.Unreadable(c.n, c.noun); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWhatIsWrongWithARecordNamesItsField(t *testing.T) {
	for want, e := range map[string]apiclient.ContractError{
		"field total_cents is missing": {Field: "[3].total_cents", Problem: "is missing"},
		"field data is not an object":  {Field: "data[0].data", Problem: "is not an object"},
		"it has a JSON number where another type belongs": {Field: "data[0]",
			Problem: "has a JSON number where another type belongs"},
		"field a.b has a JSON array where another type does": {Field: "[0].a.b",
			Problem: "has a JSON array where another type does"},
	} {
		if got := problem.OfRecord(&e); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
