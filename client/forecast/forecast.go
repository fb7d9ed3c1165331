// Package forecast estimates the cash at the end of each of the next thirteen weeks, and tests its
// rules on the past.
//
// The rules can be followed with a pencil (docs/forecast.md). Costs that recur stand on their days.
// All money in, and the other costs, are a mixture of what the last 26 weeks say and of the same
// weeks of last year. Own transfers, financing and rows without an exchange rate are left out.
package forecast

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/payables"
	"tarmac/client/plan"
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

// NoAmountsError means that no transaction of the past period can be counted.
type NoAmountsError struct {
	Period   string // such as "26 weeks"
	Currency string // of the amounts
}

func (e *NoAmountsError) Error() string {
	return "no cost or income of the last " + e.Period + " has a " + e.Currency + " amount"
}

// ErrTooOld means that the ledger lacks the rows of more than 26 weeks before today.
var ErrTooOld = errors.New("the transactions end more than 26 weeks ago")

// ErrMixed means that the cash is in another currency than the totals of the ledger, as while both
// are being read again.
var ErrMixed = errors.New("the cash and the transactions are in different currencies")

// ErrTooLarge means that amounts of the ledger are too large to compute with.
var ErrTooLarge = errors.New("the amounts are too large to add up")

// largest is the largest sum of amounts with which the package computes, in minor units. All
// products and sums of the package stay below the largest int64.
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

// Start is the cash with which a forecast begins.
type Start struct {
	Cash figures.Total // spendable cash at the end of Day
	// Day is the last day of which the ledger has all rows. The days after it, up to today, are
	// estimated by the same rules as the weeks.
	Day  civil.Date
	AsOf civil.Date // day of the server's cash position; the zero date if it has no usable one
}

// StartOf returns the start of a forecast: the last day that the statements of all accounts cover,
// which is today where nothing is said of statements. The cash is that from which the server
// computes the runway, without the rows after that day, which only some accounts have.
func StartOf(l *spending.Ledger, cash *apiclient.CashPosition, today civil.Date) Start {
	s := Start{Cash: spendable(cash), Day: l.Coverage.KnownTo(today)}
	if cash != nil && figures.IsPlausible(cash.AsOf) {
		s.AsOf = civil.Of(cash.AsOf)
	}
	if s.Day == today {
		return s
	}
	var after []int
	for i := range l.Rows {
		if !l.Rows[i].Date.After(s.Day) {
			break
		}
		if !l.Rows[i].Date.After(today) {
			after = append(after, i)
		}
	}
	net := l.Flows(after).Net
	_, net.Unreadable = l.UnreadableIn(s.Day.AddDays(1), today)
	s.Cash = figures.Combine(figures.Balance, s.Cash.Minor, s.Cash, net)
	s.Cash.Add(-net.Minor)
	return s
}

// Forecast is the estimated cash of the thirteen weeks after Today.
type Forecast struct {
	Today civil.Date
	// Start is the spendable cash at the beginning, and StartDay the day that the server gives for
	// it.
	Start    figures.Total
	StartDay civil.Date
	// Between has the days up to Today of which the ledger lacks rows. If IsBehind returns false,
	// there are none.
	Between Week
	Now     figures.Total // cash at the end of Today
	Weeks   [Weeks]Week
	Trials  []Trial // newest first
	Basis   Basis
	// Open has the open invoices with the days on which their customers usually pay, and Late those
	// that are later than their customer ever paid. They change no figure.
	Open []Receipt
	Late []apiclient.Invoice
	// Unanswered says on which open questions about the books the averages depend, or "".
	Unanswered string

	// Replaced is what was expected of the vendors of Week.Bills, and is in no week any more, in
	// minor units: payments that recur, and shares of the averages and of last year.
	Replaced struct{ Payments, Shares int64 }

	// PlanReplaced is what was expected of the counterparties that lines of a plan name. Filled is
	// how much of these lines bills replace. Without a plan they are zero.
	PlanReplaced struct{ In, Out int64 }
	Filled       int64

	plain  *Forecast          // without bills and a plan; nil if it is this one
	owed   *payables.Payables // nil if no bills are known
	course *plan.Course       // nil without a plan
	filled fills              // by bills that are to be paid or were
	// newCourse returns the course as it is before bills fill amounts of it.
	newCourse func() *plan.Course
	inBoth    int64 // number of rows that could not be read and may be in the Start and in the Basis
}

// IsBehind reports whether days up to Today are estimated.
func (f *Forecast) IsBehind() bool { return !f.Between.First.After(f.Between.Last) }

// Week is the estimate of seven days. Amounts are in minor units.
type Week struct {
	First, Last civil.Date
	In, Out     int64           // not negative; sums of the payments and the parts below
	Payments    []Payment       // recurring payments that are expected in the week
	Bills       []payables.Bill // bills that are to be paid in the week
	Owed        int64           // their sum, as far as they have an exchange rate; a part of Out

	AverageIn, AverageOut   int64 // part of the average of the rest of the 26 weeks
	LastYearIn, LastYearOut int64 // part of last year's same week
	LastYearRows            []int // indices in the ledger's Rows

	Planned  []Planned     // what lines of a plan bring and cost in the week
	Supposed int64         // their sum, which is in neither In nor Out
	Cash     figures.Total // at the end of the week
	Band     int64         // how far the cash may be off, after the tests; 0 if there is no band
	Receipts []Receipt     // open invoices whose payment is expected in the week
}

