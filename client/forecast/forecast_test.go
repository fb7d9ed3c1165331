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
	"tarmac/client/figures"
	"tarmac/client/forecast"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/extension"
)

var today = civil.New(2026, 11, 22) // a Sunday

// row returns a transaction. Negative cents are money out.
func row(day civil.Date, name string, cents int64) apiclient.Transaction {
	t := apiclient.Transaction{
		Date: day, CounterpartyName: name, Direction: apiclient.Inflow,
		Reporting: apiclient.NewAmount(max(cents, -cents), "USD"),
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
	return &apiclient.CashPosition{Currency: "USD", RunwayCashCents: &cents, AsOf: today.Time(), Sufficient: true}
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
		in, out := int64(100_00), int64(52_00)
		if i == 1 || i == 6 || i == 10 { // 5 December, 5 January, 5 February
			out += 1000_00
		}
		left += in - out
		if w.In != in || w.Out != out || w.Cash.Minor != left || w.First != today.AddDays(7*i+1) ||
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

// The customer is expected as recurring income, whether or not its invoice is open.
func TestIncomeThatRecursStandsOnItsDays(t *testing.T) {
	var rows []apiclient.Transaction
	for month := range 8 {
		rows = append(rows, row(civil.New(2026, 11, 10).AddMonths(-month), "Customer", 2600_00))
	}
	open := invoice("1", "a@example.com", 2600_00, civil.New(2026, 12, 10))

	f := estimated(t, ledger(rows), []apiclient.Invoice{open})

	for i, w := range f.Weeks {
		want := int64(0)
		if i == 2 || i == 6 || i == 11 { // 10 December, 10 January, 10 February
			want = 2600_00
		}
		if w.In != want {
			t.Errorf("week %d brings %d, want %d", i+1, w.In, want)
		}
	}
}

// Statements end on the day of the start; until today, the same rules go on.
func TestDaysBeforeTodayAreEstimatedByTheSameRules(t *testing.T) {
	later := today.AddDays(20) // 12 December
	start := forecast.StartOf(ledger(sample()), cash(10_000_00), later)
	start.Day = today

	f, err := forecast.From(ledger(sample()), collections.List{}, start, later)

	if err != nil {
		t.Fatal(err)
	}
	in, out := int64(2600_00*20/182), int64(1352_00*20/182+1000_00) // the rent of 5 December
	if w := f.Between; w.First != today.AddDays(1) || w.Last != later || w.In != in || w.Out != out {
		t.Errorf("%s to %s brings %d and costs %d, want %d and %d", w.First, w.Last, w.In, w.Out, in, out)
	}
	now := 10_000_00 + in - out
	if w := f.Weeks[0]; f.Now.Minor != now || w.First != later.AddDays(1) || w.Cash.Minor != now+w.In-w.Out {
		t.Errorf("cash now is %s, want %d; week 1 is %+v", f.Now, now, w)
	}
	says(t, f, "Statements end on 2026-11-22; 20 days are estimated by the same rules.", true)

	start.Day = later.AddDays(-183)
	if _, err := forecast.From(ledger(sample()), collections.List{}, start, later); !errors.Is(err, forecast.ErrTooOld) {
		t.Errorf("%v", err)
	}
}

// Some accounts have statements of later days than others. Their rows after the last day that all
// accounts cover are in the server's cash, and are taken out of it.
func TestTheForecastBeginsAfterTheLastDayThatAllAccountsCover(t *testing.T) {
	later := today.AddDays(20)
	rows := append(sample(), row(today.AddDays(4), "A", 700_00), row(today.AddDays(5), "A", -200_00))
	slices.SortStableFunc(rows, func(a, b apiclient.Transaction) int { return b.Date.Compare(a.Date) })
	l, position := ledger(rows), cash(10_000_00)
	position.AsOf = later.Time()
	position.Extension = extension.Covering(today.String())
	l.Coverage = figures.CoverageOf(position)

	start := forecast.StartOf(l, position, later)

	if start.Day != today || start.Cash.Minor != 10_000_00-700_00+200_00 {
		t.Errorf("it starts on %s with %s", start.Day, start.Cash)
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
