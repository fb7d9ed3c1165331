package demodata_test

import (
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/demodata"
)

func TestRowsWithoutARateCanLieInTheCurrentMonthOnly(t *testing.T) {
	today := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	h, err := demodata.NewHistory(demodata.Options{
		Seed: 1, Transactions: demodata.DefaultTransactions, Today: today, SettlesMonths: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	without := 0
	for _, r := range h.Rows {
		if r.USDKnown {
			continue
		}
		if without++; r.Date.Before(civil.Of(today).FirstOfMonth()) {
			t.Errorf("%s of %s on %s has no rate", r.Memo, r.Counterparty, r.Date)
		}
	}
	if without == 0 || len(h.Rows) != demodata.DefaultTransactions {
		t.Errorf("%d of %d rows have no rate", without, len(h.Rows))
	}
}
