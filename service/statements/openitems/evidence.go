package openitems

import (
	"cmp"
	"fmt"
	"strings"

	"tarmac/internal/money"
	"tarmac/service/statements/bank"
)

// evidence collects what the rows of a file show about the order of dates, the decimal mark and the
// groups.
type evidence struct {
	columns  layout
	currency string // of amounts without one; "" if it is not said

	dayFirst, monthFirst place  // first dates that fit only one order
	open                 place  // first date that fits both orders
	point, comma         place  // first amounts that fit only one decimal mark
	either               place  // first amount that fits both decimal marks
	groupTotals          bool   // true if each group ends with a row for its total
	label                string // last label, which may be the name of a group
}

// place is a text in the file with its line number, which is 0 if nothing was found.
type place struct {
	line int
	text string
}

func (p *place) set(line int, text string) {
	if p.line == 0 {
		*p = place{line, text}
	}
}

// addRow adds a row to the evidence.
func (e *evidence) addRow(r row) error {
	e.addAmount(r, amountDue)
	if label, ok := r.label(); ok {
		e.addLabel(label)
		return nil
	}
	e.addAmount(r, paid)
	for _, of := range []role{issued, due} {
		text := r.get(of)
		if date, ok := readDate(text); ok && date.open {
			e.addDate(r.line, text, date)
		}
	}
	return nil
}

// addLabel adds the label of a row. The label "Total X" after the label X shows that each group
// ends with a row for its total.
func (e *evidence) addLabel(label string) {
	switch name, ok := totalOf(label); {
	case !ok:
		e.label = label
	case strings.EqualFold(name, e.label):
		e.groupTotals = true
	}
}

func (e *evidence) addDate(line int, text string, date written) {
	switch {
	case date.first > 12:
		e.dayFirst.set(line, text)
	case date.second > 12:
		e.monthFirst.set(line, text)
	case date.first != date.second:
		e.open.set(line, text)
	}
}

// addAmount adds an amount of a row. The amount 1.250 of a currency with three decimals, such as
// the Kuwaiti dinar, has a decimal point: programs write such amounts with all decimals, and points
// between thousands only beside a decimal comma.
func (e *evidence) addAmount(r row, of role) {
	text := r.get(of)
	number, code, ok := splitAmount(text)
	if !ok {
		return
	}
	decimals := money.Exponent(cmp.Or(strings.ToUpper(r.get(currency)), code, e.currency))
	switch mark, open := decimalMark(number); {
	case open && decimals == 3 && strings.Contains(number, "."):
		e.point.set(r.line, text)
	case open:
		e.either.set(r.line, text)
	case mark == '.':
		e.point.set(r.line, text)
	case mark == ',':
		e.comma.set(r.line, text)
	}
}

// order returns the order of dates. It returns a *bank.Question if the file leaves it ambiguous.
func (e *evidence) order(options bank.Options) (bank.DateOrder, error) {
	if asOf := e.columns.asOf; asOf.open {
		e.addDate(e.columns.header, e.columns.asOfText, asOf)
	}
	switch {
	case e.dayFirst.line > 0 && e.monthFirst.line > 0:
		later, earlier := e.dayFirst, e.monthFirst
		if later.line < earlier.line {
			later, earlier = earlier, later
		}
		return "", bank.Errorf(later.line, "the date %q has another order than that in line %d",
			bank.Short(later.text), earlier.line)
	case e.dayFirst.line > 0:
		return bank.DayFirst, nil
	case e.monthFirst.line > 0:
		return bank.MonthFirst, nil
	case e.open.line == 0 || options.DateOrder == bank.DayFirst || options.DateOrder == bank.MonthFirst:
		return options.DateOrder, nil
	}
	return "", &bank.Question{
		Place: e.open.line, Reason: fmt.Sprintf("%q may begin with the day or the month", bank.Short(e.open.text)),
		Flag: "--date-format", Choices: []string{string(bank.MonthFirst), string(bank.DayFirst)},
	}
}

// decimalMark returns the decimal mark. It returns a *bank.Question if the file leaves it
// ambiguous.
func (e *evidence) decimalMark(options bank.Options) (byte, error) {
	switch {
	case e.point.line > 0 && e.comma.line > 0:
		later, earlier := e.point, e.comma
		if later.line < earlier.line {
			later, earlier = earlier, later
		}
		return 0, bank.Errorf(later.line, "the amount %q has another decimal mark than that in line %d",
			bank.Short(later.text), earlier.line)
	case e.point.line > 0:
		return '.', nil
	case e.comma.line > 0:
		return ',', nil
	case options.Decimal != 0:
		return options.Decimal, nil
	case e.either.line == 0:
		return '.', nil
	}
	return 0, &bank.Question{
		Place: e.either.line, Reason: fmt.Sprintf("%q may have decimals or thousands", bank.Short(e.either.text)),
		Flag: "--decimal", Choices: []string{"point", "comma"},
	}
}
