package journal

import (
	"cmp"
	"maps"
	"math/big"
	"slices"
	"strings"

	"tarmac/service/statements/bank"
)

// facts is what a first reading of a journal finds out.
type facts struct {
	names    map[string]string // accounts, so that each name is in memory once
	types    map[string]bool   // whether accounts with a declared type are assets or liabilities
	declared string            // the account that was declared last
	owned    func(account string) bool
	places   map[string]int // decimals of commodities as directives declare them

	complete bool // the first reading has ended
	asserted bool // there are balances to compare
	unsorted bool // the entries are not in the order of their days
	last     entry
}

// maxAccounts is the largest number of accounts in a journal.
const maxAccounts = 50_000

func newFacts() *facts {
	f := &facts{names: map[string]string{}, types: map[string]bool{}, places: map[string]int{}}
	f.owned = f.ownedByName
	return f
}

// account returns the name of an account.
func (f *facts) account(name string, line int) (string, error) {
	known, ok := f.names[name]
	if !ok {
		if len(f.names) >= maxAccounts {
			return "", bank.Errorf(line, "more than %d accounts", maxAccounts)
		}
		known = strings.Clone(name)
		f.names[known] = known
	}
	return known, nil
}

// note takes an entry of the first reading.
func (f *facts) note(e entry) error {
	f.unsorted = f.unsorted || compareEntries(e, f.last) < 0
	f.last = entry{date: e.date, rank: e.rank}
	f.asserted = f.asserted || e.balance != nil
	return nil
}

func compareEntries(a, b entry) int {
	return cmp.Or(a.date.Compare(b.date), cmp.Compare(a.rank, b.rank))
}

// ownedByName reports whether an account of hledger or ledger is one of assets or liabilities, by
// its declared type, that of the nearest account above it, or its name.
func (f *facts) ownedByName(account string) bool {
	for name := account; len(f.types) > 0; {
		if owned, ok := f.types[name]; ok {
			return owned
		}
		at := strings.LastIndexByte(name, ':')
		if at < 0 {
			break
		}
		name = name[:at]
	}
	first, _, _ := strings.Cut(account, ":")
	switch strings.ToLower(first) {
	case "asset", "assets", "debt", "debts", "liability", "liabilities":
		return true
	}
	return false
}

// book brings the entries of a journal into the order of their days, compares its balances, and
// passes postings to statements.
type book struct {
	facts *facts
	found *statements

	held []entry // entries that wait for being sorted
	size int     // bytes, about, of held

	// own and below are the balances of accounts that are not zero, without and with those below,
	// by commodity.
	own, below map[string]map[string]*big.Rat
	sums       int // how many balances there are
	pads       map[string]*pad
	unknown    map[string]bool // accounts, and those above, with amounts that lots tell
}

func newBook(f *facts, found *statements) *book {
	return &book{
		facts: f, found: found, own: map[string]map[string]*big.Rat{}, below: map[string]map[string]*big.Rat{},
		pads: map[string]*pad{}, unknown: map[string]bool{},
	}
}

// maxHeld is the memory in bytes, about, of entries that are held to be sorted.
const maxHeld = 48 << 20

// take takes the next entry. Balances hold in the order of the days, so that entries in another
// order are held if there are any.
func (b *book) take(e entry) error {
	if !b.facts.asserted || !b.facts.unsorted {
		return b.apply(e)
	}
	b.size += e.size()
	if b.size > maxHeld {
		return bank.Errorf(0, "is too large a journal that is not in the order of its dates: sort it, as \"hledger print\" "+
			"or \"bean-query FILE print\" do, or split it")
	}
	b.held = append(b.held, e)
	return nil
}

// size returns the memory of an entry in bytes, about.
func (e entry) size() int {
	size := 200
	if e.transaction != nil {
		size += len(e.transaction.text) + len(e.transaction.code) + len(e.transaction.payee) + len(e.transaction.note) +
			300*len(e.transaction.postings)
	}
	return size
}

