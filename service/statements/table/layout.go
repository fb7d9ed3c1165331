package table

import (
	"slices"
)

// none is the index of a column that the file does not have.
const none = -1

// layout holds the index of each column, from 0, or none. It also holds the charset, the delimiter
// and the header.
type layout struct {
	charset   string // charset name for bank.Decode; "" if that chooses the charset
	delimiter byte   // delimiter of the records after the header
	// header is the text of the header, by which its repetitions are skipped. It is "" if the file
	// has none.
	header     string
	headerLine int // line number of the header; 0 if the file has none
	names      []string
	headings   []string // names as the file writes them
	making     string
	// choices has the columns that may be the amount, if the balances don't decide; samples shows
	// their first figures.
	choices []amounts
	samples string

	// dates lists the columns of the booking date, by preference. If the cell of one is empty, the
	// next is used.
	dates []int
	// bookedEmpty is true if the first of dates is the booking date and is empty in few rows, which
	// aren't booked yet.
	bookedEmpty bool
	value       int
	amount      int
	debit       int
	credit      int
	sign        int
	fee         int
	deducted    bool // true if the amount is gross, so that the fee must be deducted
	net         bool // true if amounts are net of fees, as in files of payment services
	balance     int
	before      bool // true if the running balance is the balance before the line
	opening     int
	closing     int

	currency         int
	original         int
	originalCurrency int
	rate             int
	account          int
	otherAccount     int
	party            []int
	payer            int
	payee            int
	text             []int
	reference        int
	id               int
	status           int
	method           int
	zone             int
	impact           int

	sides    *twoSided // not nil if rows have both sides of a payment
	preamble preamble
	signs    signForm
	card     bool // true if the header or the preamble names a credit card
	// bookkeeping is true if columns are of a company's own books, such as a journal.
	bookkeeping bool
	// ledgerSides is true if debits and credits are told apart by these words, which bookkeeping
	// uses the other way round than banks. It is false for words such as withdrawal and money in.
	ledgerSides bool
	// wanted describes the export and names the one to use instead, if this one lacks the money
	// that left the account. Otherwise it is "".
	wanted string
}

// chooser chooses among the columns of a file by their roles.
type chooser struct{ columns []column }

// first returns the best column of the first of the roles that has a column with cells. It prefers
// known names to those that only hint at the role. If no column has cells, it returns an empty one.
func (c chooser) first(roles ...role) int {
	best, quality := none, -1
	for _, r := range roles {
		for i := range c.columns {
			q := 0
			if c.columns[i].filled > 0 {
				q += 2
			}
			if !c.columns[i].weak {
				q++
			}
			if c.columns[i].role == r && q > quality {
				best, quality = i, q
			}
		}
		if best != none && quality >= 2 {
			return best
		}
	}
	return best
}

func (c chooser) all(r role) []int {
	var found []int
	for i := range c.columns {
		if c.columns[i].role == r {
			found = append(found, i)
		}
	}
	return found
}

func (c chooser) filled(column int) bool { return column != none && c.columns[column].filled > 0 }

// choose sets the columns of the layout. It returns false if there is no column of dates or none of
// amounts.
func (l *layout) choose(columns []column) bool {
	c := chooser{columns}
	for i := range columns {
		if i+1 < len(columns) {
			columns[i].moveRole(&columns[i+1])
		}
		columns[i].correctRole()
	}
	l.chooseDates(c)
	l.chooseAmount(c)
	if len(l.dates) == 0 || l.amount == none && l.debit == none && l.credit == none {
		return false
	}
	l.balance = c.first(roleBalance)
	l.opening, l.closing = c.first(roleOpening), c.first(roleClosing)
	l.chooseCurrency(c)
	l.chooseAccount(c)
	l.status = c.first(roleStatus)
	if l.headerLine > 0 {
		l.decideRoles(columns)
	}
	l.payer, l.payee = c.first(rolePayer), c.first(rolePayee)
	l.reference, l.id, l.rate = c.first(roleReference), c.first(roleID), c.first(roleRate)
	l.status, l.method = c.first(roleStatus), c.first(roleMethod)
	l.chooseTexts(c)
	l.zone, l.impact = c.first(roleZone), c.first(roleImpact)
	l.card = (l.card || c.first(roleCard) != none) && l.otherAccount == none
	l.bookkeeping, l.ledgerSides = isBookkeeping(c), l.hasLedgerSides(c)
	l.wanted = wantedExport(l, c)
	return true
}

// chooseTexts chooses the columns of names and of texts. Columns that only say how money was paid,
// such as DEBIT and ACH, are neither; the first of them is the method if no other column is. If
// there is no other name or text, they are the text. Texts that name the kind of a payment follow
// those that name the other party.
func (l *layout) chooseTexts(c chooser) {
	onlyMethods := func(column int) bool {
		one := &c.columns[column]
		return one.filled > 0 && one.methods == one.filled
	}
	parties, texts := c.all(roleParty), c.all(roleText)
	l.party = c.ownNameLast(slices.DeleteFunc(slices.Clone(parties), onlyMethods))
	l.text = slices.DeleteFunc(slices.Clone(texts), onlyMethods)
	if !slices.ContainsFunc(slices.Concat(l.party, l.text), c.filled) {
		l.text = texts
		return
	}
	c.putKindsLast(l.text)
	methods := slices.DeleteFunc(append(parties, texts...), func(column int) bool { return !onlyMethods(column) })
	if l.method == none && len(methods) > 0 {
		l.method = slices.Min(methods)
	}
}

