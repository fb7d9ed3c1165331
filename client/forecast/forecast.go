// Package forecast estimates the cash at the end of each of the next thirteen weeks, and tests its
// rules on the past.
//
// The rules can be followed with a pencil (docs/forecast.md). Money in is, in total, the average of
// the last 26 weeks; open invoices and recurring income only say in which week it comes. Money out
// is what recurs, on its days, and the average of the rest. Own transfers, financing and rows
// without a USD amount are left out.
package forecast

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// Weeks is the number of weeks that are estimated, and PastWeeks the number of weeks of which
// averages are taken.
const (
	Weeks     = 13
	PastWeeks = 26
)

// ErrNoAmounts means that no transaction can be counted.
var ErrNoAmounts = errors.New("no cost or income of the last 26 weeks has a USD amount")

// ErrTooLarge means that amounts of the ledger are too large to compute with.
var ErrTooLarge = errors.New("the amounts are too large to add up")

// largest is the largest sum of amounts with which the package computes, in USD cents. All products
// and sums of the package stay below the largest int64.
const largest = math.MaxInt64 / 4096

// TooShortError means that the ledger does not reach back far enough.
type TooShortError struct {
	Needs  string     // how much history is needed
	Begins civil.Date // day of the first row; the zero date if there are no rows
	Until  civil.Date // first day up to which rows are needed
	today  civil.Date
}

func (e *TooShortError) Error() string {
	if e.Begins.IsZero() {
		return e.Needs + "; there are none yet"
	}
	until := "they begin on " + e.Begins.String()
	if e.Until.After(e.today) {
		return fmt.Sprintf("%s; %s, which is enough from %s on", e.Needs, until, e.Until)
	}
	return fmt.Sprintf("%s; %s, and must go on until %s", e.Needs, until, e.Until)
}

// NoStartError means that the spendable cash is unknown, with which the weeks begin. The Reason is
// a sentence.
type NoStartError struct{ Reason string }

func (e *NoStartError) Error() string {
	return strings.ToLower(e.Reason[:1]) + strings.TrimSuffix(e.Reason[1:], ".")
}

// Forecast is the estimated cash of the thirteen weeks after Today.
type Forecast struct {
	Today civil.Date
	// Start is the spendable cash from which the server computes the runway, and StartDay is its
	// day.
	Start    figures.Total
	StartDay civil.Date
	Weeks    [Weeks]Week
	Trials   []Trial // newest first
	Basis    Basis
	Late     []apiclient.Invoice // open invoices that are not counted on
}

// Week is the estimate of seven days. Amounts are in USD cents.
type Week struct {
	First, Last civil.Date
	In, Out     int64         // not negative
	Supposed    int64         // what a scenario adds to In less Out; negative if it costs money
	Cash        figures.Total // at the end of the week
	WorstMiss   int64         // largest miss of all trials up to this week; 0 without trials
	Payments    []Payment     // recurring payments that are expected in the week
	Receipts    []Receipt     // open invoices whose payment is expected in the week
}

// Net returns the money in less the money out, with what a scenario adds.
func (w *Week) Net() int64 { return w.In - w.Out + w.Supposed }

// Payment is a recurring payment that is expected on a day, in the usual amount of its series.
type Payment struct {
	*spending.Recurring
	Day civil.Date
}

// Basis says of which rows the averages are taken. Amounts are in USD cents.
type Basis struct {
	First, Last civil.Date // first and last day of the 26 weeks
	Rows        []int      // indices in the ledger's Rows
	In, Out     int64      // totals of the rows
	// Expected is the sum of the open invoices and the recurring income of the thirteen weeks. If
	// it is larger than the average, each of them counts for less than its amount.
	Expected int64
	Excluded int64 // number of rows without a USD amount
	// Undirected is the number of rows whose direction is unknown, which are left out.
	Undirected int64
	Future     int64 // number of rows dated after today, which are left out
	Foreign    int64 // number of open invoices that are not in USD, which are left out
	Recurring  int64 // number of open invoices of customers whose payments recur anyway
	// MissingInvoices says which invoices the server does not list. It is "" if it lists all.
	MissingInvoices string
}

// New estimates the thirteen weeks after today. The rows of the ledger are ordered newest first.
// The list of invoices is that of collections.Read, and empty if the token may not read invoices.
// New returns ErrTooLarge, ErrNoAmounts, a *TooShortError or a *NoStartError if there is no
// forecast.
func New(
	l *spending.Ledger, invoices collections.List, cash *apiclient.CashPosition, today civil.Date,
) (*Forecast, error) {
	if !fits(l.Rows, invoices.Invoices) {
		return nil, ErrTooLarge
	}
	future := firstUpTo(l.Rows, today)
	last := lastDay(l.Rows[future:], today)
	f, err := estimate(l, future, invoices.Invoices, last, today)
	if err != nil {
		return nil, err
	}
	f.Basis.Future, f.Basis.MissingInvoices = int64(future), invoices.Missing()
	if len(f.Basis.Rows) == 0 {
		return nil, ErrNoAmounts
	}
	if f.Start = spendable(cash); f.Start.Unknown {
		return nil, &NoStartError{f.Start.Reason}
	}
	if cash != nil && figures.IsPlausible(cash.AsOf) {
		f.StartDay = civil.Of(cash.AsOf)
	}
	f.Trials = backtest(l, invoices, last, today)
	for i, miss := range worstMisses(f.Trials) {
		f.Weeks[i].WorstMiss = miss
	}
	f.setCash()
	return f, nil
}

// spendable returns the cash from which the server computes the runway. It is unknown if the server
// does not know it.
func spendable(cash *apiclient.CashPosition) figures.Total {
	if cash == nil {
		return figures.UnknownTotal(figures.Balance, "The spendable cash is unknown.")
	}
	return figures.CashOf(cash, figures.Window{}).Spendable
}

// setCash computes the cash at the end of each week.
func (f *Forecast) setCash() {
	cash := f.Start
	for i := range f.Weeks {
		cash.Add(f.Weeks[i].Net())
		f.Weeks[i].Cash = cash
	}
}

// runsOut returns the first week at whose end there is no cash left. It returns false if there is
// none.
func (f *Forecast) runsOut() (week *Week, ok bool) {
	for i := range f.Weeks {
		if w := &f.Weeks[i]; !w.Cash.Unknown && w.Cash.Cents <= 0 {
			return w, true
		}
	}
	return nil, false
}

// maxAge is the largest age of the newest row, in days, at which the rows of the last days count as
// complete.
const maxAge = 7

// lastDay returns the day with which the 26 weeks end: today or, if the newest row is older than
// maxAge, the day of that row. Statements of own books, for example, are imported once a month.
func lastDay(rows []spending.Row, today civil.Date) civil.Date {
	if len(rows) > 0 && today.DaysSince(rows[0].Date) > maxAge {
		return rows[0].Date
	}
	return today
}

// fits reports whether the sums of all amounts are small enough to compute with.
func fits(rows []spending.Row, invoices []apiclient.Invoice) bool {
	sum, ok := int64(0), true
	add := func(a apiclient.Amount) {
		if cents, known := a.Minor(); known && ok {
			sum, ok = money.Add(sum, cents)
			ok = ok && cents >= 0 && sum <= largest
		}
	}
	for i := range rows {
		add(rows[i].USD)
	}
	for i := range invoices {
		add(invoices[i].Total)
	}
	return ok
}
