package table

import (
	"errors"
	"math"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/statements/bank"
)

// row is a record with its parsed amount, dates, currency and balance.
type row struct {
	*record
	account  string
	currency string
	booked   civil.Date
	value    civil.Date
	// minor is the amount in minor units, with the sign that it has in the file.
	minor    int64
	fee      int64 // fee in minor units; 0 if the amount already includes it
	signed   bool  // true if a column or a mark gives the direction
	marked   bool  // true if a mark on the amount, such as CR, gives the direction
	moved    bool  // true if the row has an amount; rows without one may have a balance
	balance  int64
	balanced bool // true if the row has a balance
	pending  bool
	summary  summary // what the text stands for if it is no text of a transaction
}

func (r *row) key() accountKey { return accountKey{r.account, r.currency} }

// kind says what a record is.
type kind uint8

const (
	kindOther       kind = iota // total, opening or closing balance, or disclaimer
	kindTransaction             // row with a date and an amount
	kindBalance                 // row with a date and a balance, but no amount
	kindEmpty                   // row with a date, but no amount and no balance
	kindVoid                    // transaction that was cancelled or declined
	kindUndated                 // pending transaction without a date
	// kindPerhapsSummary is a row that is a total or a balance if its amount is that of the lines
	// before it, else a transaction.
	kindPerhapsSummary
)

// meaning says what a word in a column of statuses or signs means.
type meaning struct {
	direction     int
	pending, void bool
}

// meaning returns what a cell means. It caches the result, because a file has few different words.
func (r *reader) meaning(cell string) meaning {
	if found, ok := r.words[cell]; ok {
		return found
	}
	word := fold(cell)
	found := meaning{debitOrCredit(cell), pendingWords[word], voidWords[word]}
	if len(r.words) < 1000 && len(cell) < 100 {
		r.words[strings.Clone(cell)] = found
	}
	return found
}

// interpret parses a record into the row and returns its kind. All fields of the row are set only
// for transactions and balances.
func (r *reader) interpret(next *record, to *row) (kind, error) {
	*to = row{record: next}
	dated, err := r.readDates(next, to)
	if err != nil {
		return kindOther, err
	}
	state := r.meaning(next.field(r.layout.status))
	text, amount, hasAmount, err := r.amountText(next, dated)
	switch {
	case err != nil:
		return kindOther, err
	case !dated && !hasAmount:
		return kindOther, nil
	case !dated:
		return r.undated(next, state)
	case r.layout.impact != none && fold(next.field(r.layout.impact)) == "memo":
		return kindOther, nil
	}
	to.account, to.pending = r.accountOf(next), state.pending || r.notBooked[next.line] || r.lacksBooking(next)
	if to.currency, err = r.currencyOf(next, amount); err != nil {
		return kindOther, err
	}
	if err := r.readBalance(next, to); err != nil {
		return kindOther, err
	}
	switch {
	case state.void:
		return kindVoid, nil
	case !hasAmount && to.balanced:
		return kindBalance, nil
	case !hasAmount:
		return kindEmpty, nil
	}
	to.moved = true
	if err := r.readAmount(next, to, amount); err != nil {
		return kindOther, bank.Errorf(next.line, "the amount %q %v", short(text), err)
	}
	if r.layout.before {
		to.balance += to.minor
	}
	if to.balanced && to.minor == to.balance && !r.layout.net && isTotal(r.texts(next)) {
		return kindBalance, nil
	}
	return r.summarized(to), nil
}

// accountOf returns the number or name of the account of a record. A number that a spreadsheet has
// rounded is none.
func (r *reader) accountOf(next *record) string {
	account := strings.Trim(next.field(r.layout.account), `"'`)
	if bank.IsDamagedNumber(account) {
		return ""
	}
	return account
}

// lacksBooking reports whether a record has only a date of the transaction in a file whose booked
// lines have a booking date, too.
func (r *reader) lacksBooking(next *record) bool {
	return r.layout.bookedEmpty && next.field(r.layout.dates[0]) == "" && next.field(r.layout.balance) == ""
}

// undated returns the kind of a record that has an amount but no date. It returns an error unless
// the record is pending or a total.
func (r *reader) undated(next *record, state meaning) (kind, error) {
	date := next.field(r.layout.dates[0])
	if state.pending || r.meaning(date).pending {
		return kindUndated, nil
	}
	for _, field := range next.fields {
		if isTotal(field) {
			return kindOther, nil
		}
	}
	if date == "" {
		return kindOther, bank.Errorf(next.line, "has an amount, but no date")
	}
	return kindOther, bank.Errorf(next.line, "%q is not a date", short(date))
}

// readDates reads the booking date and the value date. It returns false if there is no booking
// date.
func (r *reader) readDates(next *record, to *row) (bool, error) {
	found := false
	for i, column := range r.layout.dates {
		text := next.field(column)
		w, ok := scanDate(text)
		if !ok || emptyDate(w) {
			continue
		}
		if to.booked, ok = w.day(r.dateOrders[i]); !ok {
			return false, bank.Errorf(next.line, "the date %q does not exist%s", short(text), orderHint(r.dateOrders[i]))
		}
		found = true
		break
	}
	if text := next.field(r.layout.value); text != "" {
		if w, ok := scanDate(text); ok && !emptyDate(w) {
			if to.value, ok = w.day(r.valueOrder); !ok {
				return false, bank.Errorf(next.line, "the value date %q does not exist%s", short(text),
					orderHint(r.valueOrder))
			}
		}
	}
	return found, nil
}

// orderHint returns the end of an error message that says in which order a date was read.
func orderHint(order bank.DateOrder) string {
	switch order {
	case bank.DayFirst:
		return ", with the day first as in other lines"
	case bank.MonthFirst:
		return ", with the month first as in other lines"
	}
	return ""
}

