package bookkeeping

import (
	"cmp"
	"iter"
	"slices"

	"tarmac/service/bookrules"
	"tarmac/service/cutoff"
	"tarmac/service/invoicing"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
)

// matching holds the lines of all accounts. It says which lines are transfers between own accounts,
// which pay invoices, which may be financing, and which questions the user must answer.
type matching struct {
	books    *ledgerBooks
	accounts []derived
	byKey    map[int64]int       // indexes in accounts by Account.Key
	named    map[accountName]int // indexes in accounts

	own       map[int64]bookrules.OwnAccount
	valuation bookrules.Valuation  // with the rates for all lines
	movements []bookrules.Movement // lines of all accounts, account after account
	transfers bookrules.Transfers
	// lost is by how much less than was sent arrived of a transfer, in minor units. Its keys are
	// the indexes in movements of the lines on which the money arrived.
	lost map[int]int64
	// answeredPatterns has the number of answers about transfers of a pattern.
	answeredPatterns map[bookrules.TransferPattern]int

	inflows    []inflow
	categories map[int]string // categories that rules give to money out, by index in movements

	allLists    []bookrules.OpenList       // of both sides
	lists       []bookrules.OpenList       // of open invoices
	invoices    []invoicing.Invoice        // the organization's own invoices that are not drafts
	recorded    []store.BookInvoicePayment // payments that earlier imports applied to invoices
	receivables bookrules.Receivables
	receipts    map[string]bool // ids of transactions that pay invoices

	bills    bookrules.Bills
	outflows map[string]int // indexes in movements of the transactions that may pay bills, by id

	settled       map[string]bookrules.Settlement // own invoices that a provider says are paid, by id
	unsettled     []bookrules.Settlement          // those of which the user must say whether they are
	settlementIDs []string                        // ids of all payments that providers name

	financing map[string]bool // ids of transactions that are or may be financing
	paidOut   map[int]string  // categories of money out that isn't, or may not be, a cost, by index in movements
	paidBy    map[string]int  // indexes in movements of such transactions, by id
	// known has the accounts with what says to which day they are known, by index in accounts.
	known         []cutoff.Account
	aboutAccounts []question  // questions about accounts without newer statements
	questions     []*question // open questions, the oldest first
	change        *burnChange // what answers change in the net burn; nil until a question needs it
}

// newMatching returns the matching of the given accounts, which must be all accounts of the books.
func newMatching(l *ledgerBooks, accounts []derived) (mt *matching, err error) {
	mt = &matching{
		books: l, accounts: accounts, byKey: map[int64]int{}, named: map[accountName]int{}, categories: map[int]string{},
	}
	for n := range accounts {
		a := &accounts[n]
		mt.byKey[a.Key], mt.named[accountName{a.Currency, a.Identity}] = n, n
	}
	if mt.allLists, err = l.BookOpenLists(l.Org); err != nil {
		return nil, err
	}
	mt.lists = bookrules.ListsOf(mt.allLists, bank.Receivable)
	if mt.invoices, err = l.SentInvoices(l.Org); err != nil {
		return nil, err
	}
	if mt.recorded, err = l.BookInvoicePayments(l.Org); err != nil {
		return nil, err
	}
	span, _ := mt.span()
	if err := mt.findTransfers(span); err != nil {
		return nil, err
	}
	if err := mt.matchPayments(); err != nil {
		return nil, err
	}
	if err := mt.matchBills(); err != nil {
		return nil, err
	}
	mt.trustPayments()
	financing, err := mt.findFinancing()
	if err != nil {
		return nil, err
	}
	paid, err := mt.findPaidElsewhere(financing)
	if err != nil {
		return nil, err
	}
	if err := mt.findAssumed(); err != nil {
		return nil, err
	}
	mt.ask(financing.Questions, paid)
	return mt, nil
}

