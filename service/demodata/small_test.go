package demodata

import (
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
)

func TestAQuotaIsMetExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newSmallRows(
			newRand(rapid.Int64().Draw(t, "seed"), streamSmall), rapid.IntRange(0, 20_000).Draw(t, "rows a day"),
		)
		rows := rapid.IntRange(1, 400).Draw(t, "rows")
		cents := rapid.Int64Range(minSmallAmount, 5_000*dollar).Draw(t, "cents")
		if rapid.Bool().Draw(t, "out") {
			cents = -cents
		}
		source := rapid.SampledFrom(ledger.Sources[:]).Draw(t, "source")
		q := quota{rows: rows, cents: cents}
		var total int64
		for range rows {
			var r ledger.Transaction
			s.next(&q, source, true, &r)
			r.Date = civil.New(2026, 11, 21)
			if err := r.Validate(); err != nil {
				t.Fatalf("%+v: %v", r, err)
			}
			// Converting to a foreign currency and back rounds twice.
			if r.USDKnown && r.USDCents < minSmallAmount-2 {
				t.Errorf("a row of %d cents", r.USDCents)
			}
			if r.Source != source || r.Memo == "" || r.Category == "" || r.Method == "" {
				t.Errorf("a row that says too little: %+v", r)
			}
			total += netUSD(&r)
		}
		if q.rows != 0 || q.cents != 0 || total != cents {
			t.Errorf("%d rows came to %d cents, not to %d; %+v is left", rows, total, cents, q)
		}
	})
}

func TestUSDCentsRoundHalfUp(t *testing.T) {
	for _, c := range []struct {
		minor    int64
		currency string
		usd      int64
		ok       bool
	}{
		{1_00, "USD", 1_00, true}, {1_00, "EUR", 1_08, true}, {1, "EUR", 1, true}, {50, "GBP", 64, true},
		{1_500, "JPY", 1_005, true}, {0, "JPY", 0, true}, {1_00, "KES", 0, false},
	} {
		if usd, ok := usdCents(c.minor, c.currency); usd != c.usd || ok != c.ok {
			t.Errorf("usdCents(%d, %s) = %d, %v; want %d, %v", c.minor, c.currency, usd, ok, c.usd, c.ok)
		}
	}
}

func TestWorkdayLeavesTheWeekend(t *testing.T) {
	for day, want := range map[string]string{
		"2026-11-20": "2026-11-20", "2026-11-21": "2026-11-23", "2026-11-22": "2026-11-23", "2026-11-23": "2026-11-23",
	} {
		if got := Workday(civil.MustParse(day)); got != civil.MustParse(want) {
			t.Errorf("Workday(%s) = %s; want %s", day, got, want)
		}
	}
}

func BenchmarkSmallRow(b *testing.B) {
	s := newSmallRows(newRand(1, streamSmall), 10_000)
	q := quota{rows: 1 << 40, cents: -500 * dollar}
	var r ledger.Transaction
	b.ReportAllocs()
	for b.Loop() {
		s.next(&q, ledger.ServiceAccount, true, &r)
	}
}
