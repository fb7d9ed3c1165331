package report

import (
	"cmp"
	"math"
	"slices"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// Largest numbers of counterparties and categories that a report names.
const (
	mostCosts      = 8
	mostCustomers  = 8
	mostCategories = 8
)

// Compared is the number of months before the reported one whose average is compared with it.
const Compared = 3

// Spend has the counterparties of a month in one direction, largest total first.
type Spend struct {
	Named []*Counterparty
	Rest  Counterparty // all others; its average includes those who were paid only in the months before
	Total Counterparty
	Count int // number of counterparties in Rest with transactions in the month
}

// Counterparty has the total of a counterparty in the reported month and its monthly average in the
// three months before.
type Counterparty struct {
	Name    string
	Month   figures.Total
	Average figures.Total
	Share   figures.Share // share of all counterparties' total
	Rows    []int         // indices in Ledger.Rows of the rows of the month
}

// sums returns the sums of groups of transactions, as spending.Ledger.Counterparties does.
type sums func(direction apiclient.Direction, newest civil.Date, months int) []spending.Counterparty

func spendOf(l *spending.Ledger, direction apiclient.Direction, month civil.Date, most int, of sums) Spend {
	missing := l.Coverage.Missing(month, month.LastOfMonth())
	missingBefore := l.Coverage.Missing(month.AddMonths(-Compared), month.AddDays(-1))
	none := figures.Total{Currency: l.Currency, Unknown: !l.Begins().Before(month)}
	none.Unreadable, _ = l.UnreadableIn(month.AddMonths(-Compared), month.AddMonths(-1))
	none = missingBefore.Of(none.NothingKnown(0), 0)
	s := Spend{}
	s.Rest.Month.Currency, s.Rest.Average.Currency = l.Currency, l.Currency
	others := 0 // number of rows in the average of Rest
	total := func(first, last civil.Date) figures.Total { return l.Totals(direction, first, last).Operating }
	s.Total.Month = total(month, month)
	s.Total.Average = total(month.AddMonths(-Compared), month.AddMonths(-1))
	s.Total.Average.Unknown = s.Total.Average.Unknown || none.Unknown && none.Unreadable == 0
	named := map[string]*Counterparty{}
	for _, c := range of(direction, month, 1) {
		if len(c.Rows) > 0 && len(named) < most {
			named[c.Key] = &Counterparty{c.Name, c.Total, none, c.Share, c.Rows}
			s.Named = append(s.Named, named[c.Key])
		} else if len(c.Rows) > 0 {
			s.Count++
			s.Rest.Month.AddPart(c.Total)
			s.Rest.Rows = append(s.Rest.Rows, c.Rows...)
		}
	}
	for _, c := range of(direction, month.AddMonths(-1), Compared) {
		if one := named[c.Key]; one != nil {
			one.Average = c.Average()
		} else {
			s.Rest.Average.AddPart(c.Total)
			others += len(c.Rows)
		}
	}
	s.Rest.Month = missing.Of(s.Rest.Month.NothingKnown(len(s.Rest.Rows)), int64(len(s.Rest.Rows)))
	s.Rest.Average = missingBefore.Of(s.Rest.Average.NothingKnown(others), int64(others))
	if others == 0 {
		s.Rest.Average = none
	}
	for _, average := range [...]*figures.Total{&s.Total.Average, &s.Rest.Average} {
		average.Unknown = average.Unknown || average.Uncovered
		average.Minor /= Compared
	}
	return s
}

// setCategories sums what was spent by category, unless no transaction of the month has one.
func (r *Report) setCategories() {
	if r.Category == nil {
		return
	}
	l := r.History.Ledger
	s := spendOf(l, apiclient.Outflow, r.Month, mostCategories,
		func(direction apiclient.Direction, newest civil.Date, months int) []spending.Counterparty {
			return l.Categories(direction, newest, months, r.Category)
		})
	for _, c := range s.Named {
		if c.Name != spending.NoCategory {
			r.Categories = &s
		}
	}
}

// Recurring has the recurring costs as they stood on a day.
type Recurring struct {
	Day    civil.Date
	Count  int           // number of payments that go on
	Yearly figures.Total // sum of a year's payments of those that go on
	New    []spending.Recurring
	Risen  []spending.Recurring // largest rise first
	// Stopped has the payments that are missing since the two months before that of Day, or later.
	Stopped []spending.Recurring
	Begins  civil.Date // day of the oldest row
	// Unsearched says in how many rows nothing was looked for; "" if all were searched.
	Unsearched, None string // None says that nothing was found
	Rows             int    // number of rows up to Day
}

// recurringOf finds the recurring costs in the rows up to a day.
func recurringOf(l *spending.Ledger, day civil.Date) Recurring {
	past, first := l.UpTo(day)
	r := Recurring{
		Day: day, Begins: past.Begins(), Rows: len(past.Rows), Unsearched: past.UnsearchedText(apiclient.Outflow),
		None: past.NoneText("money out", apiclient.Outflow),
	}
	r.Yearly, _ = past.Unsearched(apiclient.Outflow)
	for _, one := range past.Recurring(day) {
		if one.Direction != apiclient.Outflow {
			continue
		}
		for i := range one.Payments {
			one.Payments[i].Row += first
		}
		if one.Stopped {
			isStopped := one.Status(r.Begins, day) == spending.Stopped
			if isStopped && !one.Next.Before(day.FirstOfMonth().AddMonths(-2)) {
				r.Stopped = append(r.Stopped, one)
			}
			continue
		}
		r.Count++
		cents, ok := one.YearlyCents()
		r.Yearly.Add(cents)
		r.Yearly.Unknown = r.Yearly.Unknown || !ok
		if one.IsNew(r.Begins, day) {
			r.New = append(r.New, one)
		} else if rise(&one) > 0 {
			r.Risen = append(r.Risen, one)
		}
	}
	slices.SortStableFunc(r.Risen, func(a, b spending.Recurring) int { return cmp.Compare(rise(&b), rise(&a)) })
	return r
}

// rise returns by how many percent the usual amount changed. Without a comparison it returns the
// smallest int64.
func rise(r *spending.Recurring) int64 {
	if percent, _, ok := r.Change(); ok {
		return percent
	}
	return math.MinInt64
}