// span returns the days from the first to the last line of all accounts. It returns false if there
// are no lines.
func (mt *matching) span() (span bookrules.Span, any bool) {
	for _, a := range mt.accounts {
		if len(a.merged) == 0 {
			continue
		}
		first, last := a.merged[0].Day, a.merged[len(a.merged)-1].Day
		if !any {
			span = bookrules.Span{First: first, Last: last}
		}
		span.First, span.Last, any = min(span.First, first), max(span.Last, last), true
	}
	return span, any
}

// months returns the months from the first to the last line of all accounts, as spans of days.
func (mt *matching) months() iter.Seq[bookrules.Span] {
	return func(yield func(bookrules.Span) bool) {
		span, any := mt.span()
		for first := span.First; any && first <= span.Last; {
			last := min(span.Last, bookrules.DayOf(first.Date().LastOfMonth()))
			if !yield(bookrules.Span{First: first, Last: last}) {
				return
			}
			first = last + 1
		}
	}
}

// findTransfers finds the lines of all accounts that are transfers between own accounts. It sets
// mt.movements and mt.transfers.
func (mt *matching) findTransfers(span bookrules.Span) error {
	own := make([]bookrules.OwnAccount, len(mt.accounts))
	mt.own = map[int64]bookrules.OwnAccount{}
	for n := range mt.accounts {
		a := &mt.accounts[n]
		own[n] = bookrules.OwnAccount{Account: a.Account, Covered: bookrules.Coverage(a.Role, a.contents)}
		if balance, known := bookrules.BookedBalance(a.merged, a.contents); known {
			own[n].BalanceDay = balance.Day
		}
		mt.own[a.Key] = own[n]
	}
	var err error
	if mt.valuation, err = mt.valuationOf(span); err != nil {
		return err
	}
	if err := mt.findMovements(); err != nil {
		return err
	}
	mt.transfers = bookrules.FindTransfers(mt.books.work, own, mt.movements, mt.transferFacts(), mt.valuation)
	if err := mt.books.work.Err(); err != nil {
		return err
	}
	mt.lost = map[int]int64{}
	for _, pair := range mt.transfers.Pairs {
		mt.lost[pair.In] = pair.LostMinor
	}
	return nil
}

// findMovements sets mt.movements: the lines, with what their texts say about transfers between own
// accounts. It also sets mt.inflows and mt.categories.
func (mt *matching) findMovements() error {
	lines, facts := 0, 0
	for n := range mt.accounts {
		mt.accounts[n].firstMovement = lines
		lines += len(mt.accounts[n].merged)
		facts += mt.accounts[n].facts.len()
	}
	mt.movements, mt.inflows = make([]bookrules.Movement, lines), make([]inflow, 0, min(lines, facts))
	if err := mt.showNames(); err != nil {
		return err
	}
	for n := range mt.accounts {
		a := &mt.accounts[n]
		for at := range a.merged {
			if mt.books.work.Stopped() {
				return mt.books.work.Err()
			}
			m, movement := &a.merged[at], a.firstMovement+at
			facts := a.facts.at(m.Note)
			mt.movements[movement] = bookrules.Movement{Account: a.Key, Merged: m, Hints: &facts.Hints}
			mt.keep(a, at, facts)
		}
	}
	return nil
}

// showNames sets what is shown of the names in the lines of all accounts.
func (mt *matching) showNames() error {
	lines := map[string]int{}
	for n := range mt.accounts {
		a := &mt.accounts[n]
		if a.bare {
			if err := mt.readFacts(a); err != nil {
				return err
			}
		}
		withFacts := make([]int, a.facts.len())
		for at := range a.merged {
			withFacts[a.merged[at].Note]++
		}
		for note, f := range a.facts.all() {
			if withFacts[note] > 0 && f.counterparty == "" {
				lines[f.name] += withFacts[note]
			}
		}
	}
	shown := bookrules.ShownNames(lines)
	for n := range mt.accounts {
		for _, f := range mt.accounts[n].facts.all() {
			f.shown = cmp.Or(shown[f.name], f.name)
			f.Payee = bookrules.Counterparty(f.shown, bookrules.Outcome{Counterparty: f.counterparty})
		}
	}
	return nil
}

