package forecast_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// shop has the rows of the example in docs/forecast.md: 104 weeks of takings and of other costs,
// each week from and to somebody else, and the rent.
func shop() (rows []apiclient.Transaction) {
	for week := range 104 {
		day, fourWeeks := today.AddDays(-7*week-6), week/4
		takings, costs := int64(1200_00), int64(400_00)
		if week >= 26 {
			costs = 360_00
		}
		if week >= 52 {
			takings, costs = 875_00, 320_00
		}
		if n := fourWeeks % 13; n >= 3 && n <= 5 {
			takings = 2500_00
		}
		rows = append(rows, row(day, fmt.Sprint("market ", week), takings), row(day, fmt.Sprint("maker ", week), -costs))
	}
	for month := range 24 {
		rows = append(rows, row(civil.New(2026, 11, 5).AddMonths(-month), "Rent", -2000_00))
	}
	return rows
}

func TestTheForecastOfTheDocumentIsThatOfThePencil(t *testing.T) {
	document, err := os.ReadFile("../../docs/forecast.md")
	if err != nil {
		t.Fatal(err)
	}
	f := estimated(t, ledger(shop()), nil)

	if b := f.Basis; b.LastYear != 50 || b.RatioIn != 111 || b.RatioOut != 125 || b.In != 46_800_00 {
		t.Errorf("%+v", b)
	}
	dollars := func(cents int64) string { return strings.TrimSuffix(money.Text(cents, "USD"), ".00") }
	for i := range f.Weeks {
		w := &f.Weeks[i]
		line := fmt.Sprintf("| %d | %s to %s | %s | %s | %s |", i+1, w.First, w.Last, dollars(w.In), dollars(w.Out),
			dollars(w.Cash.Minor))
		if !strings.Contains(string(document), line) {
			t.Errorf("docs/forecast.md lacks\n%s", line)
		}
		if w.AverageIn != 900_00 || w.LastYearIn != 666_00 || w.AverageOut != 200_00 || w.LastYearOut != 225_00 {
			t.Errorf("week %d: %+v", i+1, w)
		}
	}
	says(t, f, "count for 50 %; the other 50 % are the same weeks of last year, times 1.11 for money in and 1.25 for",
		true)
}

// Sales that do not follow last year's are estimated without it.
func TestLastYearCountsOnlyIfItHelps(t *testing.T) {
	rows := shop()
	for i := range rows {
		if rows[i].Direction == apiclient.Inflow && today.DaysSince(rows[i].Date) < 364 {
			rows[i].Reporting = apiclient.NewAmount(1000_00+int64(i)%3*100_00, "USD") // no summer
		}
	}

	f := estimated(t, ledger(rows), nil)

	if b := f.Basis; b.LastYear != 0 || !b.KnowsLastYear {
		t.Errorf("%+v", b)
	}
	says(t, f, "Last year is not used: money in did not follow it.", true)
	if w := f.Weeks[0]; w.LastYearIn != 0 || w.LastYearRows != nil || w.AverageOut != 400_00 {
		t.Errorf("%+v", w)
	}
}

// Rows without a USD amount of the year before are left out of last year's weeks and totals.
func TestWhatLastYearLeavesOutIsMarked(t *testing.T) {
	rows := shop()
	for i := range rows {
		if rows[i].Date == today.AddDays(-7*100-6) {
			rows[i].Reporting = apiclient.UnknownAmount("EUR")
		}
	}
	if f := estimated(t, ledger(rows), nil); f.Basis.LastYear == 0 || f.Basis.Excluded != 2 ||
		!strings.HasPrefix(f.Figures(0).In.String(), "~") {
		t.Errorf("%+v, %s", f.Basis, f.Figures(0).In)
	}
}
