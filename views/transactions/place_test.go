package transactions

import (
	"testing"

	"tarmac/client/position"
	"tarmac/internal/civil"
)

var today = civil.MustParse("2026-11-20") // a Friday

func TestAPlaceSaysWhereItLeads(t *testing.T) {
	for text, want := range map[string]string{
		"50%": "to 50%", "12.5 %": "to 12.5%", "row 1,200": "to row 1,200", "row 1": "to the newest", "2024": "to 2024-12-31", "october": "to 2026-10-31",
	} {
		p, err := position.Parse(text, today)
		if err != nil || placeOf(p).words() != want {
			t.Errorf("%q: %s, %v; want %s", text, placeOf(p).words(), err, want)
		}
	}
}