// finish applies the entries that were held.
func (b *book) finish() error {
	slices.SortStableFunc(b.held, compareEntries)
	for i, e := range b.held {
		if err := b.apply(e); err != nil {
			return err
		}
		b.held[i] = entry{}
	}
	return nil
}

func (b *book) apply(e entry) error {
	switch {
	case e.transaction != nil:
		return b.applyTransaction(e.transaction)
	case e.posting != nil:
		return b.applyPosting(e.posting)
	case e.pad != nil:
		b.pads[e.pad.account] = e.pad
		return nil
	}
	return b.pad(e.balance)
}

// applyTransaction finds the amounts of t that follow from balances, passes its lines to the
// statements, and compares the balances that it asserts.
func (b *book) applyTransaction(t *transaction) error {
	assigned := false
	for i := range t.postings {
		p := &t.postings[i]
		assigned = assigned || p.assigned() && len(p.amounts) == 0
	}
	if !assigned {
		if err := b.lines(t); err != nil {
			return err
		}
	}
	open := assigned
	for i := range t.postings {
		p := &t.postings[i]
		switch {
		case !p.date.IsZero() && p.date != t.date && !assigned:
			continue // an entry of its own
		case !p.date.IsZero() && p.date != t.date:
			return bank.Errorf(p.line, "a transaction whose amounts follow from balances has postings of other days")
		case p.assigned() && len(p.amounts) == 0:
			p.amounts = b.assign(p.assertion)
		}
		if err := b.applyPosting(p); err != nil {
			return err
		}
	}
	if !open {
		return nil
	}
	return b.completeAssigned(t)
}

// completeAssigned finds the amount of t that is left when those that follow from balances are
// known.
func (b *book) completeAssigned(t *transaction) error {
	var open []*posting
	for i := range t.postings {
		if p := &t.postings[i]; p.elided && p.assertion == nil {
			open = append(open, p)
		}
	}
	if err := t.inferAmounts(b.facts.places); err != nil {
		return err
	}
	for _, p := range open {
		if err := b.applyPosting(p); err != nil {
			return err
		}
	}
	return b.lines(t)
}

// assign returns the amounts that make a balance true.
func (b *book) assign(want *balance) []amount {
	has := b.balances(want)
	var all []amount
	if want.total {
		for _, commodity := range slices.Sorted(maps.Keys(has)) {
			if commodity != want.commodity {
				quantity := new(big.Rat).Neg(has[commodity])
				all = append(all, amount{quantity, decimals(quantity, 0), commodity})
			}
		}
	}
	quantity := new(big.Rat).Set(want.quantity)
	if sum := has[want.commodity]; sum != nil {
		quantity.Sub(quantity, sum)
	}
	return append(all, amount{quantity, decimals(quantity, want.places), want.commodity})
}

// balances returns the balances to which a balance refers.
func (b *book) balances(of *balance) map[string]*big.Rat {
	if of.inclusive {
		return b.below[of.account]
	}
	return b.own[of.account]
}

// applyPosting adds a posting to the balances and compares the balance that it asserts.
func (b *book) applyPosting(p *posting) error {
	if !b.facts.asserted {
		return nil
	}
	for i := range p.amounts {
		b.add(p.account, &p.amounts[i])
	}
	if b.sums > maxSums {
		return bank.Errorf(p.line, "too many accounts and commodities")
	}
	if p.lot && p.elided {
		for name := p.account; name != ""; name = above(name) {
			b.unknown[name] = true
		}
	}
	if p.assertion == nil {
		return nil
	}
	return b.compare(p.assertion)
}

func (b *book) add(account string, a *amount) {
	b.addTo(b.own, account, a)
	for name := account; name != ""; name = above(name) {
		b.addTo(b.below, name, a)
	}
}

// maxSums is the largest number of balances that are kept to compare them.
const maxSums = 200_000

// above returns the account above another one, "" if there is none.
func above(account string) string {
	return account[:max(0, strings.LastIndexByte(account, ':'))]
}

