package bookkeeping

import (
	"context"
	"encoding/hex"
	"slices"

	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/service/bookrules"
	"tarmac/service/cutoff"
	"tarmac/service/store"
)

// Imports returns all imports that were not undone, the oldest first.
func (b *Books) Imports(ctx context.Context) ([]ownbooks.Import, error) {
	_, imports, err := b.Overview(ctx)
	return imports, err
}

// Accounts returns the accounts of the books in the order in which they first appeared.
func (b *Books) Accounts(ctx context.Context) ([]ownbooks.Account, error) {
	accounts, _, err := b.Overview(ctx)
	return accounts, err
}

// Empty reports whether the books have no imports.
func (b *Books) Empty(ctx context.Context) (empty bool, err error) {
	err = b.Store.Read(ctx, func(snap *store.Snapshot) error {
		imports, err := snap.BookImports(b.Org)
		empty = len(imports) == 0
		return err
	})
	return empty, err
}

// Overview returns the results of Accounts and Imports, read in one database transaction.
func (b *Books) Overview(ctx context.Context) (accounts []ownbooks.Account, imports []ownbooks.Import, err error) {
	accounts, imports = []ownbooks.Account{}, []ownbooks.Import{}
	err = b.Store.Read(ctx, func(snap *store.Snapshot) error {
		l, err := b.load(snap)
		if err != nil {
			return err
		}
		records, err := snap.BookImports(b.Org)
		if err != nil {
			return err
		}
		days, err := CoveredAccounts(snap, b.Org)
		if err != nil {
			return err
		}
		ends := cutoff.Of(days, civil.Of(b.Now()))
		known := map[int64]*cutoff.CutOff{}
		for n := range ends.Accounts {
			known[ends.Accounts[n].Key] = &ends.Accounts[n]
		}
		fresh := make([]int, len(records))
		for _, a := range l.accounts {
			d, err := l.derive(a)
			if err != nil {
				return err
			}
			state := d.state()
			state.PendingMinor = l.pending(&d)
			if k := known[a.Key]; k != nil {
				state.Closed = k.State == cutoff.Closed
				if to := k.AssumedTo; to.Day > 0 {
					state.AssumedTo = &ownbooks.AssumedTo{Day: to.Day.Date(), Source: string(to.Source)}
				}
			}
			accounts = append(accounts, state)
			d.countNew(records, fresh)
		}
		for n, i := range records {
			imports = append(imports, recordOf(i, fresh[n]))
		}
		return nil
	})
	ownbooks.Clean(accounts)
	ownbooks.Clean(imports)
	return accounts, imports, err
}

// recordOf describes an import. The parameter fresh is the number of lines that it added to the
// books.
func recordOf(i bookrules.Import, fresh int) ownbooks.Import {
	r := ownbooks.Import{ID: i.ID, At: i.At, New: fresh}
	for _, f := range i.Files {
		file := ownbooks.ImportedFile{Name: f.Name, Format: f.Format, SHA256: hex.EncodeToString(f.SHA256[:])}
		r.Files = append(r.Files, file)
	}
	return r
}

// countNew adds to fresh[i] the number of the account's lines that imports[i] has and no earlier
// import has. The imports are in the order in which they were made.
func (d *derived) countNew(imports []bookrules.Import, fresh []int) {
	open := make(map[lineGroup]int, len(d.merged))
	for _, g := range countLines(d.merged) {
		open[g.lineGroup] = g.lines
	}
	had := make(map[lineGroup]int, len(open)) // number of lines in the imports that the loop has counted
	last := make(map[lineGroup]int, len(open))
	contents := map[int64]int{} // indexes in contents by file
	for at, file := range d.files {
		contents[file] = at
	}
	for n, i := range imports {
		var own []int
		for _, f := range i.Files {
			if at, has := contents[f.Key]; has {
				own = append(own, at)
			}
		}
		slices.Sort(own)
		for _, at := range slices.Compact(own) {
			content := &d.contents[at]
			own := map[lineGroup]int{}
			for _, e := range content.Entries {
				group := lineGroup{e.Day, e.Minor}
				last[group] = n
				if own[group]++; own[group] > had[group] && had[group] < open[group] {
					had[group]++
					fresh[n]++
				}
			}
		}
	}
	// If one file ends and another begins within a day, each may have different lines of the same
	// amount.
	for group, n := range open {
		if at, found := last[group]; found {
			fresh[at] += n - had[group]
		}
	}
}

// state returns the figures of an account for the user.
func (d *derived) state() ownbooks.Account {
	s := described(d.Account)
	s.Covered, s.Lines = periods(bookrules.Covered(d.contents)), len(d.merged)
	s.Proven, s.Differences = periods(d.proof.Proven), []ownbooks.Difference{}
	s.Months = []ownbooks.AccountMonth{}
	if b, known := bookrules.BookedBalance(d.merged, d.contents); known {
		s.Balance, s.AsOf = &b.Minor, b.Day.Date()
	}
	for _, g := range d.proof.Gaps {
		if len(g.Uncovered) == 0 {
			s.Differences = append(s.Differences, ownbooks.Difference{
				Period:    ownbooks.Period{First: g.From.Day.Date(), Last: g.To.Day.Date()},
				FromMinor: g.From.Minor, ToMinor: g.To.Minor, ResidualMinor: g.Residual,
			})
		}
	}
	s.ResidualMinor, s.Contradiction = d.proof.Residual()
	for _, m := range bookrules.AccountMonths(d.merged, d.contents) {
		month := ownbooks.AccountMonth{
			Period: ownbooks.Period{First: m.First.Date(), Last: m.Last.Date()}, CoveredDays: m.Covered, Lines: m.Lines,
		}
		if !m.Overflows {
			month.InMinor, month.OutMinor = &m.In, &m.Out
		}
		if m.ClosingKnown {
			month.ClosingMinor = &m.Closing
		}
		s.Months = append(s.Months, month)
	}
	return s
}

// described returns an account for the user, without figures.
func described(a bookrules.Account) ownbooks.Account {
	return ownbooks.Account{
		Number: ShortNumber(a.Number), Bank: a.Bank, Name: a.Name, Renamed: a.Renamed, Currency: a.Currency,
		Role: string(a.Role),
	}
}

func periods(spans []bookrules.Span) []ownbooks.Period {
	all := make([]ownbooks.Period, len(spans))
	for n, span := range spans {
		all[n] = ownbooks.Period{First: span.First.Date(), Last: span.Last.Date()}
	}
	return all
}
