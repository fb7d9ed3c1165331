package bookkeeping

import (
	"slices"

	"tarmac/service/bookrules"
	"tarmac/service/store"
)

// replace replaces what earlier readings of the connection say about an account on the days that
// the reading covers. Lines of days that have not changed stay as they are.
func (f *feedImport) replace(a *feedAccount) error {
	statements := slices.DeleteFunc(slices.Clone(f.statements), func(s bookrules.Statement) bool {
		return s.File != f.recognized.file.Key || s.Account != a.key
	})
	slices.SortFunc(statements, func(x, y bookrules.Statement) int { return int(x.Key - y.Key) })
	for _, s := range statements {
		a.change.CoveredBefore = append(a.change.CoveredBefore, s.Covered)
	}
	a.change.CoveredBefore = bookrules.Join(a.change.CoveredBefore)
	f.connect(a)
	a.change.Covered = a.covered
	before, err := f.replacedLines(a)
	if err != nil {
		return err
	}
	a.change.Before, a.change.After = before.Booked(), a.lines.Booked()
	if err := f.checkRemoved(a); err != nil {
		return err
	}
	if len(statements) == 0 {
		// Lines need the key of their statement; the method storeCovered completes the statement.
		holder := bookrules.Statement{File: f.recognized.file.Key, Account: a.key}
		if holder.Key, err = f.addHolder(a, holder); err != nil {
			return err
		}
		statements = []bookrules.Statement{holder}
	}
	holder := statements[0]
	if err := f.replaceLines(a, &holder, before); err != nil {
		return err
	}
	statements[0] = holder
	if err := f.storeCovered(a, statements); err != nil {
		return err
	}
	return f.storeBalances(a)
}

// connect connects the days that the reading covers with those of earlier readings.
func (f *feedImport) connect(a *feedAccount) {
	before := a.change.CoveredBefore
	if f.feed.History {
		a.covered = bookrules.ExtendHistory(a.covered, before)
	} else if len(before) > 0 && a.covered[0].First > before[len(before)-1].Last+1 {
		f.report.Feed.Gap = true
	}
}

// replacedLines returns the lines of earlier readings that the reading replaces: those of the days
// that it covers, and all pending ones if no earlier reading covers later days.
func (f *feedImport) replacedLines(a *feedAccount) (bookrules.DayLines, error) {
	days := bookrules.Span{First: a.covered[0].First, Last: a.lastDay()}
	var lines []bookrules.Line
	err := f.change.look(func(r reader) (err error) {
		lines, err = r.BookFeedLines(f.change.Org, f.recognized.file.Key, a.key, days)
		return err
	})
	if err != nil {
		return nil, err
	}
	newest := true
	for _, s := range a.change.CoveredBefore {
		newest = newest && s.Last <= a.lastDay()
	}
	replaced := bookrules.DayLines{}
	for _, l := range lines {
		if day := bookrules.DayOf(l.Booked); a.covers(day) || l.Pending && newest {
			replaced[day] = append(replaced[day], l)
		}
	}
	return replaced, nil
}

// checkRemoved returns a *RemovedError if the reading lacks too many lines of earlier readings.
func (f *feedImport) checkRemoved(a *feedAccount) error {
	removed := bookrules.Removed(a.change.Before, a.change.After)
	if f.feed.AcceptRemoved || !bookrules.ManyRemoved(removed, len(a.change.Before)) {
		return nil
	}
	return &RemovedError{
		Account: f.nameOf(a.key), Removed: removed, Booked: len(a.change.Before),
		First: a.covered[0].First.Date(), Last: a.lastDay().Date(),
	}
}

// nameOf returns an account as StatementReport has it.
func (f *feedImport) nameOf(account int64) string {
	at := slices.IndexFunc(f.importing.accounts, func(a bookrules.Account) bool { return a.Key == account })
	return ShortNumber(f.importing.accounts[at].Number)
}

// replaceLines deletes the lines of changed days, and inserts the lines of the reading for them. It
// updates the totals of the statement that holds the account's lines.
func (f *feedImport) replaceLines(a *feedAccount, holder *bookrules.Statement, before bookrules.DayLines) error {
	a.before, a.after = map[int64]bookrules.Line{}, map[int64]bookrules.Line{}
	changed := bookrules.ChangedDays(before, a.lines)
	f.news = f.news || len(changed) > 0
	var deleted []int64
	var inserted []bookrules.Line
	if err := f.forgetPacks(a, changed); err != nil {
		return err
	}
	for _, day := range changed {
		for _, l := range before[day] {
			deleted = append(deleted, l.Key)
			a.before[l.Key] = l
			addTotals(holder, l, -1)
		}
		for _, l := range a.lines[day] {
			l.Statement = holder.Key
			inserted = append(inserted, l)
			addTotals(holder, l, 1)
		}
	}
	// Lines are inserted before others are deleted, so that no key is used again: a key stands for
	// the text of its line (publisher.inputsOf).
	if err := f.insertLines(a, inserted); err != nil {
		return err
	}
	if f.edited != nil {
		f.edited.delete(deleted)
	}
	err := f.store(func(tx *store.Tx) error { return tx.DeleteBookLines(f.change.Org, deleted) })
	if err != nil || len(inserted) == 0 {
		return err
	}
	if f.edited != nil {
		a.after, err = f.edited.insertedLines(a)
		return err
	}
	after, err := f.replacedLines(a)
	for _, day := range changed {
		for _, l := range after[day] {
			a.after[l.Key] = l
		}
	}
	return err
}

