package forecast_test

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/forecast"
	"tarmac/internal/civil"
)

// drawRows draws the rows of two years: some on random days, and some that recur.
func drawRows(t *rapid.T) []apiclient.Transaction {
	rows := []apiclient.Transaction{row(today.AddDays(-700), "A", 1), row(today.AddDays(-5), "B", 1),
		row(today.AddDays(-45), "C", 1)}
	names := rapid.SampledFrom([]string{"A", "B", "C", "D", "(unknown)"})
	for range rapid.IntRange(0, 150).Draw(t, "rows") {
		r := row(today.AddDays(rapid.IntRange(-700, 5).Draw(t, "day")), names.Draw(t, "name"),
			rapid.Int64Range(-1e9, 1e9).Draw(t, "cents"))
		r.Memo = rapid.SampledFrom([]string{"", "", "", "own", "financing"}).Draw(t, "memo")
		if rapid.IntRange(0, 9).Draw(t, "unknown") == 0 {
			r.Reporting = apiclient.UnknownAmount("USD")
		}
		rows = append(rows, r)
	}
	for series := range rapid.IntRange(0, 4).Draw(t, "series") {
		cents := rapid.Int64Range(-1e6, 1e6).Draw(t, "usual")
		first := rapid.IntRange(0, 40).Draw(t, "last")
		for month := range rapid.IntRange(1, 23).Draw(t, "months") {
			rows = append(rows, row(today.AddDays(-first).AddMonths(-month), fmt.Sprint("series ", series), cents))
		}
	}
	return rows
}

func drawInvoices(t *rapid.T) (list collections.List) {
	for i := range rapid.IntRange(0, 20).Draw(t, "invoices") {
		due := today.AddDays(rapid.IntRange(-200, 100).Draw(t, "due"))
		one := invoice(fmt.Sprint(i), rapid.SampledFrom([]string{"a", "b", ""}).Draw(t, "email"),
			rapid.Int64Range(0, 1e8).Draw(t, "total"), due)
		if paid := due.AddDays(rapid.IntRange(-20, 60).Draw(t, "paid")); paid.Before(today) {
			one.Status, one.PaidAt = apiclient.InvoicePaid, at(paid)
		}
		list.Invoices = append(list.Invoices, one)
	}
	return list
}

// payments adds up what the estimate of a week counts of its recurring payments.
func payments(w *forecast.Week, direction apiclient.Direction) (sum int64) {
	for _, p := range w.Payments {
		if p.Direction == direction {
			sum += p.Cents
		}
	}
	return sum
}

func TestWeeksAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, list := ledger(drawRows(t)), drawInvoices(t)
		cents := rapid.Int64Range(-1e12, 1e12).Draw(t, "cash")
		start := forecast.StartOf(l, cash(cents), today)
		start.Day = today.AddDays(-rapid.IntRange(0, 40).Draw(t, "days that are missing"))
		f, err := forecast.From(l, list, start, today)
		if err != nil {
			t.Fatal(err)
		}

		left, band := cents, int64(0)
		if f.IsBehind() {
			left += f.Between.Net()
		}
		for i, w := range f.Weeks {
			left += w.In - w.Out
			if w.In < 0 || w.Out < 0 || w.Cash != (figures.Total{Currency: "USD",
				Kind: figures.Balance, Minor: left}) || w.Band < band {
				t.Fatalf("week %d: %+v, want cash %d after a band of %d", i+1, w, left, band)
			}
			if w.In != payments(&w, apiclient.Inflow)+w.AverageIn+w.LastYearIn ||
				w.Out != payments(&w, apiclient.Outflow)+w.AverageOut+w.LastYearOut {
				t.Fatalf("week %d does not add up: %+v", i+1, w)
			}
			for _, p := range w.Payments {
				if p.Direction == apiclient.Outflow && p.Cents != p.Usual {
					t.Fatalf("%d of a recurring cost of %d count", p.Cents, p.Usual)
				}
			}
			band = w.Band
		}
		for _, i := range f.Basis.Rows {
			if day := l.Rows[i].Date; day.Before(f.Basis.First) || day.After(f.Basis.Last) || !l.Rows[i].Reporting.Known() {
				t.Fatalf("the basis has %+v", l.Rows[i])
			}
		}
	})
}

func TestOpenInvoicesChangeNoFigure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, list := ledger(drawRows(t)), drawInvoices(t)
		with, err := forecast.New(l, list, cash(1), today)
		if err != nil {
			t.Fatal(err)
		}
		without, err := forecast.New(l, collections.List{}, cash(1), today)
		if err != nil {
			t.Fatal(err)
		}
		listed := 0
		for i := range with.Weeks {
			listed += len(with.Weeks[i].Receipts)
			with.Weeks[i].Receipts = nil
		}
		if listed > len(with.Open) || !reflect.DeepEqual(with.Weeks, without.Weeks) {
			t.Fatalf("%+v\nwithout invoices\n%+v", with.Weeks, without.Weeks)
		}
	})
}

func TestTheOrderOfRowsAndInvoicesDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, list := drawRows(t), drawInvoices(t)
		weeks := func(f *forecast.Forecast, err error) (texts []string) {
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range f.Weeks {
				texts = append(texts, fmt.Sprint(w.In, w.Out, w.Band, len(w.Payments), len(w.Receipts)))
			}
			return texts
		}
		one := weeks(forecast.New(ledger(append([]apiclient.Transaction{}, rows...)), list, cash(1), today))
		list.Invoices = rapid.Permutation(list.Invoices).Draw(t, "invoices")
		other := weeks(forecast.New(ledger(rapid.Permutation(rows).Draw(t, "rows")), list, cash(1), today))
		if !reflect.DeepEqual(one, other) {
			t.Fatalf("%v\nin another order\n%v", one, other)
		}
	})
}

// Rows after a day change nothing that was estimated on the day, except rows of the same series.
func TestRowsAfterTodayAreLeftOut(t *testing.T) {
	rows := append(sample(), row(today.AddDays(1), "Customer", 1_000_000_00), row(civil.New(9999, 12, 31), "B", -1))
	with, without := estimated(t, ledger(rows), nil), estimated(t, ledger(sample()), nil)

	if with.Basis.Future != 2 || with.Basis.In != without.Basis.In || with.Weeks[0].In != without.Weeks[0].In {
		t.Errorf("%+v", with.Basis)
	}
	if p := with.Weeks[1].Payments; len(p) != 1 {
		t.Errorf("%+v", p)
	}
}
