package forecast_test

import (
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/forecast"
	"tarmac/client/spending"
	"tarmac/internal/testsupport/extension"
)

func withoutRates(rows []apiclient.Transaction, without func(row int) bool) []apiclient.Transaction {
	for i := range rows {
		if without(i) {
			rows[i].Reporting = apiclient.UnknownAmount("USD")
		}
	}
	return rows
}

func TestFiguresOfWeeksAreMarkedIfRowsAreLeftOut(t *testing.T) {
	l := ledger(withoutRates(sample(), func(i int) bool { return i%2 == 1 }))

	f, err := forecast.New(l, collections.List{}, cash(9_000_00), today)
	if err != nil {
		t.Fatal(err)
	}

	week := f.Figures(0)
	for name, text := range map[string]string{
		"in": week.In.String(), "out": week.Out.String(), "net": week.Net.String(), "cash": week.Cash.String(),
	} {
		if !strings.HasPrefix(text, "~") {
			t.Errorf("%s is %s without its mark", name, text)
		}
	}
}

// Thirteen weeks that begin with an unknown cash say nothing about it.
func TestThereIsNoForecastWithoutAStart(t *testing.T) {
	for want, position := range map[string]*apiclient.CashPosition{
		"the spendable cash is unknown":   nil,
		"no account is open yet":          {Currency: "USD", Status: apiclient.AccountNotOpen},
		"the spendable cash is not known": {Currency: "USD", AsOf: today.Time()},
	} {
		f, err := forecast.New(ledger(sample()), collections.List{}, position, today)

		if f != nil || err == nil || err.Error() != want {
			t.Errorf("forecast %v, error %v, want %q", f != nil, err, want)
		}
	}
}

func TestATestOnMonthsWithoutAmountsIsNone(t *testing.T) {
	rows := sample()
	for _, r := range sample() {
		r.Date = r.Date.AddDays(-7 * forecast.PastWeeks)
		rows = append(rows, r)
	}
	recent := today.AddMonths(-2)

	f, err := forecast.New(ledger(withoutRates(rows, func(i int) bool { return rows[i].Date.Before(recent) })),
		collections.List{}, cash(9_000_00), today)

	if err != nil || len(f.Trials) > 0 {
		t.Fatalf("%v, or a test of weeks without any amount: %+v", err, f.Trials)
	}
	if miss := f.Figures(0).Band; !miss.Unknown || miss.Why() == "" {
		t.Errorf("the band is %s", miss)
	}
}

func TestRowsOfUnknownDirectionAreNoIncome(t *testing.T) {
	rows := sample()
	for i := range rows {
		if rows[i].CounterpartyName == "Rent" {
			rows[i].Direction = "sideways"
		}
	}

	f, err := forecast.New(ledger(rows), collections.List{}, cash(9_000_00), today)
	if err != nil {
		t.Fatal(err)
	}

	if f.Basis.In != 2600_00 || f.Basis.Undirected == 0 || !strings.Contains(strings.Join(f.Sentences(), " "),
		"have an unknown direction and are excluded.") {
		t.Errorf("in %d, without direction %d: %q", f.Basis.In, f.Basis.Undirected, f.Sentences())
	}
}

// Rows that could not be read may be in every week, and in the cash after the last day that all
// accounts cover.
func TestRowsThatCouldNotBeReadAreLeftOut(t *testing.T) {
	later := today.AddDays(20)
	l, position := ledger(sample()), cash(9_000_00)
	position.AsOf = later.Time()
	position.Extension = extension.Covering(today.String())
	l.Coverage = figures.CoverageOf(position)
	l.Unreadable = []spending.UnreadableRow{
		{Month: later.FirstOfMonth()}, {Month: today.FirstOfMonth()}, {Month: today.AddMonths(-3).FirstOfMonth()},
		{Month: today.AddMonths(-40).FirstOfMonth()},
	}

	start := forecast.StartOf(l, position, later)
	f, err := forecast.From(l, collections.List{}, start, later)
	if err != nil {
		t.Fatal(err)
	}

	week := f.Figures(0)
	for name, test := range map[string]struct {
		total figures.Total
		rows  int64
	}{"in": {week.In, 2}, "out": {week.Out, 2}, "cash": {week.Cash, 3}, "start": {start.Cash, 2}} {
		if test.total.Mark() != figures.Partial || test.total.Unreadable != test.rows {
			t.Errorf("%s is %s without %d rows, want %d", name, test.total, test.total.Unreadable, test.rows)
		}
	}
}

func TestThereIsNoForecastIfTheCashLacksAllRowsSince(t *testing.T) {
	later := today.AddDays(20)
	rows := append([]apiclient.Transaction{row(today.AddDays(4), "A", 700_00)}, sample()...)
	l, position := ledger(withoutRates(rows, func(i int) bool { return i == 0 })), cash(9_000_00)
	position.AsOf = later.Time()
	position.Extension = extension.Covering(today.String())
	l.Coverage = figures.CoverageOf(position)

	f, err := forecast.New(l, collections.List{}, position, later)

	if f != nil || err == nil || err.Error() != "1 transaction has no USD rate and is excluded" {
		t.Errorf("forecast %v, error %v", f != nil, err)
	}
}