// addHolder adds the statement that holds the lines of an account, and returns its key.
func (f *feedImport) addHolder(a *feedAccount, holder bookrules.Statement) (key int64, err error) {
	if f.edited != nil {
		return f.edited.addAside(a)
	}
	err = f.change.write(func(tx *store.Tx) (err error) {
		key, err = tx.InsertBookStatement(f.change.Org, holder)
		return err
	})
	return key, err
}

// insertLines inserts lines of an account.
func (f *feedImport) insertLines(a *feedAccount, lines []bookrules.Line) error {
	if f.edited != nil && len(lines) > 0 {
		aside, err := f.edited.addAside(a)
		if err != nil {
			return err
		}
		for n := range lines {
			lines[n].Statement = aside
		}
	}
	for some := range slices.Chunk(lines, batchLines) {
		if err := f.change.write(func(tx *store.Tx) error { return tx.InsertBookLines(f.change.Org, some) }); err != nil {
			return err
		}
	}
	return nil
}

// forgetPacks removes the packs of all months that contain one of the days.
func (f *feedImport) forgetPacks(a *feedAccount, days []bookrules.Day) error {
	last := bookrules.Day(0)
	for _, day := range days {
		if day <= last {
			continue
		}
		month := monthOf(day)
		last = month.Last
		p := store.BookPack{File: f.recognized.file.Key, Account: a.key, Month: month.First}
		if f.edited != nil {
			f.edited.months[a.key] = append(f.edited.months[a.key], month.First)
		}
		if err := f.store(func(tx *store.Tx) error { return tx.SetBookPack(f.change.Org, p) }); err != nil {
			return err
		}
	}
	return nil
}

// addTotals adds a line to the totals of a statement, or subtracts it if sign is -1.
func addTotals(s *bookrules.Statement, l bookrules.Line, sign int64) {
	switch {
	case l.Pending:
		s.PendingLines += int(sign)
		s.PendingMinor += sign * l.Minor
		return
	case l.Minor < 0:
		s.OutflowMinor -= sign * l.Minor
	default:
		s.InflowMinor += sign * l.Minor
	}
	s.Lines += int(sign)
}

// storeCovered stores the days that all readings cover, with a statement for each span of days. The
// first of the statements holds the lines of all spans. What the reading says about the account
// replaces what earlier ones say.
func (f *feedImport) storeCovered(a *feedAccount, statements []bookrules.Statement) error {
	covered := bookrules.Join(slices.Concat(a.change.CoveredBefore, a.covered))
	f.news = f.news || !slices.Equal(covered, a.change.CoveredBefore) || len(covered) != len(statements) ||
		slices.ContainsFunc(statements, func(s bookrules.Statement) bool { return s.Facts != a.facts })
	var after []bookrules.Statement
	for n, span := range covered {
		s := bookrules.Statement{File: f.recognized.file.Key, Account: a.key}
		if n < len(statements) {
			s = statements[n]
		}
		s.Facts, s.Covered = a.facts, span
		after = append(after, s)
		err := f.store(func(tx *store.Tx) (err error) {
			if s.Key != 0 {
				return tx.UpdateBookStatement(f.change.Org, s)
			}
			_, err = tx.InsertBookStatement(f.change.Org, s)
			return err
		})
		if err != nil {
			return err
		}
	}
	if f.edited != nil {
		f.edited.statements[a.key] = after
	}
	for _, s := range statements[min(len(covered), len(statements)):] {
		if err := f.store(func(tx *store.Tx) error { return tx.DeleteBookStatement(f.change.Org, s.Key) }); err != nil {
			return err
		}
	}
	return nil
}

// storeBalances stores the balance of the reading, and corrects or removes those of earlier
// readings (bookrules.EarlierBalances).
func (f *feedImport) storeBalances(a *feedAccount) error {
	if a.closing == nil {
		return nil
	}
	present := bookrules.FeedBalance{
		File: f.recognized.file.Key, Account: a.key, Day: a.closing.Day, Minor: a.closing.Minor,
	}
	var before []bookrules.FeedBalance
	for _, b := range f.balances {
		if b.File == present.File && b.Account == a.key {
			before = append(before, b)
		}
	}
	after := append(bookrules.EarlierBalances(before, present, a.change), present)
	f.news = f.news || !sameBalances(before, after)
	if f.edited != nil {
		f.edited.balances[a.key] = after
	}
	return f.store(func(tx *store.Tx) error {
		for _, b := range before {
			if !slices.ContainsFunc(after, func(o bookrules.FeedBalance) bool { return o.Day == b.Day }) {
				if err := tx.DeleteBookFeedBalance(f.change.Org, b); err != nil {
					return err
				}
			}
		}
		for _, b := range after {
			if !slices.Contains(before, b) {
				if err := tx.SetBookFeedBalance(f.change.Org, b); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// sameBalances reports whether two lists have the same balances, in any order.
func sameBalances(before, after []bookrules.FeedBalance) bool {
	missing := func(list []bookrules.FeedBalance) func(bookrules.FeedBalance) bool {
		return func(b bookrules.FeedBalance) bool { return !slices.Contains(list, b) }
	}
	return !slices.ContainsFunc(before, missing(after)) && !slices.ContainsFunc(after, missing(before))
}
