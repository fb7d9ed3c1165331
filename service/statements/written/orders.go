package written

import (
	"math/bits"
	"strconv"
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// Orders is a set of orders of day, month and year.
type Orders uint8

// The orders.
const (
	DayFirst Orders = 1 << iota
	MonthFirst
	YearFirst
	AnyOrder = DayFirst | MonthFirst | YearFirst
)

// each lists the orders.
var each = [...]Orders{DayFirst, MonthFirst, YearFirst}

// Named returns the order that an option selects, or the empty set.
func Named(order bank.DateOrder) Orders {
	switch order {
	case bank.DayFirst:
		return DayFirst
	case bank.MonthFirst:
		return MonthFirst
	case bank.YearFirst:
		return YearFirst
	}
	return 0
}

// Decided reports whether the set has one order.
func (o Orders) Decided() bool { return bits.OnesCount8(uint8(o)) == 1 }

// First returns the first order of the set.
func (o Orders) First() bank.DateOrder {
	switch {
	case o&DayFirst != 0:
		return bank.DayFirst
	case o&MonthFirst != 0:
		return bank.MonthFirst
	}
	return bank.YearFirst
}

// Date returns the day of a written date in an order. It returns false if there is no such day.
type Date func(order bank.DateOrder) (civil.Date, bool)

// Orders returns the orders in which the day exists.
func (d Date) Orders() (set Orders) {
	for _, order := range each {
		if _, ok := d(order.First()); ok {
			set |= order
		}
	}
	return set
}

// IsOneDay reports whether the date is the same day in all orders of a set in which it exists.
func (d Date) IsOneDay(set Orders) bool {
	var one civil.Date
	for _, order := range each {
		day, ok := d(order.First())
		if !ok || set&order == 0 {
			continue
		}
		if !one.IsZero() && day != one {
			return false
		}
		one = day
	}
	return true
}

// Dates collects the orders that fit all dates of a file so far.
type Dates struct {
	excluded Orders
	decided  Place // first date that excludes an order
	open     Place // first date that is a different day in two of the orders
	openDate Date
}

// Exclude excludes orders by what a file says of itself.
func (d *Dates) Exclude(set Orders) { d.excluded |= set }

// See excludes the orders in which a date does not exist.
func (d *Dates) See(line int, text string, date Date) error {
	possible := date.Orders()
	switch {
	case possible == 0:
		return bank.Errorf(line, "the date %q does not exist", bank.Short(text))
	case possible&^d.excluded == 0 && d.decided.Line == 0:
		return bank.Errorf(line, "the date %q has another order than the file states", bank.Short(text))
	case possible&^d.excluded == 0:
		return bank.Errorf(line, "the date %q has another order than that in line %d", bank.Short(text), d.decided.Line)
	case possible != AnyOrder:
		d.decided.set(line, text)
	}
	d.excluded |= AnyOrder &^ possible
	if d.open.Line == 0 && !date.IsOneDay(d.left()) {
		d.open.set(line, text)
		d.openDate = date
	}
	return nil
}

// left returns the orders that are left. A year of two digits comes first only if nothing else is
// possible.
func (d *Dates) left() Orders {
	left := AnyOrder &^ d.excluded
	if usual := left &^ YearFirst; usual != 0 {
		return usual
	}
	return left
}

// Order returns the order of the file's dates. If the dates leave it open, it is the option; ""
// asks the user with a *bank.Question.
func (d *Dates) Order(option bank.DateOrder) (bank.DateOrder, error) {
	left := d.left()
	switch {
	case Named(option)&^d.excluded != 0:
		return option, nil
	case left.Decided() || d.open.Line == 0:
		return left.First(), nil
	}
	return "", AskOrder(d.open, left, d.openDate)
}

// AskOrder asks for the order of a date that is a different day in the orders of a set.
func AskOrder(p Place, set Orders, date Date) error {
	var days, flags []string
	for _, order := range each {
		if day, ok := date(order.First()); ok && set&order != 0 {
			days, flags = append(days, day.String()), append(flags, string(order.First()))
		}
	}
	return &bank.Question{
		Place: p.Line, Reason: strconv.Quote(bank.Short(p.Text)) + " may be " + strings.Join(days, " or "),
		Flag: "--date-format", Choices: flags,
	}
}
