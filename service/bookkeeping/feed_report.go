package bookkeeping

import (
	"slices"

	"tarmac/internal/ownbooks"
	"tarmac/service/bookrules"
)

// derive updates the ledger and adds the figures of the reading to the report.
func (f *feedImport) derive() error {
	report := clone(f.report)
	return f.change.derive(func(l *ledgerBooks) (d derivedBooks, err error) {
		*f.report = *clone(report)
		if d.matching, err = l.matching(); err != nil {
			return d, err
		}
		all := d.matching.accounts
		for _, a := range f.accounts {
			if err := f.describe(l, a, &all[d.matching.byKey[a.key]]); err != nil {
				return d, err
			}
		}
		f.read = []readFile{{key: f.recognized.file.Key}}
		f.reportQuestions(d.matching)
		f.reportCurrency(l)
		return d, nil
	})
}

// describe adds what the reading changed in an account to the report.
func (f *feedImport) describe(l *ledgerBooks, a *feedAccount, after *derived) error {
	before := l.beforeReading(a, after, f.recognized.file.Key)
	s := a.report
	s.Account, s.Bank, s.Currency = ShortNumber(after.Number), after.Bank, ownbooks.Optional(after.Currency)
	added, removed, changed := compareReadings(a, &before, after)
	s.New, s.Changed = added, changed
	s.Known = s.Lines - added
	report := f.report.Feed
	report.Accounts = append(report.Accounts, s.Account)
	report.Added += added
	report.Changed += changed
	report.Removed += removed
	report.Pending += s.Pending
	if s.ResidualMinor, s.Contradiction = after.proof.Residual(); s.Contradiction {
		report.Residuals = append(report.Residuals, after.contradiction())
	}
	file := &f.report.Files[0]
	file.Statements = append(file.Statements, s)
	return f.nameMissingRate(l, after.Account, after.unratedDay(l.currency))
}

// beforeReading returns an account as it was before the reading.
func (l *ledgerBooks) beforeReading(a *feedAccount, after *derived, file int64) derived {
	before := derived{
		Account: after.Account, contents: slices.Clone(after.contents), files: slices.Clone(after.files),
	}
	at := slices.Index(after.files, file)
	if len(a.change.CoveredBefore) == 0 {
		before.contents, before.files = slices.Delete(before.contents, at, at+1), slices.Delete(before.files, at, at+1)
	} else {
		c := &before.contents[at]
		c.Covered = a.change.CoveredBefore
		c.Entries = slices.DeleteFunc(slices.Clone(c.Entries), func(e bookrules.Entry) bool {
			_, inserted := a.after[e.Line]
			return inserted
		})
		for _, line := range a.before {
			if !line.Pending {
				c.Entries = append(c.Entries, bookrules.EntryOf(line))
			}
		}
		c.SortEntries()
	}
	if len(before.contents) > 0 {
		l.merge(&before)
	}
	return before
}

// compareReadings returns how many booked lines of an account the reading added to the books and
// removed from them, and how many lines have another text, day or amount by it.
func compareReadings(a *feedAccount, before, after *derived) (added, removed, changed int) {
	gone, come := map[string]int{}, map[string]int{} // numbers of lines by the provider's id
	had, has := before.merged, after.merged
	for len(had) > 0 || len(has) > 0 {
		order := 0
		switch {
		case len(had) == 0:
			order = 1
		case len(has) == 0:
			order = -1
		default:
			order = compareMerged(had[0], has[0])
		}
		switch {
		case order < 0:
			gone[a.before[had[0].Line].ID]++
			removed++
		case order > 0:
			come[a.after[has[0].Line].ID]++
			added++
		case a.hasOtherText(had[0].Line, has[0].Line):
			changed++
		}
		if order <= 0 {
			had = had[1:]
		}
		if order >= 0 {
			has = has[1:]
		}
	}
	for id, n := range gone {
		if both := min(n, come[id]); id != "" {
			added, removed, changed = added-both, removed-both, changed+both
		}
	}
	return added, removed, changed
}

// hasOtherText reports whether the text of a transaction changed. before and after are the keys of
// its line in the old and in the new reading.
func (a *feedAccount) hasOtherText(before, after int64) bool {
	line, inserted := a.after[after]
	if !inserted {
		return false
	}
	replaced, known := a.before[before]
	return !known || !bookrules.SameTexts(replaced.Line, line.Line)
}