// amountText returns the amount of a record. A cell that is not an amount is an error only if the
// record has a date, because other records may have text in that column.
func (r *reader) amountText(next *record, dated bool) (text string, amount writtenAmount, ok bool, err error) {
	l := r.layout
	columns := [2]int{l.debit, l.credit}
	if l.amount != none {
		columns = [2]int{l.amount, none}
	}
	for _, column := range columns {
		cell := next.field(column)
		if cell == "" || cell == "-" || cell == "--" {
			continue
		}
		found, isAmount := scanAmount(cell)
		switch {
		case !isAmount && !dated:
			continue
		case !isAmount:
			return "", amount, false, bank.Errorf(next.line, "%q is not an amount", short(cell))
		}
		if ok && !strings.ContainsAny(found.number, "123456789") {
			continue // skips a zero, because the other column of the pair has the amount
		}
		if both := ok && strings.ContainsAny(amount.number, "123456789"); both && !dated {
			return "", amount, false, nil // totals below the lines
		} else if both {
			return "", amount, false, bank.Errorf(next.line, "has an amount both as debit and as credit")
		}
		if text, amount, ok = cell, found, true; column == l.debit && l.debit != none {
			amount.debit, amount.credit = true, false
		} else if column == l.credit && l.credit != none {
			amount.debit, amount.credit = false, true
		}
	}
	if dated && !ok && len(next.fields) <= max(l.amount, l.debit, l.credit) {
		return "", amount, false, bank.Errorf(next.line, "has only %d columns: the line is cut short", len(next.fields))
	}
	return text, amount, ok, nil
}

// currencyOf returns the currency of a record: from its cell, its amount, the preamble or the
// options.
func (r *reader) currencyOf(next *record, amount writtenAmount) (string, error) {
	if cell := next.field(r.layout.currency); cell != "" {
		code := strings.ToUpper(cell)
		if known, ok := currencySigns[cell]; ok {
			code = known
		}
		if !bank.IsCurrency(code) {
			return "", bank.Errorf(next.line, "%q is not a currency", short(cell))
		}
		return code, nil
	}
	for _, code := range []string{amount.currency, r.layout.preamble.currency} {
		if code != "" {
			return code, nil
		}
	}
	return r.options.Currency, nil
}

// readBalance reads the running balance.
func (r *reader) readBalance(next *record, to *row) error {
	cell := next.field(r.layout.balance)
	if cell == "" || to.pending {
		return nil
	}
	amount, ok := scanAmount(cell)
	if !ok {
		return nil
	}
	mark := r.mark
	if r.balanceMark.Decided() {
		mark = r.balanceMark.Byte()
	}
	minor, err := amount.minor(mark, to.currency)
	if err != nil {
		return bank.Errorf(next.line, "the balance %q %v", short(cell), err)
	}
	to.balance, to.balanced = minor, true
	return nil
}

// readAmount reads the amount and the fee of a record. The columns of debits, credits and signs
// decide the sign of the amount.
func (r *reader) readAmount(next *record, to *row, amount writtenAmount) error {
	minor, err := bank.ParseAmount(amount.number, r.mark, to.currency)
	if err != nil {
		return err
	}
	if minor == math.MinInt64 {
		return bank.ErrTooLarge // its absolute value does not fit into 64 bits
	}
	switch {
	case r.layout.amount == none:
		to.minor, to.signed = minor, true
		if amount.debit {
			if to.minor = -minor; r.layout.signs.debitNegative {
				to.minor = minor
			}
		} else if r.layout.signs.creditNegative {
			to.minor = -minor
		}
	case amount.debit || amount.credit:
		if to.signed, to.marked = true, true; amount.debit {
			minor = -abs(minor)
		}
		to.minor = minor
	case r.layout.signs.unmarked != 0:
		to.minor, to.signed, to.marked = int64(r.layout.signs.unmarked)*abs(minor), true, true
	case r.layout.sign != none:
		if err := r.applySign(next, to, minor); err != nil {
			return err
		}
	default:
		to.minor = minor
	}
	if r.layout.fee != none {
		if fee, ok := scanAmount(next.field(r.layout.fee)); ok {
			if to.fee, err = fee.minor(r.mark, to.currency); err != nil {
				return err
			}
			if r.layout.signs.feeNegative {
				to.fee = -to.fee
			}
		}
	}
	return nil
}

// applySign sets the sign of an amount by the column that says debit or credit. If the amounts are
// already signed, it leaves them as they are.
func (r *reader) applySign(next *record, to *row, minor int64) error {
	direction := r.meaning(next.field(r.layout.sign)).direction
	switch {
	case r.layout.signs.inAmounts:
		to.minor, to.signed = minor, true
	case direction == 0 && !to.pending:
		return errNoDirection
	case r.layout.signs.magnitudes:
		to.minor, to.signed = int64(direction)*abs(minor), true
	default:
		to.minor, to.signed = int64(direction)*minor, true
	}
	return nil
}

var errNoDirection = errors.New("is neither debit nor credit")

func abs(n int64) int64 { return max(n, -n) }

// texts joins the text columns of a record, to search them for words.
func (r *reader) texts(next *record) string {
	if len(r.layout.text) == 1 {
		return next.field(r.layout.text[0])
	}
	var b strings.Builder
	for _, column := range r.layout.text {
		b.WriteString(next.field(column))
		b.WriteByte(' ')
	}
	return b.String()
}

// amountIn formats an amount for a message, with the currency before it.
func amountIn(minor int64, currency string) string {
	return strings.TrimSpace(currency + " " + money.Format(minor, currency))
}
