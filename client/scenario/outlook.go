package scenario

import (
	"errors"
	"strconv"
	"strings"

	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// Errors that BaselineOf returns.
var (
	ErrHistory = errors.New("not enough history for a scenario")
	ErrDate    = errors.New("no scenario: the cash position has no usable date")
)

// BaselineOf returns the figures with which scenarios begin. It returns ErrHistory or ErrDate if
// the server's cash position does not contain them. The overdue receivables may be unknown.
func BaselineOf(c figures.Cash, overdue figures.Total) (Baseline, error) {
	switch {
	case c.Burning == figures.BurningUnknown || c.Spendable.Unknown:
		return Baseline{}, ErrHistory
	case !figures.IsPlausible(c.Position.AsOf):
		return Baseline{}, ErrDate
	}
	return Baseline{
		Currency: c.Position.Currency, Day: civil.Of(c.Position.AsOf), Cash: c.Spendable.Minor, Burn: c.NetBurn.Minor,
		Overdue: overdue,
	}, nil
}

// Outlook is a projection with the date on which the cash runs out.
type Outlook struct {
	Projection
	Zero    civil.Date // the day on which the cash runs out; only valid if RunsOut is true
	Known   bool       // false if a figure that the projection needs is unknown or too large
	Burning bool       // always true for a scenario

	// NotApplied is true if a scenario's amounts are in another currency than the figures.
	NotApplied bool
}

// Current returns the outlook without changes. Its runway is the one that the server computed.
func Current(c figures.Cash, start Baseline) Outlook {
	o := Changes{}.Outlook(start)
	o.Burning = c.Burning == figures.IsBurning
	if o.Known && c.Runway != nil {
		o.Runway = *c.Runway
		o.Zero, o.RunsOut = c.ZeroDay()
	}
	return o
}

// Outlook returns the outlook that begins with the baseline start and has the changes applied.
func (c Changes) Outlook(start Baseline) Outlook {
	o := Outlook{Burning: true, NotApplied: !c.fits(start.Currency)}
	if o.Projection, o.Known = c.Project(start); o.Known && o.RunsOut {
		o.Zero = o.Balances[len(o.Balances)-1].Day
	}
	return o
}

// Months says for how many months the cash lasts: "14.1", "not burning", "no end", "not applied",
// or a dash if that is unknown.
func (o Outlook) Months() string {
	switch {
	case o.NotApplied:
		return notApplied
	case !o.Known:
		return money.Dash
	case !o.Burning:
		return "not burning"
	case !o.RunsOut:
		return "no end"
	}
	return o.Mark().Sign() + o.Runway.String()
}

// ZeroMonth returns the month in which the cash runs out: "2028-01", "> 100 years", or a dash if
// that is unknown.
func (o Outlook) ZeroMonth() string {
	if o.Known && o.Burning && !o.RunsOut {
		return "> 100 years"
	}
	if !o.Known || !o.RunsOut {
		return money.Dash
	}
	return o.Mark().Sign() + figures.YearMonth(o.Zero)
}

// Difference says how many months longer the cash lasts than in the other outlook, such as "+1.5".
// It returns a dash unless the cash runs out in both.
func (o Outlook) Difference(other Outlook) string {
	if !o.Known || !other.Known || !o.RunsOut || !other.RunsOut {
		return money.Dash
	}
	tenths := o.Runway.Tenths() - other.Runway.Tenths()
	sign := "+"
	if tenths < 0 {
		sign, tenths = "-", -tenths
	}
	return o.Mark().Sign() + sign + strconv.FormatInt(tenths/10, 10) + "." + strconv.FormatInt(tenths%10, 10)
}

// Cash returns the cash at the given number of months after startDate, in a short form. It returns
// a dash if that is unknown.
func (o Outlook) Cash(months int, startDate civil.Date) string {
	if !o.Known {
		return money.Dash
	}
	return o.total(o.After(months, startDate)).Short()
}

// endless says that the cash lasts longer than a projection covers. notApplied says that a scenario
// is in another currency than the figures.
const endless, notApplied = "cash lasts more than 100 years", "not applied"

// InWords says how long the cash lasts, as text that follows a colon. Unlike the other methods, it
// uses no marks for incomplete figures, because screen readers skip them.
func (o Outlook) InWords() string {
	switch {
	case o.NotApplied:
		return notApplied
	case !o.Known:
		return "unknown; a figure it needs is unknown or too large"
	case !o.Burning:
		return "not burning"
	case !o.RunsOut:
		return endless
	}
	least, later := "", ""
	if o.Mark() != figures.NoMark {
		least, later = "at least ", " or later"
	}
	return least + o.Runway.String() + " months, zero-cash in " + figures.YearMonth(o.Zero) + later
}

// Sentence describes the outlook of a scenario and how it differs from the current outlook.
func (o Outlook) Sentence(current Outlook) string {
	switch {
	case !o.Known:
		return "the result is unknown."
	case !o.RunsOut:
		return "the " + endless + "."
	}
	text := o.Months() + " months, zero-cash in " + o.ZeroMonth() + " (est.)"
	if current.RunsOut {
		text += ", " + o.Difference(current) + " months compared with the current plan"
	}
	return text + "."
}

// Summary describes the changes, for example as "net burn -10%; +$500.00 once in 2027-03".
func (c Changes) Summary() string {
	var parts []string
	if c.BurnPercent != 0 {
		parts = append(parts, "net burn "+signed(c.BurnPercent)+"%")
	}
	if c.Monthly != 0 {
		parts = append(parts, c.net(c.Monthly)+" a month from "+figures.YearMonth(c.MonthlyFrom))
	}
	if c.Once != 0 {
		parts = append(parts, c.net(c.Once)+" once in "+figures.YearMonth(c.OnceIn))
	}
	if c.Overdue {
		parts = append(parts, "all overdue receivables paid now")
	}
	if c.Customer != 0 {
		parts = append(parts, "customer lost in "+figures.YearMonth(c.CustomerLost)+", "+c.net(-c.Customer)+
			" a month")
	}
	return strings.Join(parts, "; ")
}

func (c Changes) net(minor int64) string {
	return figures.Total{Minor: minor, Currency: c.Currency, Kind: figures.Net}.String()
}

// CurrencyProblem returns a sentence that says why the changes are not applied to figures in a
// currency, if their amounts are in another one. Otherwise it returns "".
func (c Changes) CurrencyProblem(currency string) string {
	if c.fits(currency) {
		return ""
	}
	return "Its amounts are in " + money.Name(c.Currency) + ", the company's figures in " + money.Name(currency) +
		": it is not applied."
}

// Caveats returns sentences about what an outlook with these changes leaves out, or why there is
// none.
func (c Changes) Caveats(start Baseline, burning bool) []string {
	if problem := c.CurrencyProblem(start.Currency); problem != "" {
		return []string{problem}
	}
	var all []string
	if c.Overdue && start.Overdue.Unknown {
		all = append(all, "The overdue total is unknown.")
	}
	if c.Once != 0 && c.OnceIn.Before(start.Day.FirstOfMonth()) {
		all = append(all, "The one-off amount of "+figures.YearMonth(c.OnceIn)+" is in the past and not counted.")
	}
	if !burning {
		all = append(all, "Starts from a net burn of zero: no surplus is known.")
	}
	return all
}
