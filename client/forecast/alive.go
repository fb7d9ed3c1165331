package forecast

import (
	"errors"
	"fmt"
	"sort"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// averageMonths is the number of months of which Alive takes averages. It compares them with as
// many months before them.
const averageMonths = 3

// ErrNoMonths means that no transaction of the months from which Alive is computed can be counted.
var ErrNoMonths = errors.New("no cost or income of the last six full months has a USD amount")

// Alive answers whether a company is default alive: whether money in exceeds money out before the
// cash is gone, if money in goes on changing by as many dollars each month and costs stay as they
// are. The answer is hypothetical, and front ends must say so. Amounts are in USD cents. The first
// of the coming months begins on Today; each month has the name of the one in which it begins.
type Alive struct {
	Today    civil.Date
	Cash     figures.Total // spendable cash of today; unknown if the server does not know it
	First    civil.Date    // first day of the six full months from which the figures are taken
	In, Out  int64         // averages of the last three of them
	Growth   int64         // change of the money in from each month to the next
	Excluded int64         // number of rows of the six months without a USD amount

	Undirected int64 // number of rows of the six months whose direction is unknown

	Exceeds civil.Date // first month in which money in exceeds money out; the zero date if there is none
	Falls   civil.Date // month after Exceeds in which it no longer does; the zero date if there is none
	Gone    civil.Date // month before Exceeds in which the cash is gone; the zero date if there is none
	Needed  int64      // least growth, in whole dollars, with which there is an Exceeds
}

// NewAlive computes Alive from the rows of a ledger, which are ordered newest first, and the cash
// position. It returns ErrTooLarge, ErrNoMonths or a *TooShortError if there is no answer.
func NewAlive(l *spending.Ledger, cash *apiclient.CashPosition, today civil.Date) (*Alive, error) {
	if !fits(l.Rows, nil) {
		return nil, ErrTooLarge
	}
	a := &Alive{Today: today, Cash: spendable(cash), First: today.FirstOfMonth().AddMonths(-2 * averageMonths)}
	if begins := l.Begins(); begins.IsZero() || begins.After(a.First) {
		return nil, a.tooShort(begins)
	}
	if counted := a.average(l.Rows); counted == 0 {
		return nil, ErrNoMonths
	}
	a.Exceeds, a.Gone = a.outcome(a.Growth)
	if !a.Exceeds.IsZero() {
		a.Falls = a.fall()
		return a, nil
	}
	// With the largest growth of the search, money in exceeds money out in the first month.
	most := max(0, a.Out-a.In)/100 + 1
	a.Needed = 100 * int64(sort.Search(int(most), func(dollars int) bool {
		exceeds, _ := a.outcome(int64(dollars) * 100)
		return !exceeds.IsZero()
	}))
	return a, nil
}

func (a *Alive) tooShort(begins civil.Date) error {
	e := &TooShortError{
		Begins: begins, today: a.Today,
		Needs: fmt.Sprintf("default alive needs transactions of %d full months", 2*averageMonths),
	}
	if !begins.IsZero() {
		e.Until = begins.AddDays(-1).FirstOfMonth().AddMonths(2*averageMonths + 1)
	}
	return e
}

// average computes the averages and the growth. It returns the number of rows that it counted.
func (a *Alive) average(rows []spending.Row) (counted int) {
	before := int64(0) // money in of the three months before the averages
	middle, end := a.First.AddMonths(averageMonths), a.First.AddMonths(2*averageMonths)
	for i := range rows {
		day := rows[i].Date
		if day.Before(a.First) || !day.Before(end) || rows[i].Purpose != spending.Operating {
			continue
		}
		cents, known := operating(&rows[i])
		if known {
			counted++
		}
		switch {
		case !known && rows[i].USD.Known():
			a.Undirected++
		case !known:
			a.Excluded++
		case day.Before(middle):
			before += max(0, cents)
		case cents > 0:
			a.In += cents
		default:
			a.Out -= cents
		}
	}
	a.Growth = (a.In - before) / (averageMonths * averageMonths)
	a.In, a.Out = a.In/averageMonths, a.Out/averageMonths
	return counted
}

// outcome returns the month in which money in exceeds money out, or else the month in which the
// cash is gone. If the cash is unknown, it looks at the first month only.
func (a *Alive) outcome(growth int64) (exceeds, gone civil.Date) {
	in, cash := a.In, a.Cash.Cents
	for month := range figures.Horizon {
		first := a.Today.AddMonths(month).FirstOfMonth()
		in = max(0, in+growth)
		switch {
		case a.Cash.Unknown && (month > 0 || in <= a.Out):
			return exceeds, gone
		case in > a.Out && (cash > 0 || month == 0):
			return first, gone
		}
		if cash += in - a.Out; cash <= 0 {
			return exceeds, first
		}
	}
	return exceeds, gone
}

// fall returns the month in which money in no longer exceeds money out, if it shrinks. It returns
// the zero date if that is over a hundred years away.
func (a *Alive) fall() (first civil.Date) {
	if a.Growth >= 0 {
		return first
	}
	months := (a.In - a.Out - 1) / -a.Growth
	if months >= figures.Horizon {
		return first
	}
	return a.Today.AddMonths(int(months)).FirstOfMonth()
}
