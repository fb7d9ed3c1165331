package forecast

import (
	"fmt"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// Alive looks at the net of longMonths full months, and at that of the last shortMonths of them.
const (
	longMonths  = 12
	shortMonths = 3
)

// The least numbers of months that the cash must last.
const (
	longEnough  = 60 // at the net of longMonths, for the answer Yes
	shortEnough = 24 // at the net of shortMonths, for the answer Yes
	tooShortFor = 24 // at the net of longMonths; below it, the answer is No
)

// Alive answers whether a company is default alive: whether its cash lasts if the net of the last
// twelve full months goes on, and that of the last three does not contradict. The answer is
// hypothetical, and front ends must say so. Amounts are in minor units.
type Alive struct {
	Currency   string
	Cash       figures.Total // spendable cash; unknown if the server does not know it
	First, End civil.Date    // first day of the twelve months, and the day after them
	In, Out    int64         // totals of the twelve months
	LastNet    int64         // net of the last three months
	Excluded   int64         // number of rows of the twelve months without an exchange rate
	Undirected int64         // number of rows of the twelve months whose direction is unknown
	Unreadable int64         // number of rows of the twelve months that could not be read
}

// NewAlive returns AliveFrom for the cash position of today, with StartOf.
func NewAlive(l *spending.Ledger, cash *apiclient.CashPosition, today civil.Date) (*Alive, error) {
	return AliveFrom(l, StartOf(l, cash, today), today)
}

// AliveFrom computes Alive from the rows of a ledger, which are ordered newest first, and the cash
// of the start. It returns ErrTooLarge, a *NoAmountsError, a *TooShortError or an *UncoveredError
// if there is no answer.
func AliveFrom(l *spending.Ledger, start Start, today civil.Date) (*Alive, error) {
	if !fits(l.Rows, nil) {
		return nil, ErrTooLarge
	}
	a := &Alive{Currency: l.Currency, Cash: start.Cash, End: start.Day.FirstOfMonth()}
	if next := start.Day.AddDays(1); start.Day.Before(today) {
		a.End = next.FirstOfMonth()
	}
	a.First = a.End.AddMonths(-longMonths)
	if begins := l.Begins(); begins.IsZero() || begins.After(a.First) {
		return nil, monthsTooShort(begins, today)
	}
	if missing := l.Coverage.Missing(a.First, a.End.AddDays(-1)).Why(); missing != "" {
		return nil, &UncoveredError{missing}
	}
	if counted := a.addUp(l.Rows); counted == 0 {
		return nil, &NoAmountsError{"twelve full months", l.Currency}
	}
	a.Unreadable, _ = l.UnreadableIn(a.First, a.End.AddDays(-1))
	return a, nil
}

// UncoveredError means that statements do not cover all days of the twelve months. The Reason is a
// sentence that names them.
type UncoveredError struct{ Reason string }

func (e *UncoveredError) Error() string {
	return "it takes statements of twelve full months. " + strings.TrimSuffix(e.Reason, ".")
}

func monthsTooShort(begins, today civil.Date) error {
	e := &TooShortError{
		Begins: begins, today: today,
		Needs: fmt.Sprintf("default alive needs transactions of %d full months", longMonths),
	}
	if !begins.IsZero() {
		e.Until = begins.AddDays(-1).FirstOfMonth().AddMonths(longMonths + 1)
	}
	return e
}

// addUp computes the totals. It returns the number of rows that it counted.
func (a *Alive) addUp(rows []spending.Row) (counted int) {
	recent := a.End.AddMonths(-shortMonths)
	for i := firstUpTo(rows, a.End.AddDays(-1)); i < len(rows) && !rows[i].Date.Before(a.First); i++ {
		in, out, known := operating(&rows[i])
		switch {
		case rows[i].Purpose != spending.Operating:
			continue
		case !known && rows[i].Reporting.Known():
			a.Undirected++
			continue
		case !known:
			a.Excluded++
			continue
		}
		a.In += in
		a.Out += out
		counted++
		if !rows[i].Date.Before(recent) {
			a.LastNet += in - out
		}
	}
	return counted
}

// Answer is the short answer of Alive.
type Answer string

// Values of Answer. The answer is TooClose if neither Yes nor No holds, and Unknown if it depends
// on a spendable cash that is unknown.
const (
	Yes      Answer = "yes"
	No       Answer = "no"
	TooClose Answer = "too close to say"
	Unknown  Answer = "unknown"
)

// Answer returns the short answer.
func (a *Alive) Answer() Answer {
	net := a.In - a.Out
	switch {
	case net >= 0 && a.LastNet >= 0:
		return Yes
	case a.Cash.Unknown:
		return Unknown
	case !lasts(a.Cash.Minor, net, longMonths, tooShortFor):
		return No
	case lasts(a.Cash.Minor, net, longMonths, longEnough) && lasts(a.Cash.Minor, a.LastNet, shortMonths, shortEnough):
		return Yes
	}
	return TooClose
}

// lasts reports whether cash lasts for at least the given number of months, if each of them has the
// average net of some months. It lasts forever if the net is not negative.
func lasts(cash, net, of, months int64) bool {
	return net >= 0 || monthsOf(cash, net, of) >= months
}

// monthsOf returns for how many whole months cash lasts. The net, of some months together, is
// negative.
func monthsOf(cash, net, of int64) int64 {
	if cash <= 0 {
		return 0
	}
	return min(cash/-net, figures.Horizon)*of + (cash%-net)*of/-net
}

// MonthFigures are the averages of Alive as people may read them. LastNet is that of the last three
// months.
type MonthFigures struct{ In, Out, Net, LastNet figures.Total }

// Figures returns the averages of a month.
func (a *Alive) Figures() MonthFigures {
	return MonthFigures{
		In: a.total(figures.Balance, a.In/longMonths), Out: a.total(figures.Balance, a.Out/longMonths),
		Net: a.total(figures.Net, (a.In-a.Out)/longMonths), LastNet: a.total(figures.Net, a.LastNet/shortMonths),
	}
}

func (a *Alive) total(kind figures.Kind, cents int64) figures.Total {
	return figures.Total{
		Minor: cents, Currency: a.Currency, Kind: kind, Excluded: a.Excluded, Undirected: a.Undirected,
		Unreadable: a.Unreadable,
	}
}

// Months returns for how many whole months the cash lasts at the net of the twelve months, and at
// that of the last three. The figure is nil if the cash is unknown or the net is not negative.
func (a *Alive) Months() (long, short *int64) {
	return a.months(a.In-a.Out, longMonths), a.months(a.LastNet, shortMonths)
}

func (a *Alive) months(net, of int64) *int64 {
	if a.Cash.Unknown || net >= 0 {
		return nil
	}
	months := monthsOf(a.Cash.Minor, net, of)
	return &months
}

// AliveSentences returns the sentences of a, or one that says why there is no answer.
func AliveSentences(a *Alive, err error) []string {
	if err != nil {
		return []string{"Default alive? Unknown: " + err.Error() + "."}
	}
	return a.Sentences()
}

// Sentences says whether the company is default alive, and from which figures.
func (a *Alive) Sentences() []string {
	month := a.Figures()
	known := "" // what is left out could change the answer
	if month.In.LeavesOut() > 0 {
		known = ", as far as is known"
	}
	answer := "Default alive? Yes" + known + ": "
	switch a.Answer() {
	case No:
		answer = "Default alive? No" + known + ": "
	case TooClose:
		answer = "Default alive? Too close to say" + known + ": "
	case Unknown:
		answer = "Default alive? Unknown: the spendable cash is not known, and "
	}
	last := a.End.AddMonths(-1)
	all := []string{answer + a.reason() + ".", fmt.Sprintf(
		"Hypothetical: money in of %s and money out of %s a month go on (averages of %s to %s). The net is %s a month "+
			"then, and %s in the last three months. No growth is assumed.",
		month.In, month.Out, figures.YearMonth(a.First), figures.YearMonth(last), month.Net, month.LastNet)}
	if text := month.In.Why(); text != "" {
		all = append(all, text)
	}
	return all
}

// reason says what the two nets mean for the cash.
func (a *Alive) reason() string {
	long, short := a.Months()
	net := a.In - a.Out
	switch {
	case net >= 0 && a.LastNet >= 0:
		return "neither the net of twelve months nor that of the last three is negative"
	case a.Cash.Unknown && net >= 0:
		return "the net of the last three months is negative"
	case a.Cash.Unknown:
		return "the net of twelve months is negative"
	case net >= 0:
		return fmt.Sprintf("the net of twelve months is not negative, but the cash lasts for %s at that of the last three",
			monthsText(*short))
	case short == nil:
		return fmt.Sprintf("the cash lasts for %s at the net of twelve months; that of the last three is not negative",
			monthsText(*long))
	}
	return fmt.Sprintf("%s at the net of twelve months, %s at that of the last three", monthsText(*long),
		monthsText(*short))
}

// monthsText returns a number of months, such as "31 months".
func monthsText(months int64) string {
	switch {
	case months == 1:
		return "1 month"
	case months > figures.Horizon:
		return fmt.Sprintf("over %d months", figures.Horizon)
	}
	return fmt.Sprintf("%d months", months)
}