// ownNameLast moves a column behind the others if all its cells are the same and those of another
// column are not: it has the name of the account's holder.
func (c chooser) ownNameLast(parties []int) []int {
	different := func(column int) int { return len(c.columns[column].distinct) }
	if !slices.ContainsFunc(parties, func(column int) bool { return different(column) > 1 }) {
		return parties
	}
	slices.SortStableFunc(parties, func(a, b int) int { return boolean(different(a) == 1) - boolean(different(b) == 1) })
	return parties
}

// sided reports whether a column decides the direction of each amount.
func (l *layout) sided() bool { return l.amount == none || l.sign != none && !l.signs.inAmounts }

// chooseAmount chooses either the column of the amount or the columns of debits and credits.
func (l *layout) chooseAmount(c chooser) {
	l.amount, l.debit, l.credit, l.sign = c.first(roleAmount), c.first(roleDebit), c.first(roleCredit), none
	l.fee = c.first(roleFee)
	net, gross := c.first(roleNet), c.first(roleGross)
	switch {
	case net != none && (gross != none || l.amount != none && l.fee != none):
		l.amount, l.fee, l.net = net, none, true
	case gross != none && l.amount == none:
		l.amount, l.net, l.deducted = gross, true, l.fee != none
	case net != none && l.amount == none:
		l.amount, l.fee = net, none
	}
	for _, column := range c.all(roleAmount) {
		if c.columns[column].name == "total amount" && c.filled(column) && !l.net {
			l.amount, l.fee = column, none
		}
	}
	switch {
	case l.debit == none && l.credit != none && l.amount == none:
		// A column of credits may also have money out if there is no column of debits.
		l.amount, l.credit = l.credit, none
	case l.debit == none || l.credit == none:
		if l.amount != none {
			l.debit, l.credit = none, none
		}
	case l.amount == none || l.pairFilled(c):
		l.amount = none
	default:
		l.debit, l.credit = none, none
	}
	if l.amount != none {
		l.sign = l.signColumn(c)
	}
}

// pairFilled reports whether at least nine tenths of the rows have a debit or a credit.
func (l *layout) pairFilled(c chooser) bool {
	debit, credit := &c.columns[l.debit], &c.columns[l.credit]
	return debit.rows > 0 && (debit.filled+credit.filled)*10 >= debit.rows*9
}

// signColumn returns the column with a word for debit or credit in each row, or none. A column with
// another name needs both words: a description can be a single "C".
func (l *layout) signColumn(c chooser) int {
	if column := c.first(roleSign); c.filled(column) {
		return column
	}
	for i := range c.columns {
		one := &c.columns[i]
		switch one.role {
		case roleMethod:
			if one.filled > 0 && one.signs == one.filled && one.filled*10 >= one.rows*9 {
				return i
			}
		case roleText, roleStatus, roleNone:
			if one.signs == one.rows && one.bothSides() {
				return i
			}
		}
	}
	return none
}

// chooseCurrency chooses the column of the currency. It prefers one next to the amount, because
// files may also have the currency of the balance or of the original amount.
func (l *layout) chooseCurrency(c chooser) {
	l.currency = c.first(roleCurrency)
	l.original, l.originalCurrency = c.first(roleOriginal), c.first(roleOriginalCurrency)
	beside := l.amount
	if beside == none {
		beside = max(l.credit, l.debit)
	}
	for _, distance := range []int{-1, 1} {
		for _, column := range c.all(roleCurrency) {
			if c.filled(column) && column == beside+distance {
				l.currency = column
			}
		}
	}
	if l.original != none && l.originalCurrency == none {
		for _, column := range c.all(roleCurrency) {
			if column == l.original+1 && column != l.currency {
				l.originalCurrency = column
			}
		}
	}
	for _, column := range []int{l.amount, l.credit, l.debit, c.first(roleBalance)} {
		if column != none && l.preamble.currency == "" {
			l.preamble.currency = c.columns[column].currency
		}
	}
}

// chooseAccount distinguishes the column of the own account from the column of the other party's
// account, to which many banks give the same name. The own account has few different numbers, and
// its column is before the name of the other party.
func (l *layout) chooseAccount(c chooser) {
	l.account, l.otherAccount = c.first(roleAccount), c.first(roleOtherAccount)
	party := c.first(roleParty, rolePayer, rolePayee)
	for _, column := range c.all(roleSomeAccount) {
		one := &c.columns[column]
		few := one.filled == one.rows && len(one.distinct) < maxDistinct &&
			(len(one.distinct) == 1 || column < l.dates[0] || len(one.distinct)*3 <= one.rows)
		beforeParty := party == none || column < party
		switch {
		case l.account == none && (few || one.rows == 0) && (beforeParty || l.otherAccount != none):
			l.account = column
		case l.otherAccount == none && column != l.account:
			l.otherAccount = column
		}
	}
	if l.account != none && !c.filled(l.account) && c.columns[l.account].rows > 0 {
		l.account = none
	}
}