func (b *book) addTo(balances map[string]map[string]*big.Rat, account string, a *amount) {
	of := balances[account]
	if of == nil {
		of = map[string]*big.Rat{}
		balances[account] = of
	}
	if of[a.commodity] == nil {
		of[a.commodity] = new(big.Rat)
		b.sums++
	}
	if of[a.commodity].Add(of[a.commodity], a.quantity).Sign() == 0 {
		delete(of, a.commodity)
		b.sums--
	}
}

// compare refuses a balance that is not true.
func (b *book) compare(want *balance) error {
	if b.unknown[want.account] {
		return nil
	}
	has := b.balances(want)
	if difference := want.difference(has); !within(difference, want.tolerance) {
		is := new(big.Rat).Sub(want.quantity, difference)
		return bank.Errorf(want.line, "the balance of %q on %v is %s, and the journal says %s",
			bank.Short(bank.Text(want.account)), want.date, amount{is, decimals(is, want.places), want.commodity}.text(),
			want.text())
	}
	if want.total {
		for commodity := range has {
			if commodity != want.commodity {
				return bank.Errorf(want.line, "%q has other commodities than %q", bank.Short(bank.Text(want.account)),
					bank.Short(bank.Text(want.commodity)))
			}
		}
	}
	return nil
}

// difference returns what has lacks of the balance.
func (want *balance) difference(has map[string]*big.Rat) *big.Rat {
	difference := new(big.Rat).Set(want.quantity)
	if sum := has[want.commodity]; sum != nil {
		difference.Sub(difference, sum)
	}
	return difference
}

// pad compares a balance of beancount, after making it true if a pad of the account asks for it.
func (b *book) pad(want *balance) error {
	p := b.pads[want.account]
	if p == nil || p.padded[want.commodity] {
		return b.compare(want)
	}
	p.padded[want.commodity] = true
	difference := want.difference(b.balances(want))
	if within(difference, want.tolerance) {
		return nil
	}
	places := decimals(difference, want.places)
	t := &transaction{line: p.line, date: p.date, note: "(Padding inserted for Balance of " + want.text() +
		" for difference " + amount{difference, places, want.commodity}.text() + ")"}
	t.text = "  " + t.note
	t.postings = []posting{
		{line: p.line, account: p.account, amounts: []amount{{difference, places, want.commodity}}},
		{line: p.line, account: p.from, amounts: []amount{{new(big.Rat).Neg(difference), places, want.commodity}}},
	}
	return b.applyTransaction(t)
}

// lines passes the postings of t to assets and liabilities to the statements. Postings that only
// assert a balance are none.
func (b *book) lines(t *transaction) error {
	others := t.others()
	for i := range t.postings {
		p := &t.postings[i]
		if p.kind != ordinary || !b.facts.owned(p.account) {
			continue
		}
		line := bank.Line{
			Place: t.line, Booked: p.booked(t), Counterparty: t.payee, Description: t.note, Reference: t.code,
			OtherAccount: others.of(p.account),
		}
		for _, a := range p.amounts {
			if a.quantity.Sign() == 0 && (a.commodity == "" || p.assertion != nil) {
				continue
			}
			line.Raw = raw(line.Booked.String(), t.text, p.account, a.quantity.FloatString(a.places), a.commodity)
			if err := b.found.take(moved{line, p.account, a.commodity, a.quantity}); err != nil {
				return err
			}
		}
	}
	return nil
}

// others holds the accounts of a transaction's ordinary postings, at most three.
type others []string

func (t *transaction) others() others {
	var all others
	for i := range t.postings {
		p := &t.postings[i]
		if p.kind == ordinary && len(all) < 3 && !slices.Contains(all, p.account) {
			all = append(all, p.account)
		}
	}
	return all
}

// of returns the account on the other side of a posting to account, "" if there are several.
func (o others) of(account string) string {
	if len(o) != 2 {
		return ""
	}
	if o[0] == account {
		return bank.Text(o[1])
	}
	return bank.Text(o[0])
}
