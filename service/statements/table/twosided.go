package table

import (
	"cmp"
	"fmt"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/written"
)

// twoSided holds the columns of a payment service's history whose rows have both sides of a
// payment, such as Wise's: what left the source, what arrived at the target, and in which direction
// it went.
type twoSided struct {
	direction, status, id, reference int
	created, finished                int
	source, target                   side
}

// side holds the columns of one side of a payment. The amount is without the fee.
type side struct{ amount, currency, fee, feeCurrency, name int }

// Parts of column names of the two sides, in the form that fold returns.
var (
	sourceNames   = []string{"source", "quelle", "ausgang", "origine", "origen", "bron", "sender", "absender"}
	targetNames   = []string{"target", "ziel", "cible", "destin", "doel", "recipient", "empfanger"}
	currencyParts = []string{"currency", "wahrung", "devise", "divisa", "moneda", "valuta", "moeda"}
	feeParts      = []string{"fee", "gebuhr", "frais", "comision", "commission", "kosten", "tarifa"}
	amountParts   = []string{"amount", "betrag", "montant", "importe", "cantidad", "bedrag", "importo"}
	nameParts     = []string{"name", "nom", "nombre", "naam"}
)

// neutralWords lists words for a payment between own balances. The others are debitOrCredit's.
var neutralWords = words(`neutral|neutre|neutro|neutraal|internal|conversion|exchange`)

// twoSidesOf returns the columns of a history with both sides of each payment. It returns nil for
// other files.
func twoSidesOf(columns []column) *twoSided {
	t := &twoSided{none, none, none, none, none, none, side{none, none, none, none, none}, side{none, none, none,
		none, none}}
	first := func(to *int, column int) {
		if *to == none {
			*to = column
		}
	}
	for i := range columns {
		one := &columns[i]
		switch {
		case anyOf(one.name, sourceNames):
			t.source.add(i, one.name)
		case anyOf(one.name, targetNames):
			t.target.add(i, one.name)
		case one.filled > 0 && one.isDirection():
			first(&t.direction, i)
		case one.role == roleStatus:
			first(&t.status, i)
		case one.role == roleID:
			first(&t.id, i)
		case one.role == roleReference:
			first(&t.reference, i)
		case one.mostly(one.dates) && (one.role == roleTraded || t.created == none && one.filled == one.rows):
			first(&t.created, i)
		case one.mostly(one.dates):
			first(&t.finished, i)
		}
	}
	for _, column := range []int{
		t.direction, t.created, t.source.amount, t.source.currency, t.target.amount, t.target.currency,
	} {
		if column == none {
			return nil
		}
	}
	return t
}

func (s *side) add(column int, name string) {
	fee, currency := anyOf(strings.ReplaceAll(name, "after fees", ""), feeParts), anyOf(name, currencyParts)
	to := &s.name
	switch {
	case fee && currency:
		to = &s.feeCurrency
	case fee:
		to = &s.fee
	case currency:
		to = &s.currency
	case anyOf(name, amountParts):
		to = &s.amount
	case !anyOf(name, nameParts):
		return
	}
	if *to == none {
		*to = column
	}
}

// isDirection reports whether the cells say whether money came in, went out, or neither.
func (c *column) isDirection() bool {
	for _, cell := range c.distinct {
		if debitOrCredit(cell) == 0 && !neutralWords[fold(cell)] {
			return false
		}
	}
	return true
}

// twoSidedReader reads a history with both sides of each payment.
type twoSidedReader struct {
	*reader
	*twoSided
	mark       written.Marks
	order      []string
	statements map[string]*bank.Statement
	void       count
}

func (r *reader) readTwoSided() error {
	t := &twoSidedReader{reader: r, twoSided: r.layout.sides, mark: written.AnyMark,
		statements: map[string]*bank.Statement{}}
	if err := r.forEachRecord(t.collect); err != nil {
		return err
	}
	if !t.mark.Decided() {
		t.mark = written.Point
	}
	for _, currency := range t.order {
		s := &bank.Statement{Currency: currency, Making: r.layout.making}
		s.Account.Number = cmp.Or(clean(r.options.Account), r.layout.preamble.account)
		if known := providerOf(r.layout.names); known != nil {
			s.Account.Bank = known.bank
		}
		t.statements[currency] = s
		if err := r.sink.Statement(s); err != nil {
			return err
		}
	}
	if t.void.lines > 0 {
		r.sink.Problem(t.void.first, fmt.Sprintf("a payment that was cancelled or refunded is not read (%d in all)",
			t.void.lines))
	}
	return r.forEachRecord(func(next *record) error {
		lines, err := t.lines(next)
		for _, one := range lines {
			if err == nil {
				err = r.sink.Line(t.statements[one.currency], one.Line)
			}
		}
		return err
	})
}

// collect finds the decimal mark and the currencies of own money.
func (t *twoSidedReader) collect(next *record) error {
	for _, column := range []int{t.source.amount, t.source.fee, t.target.amount} {
		if amount, ok := scanAmount(next.field(column)); ok {
			if t.mark &= written.MarksOf(amount.number); t.mark == 0 {
				return bank.Errorf(next.line, "the decimal mark of %q is not that of the amounts before it",
					short(next.field(column)))
			}
		}
	}
	if t.isVoid(next) {
		t.void.add(next.line)
		return nil
	}
	for _, currency := range t.own(next) {
		if !bank.IsCurrency(currency) {
			return bank.Errorf(next.line, "%q is not a currency", short(currency))
		}
		if _, known := t.statements[currency]; known {
			continue
		}
		if len(t.order) == maxAccounts {
			return bank.Errorf(next.line, "has more than %d currencies", maxAccounts)
		}
		currency = strings.Clone(currency)
		t.statements[currency], t.order = nil, append(t.order, currency)
	}
	return nil
}

