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
	"tarmac/internal/testsupport/extension"
)

// aYear has money in and out, in dollars, on the first days of November 2025 to October 2026. net
// is that of the first nine months, and recent that of the last three.
func aYear(net, recent int64) (rows []apiclient.Transaction) {
	for i := range 12 {
		if i >= 9 {
			net = recent
		}
		day := civil.New(2025, 11, 1).AddMonths(i)
		rows = append(rows, row(day, "Customer", (1000+net)*100), row(day, "Costs", -1000_00))
	}
	own := row(civil.New(2026, 9, 9), "Savings", 9_000_00)
	own.Memo = "own"
	round := row(civil.New(2026, 9, 9), "Fund", 9_000_00)
	round.Memo = "financing"
	return append(rows, own, round, row(today, "This month does not count", 9_000_00))
}

func TestDefaultAliveIsThatOfThePencil(t *testing.T) {
	for name, c := range map[string]struct {
		net, recent, cash int64 // in dollars
		answer            forecast.Answer
		long, short       int64 // months, or -1
		says              string
	}{
		"not negative": {0, 0, 0, forecast.Yes, -1, -1, "Yes: neither the net of twelve months nor that of the last three"},
		// Nine months of +30 and three of -80 are +2.50 a month; 480 is 6 months at -80.
		"a good year, a bad quarter": {30, -80, 480, forecast.TooClose, -1, 6,
			"Too close to say: the net of twelve months is not negative, but the cash lasts for 6 months at"},
		"a good year and cash for two": {30, -80, 24 * 80, forecast.Yes, -1, 24, "Yes: "},
		"a dollar short of two years":  {30, -80, 24*80 - 1, forecast.TooClose, -1, 23, "Too close to say: "},
		"cash for five years": {-10, -10, 600, forecast.Yes, 60, 60,
			"Yes: 60 months at the net of twelve months, 60"},
		"a dollar short of five years": {-10, -10, 599, forecast.TooClose, 59, 59, "Too close to say: 59 months"},
		"cash for 24 months":           {-10, -10, 240, forecast.TooClose, 24, 24, "Too close to say: 24 months"},
		"a dollar short of 24 months":  {-10, -10, 239, forecast.No, 23, 23, "No: 23 months"},
		"a bad year, a good quarter": {-40, 0, 200, forecast.No, 6, -1,
			"No: the cash lasts for 6 months at the net of twelve months; that of the last three is not negative."},
		"no cash": {-10, -10, 0, forecast.No, 0, 0, "No: 0 months at"},
	} {
		a, err := forecast.NewAlive(ledger(aYear(c.net, c.recent)), cash(c.cash*100), today)
		if err != nil {
			t.Fatal(err)
		}
		months := func(n *int64) int64 {
			if n == nil {
				return -1
			}
			return *n
		}
		long, short := a.Months()
		if a.Answer() != c.answer || months(long) != c.long || months(short) != c.short {
			t.Errorf("%s: %s, %d and %d months, %+v", name, a.Answer(), months(long), months(short), a)
		}
		text := strings.Join(a.Sentences(), " ")
		if !strings.Contains(text, "Hypothetical: ") || !strings.Contains(text, c.says) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestDefaultAliveWithoutCashIsUnknown(t *testing.T) {
	a, err := forecast.NewAlive(ledger(aYear(-10, -10)), &apiclient.CashPosition{Currency: "USD"}, today)
	if err != nil || a.Answer() != forecast.Unknown {
		t.Errorf("%v, %+v", err, a)
	}
	a, err = forecast.NewAlive(ledger(aYear(10, 10)), nil, today)
	if err != nil || a.Answer() != forecast.Yes {
		t.Errorf("%v, %+v", err, a)
	}
}

func TestDefaultAliveNeedsTwelveFullMonths(t *testing.T) {
	rows := aYear(10, 10)
	for i := range rows[:2] {
		rows[i].Date = civil.New(2025, 11, 2)
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

// A month of which the statements do not reach the end is not full.
func TestTheTwelveMonthsEndWithTheStatements(t *testing.T) {
	rows := append(aYear(10, 10), row(civil.New(2024, 11, 1), "A", 1))
	for last, end := range map[civil.Date]civil.Date{
		civil.New(2026, 10, 30): civil.New(2026, 10, 1), civil.New(2026, 10, 31): civil.New(2026, 11, 1),
	} {
		start := forecast.StartOf(ledger(rows), cash(1), today)
		start.Day = last
		a, err := forecast.AliveFrom(ledger(rows), start, today)
		if err != nil || a.End != end || a.First != end.AddMonths(-12) {
			t.Errorf("statements end on %s: %v, %+v", last, err, a)
		}
	}
}

func TestDefaultAliveNeedsStatementsOfTwelveFullMonths(t *testing.T) {
	for gap, want := range map[string]string{
		"2026-06-10..2026-07-09": "Default alive? Unknown: it takes statements of twelve full months. Statements do not " +
			"cover 2026-06-10 to 2026-07-09.",
		"2025-09-01..2025-10-31": "",
	} {
		l := ledger(append(aYear(10, 10), row(civil.New(2025, 8, 1), "A", 1)))
		l.Coverage = uncovered(gap)

		a, err := forecast.NewAlive(l, cash(1), today)

		text := strings.Join(forecast.AliveSentences(a, err), " ")
		if (want == "") != (err == nil) || err != nil && text != want {
			t.Errorf("%s: %s", gap, text)
		}
	}
}

// uncovered returns the coverage of statements up to yesterday that lack some days.
func uncovered(gap string) figures.Coverage {
	return figures.CoverageOf(&apiclient.CashPosition{
		Currency: "USD", AsOf: today.Time(),
		Extension: extension.Covering(today.AddDays(-1).String(), strings.Split(gap, ",")...),
	})
}

func TestDefaultAliveSaysWhatItLeavesOut(t *testing.T) {
	rows := append(aYear(10, 10), row(civil.New(2026, 9, 9), "A", 1))
	rows[len(rows)-1].Reporting = apiclient.UnknownAmount("EUR")
	a, err := forecast.NewAlive(ledger(rows), cash(1), today)
	if err != nil || a.Excluded != 1 {
		t.Fatalf("%v, %+v", err, a)
	}
	text := strings.Join(a.Sentences(), " ")
	if !strings.Contains(text, "1 transaction has no USD rate") || !strings.Contains(text, "Yes, as far as is known: ") {
		t.Error(text)
	}
}
