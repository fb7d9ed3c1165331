package qif

import (
	"strconv"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/statements/bank"
)

// evidence collects what the transactions of a file show about the order of dates and the decimal
// mark.
type evidence struct {
	orders map[bank.DateOrder]bool // true for orders in which all dates so far exist
	// undecided is the text of the first date that is still ambiguous, because it is a different
	// day in two of the remaining orders.
	undecided     string
	undecidedLine int

	mark     byte // decimal mark; 0 while unknown
	markLine int

	// ambiguous is the text of the first amount whose separator may be a decimal mark or a
	// thousands separator.
	ambiguous     string
	ambiguousLine int
}

func newEvidence() *evidence {
	return &evidence{orders: map[bank.DateOrder]bool{bank.DayFirst: true, bank.MonthFirst: true, bank.YearFirst: true}}
}

// observe adds a record to the evidence.
func (e *evidence) observe(r record) error {
	switch {
	case r.header && r.section == "option:mdy":
		e.orders[bank.DayFirst] = false
	case r.header && r.section == "option:dmy":
		e.orders[bank.MonthFirst] = false
	}
	if !r.isTransaction() {
		return nil
	}
	if f, ok := r.get('D'); ok {
		if err := e.observeDate(f); err != nil {
			return err
		}
	}
	if f, ok := r.amount(); ok {
		return e.observeAmount(f)
	}
	return nil
}

// observeDate excludes the orders in which the date does not exist.
func (e *evidence) observeDate(f field) error {
	parts, ok := dateParts(f.text)
	if !ok {
		return bank.Errorf(f.line, "%q is not a date", bank.Short(f.text))
	}
	var dates []civil.Date
	possible := 0
	for _, order := range []bank.DateOrder{bank.DayFirst, bank.MonthFirst, bank.YearFirst} {
		day, ok := parts.in(order)
		if ok {
			possible++
		}
		if !ok {
			e.orders[order] = false
		} else if order != bank.YearFirst {
			dates = append(dates, day)
		}
	}
	switch {
	case possible == 0:
		return bank.Errorf(f.line, "the date %q does not exist", bank.Short(f.text))
	case !e.orders[bank.DayFirst] && !e.orders[bank.MonthFirst] && !e.orders[bank.YearFirst]:
		return bank.Errorf(f.line, "the date %q has another order than those before it", bank.Short(f.text))
	case e.undecided == "" && len(dates) == 2 && dates[0] != dates[1]:
		e.undecided, e.undecidedLine = f.text, f.line
	}
	return nil
}

// observeAmount infers the decimal mark from an amount. A single separator followed by three digits
// is ambiguous.
func (e *evidence) observeAmount(f field) error {
	point, comma := strings.LastIndexByte(f.text, '.'), strings.LastIndexByte(f.text, ',')
	mark := byte(0)
	switch at := max(point, comma); {
	case at < 0:
		return nil
	case point >= 0 && comma >= 0:
		mark = f.text[at]
	case strings.Count(f.text, ".") > 1:
		mark = ','
	case strings.Count(f.text, ",") > 1:
		mark = '.'
	case len(strings.TrimRight(f.text[at+1:], " -)")) != 3:
		mark = f.text[at]
	default:
		if e.ambiguous == "" {
			e.ambiguous, e.ambiguousLine = f.text, f.line
		}
		return nil
	}
	if e.mark != 0 && e.mark != mark {
		return bank.Errorf(f.line, "the amount %q has another decimal mark than that in line %d",
			bank.Short(f.text), e.markLine)
	}
	if e.mark == 0 {
		e.mark, e.markLine = mark, f.line
	}
	return nil
}

// style is the order of dates and the decimal mark of a file.
type style struct {
	order bank.DateOrder
	mark  byte
}

// decide returns the style of a file. It returns a *bank.Question if the evidence leaves it
// ambiguous.
func (e *evidence) decide(options bank.Options) (style, error) {
	order, err := e.order(options)
	if err != nil {
		return style{}, err
	}
	chosen := style{order: order, mark: e.mark}
	if chosen.mark != 0 {
		return chosen, nil
	}
	if chosen.mark = options.Decimal; chosen.mark == 0 {
		chosen.mark = '.'
		if e.ambiguous != "" && money.Exponent(options.Currency) < 3 {
			return style{}, &bank.Question{
				Place: e.ambiguousLine, Reason: strconv.Quote(bank.Short(e.ambiguous)) + " may have decimals or thousands",
				Flag: "--decimal", Choices: []string{"point", "comma"},
			}
		}
	}
	return chosen, nil
}

// order returns the order of dates. It chooses a year of two digits in the first place only if no
// other order is possible.
func (e *evidence) order(options bank.Options) (bank.DateOrder, error) {
	switch {
	case e.orders[options.DateOrder]:
		return options.DateOrder, nil
	case e.orders[bank.DayFirst] && (!e.orders[bank.MonthFirst] || e.undecided == ""):
		return bank.DayFirst, nil
	case e.orders[bank.MonthFirst] && !e.orders[bank.DayFirst]:
		return bank.MonthFirst, nil
	case e.orders[bank.YearFirst] && !e.orders[bank.DayFirst]:
		return bank.YearFirst, nil
	}
	parts, _ := dateParts(e.undecided)
	dayFirst, _ := parts.in(bank.DayFirst)
	monthFirst, _ := parts.in(bank.MonthFirst)
	return "", &bank.Question{
		Place:  e.undecidedLine,
		Reason: strconv.Quote(bank.Short(e.undecided)) + " may be " + dayFirst.String() + " or " + monthFirst.String(),
		Flag:   "--date-format", Choices: []string{string(bank.MonthFirst), string(bank.DayFirst)},
	}
}