// isVoid reports whether a payment was cancelled or refunded.
func (t *twoSidedReader) isVoid(next *record) bool {
	state := fold(next.field(t.status))
	return voidWords[state] || strings.HasPrefix(state, "refund") || strings.HasPrefix(state, "erstattet") ||
		strings.HasPrefix(state, "rembours") || strings.HasPrefix(state, "reembols") || state == "terugbetaald"
}

// directionOf returns -1 for money out, 1 for money in and 0 for money between own balances.
func (t *twoSidedReader) directionOf(next *record) int {
	return debitOrCredit(next.field(t.twoSided.direction))
}

// own returns the currencies of own money in a row.
func (t *twoSidedReader) own(next *record) (all []string) {
	direction := t.directionOf(next)
	if direction <= 0 {
		all = append(all, next.field(t.source.currency))
		if fee := next.field(t.source.feeCurrency); fee != "" && hasDigit(next.field(t.source.fee)) {
			all = append(all, fee)
		}
	}
	if direction >= 0 {
		all = append(all, next.field(t.target.currency))
	}
	return all
}

func hasDigit(text string) bool { return strings.ContainsAny(text, "123456789") }

// sideLine is a line of the account in a currency.
type sideLine struct {
	bank.Line
	currency string
}

// lines returns the lines of a row: what left the source with its fee, what arrived at the target,
// or both for money between own balances.
func (t *twoSidedReader) lines(next *record) (all []sideLine, err error) {
	if t.isVoid(next) {
		return nil, nil
	}
	base, err := t.line(next)
	if err != nil {
		return nil, err
	}
	sent, err := t.amount(next, t.source.amount, next.field(t.source.currency))
	if err != nil {
		return nil, err
	}
	arrived, err := t.amount(next, t.target.amount, next.field(t.target.currency))
	if err != nil {
		return nil, err
	}
	direction, from, to := t.directionOf(next), next.field(t.source.currency), next.field(t.target.currency)
	base.Transfer = direction == 0
	add := func(minor int64, currency, name string, original *bank.Original) {
		line := base
		line.Minor, line.Counterparty, line.Original = minor, clean(name), original
		all = append(all, sideLine{line, currency})
	}
	other := func(minor int64, currency string) *bank.Original {
		if from == to {
			return nil
		}
		return &bank.Original{Currency: currency, Minor: minor}
	}
	inside := direction == 0 && from == to // between own balances of one currency
	fee, feeIn, err := t.fee(next)
	if err != nil {
		return nil, err
	}
	if direction <= 0 && !inside {
		within := fee
		if feeIn != from {
			within = 0
		}
		minor, fits := money.Add(-sent, -within)
		if !fits {
			return nil, bank.Errorf(next.line, "the amount %v", bank.ErrTooLarge)
		}
		add(minor, from, next.field(t.target.name), other(-arrived, to))
	}
	if direction <= 0 && fee != 0 && (feeIn != from || inside) {
		add(-fee, feeIn, "Fee", nil)
	}
	if direction >= 0 && !inside {
		add(arrived, to, next.field(t.source.name), other(sent, from))
	}
	return all, nil
}

// line returns what all lines of a row share.
func (t *twoSidedReader) line(next *record) (bank.Line, error) {
	state := fold(next.field(t.status))
	line := bank.Line{
		Place: next.line, ID: clean(next.field(t.id)), Description: clean(next.field(t.reference)), Raw: raw(next.text),
		Pending: pendingWords[state] || t.finished != none && next.field(t.finished) == "",
	}
	for _, column := range []int{t.finished, t.created} {
		w, ok := scanDate(next.field(column))
		if !ok || emptyDate(w) {
			continue
		}
		order := bank.YearFirst
		if orders := w.date().Orders(); orders&written.YearFirst == 0 {
			if order = cmp.Or(t.options.DateOrder, bank.DayFirst); orders.Decided() {
				order = orders.First()
			}
		}
		if line.Booked, ok = w.day(order); ok && line.Booked != (civil.Date{}) {
			return line, nil
		}
	}
	return line, bank.Errorf(next.line, "%q is not a date", short(next.field(t.created)))
}

// amount returns an amount without its sign.
func (t *twoSidedReader) amount(next *record, column int, currency string) (int64, error) {
	cell := next.field(column)
	amount, ok := scanAmount(cell)
	if !ok {
		return 0, bank.Errorf(next.line, "%q is not an amount", short(cell))
	}
	minor, err := bank.ParseAmount(amount.number, t.mark.Byte(), currency)
	if err != nil {
		return 0, bank.Errorf(next.line, "the amount %q %v", short(cell), err)
	}
	return abs(minor), nil
}

// fee returns the fee of the source and its currency.
func (t *twoSidedReader) fee(next *record) (minor int64, currency string, err error) {
	currency = cmp.Or(next.field(t.source.feeCurrency), next.field(t.source.currency))
	if !hasDigit(next.field(t.source.fee)) {
		return 0, currency, nil
	}
	minor, err = t.amount(next, t.source.fee, currency)
	return minor, currency, err
}
