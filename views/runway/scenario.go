package runway

import (
	"strconv"
	"strings"

	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/views/parts/amount"
	"tarmac/views/parts/chart"
)

// scenario is what somebody supposes, under a name.
type scenario struct {
	name string
	what figures.WhatIf
}

// scenarios are those there is room to compare. One keeps its letter when
// another one is removed.
type scenarios struct {
	slots  [3]*scenario
	chosen int
}

func letter(slot int) rune { return 'A' + rune(slot) }

func (s *scenarios) count() (n int) {
	for _, one := range s.slots {
		if one != nil {
			n++
		}
	}
	return n
}

// free returns the first slot that nothing is in, and false when all are taken.
func (s *scenarios) free() (slot int, ok bool) {
	for i, one := range s.slots {
		if one == nil {
			return i, true
		}
	}
	return 0, false
}

// next chooses the scenario after the one that is chosen.
func (s *scenarios) next() {
	for range s.slots {
		if s.chosen = (s.chosen + 1) % len(s.slots); s.slots[s.chosen] != nil {
			return
		}
	}
}

func (s *scenarios) remove(slot int) {
	s.slots[slot] = nil
	s.next()
}

// outlook is where a column of the comparison leads to.
type outlook struct {
	letter  rune // 0 for what the server says
	name    string
	path    figures.Path
	end     civil.Date // the day of zero; zero itself where there is none
	known   bool
	burning bool
}

// start returns what the scenarios start from, and false where the server does not
// say what they need: scenarios from too little history would look like knowledge.
func (s *Screen) start() (figures.Start, bool) {
	c, ok := s.data.Cash.Value()
	if !ok || !s.data.Cash.State().HasFigures() || !c.Sufficient || c.RunwayCashCents == nil || !figures.Dated(c.AsOf) {
		return figures.Start{}, false
	}
	start := figures.Start{Day: civil.Of(c.AsOf), Cash: *c.RunwayCashCents, Overdue: s.overdue()}
	if c.IsBurning {
		start.Burn = c.MonthlyBurnCents
	}
	return start, true
}

// overdue is what customers owe past due.
func (s *Screen) overdue() figures.Sum {
	if aging, ok := s.data.Aging.Value(); ok && s.data.Aging.State().HasFigures() {
		return figures.AgingOf(aging).Overdue
	}
	return figures.Sum{Unknown: true}
}

// outlooks returns what the server says first, then the scenarios. They are walked
// once for every change, not once for every picture.
func (s *Screen) outlooks() []outlook {
	if s.walked == nil {
		s.walked = s.walk()
	}
	return s.walked
}

func (s *Screen) walk() []outlook {
	start, ok := s.start()
	if !ok {
		return nil
	}
	c, _ := s.data.Cash.Value()
	asItIs := supposing(figures.WhatIf{}, start)
	asItIs.name, asItIs.burning = "As it is", c.IsBurning
	if asItIs.known && c.RunwayMonths != nil {
		// The server has counted already.
		asItIs.path.Runway = *c.RunwayMonths
		asItIs.end, asItIs.path.Ends = figures.ZeroDate(c.AsOf, *c.RunwayMonths)
	}
	all := []outlook{asItIs}
	for i, one := range s.scenarios.slots {
		if one != nil {
			o := supposing(one.what, start)
			o.letter, o.name = letter(i), one.name
			all = append(all, o)
		}
	}
	return all
}

// unpaid is how many receivables are left out where all that are overdue are paid.
func (s *Screen) unpaid() (n int64) {
	for _, o := range s.outlooks() {
		n = max(n, o.path.Excluded)
	}
	return n
}

// supposing returns where a scenario leads to.
func supposing(w figures.WhatIf, start figures.Start) outlook {
	o := outlook{burning: true}
	if o.path, o.known = w.Ahead(start); o.known && o.path.Ends {
		o.end = o.path.Balances[len(o.path.Balances)-1].Day
	}
	return o
}

func (o outlook) title() string {
	if o.letter == 0 {
		return o.name
	}
	return string(o.letter) + " " + o.name
}

// months writes how long the cash lasts.
func (o outlook) months() string {
	switch {
	case !o.known:
		return money.Dash
	case !o.burning:
		return "not burning"
	case !o.path.Ends:
		return "no end"
	}
	return o.path.Mark() + o.path.Runway.String()
}

// zero writes the month in which the cash is gone.
func (o outlook) zero() string {
	if o.known && o.burning && !o.path.Ends {
		return "> 100 years"
	}
	if !o.known || !o.path.Ends {
		return money.Dash
	}
	return o.path.Mark() + figures.YearMonth(o.end)
}

// against writes how many months longer or shorter the cash lasts than as it is.
func (o outlook) against(asItIs outlook) string {
	if o.letter == 0 || !o.known || !asItIs.known || !o.path.Ends || !asItIs.path.Ends {
		return money.Dash
	}
	tenths := o.path.Runway.Tenths() - asItIs.path.Runway.Tenths()
	sign := "+"
	if tenths < 0 {
		sign, tenths = "-", -tenths
	}
	return o.path.Mark() + sign + strconv.FormatInt(tenths/10, 10) + "." + strconv.FormatInt(tenths%10, 10)
}

func (o outlook) cash(months int, from civil.Date) string {
	if !o.known {
		return money.Dash
	}
	return figures.Sum{Cents: o.path.After(months, from), Excluded: o.path.Excluded}.Short()
}

// branch puts a scenario into the chart, as far as the chart looks ahead.
func (o outlook) branch(today civil.Date) chart.Branch {
	b := chart.Branch{Letter: o.letter}
	end := today.AddMonths(aheadMonths)
	for _, p := range o.path.Balances {
		if p.Day.After(end) {
			return b
		}
		b.Ahead = append(b.Ahead, chart.Point(p))
	}
	b.Zero = o.end
	return b
}

// words say what a scenario supposes, without its name.
func words(w figures.WhatIf) string {
	var parts []string
	if w.BurnPercent != 0 {
		parts = append(parts, "net burn "+signed(w.BurnPercent)+"%")
	}
	if w.Monthly != 0 {
		parts = append(parts, amount.Net(w.Monthly)+" a month from "+figures.YearMonth(w.MonthlyFrom))
	}
	if w.Once != 0 {
		parts = append(parts, amount.Net(w.Once)+" once in "+figures.YearMonth(w.OnceIn))
	}
	if w.Overdue {
		parts = append(parts, "all overdue receivables are paid now")
	}
	if w.Customer != 0 {
		parts = append(parts, "the biggest customer leaves in "+figures.YearMonth(w.CustomerGone)+", "+amount.Net(-w.Customer)+" a month")
	}
	return strings.Join(parts, "; ")
}

func signed(n int64) string {
	if n > 0 {
		return "+" + strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(n, 10)
}
