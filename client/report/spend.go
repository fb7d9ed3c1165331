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

// Largest numbers of counterparties that a report names.
const (
	mostCosts     = 8
	mostCustomers = 8
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

func spendOf(l *spending.Ledger, direction apiclient.Direction, month civil.Date, most int) Spend {
	missing := l.Coverage.Missing(month, month.LastOfMonth())
	missingBefore := l.Coverage.Missing(month.AddMonths(-Compared), month.AddDays(-1))
	none := figures.Total{Unknown: !l.Begins().Before(month)}
	if missingBefore.Any() {
		none = figures.UnknownTotal(figures.Gross, missingBefore.Why())
	}
	s := Spend{Rest: Counterparty{Average: none}, Total: Counterparty{Average: none}}
	var all, before, others int // numbers of rows
	named := map[string]*Counterparty{}
	for _, c := range l.Counterparties(direction, month, 1) {
		addTotal(&s.Total.Month, &c)
		all += len(c.Rows)
		if len(c.Rows) > 0 && len(named) < most {
			named[c.Key] = &Counterparty{c.Name, c.Total, none, c.Share, c.Rows}
			s.Named = append(s.Named, named[c.Key])
		} else if len(c.Rows) > 0 {
			s.Count++
			addTotal(&s.Rest.Month, &c)
			s.Rest.Rows = append(s.Rest.Rows, c.Rows...)
		}
	}
	for _, c := range l.Counterparties(direction, month.AddMonths(-1), Compared) {
		addTotal(&s.Total.Average, &c)
		before += len(c.Rows)
		if one := named[c.Key]; one != nil {
			one.Average = c.Average()
		} else {
			addTotal(&s.Rest.Average, &c)
			others += len(c.Rows)
		}
	}
	s.Total.Month = missing.Of(s.Total.Month.NothingKnown(all), int64(all))
	s.Rest.Month = missing.Of(s.Rest.Month.NothingKnown(len(s.Rest.Rows)), int64(len(s.Rest.Rows)))
	if missingBefore.Any() {
		s.Total.Average, s.Rest.Average = none, none
		return s
	}
	s.Total.Average, s.Rest.Average = s.Total.Average.NothingKnown(before), s.Rest.Average.NothingKnown(others)
	s.Total.Average.Cents /= Compared
	s.Rest.Average.Cents /= Compared
	return s
}

// addTotal adds the total of a counterparty to sum, with the rows that it leaves out.
func addTotal(sum *figures.Total, c *spending.Counterparty) {
	sum.Excluded += c.Total.Excluded
	switch {
	case !c.Total.Unknown:
		sum.Add(c.Total.Cents)
	case c.Total.Excluded < int64(len(c.Rows)): // the total overflowed
		sum.Unknown = true
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
	first := slices.IndexFunc(l.Rows, func(row spending.Row) bool { return !row.Date.After(day) })
	if first < 0 {
		first = len(l.Rows)
	}
	past := spending.Ledger{Rows: l.Rows[first:], Coverage: l.Coverage}
	r := Recurring{
		Day: day, Begins: past.Begins(), Rows: len(past.Rows), Unsearched: past.UnsearchedText(apiclient.Outflow),
		None: past.NoneText("payment", apiclient.Outflow),
	}
	r.Yearly.Excluded, _ = past.Unsearched(apiclient.Outflow)
	for _, one := range past.Recurring(day) {
		if one.Direction != apiclient.Outflow {
			continue
		}
		for i := range one.Payments {
			one.Payments[i].Row += first
		}
		if one.Stopped {
			if !one.Next.Before(day.FirstOfMonth().AddMonths(-2)) {
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
