package table

import (
	"errors"
	"strings"

	"tarmac/internal/money"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/written"
)

// errStop is returned to reader.forEachRecord to stop it before the end of the file.
var errStop = errors.New("stop")

// possibleForms collects which orders of dates and which decimal marks fit all records so far.
type possibleForms struct {
	dates []written.Orders // possible orders in each column of layout.dates
	value written.Orders
	marks written.Marks
	// balances has the possible decimal marks of the running balances, which may differ from those
	// of amounts.
	balances written.Marks
	// amountLine is the number of the first line with an amount that fits both decimal marks. It is
	// 0 if there is none.
	amountLine int
	amount     string // text of the amount in line amountLine
	dateLine   int    // number of the first line with an ambiguous date; 0 if there is none
	date       string
	zones      bool // true if a column has time zones of the United States
	years      years
}

// years collects the ranges of the first and of the last number of dates like 26-09-30, where
// either may be the year.
type years struct {
	first, last span
	points      bool
}

// span is the range of the numbers that were added to it.
type span struct {
	low, high int
	set       bool
}

func (s *span) add(n int) {
	if !s.set {
		*s = span{n, n, true}
	}
	s.low, s.high = min(s.low, n), max(s.high, n)
}

func (s *span) size() int { return s.high - s.low }

func (y *years) add(w writtenDate) {
	if w.short && w.orders&written.YearFirst != 0 {
		y.points = w.points
		y.first.add(w.parts[0])
		y.last.add(w.parts[2])
	}
}

// likely excludes orders that are improbable: files have few different years and many different
// days. If the numbers do not decide and dates have points, the year is last.
func (y *years) likely(set written.Orders) written.Orders {
	const few, many = 1, 5
	narrowed := set
	switch {
	case y.last.size() > many && y.first.size() <= few:
		narrowed = set & written.YearFirst
	case y.first.size() > many && y.last.size() <= few || y.points:
		narrowed = set &^ written.YearFirst
	}
	if narrowed == 0 {
		return set
	}
	return narrowed
}

// decideForms decides the order of dates and the decimal mark. It stops reading when both are
// known.
func (r *reader) decideForms() error {
	found := possibleForms{
		dates: make([]written.Orders, len(r.layout.dates)), value: written.AnyOrder,
		marks: written.AnyMark, balances: written.AnyMark,
	}
	for i := range found.dates {
		found.dates[i] = written.AnyOrder
	}
	err := r.forEachRecord(func(next *record) error {
		if err := r.seeDates(&found, next); err != nil {
			return err
		}
		return r.seeAmounts(&found, next)
	})
	if err != nil {
		return err
	}
	if err := r.decideMark(&found); err != nil {
		return err
	}
	return r.decideDates(&found)
}

// seeDates excludes the orders that do not fit the dates of a record. Cells without a date are
// skipped.
func (r *reader) seeDates(found *possibleForms, next *record) error {
	for i, column := range r.layout.dates {
		if err := narrow(&found.dates[i], next, column, found); err != nil && i == 0 {
			return err
		}
	}
	if r.layout.value != none {
		if err := narrow(&found.value, next, r.layout.value, found); err != nil {
			return err
		}
	}
	if r.layout.zone != none && americanZones[next.field(r.layout.zone)] {
		found.zones = true
	}
	return nil
}

var americanZones = map[string]bool{
	"PST": true, "PDT": true, "MST": true, "MDT": true, "CST": true, "CDT": true, "EST": true, "EDT": true,
	"America/Los_Angeles": true, "America/New_York": true, "America/Chicago": true, "America/Denver": true,
}

func narrow(set *written.Orders, next *record, column int, found *possibleForms) error {
	text := next.field(column)
	w, ok := scanDate(text)
	if !ok || emptyDate(w) {
		return nil
	}
	found.years.add(w)
	possible := w.date().Orders()
	switch {
	case possible == 0:
		return bank.Errorf(next.line, "the date %q does not exist", short(text))
	case *set&possible == 0:
		return bank.Errorf(next.line, "the date %q is not in the order of those before it", short(text))
	}
	*set &= possible
	if !set.Decided() && found.dateLine == 0 && !w.date().IsOneDay(*set) {
		found.dateLine, found.date = next.line, strings.Clone(text)
	}
	return nil
}

