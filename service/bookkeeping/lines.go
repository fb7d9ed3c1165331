package bookkeeping

import (
	"cmp"
	"context"
	"slices"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
)

// LineFilter selects lines of the books.
type LineFilter struct {
	Account string // account as FindAccount takes it; "" for all accounts
	Days    civil.Period
}

// LineRecord describes a line of an account for the output of `tarmac books lines`.
type LineRecord struct {
	ID string `json:"id"`
	// Account is "…" and the last four characters of the number, or the whole name.
	Account      string  `json:"account"`
	Date         string  `json:"date"`
	AmountMinor  int64   `json:"amount_minor"` // without its sign
	Direction    string  `json:"direction"`    // "inflow" or "outflow"
	Currency     string  `json:"currency"`
	Counterparty string  `json:"counterparty"`
	Description  string  `json:"description"`
	Status       string  `json:"status"`      // "booked" or "pending"
	Transfer     bool    `json:"transfer"`    // true for a side of a transfer between own accounts
	Transaction  *string `json:"transaction"` // id in the API; nil if the line is no transaction
}

// Lines calls visit for each line of the books that the filter selects, the oldest first. It
// includes only the current pending lines of each account. If visit returns an error, Lines
// stops and returns it.
func (b *Books) Lines(ctx context.Context, filter LineFilter, visit func(LineRecord) error) error {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	return b.Store.Read(ctx, func(snap *store.Snapshot) error {
		mt, err := b.matching(snap)
		if err != nil {
			return err
		}
		l := lister{matching: mt, days: filter.days(), visit: visit}
		if filter.Account != "" {
			account, err := FindAccount(mt.books.accounts, filter.Account)
			if err != nil {
				return err
			}
			l.account = account.Key
		}
		return l.run()
	})
}

// days returns the days that the filter selects.
func (f LineFilter) days() bookrules.Span {
	span := bookrules.Span{First: bookrules.DayOf(f.Days.From), Last: 1 << 30}
	if !f.Days.To.IsZero() {
		span.Last = bookrules.DayOf(f.Days.To)
	}
	return span
}

// matching derives all accounts of the stored books and returns their matching.
func (b *Books) matching(r reader) (*matching, error) {
	l, accounts, err := b.deriveAll(r)
	if err != nil {
		return nil, err
	}
	return newMatching(l, accounts)
}

// lister passes the lines of a matching to visit, as records for the user.
type lister struct {
	matching *matching
	account  int64 // key of the only account whose lines are wanted; 0 for all
	days     bookrules.Span
	pending  []LineRecord // pending lines that were not visited yet, the oldest first
	visit    func(LineRecord) error
}

func (l *lister) run() error {
	if err := l.readPending(); err != nil {
		return err
	}
	for month := range l.matching.months() {
		days := bookrules.Span{First: max(month.First, l.days.First), Last: min(month.Last, l.days.Last)}
		if days.First > days.Last {
			continue
		}
		entries, err := l.matching.entries(days)
		if err != nil {
			return err
		}
		for i := range entries {
			if l.account != 0 && l.matching.accounts[entries[i].account].Key != l.account {
				continue
			}
			record := l.record(&entries[i])
			if err := l.visitPending(record.Date); err != nil {
				return err
			}
			if err := l.visit(record); err != nil {
				return err
			}
		}
	}
	return l.visitPending("")
}

// visitPending visits the pending lines of days before date, or all that are left if date is "".
func (l *lister) visitPending(date string) error {
	for len(l.pending) > 0 && (date == "" || l.pending[0].Date < date) {
		if err := l.visit(l.pending[0]); err != nil {
			return err
		}
		l.pending = l.pending[1:]
	}
	return nil
}

// record returns a booked line as a record.
func (l *lister) record(e *entry) LineRecord {
	a := &l.matching.accounts[e.account]
	treatment := l.matching.transfers.Treatments[e.movement]
	r := l.texts(a, *e.merged, *e.text, l.matching.nameIn(e))
	r.ID, r.Status = bookrules.LineID(a.Account, *e.merged), "booked"
	r.Transfer = treatment == bookrules.IsPaired || treatment == bookrules.IsInTransit || treatment == bookrules.IsOneSided
	if e.row != nil {
		r.Transaction = &e.row.ID
	}
	return r
}

// texts returns a record with the fields that booked and pending lines share. name is the name in
// the text.
func (l *lister) texts(a *derived, m bookrules.Merged, text bank.Line, name string) LineRecord {
	row := bookrules.Row(a.Account, m, text, name, l.matching.books.rules.Apply(a.Account, text), bookrules.Valuation{})
	return LineRecord{
		Account: ShortNumber(a.Number), Date: row.Date.String(), AmountMinor: row.AmountMinor,
		Direction: row.Direction.String(), Currency: a.Currency, Counterparty: row.Counterparty, Description: row.Memo,
	}
}

// readPending reads the current pending lines of each account.
func (l *lister) readPending() error {
	for n := range l.matching.accounts {
		a := &l.matching.accounts[n]
		if l.account != 0 && a.Key != l.account {
			continue
		}
		if err := l.readPendingOf(a); err != nil {
			return err
		}
	}
	slices.SortStableFunc(l.pending, func(x, y LineRecord) int { return cmp.Compare(x.Date, y.Date) })
	return nil
}

func (l *lister) readPendingOf(a *derived) error {
	statements := l.matching.books.newestStatements(a)
	if !slices.ContainsFunc(statements, func(s bookrules.Statement) bool { return s.PendingLines > 0 }) {
		return nil
	}
	current := map[int64]bool{}
	for _, s := range statements {
		current[s.Key] = true
	}
	var lines []bookrules.Line
	err := l.matching.books.BookLines(l.matching.books.Org, a.Key, l.days, func(line bookrules.Line) error {
		if line.Pending && current[line.Statement] {
			lines = append(lines, line)
		}
		return nil
	})
	slices.SortFunc(lines, func(x, y bookrules.Line) int { return cmp.Compare(x.Key, y.Key) })
	equal := map[lineGroup]int{}
	for _, line := range lines {
		group := lineGroup{bookrules.DayOf(line.Booked), line.Minor}
		equal[group]--
		// Booked lines have positive ordinals, so that no booked line has the same id.
		m := bookrules.Merged{Day: group.day, Minor: group.minor, Ordinal: equal[group]}
		r := l.texts(a, m, line.Line, bookrules.Name(line.Line))
		r.ID, r.Status = bookrules.LineID(a.Account, m), "pending"
		l.pending = append(l.pending, r)
	}
	return err
}
