package journal

import (
	"math/big"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// entry is what a journal says of one day. Exactly one of the pointers is set.
type entry struct {
	date civil.Date
	rank int // order among the entries of a day

	transaction *transaction
	posting     *posting // a posting with a date of its own
	balance     *balance
	pad         *pad
}

// transaction is a dated entry of a journal.
type transaction struct {
	line     int
	date     civil.Date
	code     string
	payee    string
	note     string
	text     string // the texts as in the journal, for Line.Raw
	postings []posting
}

// postingKind says whether a posting is one of money.
type postingKind uint8

const (
	ordinary   postingKind = iota
	unbalanced             // virtual, in parentheses
	balanced               // virtual, in brackets
)

// posting is a posting of a transaction.
type posting struct {
	line    int
	account string
	kind    postingKind
	date    civil.Date // zero if it is that of the transaction
	// amounts is empty until an amount that is not written is known. That may be several amounts,
	// or none.
	amounts []amount
	elided  bool    // the amount is not written
	weight  *amount // what the amount counts as in its transaction; nil if it counts as itself
	// basis is what the amount counts as by the price of its lot, where that differs from weight.
	basis *amount
	// lot is true if only the lots that an account holds tell the weight.
	lot       bool
	assertion *balance
}

// booked returns the date of a posting of t.
func (p *posting) booked(t *transaction) civil.Date {
	if p.date.IsZero() {
		return t.date
	}
	return p.date
}

// assigned reports whether the amount of the posting follows from the balance it asserts.
func (p *posting) assigned() bool { return p.elided && p.assertion != nil }

// amount is a number of a commodity.
type amount struct {
	quantity  *big.Rat
	places    int // decimals as written
	commodity string
}

// times returns the price of a number of units.
func (a amount) times(units *big.Rat) *amount {
	return &amount{new(big.Rat).Mul(a.quantity, units), a.places, a.commodity}
}

// total returns a total price with the sign of units.
func (a amount) total(units *big.Rat) *amount {
	if units.Sign() < 0 {
		return &amount{new(big.Rat).Neg(a.quantity), a.places, a.commodity}
	}
	return &a
}

// text returns the amount for messages.
func (a amount) text() string {
	text := a.quantity.FloatString(a.places)
	if a.commodity != "" {
		text += " " + a.commodity
	}
	return bank.Short(bank.Text(text))
}

// balance is a balance that a journal asserts.
type balance struct {
	line    int
	date    civil.Date
	account string
	amount
	total     bool     // the account has no other commodity
	inclusive bool     // accounts below count too
	tolerance *big.Rat // the largest difference that is none
}

// pad makes the next balance of an account true by an amount from another account.
type pad struct {
	line          int
	date          civil.Date
	account, from string
	padded        map[string]bool // commodities whose balance has been made true
}
