package forecast_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/forecast"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

var today = civil.New(2026, 11, 22) // a Sunday

// row returns a transaction. Negative cents are money out.
func row(day civil.Date, name string, cents int64) apiclient.Transaction {
	t := apiclient.Transaction{
		Date: day, CounterpartyName: name, Direction: apiclient.Inflow,
		USD: apiclient.NewAmount(max(cents, -cents), "USD"),
	}
	if cents < 0 {
		t.Direction = apiclient.Outflow
	}
	return t
}

// ledger returns a ledger of rows, which it orders newest first. Rows with the memo "own" or
// "financing" have that purpose.
func ledger(rows []apiclient.Transaction) *spending.Ledger {
	own, financing := map[string]bool{}, map[string]bool{}
	for i := range rows {
		rows[i].ID = fmt.Sprintf("txn_%d", i)
		own[rows[i].ID] = rows[i].Memo == "own"
		financing[rows[i].ID] = rows[i].Memo == "financing"
	}
	slices.SortStableFunc(rows, func(a, b apiclient.Transaction) int { return b.Date.Compare(a.Date) })
	return spending.NewLedger(rows, own, financing)
}

func cash(cents int64) *apiclient.CashPosition {
	return &apiclient.CashPosition{RunwayCashCents: &cents, AsOf: today.Time(), Sufficient: true}
}

// sample has the rows of 26 weeks: each week, $100 from a customer who pays once and $52 to a
// vendor who is paid once. Rent of $1,000 is paid on the 5th of each month.
func sample() (rows []apiclient.Transaction) {
	for week := range forecast.PastWeeks {
		day := today.AddDays(-7*week - 6)
		rows = append(rows, row(day, fmt.Sprint("customer ", week), 100_00), row(day, fmt.Sprint("vendor ", week), -52_00))
	}
	for month := range 8 {
		rows = append(rows, row(civil.New(2026, 11, 5).AddMonths(-month), "Rent", -1000_00))
	}
	return rows
}

func at(day civil.Date) *time.Time {
	t := day.Time().Add(12 * time.Hour)
	return &t
}

// invoice returns an open invoice of a customer.
func invoice(number, email string, cents int64, due civil.Date) apiclient.Invoice {
	return apiclient.Invoice{
		ID: "inv_" + number, Number: number, Status: apiclient.InvoiceSent, RecipientEmail: email,
		Total: apiclient.NewAmount(cents, "USD"), CreatedAt: *at(due.AddDays(-30)), SentAt: at(due.AddDays(-30)),
		DueDate: at(due),
	}
}

// estimated computes a forecast that there must be.
func estimated(t testing.TB, l *spending.Ledger, invoices []apiclient.Invoice) *forecast.Forecast {
	t.Helper()
	f, err := forecast.New(l, collections.List{Invoices: invoices}, cash(10_000_00), today)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestWeeksAreThoseOfThePencil(t *testing.T) {
	open := invoice("1", "a@example.com", 650_00, civil.New(2026, 12, 10))
	f := estimated(t, ledger(sample()), []apiclient.Invoice{open})

	left := int64(10_000_00)
	for i, w := range f.Weeks {
		in, out := int64(50_00), int64(52_00) // half of the average is the invoice of week 3
		switch i {
		case 2:
			in += 650_00
		case 1, 6, 10: // 5 December, 5 January, 5 February
			out += 1000_00
		}
		left += in - out
		if w.In != in || w.Out != out || w.Cash.Cents != left || w.First != today.AddDays(7*i+1) ||
			w.Last != today.AddDays(7*i+7) {
			t.Errorf("week %d: in %d, out %d, cash %s; want %d, %d, %d", i+1, w.In, w.Out, w.Cash, in, out, left)
		}
	}
	if len(f.Weeks[2].Receipts) != 1 || len(f.Weeks[1].Payments) != 1 || f.Weeks[1].Payments[0].Name != "Rent" {
		t.Errorf("%+v", f.Weeks[:3])
	}
	if b := f.Basis; len(b.Rows) != 26+26+6 || b.In != 2600_00 || b.Out != 26*52_00+6*1000_00 || b.Excluded != 0 {
		t.Errorf("%+v", b)
	}
}

// One customer is an open invoice, recurring income and part of the rest at once.
func TestInvoicesAndRecurringIncomeDoNotAddToTheAverage(t *testing.T) {
	var rows []apiclient.Transaction
	for month := range 8 {
		rows = append(rows, row(civil.New(2026, 11, 10).AddMonths(-month), "Customer", 2600_00))
	}
	open := invoice("1", "a@example.com", 2600_00, civil.New(2026, 12, 10))

	f := estimated(t, ledger(rows), []apiclient.Invoice{open})

	total := int64(0)
	for _, w := range f.Weeks {
		total += w.In
	}
	if total != 3*2600_00 || f.Basis.Expected != 4*2600_00 || f.Weeks[2].In != 3*2600_00*2/4 {
		t.Errorf("%d in all, %d expected, %d in the third week", total, f.Basis.Expected, f.Weeks[2].In)
	}
}

func TestAForecastNeedsTwentySixWeeks(t *testing.T) {
	begins := today.AddDays(-181)
	estimated(t, ledger([]apiclient.Transaction{row(begins, "A", 1), row(today, "A", 1)}), nil)

	begins = begins.AddDays(1)
	rows := []apiclient.Transaction{row(begins, "A", 1), row(today, "A", 1)}
	_, err := forecast.New(ledger(rows), collections.List{}, cash(1), today)
	var short *forecast.TooShortError
	if !errors.As(err, &short) || short.Begins != begins || short.Until != today.AddDays(1) {
		t.Errorf("%v", err)
	}
	_, err = forecast.New(ledger(nil), collections.List{}, cash(1), today)
	if !errors.As(err, &short) || !short.Begins.IsZero() {
		t.Errorf("%v", err)
	}
}

func TestAmountsThatAreTooLargeAreRefused(t *testing.T) {
	rows := append(sample(), row(today, "A", math.MaxInt64))
	if _, err := forecast.New(ledger(rows), collections.List{}, cash(1), today); !errors.Is(err, forecast.ErrTooLarge) {
		t.Errorf("%v", err)
	}
	open := []apiclient.Invoice{invoice("1", "", math.MaxInt64, today)}
	list := collections.List{Invoices: open}
	if _, err := forecast.New(ledger(sample()), list, cash(1), today); !errors.Is(err, forecast.ErrTooLarge) {
		t.Errorf("%v", err)
	}
	f, err := forecast.New(ledger(sample()), collections.List{}, cash(math.MinInt64), today)
	if err != nil || !f.Weeks[12].Cash.Unknown {
		t.Errorf("%v, %+v", err, f)
	}
}
