package openitems

import (
	"cmp"
	"strings"

	"tarmac/internal/money"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/written"
)

// evidence collects what the rows of a file show about the order of dates, the decimal mark and the
// groups.
type evidence struct {
	columns  layout
	currency string // of amounts without one; "" if it is not said

	dates       written.Dates
	amounts     written.Amounts
	groupTotals bool   // true if each group ends with a row for its total
	label       string // last label, which may be the name of a group
}

// addRow adds a row to the evidence.
func (e *evidence) addRow(r row) error {
	if err := e.addAmount(r, amountDue); err != nil {
		return err
	}
	if label, ok := r.label(); ok {
		e.addLabel(label)
		return nil
	}
	if err := e.addAmount(r, paid); err != nil {
		return err
	}
	for _, of := range []role{issued, due} {
		if err := e.addDate(r.line, r.get(of)); err != nil {
			return err
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

func (e *evidence) addDate(line int, text string) error {
	if date, ok := readDate(text); ok && date.open {
		return e.dates.See(line, text, date.in)
	}
	return nil
}

// addAmount adds an amount of a row. The amount 1.250 of a currency with three decimals, such as
// the Kuwaiti dinar, has a decimal point: programs write such amounts with all decimals, and points
// between thousands only beside a decimal comma.
func (e *evidence) addAmount(r row, of role) error {
	text := r.get(of)
	number, code, ok := splitAmount(text)
	if !ok {
		return nil
	}
	likely := written.AnyMark
	if money.Exponent(cmp.Or(strings.ToUpper(r.get(currency)), code, e.currency)) == 3 && strings.Contains(number, ".") {
		likely = written.Point
	}
	return e.amounts.See(r.line, text, number, likely)
}

// order returns the order of dates. It returns a *bank.Question if the file leaves it ambiguous.
func (e *evidence) order(options bank.Options) (bank.DateOrder, error) {
	if err := e.addDate(e.columns.header, e.columns.asOfText); err != nil {
		return "", err
	}
	return e.dates.Order(options.DateOrder)
}
