package table

import (
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// maxAccounts bounds the accounts of a file.
const maxAccounts = 1000

// accountKey tells the accounts of a file apart.
type accountKey struct{ number, currency string }

// account is what the first reading finds about an account.
type account struct {
	key         accountKey
	chain       chain
	lines       int
	total       sums
	first, last civil.Date
	statement   *bank.Statement // once it is announced
}

// evidence is what the first reading finds about the file.
type evidence struct {
	order              []*account
	positive, negative int // unsigned amounts, by their sign
	line               int // of the first of them
	texts              textEvidence
	opening, closing   *int64 // of columns that repeat them
	undated, void      count
	empty              count
	fees               count
	payouts            int // lines of payment services that move money to or from the bank
}

// count counts lines and knows the first.
type count struct{ lines, first int }

func (c *count) add(line int) {
	if c.lines++; c.first == 0 {
		c.first = line
	}
}

// textEvidence counts lines whose text knows the direction, by the sign of their amount.
type textEvidence struct {
	usual, contrary int
	paidIn, paidOut int // payments to a card that are positive, and negative
	looked          int
}

// maxTexts bounds the lines whose text is looked at.
const maxTexts = 5000

func (e *textEvidence) add(text string, minor int64) {
	if e.looked >= maxTexts || minor == 0 {
		return
	}
	e.looked++
	text = strings.ToLower(text)
	switch {
	case anyOf(text, paidTexts):
		e.paidIn += boolean(minor > 0)
		e.paidOut += boolean(minor < 0)
	case anyOf(text, inTexts):
		e.usual += boolean(minor > 0)
		e.contrary += boolean(minor < 0)
	case anyOf(text, outTexts):
		e.usual += boolean(minor < 0)
		e.contrary += boolean(minor > 0)
	}
}

// likeCard reports whether payments to the account are negative, as on many cards.
func (e *textEvidence) likeCard() bool { return e.paidOut > e.paidIn }

// contradict reports whether texts say that positive amounts are money out: more than say the
// contrary, and a fifth of all lines.
func (e *textEvidence) contradict() bool { return e.contrary > e.usual && e.contrary*5 >= e.looked }

// collectEvidence reads all records once.
func (r *reader) collectEvidence() error {
	r.evidence = &evidence{}
	r.accounts = map[accountKey]*account{}
	var one row
	return r.each(func(next *record) error {
		r.readEnds(next)
		found, err := r.interpret(next, &one)
		if err != nil {
			return err
		}
		switch found {
		case kindUndated:
			r.evidence.undated.add(next.line)
		case kindVoid:
			r.evidence.void.add(next.line)
		case kindEmpty:
			r.evidence.empty.add(next.line)
		case kindTransaction, kindBalance:
			return r.count(&one, found)
		}
		return nil
	})
}

// count takes a transaction or a balance as evidence.
func (r *reader) count(one *row, found kind) error {
	of, err := r.account(one)
	if err != nil {
		return err
	}
	e := r.evidence
	if found == kindBalance {
		one.moved = false
		of.chain.add(one)
		return nil
	}
	of.lines++
	if one.fee != 0 {
		e.fees.add(one.line)
	}
	if !one.signed && !one.pending && one.minor != 0 {
		e.positive += boolean(one.minor > 0)
		e.negative += boolean(one.minor < 0)
		if e.line == 0 {
			e.line = one.line
		}
		e.texts.add(r.texts(one.record)+" "+one.field(r.layout.method), one.minor)
	}
	if r.layout.net && e.payouts == 0 {
		e.payouts += boolean(anyOf(strings.ToLower(one.text), payoutTexts))
	}
	if one.pending {
		return nil
	}
	if of.first.IsZero() || one.booked.Before(of.first) {
		of.first = one.booked
	}
	if of.last.Before(one.booked) {
		of.last = one.booked
	}
	if r.layout.balance != none {
		of.chain.add(one)
	}
	if !of.total.add(one) {
		of.chain.large = true
	}
	return nil
}

// account returns the account of a row.
func (r *reader) account(one *row) (*account, error) {
	key := one.key()
	if found, ok := r.accounts[key]; ok {
		return found, nil
	}
	if len(r.accounts) == maxAccounts {
		return nil, bank.Errorf(one.line, "has more than %d accounts: the column of accounts is another", maxAccounts)
	}
	found := &account{key: accountKey{strings.Clone(key.number), strings.Clone(key.currency)}}
	r.accounts[found.key] = found
	r.evidence.order = append(r.evidence.order, found)
	return found, nil
}

// readEnds reads balances from columns for them, which some files repeat in each row and
// others have in rows of their own.
func (r *reader) readEnds(next *record) {
	read := func(column int) *int64 {
		amount, ok := scanAmount(next.field(column))
		if !ok {
			return nil
		}
		currency, err := r.currencyOf(next, amount)
		if err != nil {
			return nil
		}
		minor, err := amount.minor(r.mark, currency)
		if err != nil {
			return nil
		}
		return &minor
	}
	if found := read(r.layout.opening); found != nil && r.evidence.opening == nil {
		r.evidence.opening = found
	}
	if found := read(r.layout.closing); found != nil {
		r.evidence.closing = found
	}
}