// readFacts reads the texts of an account whose facts are not stored.
func (mt *matching) readFacts(a *derived) error {
	a.facts, a.plain, a.bare = newFactTable(), nil, false
	for at := range a.merged {
		a.merged[at].Note = 0
	}
	for month := range mt.months() {
		err := mt.books.lines(a, month, func(at int, l bank.Line) error {
			a.merged[at].Note = a.addFacts(mt.books, bookrules.Line{Line: l})
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// lines calls visit for each merged line of an account in a span of days, with the index of the
// line in a.merged and its text.
func (l *ledgerBooks) lines(a *derived, span bookrules.Span, visit func(at int, text bank.Line) error) error {
	from, to := indexes(a.merged, span)
	if from == to {
		return nil
	}
	byLine := make(map[int64]int, to-from)
	for at := from; at < to; at++ {
		byLine[a.merged[at].Line] = at
	}
	if a.overlaps() {
		// The text may come from a file that gives the line another date.
		span = bookrules.Span{First: span.First - bookrules.MaxShift, Last: span.Last + bookrules.MaxShift}
	}
	return l.BookLines(l.Org, a.Key, span, func(line bookrules.Line) error {
		at, ok := byLine[line.Key]
		if !ok {
			return nil
		}
		return visit(at, line.Line)
	})
}

// overlaps reports whether several files cover a day of the account.
func (d *derived) overlaps() bool {
	var all []bookrules.Span
	for _, c := range d.contents {
		all = append(all, c.Covered...)
	}
	days := func(spans []bookrules.Span) (n bookrules.Day) {
		for _, s := range spans {
			n += s.Last - s.First + 1
		}
		return n
	}
	return days(all) > days(bookrules.Join(all))
}

// valuationOf returns what is needed to convert the lines of all accounts in a span of days.
func (mt *matching) valuationOf(span bookrules.Span) (v bookrules.Valuation, err error) {
	currencies := make([]string, len(mt.accounts))
	for n := range mt.accounts {
		currencies[n] = mt.accounts[n].Currency
	}
	v.Currency = mt.books.currency
	span.First -= bookrules.MaxRateAge
	v.Rates, err = mt.books.ratesOf(span, currencies...)
	return v, err
}

// ratesOf returns the exchange rates of currencies, and of the reporting currency, on the given
// days.
func (l *ledgerBooks) ratesOf(days bookrules.Span, currencies ...string) (bookrules.Rates, error) {
	rates := bookrules.Rates{}
	for _, currency := range append(currencies, l.currency) {
		if _, read := rates[currency]; read || currency == bookrules.USD {
			continue
		}
		var err error
		if rates[currency], err = l.BookRates(l.Org, currency, days); err != nil {
			return nil, err
		}
	}
	return rates, nil
}

// ratesOn returns the exchange rates of a currency, and of the reporting currency, that are valid
// on a day.
func (l *ledgerBooks) ratesOn(day bookrules.Day, currency string) (bookrules.Rates, error) {
	at := currencyDay{currency, day}
	if rates, read := l.ratesRead[at]; read {
		return rates, nil
	}
	rates, err := l.ratesOf(bookrules.Span{First: day - bookrules.MaxRateAge, Last: day}, currency)
	if err == nil {
		l.ratesRead[at] = rates
	}
	return rates, err
}

// indexes returns the indexes of the first line in a span of days, and of the first line after it.
func indexes(merged []bookrules.Merged, span bookrules.Span) (from, to int) {
	from, _ = slices.BinarySearchFunc(merged, span.First, compareDay)
	to, _ = slices.BinarySearchFunc(merged, span.Last+1, compareDay)
	return from, to
}

func compareDay(m bookrules.Merged, day bookrules.Day) int { return cmp.Compare(m.Day, day) }

// compareAccounts compares two accounts, given by their indexes, in an order that does not depend
// on the imports.
func (mt *matching) compareAccounts(a, b int) int {
	x, y := &mt.accounts[a], &mt.accounts[b]
	return cmp.Or(cmp.Compare(x.Identity, y.Identity), cmp.Compare(x.Currency, y.Currency))
}
