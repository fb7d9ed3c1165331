package qif

import (
	"tarmac/internal/money"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/written"
)

// evidence collects what the transactions of a file show about the order of dates and the decimal
// mark.
type evidence struct {
	dates   written.Dates
	amounts written.Amounts
}

// observe adds a record to the evidence. The options are those of the user.
func (e *evidence) observe(r record, options bank.Options) error {
	switch {
	case r.header && r.section == "option:mdy":
		e.dates.Exclude(written.DayFirst)
	case r.header && r.section == "option:dmy":
		e.dates.Exclude(written.MonthFirst)
	}
	if !r.isTransaction() {
		return nil
	}
	if f, ok := r.get('D'); ok {
		parts, ok := dateParts(f.text)
		if !ok {
			return bank.Errorf(f.line, "%q is not a date", bank.Short(f.text))
		}
		if err := e.dates.See(f.line, f.text, parts.in); err != nil {
			return err
		}
	}
	if f, ok := r.amount(); ok {
		return e.amounts.See(f.line, f.text, f.text, likelyMark(options))
	}
	return nil
}

// likelyMark returns the decimal mark of an amount such as 1.250 by the currency: one with three
// decimals, such as the Kuwaiti dinar, has a point before them.
func likelyMark(options bank.Options) written.Marks {
	if options.Decimal == 0 && money.Exponent(options.Currency) == 3 {
		return written.Point
	}
	return written.AnyMark
}

// style is the order of dates and the decimal mark of a file.
type style struct {
	order bank.DateOrder
	mark  byte
}

// decide returns the style of a file. It returns a *bank.Question if the evidence leaves it
// ambiguous.
func (e *evidence) decide(options bank.Options) (s style, err error) {
	if s.order, err = e.dates.Order(options.DateOrder); err == nil {
		s.mark, err = e.amounts.Mark(options.Decimal)
	}
	return s, err
}