// Planned is what a line of a plan brings in a week, or costs if it is negative. Day is zero if the
// amount comes on several days.
type Planned struct {
	Line  *plan.Line
	Day   civil.Date
	Cents int64
}

// Net returns the money in less the money out, with what the lines of a plan add.
func (w *Week) Net() int64 { return w.In - w.Out + w.Supposed }

// Payment is a recurring payment that is expected on a day. Cents is what the estimate counts of
// it: of a cost the usual amount of its series, of income the part that last year leaves.
type Payment struct {
	*spending.Recurring
	Day   civil.Date
	Cents int64
}

// Basis says of which rows the estimate is made. Amounts are in minor units of Currency.
type Basis struct {
	Currency    string
	First, Last civil.Date // first and last day of the 26 weeks
	Rows        []int      // indices in the ledger's Rows
	In, Out     int64      // totals of the rows
	// KnowsLastYear says that the ledger has rows of the 728 days up to Last. LastYear says by how
	// many percent the estimate follows last year's same weeks. RatioIn and RatioOut compare the
	// money in and the other costs of the 26 weeks with those of the same weeks a year before, in
	// percent.
	KnowsLastYear               bool
	LastYear, RatioIn, RatioOut int64
	// The estimate leaves out the rows without an exchange rate (Excluded), those whose direction
	// is unknown (Undirected), and those of the same months that could not be read (Unreadable).
	Excluded, Undirected, Unreadable int64
	Uncovered                        string // says which days statements do not cover; "" if they cover all
	Future                           int64  // number of rows dated after today, which are left out

	otherIn, otherOut int64 // what the 26 weeks brought and cost besides the payments that recur
}

// New returns From for the cash position of today, with StartOf.
func New(
	l *spending.Ledger, invoices collections.List, cash *apiclient.CashPosition, today civil.Date,
) (*Forecast, error) {
	return From(l, invoices, StartOf(l, cash, today), today)
}

// From estimates the thirteen weeks after today, and the days from the start up to today. The rows
// of the ledger are ordered newest first. The list of invoices is that of collections.Read, and
// empty if the token may not read invoices. From returns ErrTooLarge, ErrMixed, ErrTooOld, a
// *NoAmountsError, a *TooShortError or a *NoStartError if there is no forecast.
func From(l *spending.Ledger, invoices collections.List, start Start, today civil.Date) (*Forecast, error) {
	switch {
	case !fits(l.Rows, invoices.Invoices):
		return nil, ErrTooLarge
	case start.Cash.Currency != "" && l.Currency != "" && start.Cash.Currency != l.Currency:
		return nil, ErrMixed
	case today.DaysSince(start.Day) > 7*PastWeeks:
		return nil, ErrTooOld
	}
	future := firstUpTo(l.Rows, today)
	last := start.Day
	if last == today {
		last = lastDay(l.Rows[future:], today)
	}
	payments := l.Payments()
	f, err := estimate(l, payments, nil, nil, last, start.Day, today)
	if err != nil {
		return nil, err
	}
	f.Basis.Future, f.Unanswered = int64(future), l.Coverage.Unanswered
	if len(f.Basis.Rows) == 0 {
		return nil, &NoAmountsError{"26 weeks", l.Currency}
	}
	if f.Start, f.StartDay = start.Cash, start.AsOf; f.Start.Unknown {
		return nil, &NoStartError{f.Start.Why()}
	}
	if f.IsBehind() {
		f.inBoth, _ = l.UnreadableIn(start.Day.AddDays(1), last)
	}
	f.listInvoices(invoices.Invoices)
	f.Trials = backtest(l, payments, last)
	for i, cents := range bands(f.Trials) {
		f.Weeks[i].Band = cents
	}
	f.setCash()
	return f, nil
}

// spendable returns the cash from which the server computes the runway. It is unknown if the server
// does not know it.
func spendable(cash *apiclient.CashPosition) figures.Total {
	if cash == nil {
		return figures.UnknownTotal("", figures.Balance, "The spendable cash is unknown.")
	}
	return figures.CashOf(cash, figures.Window{}).Spendable
}

// setCash computes the cash at the end of today and of each week.
func (f *Forecast) setCash() {
	cash := f.Start
	if f.IsBehind() {
		cash.Add(f.Between.Net())
	}
	f.Now = cash
	for i := range f.Weeks {
		cash.Add(f.Weeks[i].Net())
		f.Weeks[i].Cash = cash
	}
}

// runsOut returns the first week at whose end there is no cash left. It returns false if there is
// none.
func (f *Forecast) runsOut() (week *Week, ok bool) {
	for i := range f.Weeks {
		if w := &f.Weeks[i]; !w.Cash.Unknown && w.Cash.Minor <= 0 {
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
		add(rows[i].Reporting)
	}
	for i := range invoices {
		add(invoices[i].Total)
	}
	return ok
}