// emptyDate reports whether a date such as 00.00.0000 or 0000-00-00 stands for no date.
func emptyDate(w writtenDate) bool { return w.parts == [3]int{} }

// seeAmounts excludes the decimal marks that do not fit the amounts of a record. It skips records
// without a date. It returns errStop when the marks and the order of dates are decided.
func (r *reader) seeAmounts(found *possibleForms, next *record) error {
	if !r.hasDate(next) {
		return nil
	}
	l := r.layout
	if balance, ok := scanAmount(next.field(l.balance)); ok {
		found.balances &= written.MarksOf(balance.number)
	}
	for _, column := range []int{l.amount, l.debit, l.credit, l.fee, l.original, l.rate} {
		if column == none {
			continue
		}
		amount, ok := scanAmount(next.field(column))
		if !ok {
			continue
		}
		possible := written.MarksOf(amount.number)
		if column == l.rate && possible == written.AnyMark || column == l.original && possible&found.marks == 0 {
			continue
		}
		if possible&found.marks == 0 {
			return bank.Errorf(next.line, "the decimal mark of %q is not that of the amounts before it",
				short(next.field(column)))
		}
		found.marks &= possible
		if written.IsOpen(amount.number) && found.amountLine == 0 && column != l.rate {
			found.amountLine, found.amount = next.line, strings.Clone(next.field(column))
		}
	}
	balanced := l.balance == none || found.balances != written.AnyMark
	if balanced && found.marks.Decided() && found.dates[0].Decided() && (l.value == none || found.value.Decided()) {
		return errStop
	}
	return nil
}

// hasDate reports whether a record has a date in one of the columns layout.dates.
func (r *reader) hasDate(next *record) bool {
	for _, column := range r.layout.dates {
		if _, ok := scanDate(next.field(column)); ok {
			return true
		}
	}
	return false
}

func (r *reader) decideMark(found *possibleForms) error {
	if found.marks == written.AnyMark && found.balances != 0 {
		found.marks = found.balances
	}
	r.balanceMark = found.balances
	switch {
	case found.marks.Decided() || found.amountLine == 0:
		r.mark = found.marks.Byte()
	case r.options.Decimal != 0:
		r.mark = r.options.Decimal
	case money.Exponent(r.options.Currency) == 0 && strings.Contains(found.amount, "."):
		r.mark = ',' // a currency without decimals has thousands alone
	case money.Exponent(r.options.Currency) == 0:
		r.mark = '.'
	default:
		return written.AskMark(written.Place{Line: found.amountLine, Text: clean(found.amount)})
	}
	return nil
}

// decideDates decides the order of each column of dates. A column that is ambiguous takes the order
// of one that is not. If nothing decides, it returns a *bank.Question.
func (r *reader) decideDates(found *possibleForms) error {
	var known written.Orders
	for _, set := range append([]written.Orders{found.value}, found.dates...) {
		if set == written.DayFirst || set == written.MonthFirst {
			known = set
		}
	}
	settle := func(set written.Orders) bank.DateOrder {
		if set = found.years.likely(set); set&(set-1) == 0 {
			return set.First()
		}
		switch {
		case set&known != 0:
			return known.First()
		case found.zones && set&written.MonthFirst != 0:
			return bank.MonthFirst
		case set&written.Named(r.options.DateOrder) != 0:
			return r.options.DateOrder
		case found.dateLine == 0:
			return set.First() // each date is the same day in all orders, so any order will do
		}
		return ""
	}
	for i, set := range found.dates {
		r.dateOrders[i] = settle(set)
	}
	r.valueOrder = settle(found.value)
	if r.dateOrders[0] != "" {
		return nil
	}
	w, _ := scanDate(found.date)
	possible := found.years.likely(found.dates[0] & w.date().Orders())
	return written.AskOrder(written.Place{Line: found.dateLine, Text: clean(found.date)}, possible, w.date())
}

// short returns a text from the file for error messages, cut after 40 characters.
func short(text string) string {
	const most = 40
	text = clean(text)
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
