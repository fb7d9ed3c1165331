package forecast_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/forecast"
	"tarmac/internal/civil"
)

// halfYear has money in and out, in dollars, on the first days of May to October: before is the
// money in of the first three months, and after that of the others.
func halfYear(before, after, out int64) (rows []apiclient.Transaction) {
	for i := range 6 {
		in := before
		if i >= 3 {
			in = after
		}
		day := civil.New(2026, 5, 1).AddMonths(i)
		rows = append(rows, row(day, "Customer", in*100), row(day, "Costs", -out*100))
	}
	own := row(civil.New(2026, 9, 9), "Savings", 9_000_00)
	own.Memo = "own"
	round := row(civil.New(2026, 9, 9), "Fund", 9_000_00)
	round.Memo = "financing"
	return append(rows, own, round, row(today, "This month does not count", 9_000_00))
}

func TestDefaultAliveIsThatOfThePencil(t *testing.T) {
	for name, c := range map[string]struct {
		before, after, out, cash int64 // in dollars
		answer                   forecast.Answer
		exceeds, falls, gone     string
		needed                   int64 // in dollars
	}{
		// Money in grows by $10 from $130, to $210 in the eighth month. Until then, the cash falls
		// by $60, $50 … $10.
		"in time":        {100, 130, 200, 211, forecast.Yes, "2027-06", "", "", 0},
		"a dollar short": {100, 130, 200, 210, forecast.No, "", "", "2027-04", 11},
		"already":        {200, 230, 200, 0, forecast.Yes, "2026-11", "", "", 0},
		"shrinking":      {250, 220, 200, 100, forecast.Yes, "2026-11", "2026-12", "", 0},
		"shrunk":         {250, 205, 200, 100, forecast.No, "", "", "2027-02", 0},
		"no cash":        {100, 130, 200, 0, forecast.No, "", "", "2026-11", 71},
		"neither":        {200, 200, 200, 1, forecast.No, "", "", "", 1},
		"nothing at all": {0, 0, 0, 1, forecast.No, "", "", "", 1},
	} {
		a, err := forecast.NewAlive(ledger(halfYear(c.before, c.after, c.out)), cash(c.cash*100), today)
		if err != nil {
			t.Fatal(err)
		}
		month := func(day civil.Date) string {
			if day.IsZero() {
				return ""
			}
			return figures.YearMonth(day)
		}
		if a.Answer() != c.answer || month(a.Exceeds) != c.exceeds || month(a.Falls) != c.falls ||
			month(a.Gone) != c.gone || a.Needed != c.needed*100 {
			t.Errorf("%s: %s, %+v", name, a.Answer(), a)
		}
		if text := strings.Join(a.Sentences(), " "); !strings.Contains(text, "Hypothetical: ") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestDefaultAliveWithoutCashIsUnknown(t *testing.T) {
	a, err := forecast.NewAlive(ledger(halfYear(100, 130, 200)), &apiclient.CashPosition{}, today)
	if err != nil || a.Answer() != forecast.Unknown {
		t.Errorf("%v, %+v", err, a)
	}
	a, err = forecast.NewAlive(ledger(halfYear(100, 300, 200)), nil, today)
	if err != nil || a.Answer() != forecast.Yes {
		t.Errorf("%v, %+v", err, a)
	}
}

func TestDefaultAliveNeedsSixFullMonths(t *testing.T) {
	rows := halfYear(100, 130, 200)
	for i := range rows[:2] {
		rows[i].Date = civil.New(2026, 5, 2)
	}
	_, err := forecast.NewAlive(ledger(rows), cash(1), today)
	var short *forecast.TooShortError
	if !errors.As(err, &short) || short.Until != civil.New(2026, 12, 1) {
		t.Errorf("%v", err)
	}
	if text := strings.Join(forecast.AliveSentences(nil, err), ""); !strings.Contains(text, "2026-12-01") {
		t.Error(text)
	}
	_, err = forecast.NewAlive(ledger(append(rows, row(today, "A", math.MaxInt64))), cash(1), today)
	if !errors.Is(err, forecast.ErrTooLarge) {
		t.Errorf("%v", err)
	}
}

func TestDefaultAliveSaysWhatItLeavesOut(t *testing.T) {
	rows := append(halfYear(100, 130, 200), row(civil.New(2026, 9, 9), "A", 1))
	rows[len(rows)-1].USD = apiclient.UnknownAmount("EUR")
	a, err := forecast.NewAlive(ledger(rows), cash(1), today)
	if err != nil || a.Excluded != 1 {
		t.Fatalf("%v, %+v", err, a)
	}
	if text := strings.Join(a.Sentences(), " "); !strings.Contains(text, "1 transaction has no USD rate") {
		t.Error(text)
	}
}
