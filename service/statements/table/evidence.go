package table

import (
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// maxAccounts is the largest number of accounts in a file. If a column has more different values,
// it does not contain accounts.
const maxAccounts = 1000

// accountKey identifies an account of a file.
type accountKey struct{ number, currency string }

// account holds what collectEvidence finds about one account.
type account struct {
	key         accountKey
	chain       chain
	lines       int
	total       sums
	in, out     int64 // sums of the positive and of the negative amounts
	first, last civil.Date
	opened      statedEnd
	closed      statedEnd
	balanced    civil.Date      // date of the latest balance that is a row of its own; zero if there is none
	statement   *bank.Statement // nil until announce has passed it to the sink
}

// evidence holds what collectEvidence finds in the whole file.
type evidence struct {
	order []*account
	// positive and negative are the numbers of amounts above and below zero whose direction no
	// column gives.
	positive, negative int
	// together has a chain for each currency, of the lines of all accounts.
	together map[string]*chain
	line     int // number of the first line with such an amount
	texts    textEvidence
	// debits and credits are the numbers of amounts whose direction a column gives. firstSide is
	// the number of the first line with one, and sides compares their texts.
	debits, credits, firstSide int
	sides                      textEvidence
	opening, closing           *int64 // balances from columns named for them; nil if there are none
	undated, void              count
	empty                      count
	fees                       count
	// summaries has the line numbers of rows of kindPerhapsSummary that are no transactions.
	summaries map[int]bool
	padded    []string // first texts of the transactions, to find fields at fixed offsets
	// payouts is 1 if a payment service moves money to or from a bank in some line, else 0.
	payouts int
}

// count holds the number of lines of one kind, and the line number of the first of them.
type count struct{ lines, first int }

func (c *count) add(line int) {
	if c.lines++; c.first == 0 {
		c.first = line
	}
}

// textEvidence compares the signs of amounts with texts that say whether money came in or went out.
// In usual lines, money in is positive; in contrary lines it is negative.
type textEvidence struct {
	usual, contrary int
	// paidIn and paidOut are the numbers of payments to a card with a positive and with a negative
	// amount.
	paidIn, paidOut int
	looked          int
}

// maxTexts is the number of lines whose text is compared with their sign.
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

// likeCard reports whether most payments to the account are negative, as in many files of credit
// cards.
func (e *textEvidence) likeCard() bool { return e.paidOut > e.paidIn }

// likeBank reports whether the texts suggest that positive amounts are money in.
func (e *textEvidence) likeBank() bool { return e.usual+e.paidIn > e.contrary+e.paidOut }

// contradict reports whether the texts suggest that positive amounts are money out: there are more
// contrary than usual lines, and at least a fifth of all lines are contrary.
func (e *textEvidence) contradict() bool { return e.contrary > e.usual && e.contrary*5 >= e.looked }

// collectEvidence reads the whole file and fills r.evidence and r.accounts.
func (r *reader) collectEvidence() error {
	r.evidence = &evidence{together: map[string]*chain{}, summaries: map[int]bool{}}
	r.accounts = map[accountKey]*account{}
	var one row
	return r.forEachRecord(func(next *record) error {
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
		case kindPerhapsSummary:
			if found, err = r.weigh(&one); err != nil || found == kindOther {
				return err
			}
			return r.count(&one, found)
		case kindTransaction, kindBalance:
			return r.count(&one, found)
		}
		return nil
	})
}

// count adds a transaction or a balance to the evidence.
func (r *reader) count(one *row, found kind) error {
	of, err := r.account(one)
	if err != nil {
		return err
	}
	e := r.evidence
	if found == kindBalance {
		one.moved = false
		of.addEnd(one)
		if of.balanced.Before(one.booked) {
			of.balanced = one.booked
		}
		r.link(of, one)
		return nil
	}
	of.lines++
	if len(r.layout.text) > 0 && len(e.padded) < mostFixed {
		if text := one.field(r.layout.text[0]); text != "" {
			e.padded = append(e.padded, strings.Clone(text))
		}
	}
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
	if one.signed && !one.marked && !one.pending && one.minor != 0 {
		e.debits += boolean(one.minor < 0)
		e.credits += boolean(one.minor > 0)
		if e.firstSide == 0 {
			e.firstSide = one.line
		}
		e.sides.add(r.texts(one.record)+" "+one.field(r.layout.method), one.minor)
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
	r.link(of, one)
	of.in, of.out = of.in+max(one.minor, 0), of.out+min(one.minor, 0)
	if !of.total.add(one) {
		of.chain.large = true
	}
	return nil
}

// link adds a row to the chain of its account and to the one of all accounts.
func (r *reader) link(of *account, one *row) {
	of.chain.add(one)
	if r.layout.account == none {
		return
	}
	together := r.evidence.together[one.currency]
	if together == nil {
		together = &chain{}
		r.evidence.together[strings.Clone(one.currency)] = together
	}
	together.add(one)
}

// account returns the account of a row. It adds the account at its first row.
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

// readEnds reads the opening and the closing balance of a record if the file has columns for them.
// Some files repeat them in each row, others have a row of their own for them.
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
