package plan

import (
	"context"
	"errors"
	"math/big"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// Years is the number of years over which cash is computed day by day.
const Years = 8

// mostCash is the largest cash and net burn with which the package computes, in minor units.
const mostCash = 1 << 54

// Basis is the current state from which a plan is computed. Amounts are in minor units of Currency.
type Basis struct {
	Currency string
	Day      civil.Date // of the cash
	Cash     figures.Cash
	Overdue  figures.Total // receivables
	Ledger   *spending.Ledger
}

// ReadBasis returns the state of a company. It reads the receivables if a line assumes that those
// overdue are paid; without the scope for them they are unknown.
func ReadBasis(ctx context.Context, source interface {
	ReceivablesAging(ctx context.Context) (*apiclient.ReceivablesAging, error)
}, p *Plan, c figures.Cash, l *spending.Ledger) (Basis, error) {
	if !p.NeedsOverdue() {
		return BasisOf(c, l, nil), nil
	}
	aging, err := source.ReceivablesAging(ctx)
	if errors.Is(err, apiclient.ErrForbidden) {
		err = nil
	}
	return BasisOf(c, l, aging), err
}

// BasisOf returns the state of a company. Without an aging report, it is unknown how much is
// overdue.
func BasisOf(c figures.Cash, l *spending.Ledger, aging *apiclient.ReceivablesAging) Basis {
	b := Basis{Cash: c, Overdue: figures.Total{Unknown: true}, Ledger: l}
	if aging != nil {
		b.Overdue = figures.AgingOf(aging).Overdue
	}
	if c.Position != nil {
		b.Currency = c.Position.Currency
		if figures.IsPlausible(c.Position.AsOf) {
			b.Day = civil.Of(c.Position.AsOf)
		}
	}
	return b
}

// Columns of a plan besides its cases.
const (
	Current      = "current"
	WholePlan    = "plan"
	WithoutRaise = "plan without raises"
)

// Outlook is how long the cash lasts by a column.
type Outlook struct {
	Name     string
	IsCase   bool
	Cash     [len(CashMonths)]figures.Total // at the end of the day that many months ahead
	Burning  bool                           // false if the server knows of no net burn and no line changes that
	Zero     civil.Date                     // first day at whose end the cash is below the floor; zero if there is none
	Runway   *apiclient.Months              // nil if the cash lasts
	Reason   string                         // why nothing is known; "" if it is
	leftOut  string
	path     []int64 // cash at the end of each day after Basis.Day
	previous int64   // cash at the end of the day before Zero
}

// CashMonths are the numbers of months ahead for which outlooks have the cash.
var CashMonths = [...]int{3, 6, 12}

// Outcome is what a plan comes to.
type Outcome struct {
	Plan     *Plan
	Basis    Basis
	Floor    figures.Total
	Columns  []Outlook // Current, WholePlan, WithoutRaise if there are raises, and the cases
	Decision Decision
	Notes    []string // sentences about what is not counted, or not as it stands there
}

// evaluator computes the outlooks of a plan.
type evaluator struct {
	*Outcome
	burn    int64
	huge    bool // a sum of rows is too large
	days    *calendar
	rates   map[string]rate
	matches map[*Line]*match
	notes   map[string]bool
}

func newEvaluator(p *Plan, b Basis) *evaluator {
	e := &evaluator{
		Outcome: &Outcome{Plan: p, Basis: b}, rates: map[string]rate{}, matches: map[*Line]*match{}, notes: map[string]bool{},
	}
	if !b.Cash.NetBurn.Unknown && b.Cash.Burning != figures.NotBurning {
		e.burn = b.Cash.NetBurn.Minor
	}
	return e
}

// CashOn returns the cash of a column at the end of a day, within the years that are computed, in
// minor units.
func (o *Outcome) CashOn(c *Outlook, day civil.Date) int64 {
	if at := day.DaysSince(o.Basis.Day) - 1; at >= 0 && at < len(c.path) {
		return c.path[at]
	}
	return o.Basis.Cash.Spendable.Minor
}

// Evaluate computes what a plan comes to. Without any lines, the outlooks are the server's runway.
func Evaluate(p *Plan, b Basis) *Outcome {
	e := newEvaluator(p, b)
	floor, known := e.convert(floorOf(p.Lines))
	e.Floor = figures.Total{Minor: floor, Currency: b.Currency, Kind: figures.Balance, Unknown: !known}
	e.matchLines()
	e.Columns = append(e.Columns, e.current(), e.outlook(WholePlan, p.Of(""), true))
	without := e.outlook(WithoutRaise, p.Of(""), false)
	raises := linesOf(p.Of(""), Raise)
	if len(raises) > 0 {
		e.Columns = append(e.Columns, without)
	}
	for _, name := range p.Cases {
		one := e.outlook(name, p.Of(name), true)
		one.IsCase = true
		e.Columns = append(e.Columns, one)
	}
	e.decide(raises, without)
	e.noteConfirmations()
	if known && floor > 0 {
		e.note("With the floor of " + e.Floor.String() +
			", the cash of the plan and its cases is gone when it falls below that.")
	}
	return e.Outcome
}

func linesOf(lines []*Line, kind Kind) (all []*Line) {
	for _, l := range lines {
		if l.Kind == kind {
			all = append(all, l)
		}
	}
	return all
}

// unknown returns why there are no outlooks, or "".
func (e *evaluator) unknown() string {
	c := &e.Basis.Cash
	switch {
	case c.Burning == figures.BurningUnknown:
		return c.Reason
	case c.Spendable.Unknown:
		return c.Spendable.Why()
	case e.Basis.Day.IsZero():
		return "The cash position has no usable date."
	case e.huge || max(c.Spendable.Minor, -c.Spendable.Minor, e.burn) > mostCash:
		return "The amounts are too large."
	}
	return ""
}

// current returns the server's estimate.
func (e *evaluator) current() Outlook {
	o := e.outlook(Current, nil, true)
	if o.Reason != "" {
		return o
	}
	c := &e.Basis.Cash
	o.Burning = c.Burning == figures.IsBurning
	o.Zero, o.Runway = civil.Date{}, c.Runway
	if c.Runway != nil {
		o.Zero, _ = c.ZeroDay()
	}
	return o
}

// outlook computes how long the cash lasts with lines of the plan, with their raises or without.
func (e *evaluator) outlook(name string, lines []*Line, raises bool) Outlook {
	o := Outlook{Name: name, Reason: e.unknown(), Burning: true}
	if o.Reason != "" {
		for i := range o.Cash {
			o.Cash[i] = figures.UnknownTotal(e.Basis.Currency, figures.Balance, o.Reason)
		}
		return o
	}
	nets, leftOut, changed := e.nets(lines, raises)
	o.leftOut = leftOut
	o.Burning = changed || e.Basis.Cash.Burning == figures.IsBurning
	cash, ok := e.Basis.Cash.Spendable.Minor, true
	floor := int64(0)
	if len(lines) > 0 {
		floor = e.Floor.Minor
	}
	if cash < floor {
		o.Zero = e.Basis.Day
	}
	o.path = make([]int64, len(nets))
	for i, net := range nets {
		before := cash
		if cash, ok = money.Add(cash, net); !ok {
			return Outlook{Name: name, Reason: "The amounts are too large."}
		}
		if o.path[i] = cash; cash < floor && o.Zero.IsZero() {
			o.Zero, o.previous = e.Basis.Day.AddDays(i+1), before
			o.Runway = e.runway(o.Zero, before-floor, before-cash)
		}
	}
	if o.Zero == e.Basis.Day {
		zero := apiclient.MonthsOf(0)
		o.Runway = &zero
	}
	for i, months := range CashMonths {
		o.Cash[i] = e.Basis.Cash.Spendable
		o.Cash[i].Minor = o.path[e.Basis.Day.AddMonths(months).DaysSince(e.Basis.Day)-1]
		if o.leftOut != "" {
			o.Cash[i].LeftOut = o.leftOut
		}
		if !o.Burning {
			o.Cash[i] = figures.UnknownTotal(e.Basis.Currency, figures.Balance, "No surplus is known.")
		}
	}
	if len(lines) == 0 && name != Current {
		c := e.current()
		o.Zero, o.Runway, o.Burning = c.Zero, c.Runway, c.Burning
	}
	return o
}

// runway returns how long the cash lasts that falls below the floor on a day: above is by how much
// it is above the floor before the day, and falls by how much it falls on it.
func (e *evaluator) runway(zero civil.Date, above, falls int64) *apiclient.Months {
	from, before := e.Basis.Day, zero.AddDays(-1)
	months := before.MonthsSince(from)
	if from.AddMonths(months).After(before) {
		months--
	}
	begins := from.AddMonths(months)
	length := int64(from.AddMonths(months + 1).DaysSince(begins))
	// The day counts by the part of it for which the cash lasts.
	days := new(big.Int).Mul(big.NewInt(int64(before.DaysSince(begins))), big.NewInt(falls))
	days.Add(days, big.NewInt(above))
	tenths := days.Mul(days, big.NewInt(10)).Quo(days, new(big.Int).Mul(big.NewInt(length), big.NewInt(falls)))
	runway := apiclient.MonthsOf(int64(months)*10 + tenths.Int64())
	return &runway
}

// nets returns the net of each day after that of the cash, what it leaves out, and whether lines
// change it.
func (e *evaluator) nets(lines []*Line, raises bool) (nets []int64, leftOut string, changed bool) {
	if from := e.Basis.Day; e.days == nil {
		e.days = newCalendar(from.AddDays(1), from.AddMonths(12*Years).DaysSince(from))
	}
	nets = make([]int64, e.days.days)
	e.addBurn(nets, lines)
	for _, l := range lines {
		changed = changed || l.Kind == Burn || l.Kind == Overdue || l.IsCash()
		switch {
		case l.Kind == Overdue && (e.Basis.Overdue.Unknown || e.Basis.Overdue.Minor < 0):
			leftOut = "The overdue total is unknown."
		case l.Kind == Overdue:
			nets[0] += min(e.Basis.Overdue.Minor, mostCash)
			if why := e.Basis.Overdue.Why(); why != "" {
				leftOut = why
			}
		case !l.IsCash() || l.Kind == Raise && !raises:
		default:
			minor, known := e.amount(l)
			if !known {
				leftOut = "A line of the plan has no " + figures.Rate(e.Basis.Currency) + "."
				continue
			}
			l.addTo(nets, e.days, minor)
		}
	}
	return nets, leftOut, changed
}

// addBurn spreads the net burn evenly over the days of each month. It leaves out counterparties
// that a line names, from the line's first month on. Months begin on the day of the month of the
// cash, as for the server's runway.
func (e *evaluator) addBurn(nets []int64, lines []*Line) {
	month, left, begins, end := 0, int64(0), 0, 0
	for i, n := 0, 0; i < len(nets); i++ {
		if i == end {
			n++
			begins, end = end, e.Basis.Day.AddMonths(n).DaysSince(e.Basis.Day)
		}
		if m := &e.days.months[month]; i == 0 || i == m.begins+m.days {
			if i > 0 {
				month++
			}
			left = e.burnIn(e.days.months[month].first, lines)
		}
		nets[i] -= evenly(left, i-begins, end-begins)
	}
}

func (e *evaluator) burnIn(month civil.Date, lines []*Line) int64 {
	burn, percent := e.burn, int64(100)
	for _, l := range lines {
		if m := e.matches[l]; m != nil && m.appliesTo(month) {
			burn += m.average
		}
		if l.Kind == Burn && !month.Before(l.From) {
			percent = percent * (100 + l.Percent) / 100
		}
	}
	// The percentage changes what is left of the burn, not a surplus.
	if burn <= 0 {
		return burn
	}
	return burn/100*percent + burn%100*percent/100
}

// amount returns the minor units of a line in the currency of the figures, negative for money out.
// It returns false if there is no exchange rate.
func (e *evaluator) amount(l *Line) (minor int64, known bool) {
	minor, known = e.convert(Amount{l.Amount.Minor * max(1, l.Count), l.Amount.Currency})
	if !l.Since.IsZero() && l.Rhythm == Once {
		return 0, true // it is in the rows
	}
	if m := e.matches[l]; m != nil && m.confirmed {
		return m.before - minor, known // what the counterparty was paid before, and the line
	}
	if l.IsOut() {
		minor = -minor
	}
	return minor, known
}

// note adds a sentence once.
func (e *evaluator) note(text string) {
	if !e.notes[text] {
		e.notes[text] = true
		e.Notes = append(e.Notes, text)
	}
}
