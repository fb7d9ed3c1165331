package bookkeeping

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/internal/plural"
	"tarmac/service/bookrules"
)

// derive merges and checks the lines of all accounts, adds the figures to the report, and publishes
// the ledger unless the import is a preview or has failed.
func (i *importing) derive() error {
	report := clone(i.report)
	err := i.change.derive(func(l *ledgerBooks) (derivedBooks, error) {
		*i.report = *clone(report)
		d, err := i.deriveFrom(l)
		d.discard = i.report.Failed() || len(i.read) == 0
		return d, err
	})
	i.report.PaidInvoices, i.change.added = i.change.paid, newLines(i.report)
	return err
}

// deriveFrom merges and checks the lines of all accounts, and adds the figures to the report.
func (i *importing) deriveFrom(l *ledgerBooks) (d derivedBooks, err error) {
	fresh := map[int64]bool{}
	anyFresh := false
	for _, f := range i.read {
		fresh[f.key] = !f.known
		anyFresh = anyFresh || fresh[f.key]
	}
	changed := anyFresh || i.rulesChanged || len(i.options.Balances) > 0
	i.report.Unchanged = !changed && len(i.read) > 0
	if !changed {
		if described, err := i.describeKnown(l); described || err != nil {
			return d, err
		}
	}
	var all []derived
	for _, a := range l.accounts {
		concerned := i.concerns(a.Key)
		if !concerned && !changed {
			continue
		}
		after, err := l.derive(a)
		if err != nil {
			return d, err
		}
		all = append(all, after)
		if !concerned {
			continue
		}
		before := l.without(&after, func(file int64) bool { return fresh[file] })
		i.describe(&before, &after)
		if err := i.nameMissingRate(l, after.Account, after.unratedDay(l.currency)); err != nil {
			return d, err
		}
	}
	switch {
	case i.report.Failed():
		return d, nil
	case !changed:
		return derivedBooks{accounts: all}, nil
	}
	i.reportCurrency(l)
	if d.matching, err = newMatching(l, all); err != nil {
		return d, err
	}
	i.reportQuestions(d.matching)
	i.reportTransfers(d.matching)
	return d, nil
}

// reportQuestions adds the open questions about lines of this import to the report.
func (i *importing) reportQuestions(mt *matching) {
	more := map[int]int{} // numbers of questions that are not named, by index in Report.Files
	for _, q := range mt.questions {
		if f, found := i.fileOf(mt, q); found {
			report := &i.report.Files[f.report]
			if len(i.report.Questions) >= mostReported {
				i.report.Questions = append(i.report.Questions, q.OpenQuestion)
				more[f.report]++
				continue
			}
			i.report.Questions = append(i.report.Questions, q.shown())
			report.Problems = append(report.Problems, q.notice())
		}
	}
	for n, count := range more {
		report := &i.report.Files[n]
		report.Problems = append(report.Problems, plural.Count(count, "more open question")+" about its lines")
	}
}

// mostReported is the largest number of questions that a report names, with their choices.
const mostReported = 1000

// reportTransfers adds to the report how many lines of each file are sides of transfers.
func (i *importing) reportTransfers(mt *matching) {
	statements := make([]map[int64]*ownbooks.Statement, len(i.read)) // by account
	for n, f := range i.read {
		statements[n] = map[int64]*ownbooks.Statement{}
		of := i.report.Files[f.report].Statements
		for at := range of {
			if statements[n][of[at].Key] == nil {
				statements[n][of[at].Key] = &of[at]
			}
		}
	}
	for n := range mt.accounts {
		a := &mt.accounts[n]
		sides := map[lineGroup]int{}
		for at, m := range a.merged {
			switch mt.transfers.Treatments[a.firstMovement+at] {
			case bookrules.IsPaired, bookrules.IsInTransit, bookrules.IsOneSided:
				sides[lineGroup{m.Day, m.Minor}]++
			}
		}
		for n, f := range i.read {
			content, statement := slices.Index(a.files, f.key), statements[n][a.Key]
			if content < 0 || statement == nil || len(sides) == 0 {
				continue
			}
			left := maps.Clone(sides)
			for _, e := range a.contents[content].Entries {
				if group := (lineGroup{e.Day, e.Minor}); left[group] > 0 {
					left[group]--
					statement.Transfers++
				}
			}
		}
	}
}

// fileOf returns the last file of this import that has the line or the invoice that a question is
// about.
func (i *importing) fileOf(mt *matching, q *question) (readFile, bool) {
	for _, f := range slices.Backward(i.read) {
		if q.file != 0 && q.file == f.key || mt.hasLine(f.key, otherLine{q.account, q.lineGroup}) ||
			q.other != nil && mt.hasLine(f.key, *q.other) {
			return f, true
		}
	}
	return readFile{}, false
}

// hasLine reports whether a file has a line.
func (mt *matching) hasLine(file int64, line otherLine) bool {
	at, known := mt.byKey[line.account]
	if !known {
		return false
	}
	content := slices.Index(mt.accounts[at].files, file)
	if content < 0 {
		return false
	}
	_, found := slices.BinarySearchFunc(mt.accounts[at].contents[content].Entries, line.lineGroup,
		func(e bookrules.Entry, g lineGroup) int { return lineGroup{e.Day, e.Minor}.compare(g) })
	return found
}

// concerns reports whether a file of this import has a statement of the account.
func (i *importing) concerns(account int64) bool {
	for n := range i.read {
		if i.read[n].has(account) {
			return true
		}
	}
	return false
}

// describe adds the figures of an account's statements to the report. It compares the account with
// and without the files of this import, to tell new lines from known ones.
func (i *importing) describe(before, after *derived) {
	residual, contradiction := after.proof.Residual()
	words, added := after.contradiction(), addedLines(before, after)
	for n := range i.read {
		f := &i.read[n]
		s, found := i.summarize(f, after.Account)
		if !found {
			continue
		}
		s.New, s.Known = compare(f, after, added)
		s.Changed = changed(f, before, after)
		s.ResidualMinor, s.Contradiction = residual, contradiction
		words := words
		if broken := f.broken(after.Key); broken != "" {
			words, s.Contradiction = broken, true
		}
		for n, c := range after.contents {
			if last := len(c.Entries) - 1; after.files[n] == f.key && last >= 0 {
				s.First, s.Last = c.Entries[0].Day.Date(), c.Entries[last].Day.Date()
			}
		}
		i.addStatement(f, s, words)
	}
}

// broken says where the running balances of an account do not follow from its amounts in the file;
// "" if they do.
func (f *readFile) broken(account int64) string {
	for _, n := range f.of(account) {
		if !f.known && f.sources[n].source.Broken != "" {
			return f.sources[n].source.Broken
		}
	}
	return ""
}

// addStatement adds the figures of an account's statements in a file to the report. contradiction
// says how the account's lines do not add up to its balances; "" if they do.
func (i *importing) addStatement(f *readFile, s ownbooks.Statement, contradiction string) {
	report := &i.report.Files[f.report]
	s.Reason = contradiction
	report.Statements = append(report.Statements, s)
	switch {
	case contradiction == "":
	case i.options.AcceptResidual || i.options.Preview:
		report.Problems = append(report.Problems, contradiction)
	default:
		report.Error = contradiction + "; import it all the same with --accept-residual"
	}
}

// contradiction returns a message for an account whose lines do not add up to its balances. It says
// between which balances, which amount is missing, and which line could explain it. It returns ""
// if the lines add up.
func (a *derived) contradiction() string {
	for _, g := range a.proof.Gaps {
		if len(g.Uncovered) > 0 {
			continue
		}
		words := a.gapText(g)
		for _, m := range a.merged {
			if m.Day < g.From.Day || m.Day > g.To.Day {
				continue
			}
			switch {
			case m.Minor == -g.Residual:
				return fmt.Sprintf("%s; the line of %s on %s is that amount and may be there twice", words,
					money.Format(m.Minor, a.Currency), m.Day.Date())
			case 2*m.Minor == -g.Residual:
				return fmt.Sprintf("%s; the line of %s on %s may have the wrong sign", words,
					money.Format(m.Minor, a.Currency), m.Day.Date())
			}
		}
		return words
	}
	return ""
}

// gapText says between which balances of the account which amount is missing.
func (a *derived) gapText(g bookrules.Gap) string {
	account := ShortNumber(a.Number)
	if g.From.Day == g.To.Day && !g.From.Opening && !g.To.Opening {
		return fmt.Sprintf("%s does not add up on %s: its balances of %s and %s contradict each other",
			account, g.To.Day.Date(), money.Format(g.From.Minor, a.Currency), money.Format(g.To.Minor, a.Currency))
	}
	return fmt.Sprintf("%s does not add up from %s to %s: %s is missing between the balances",
		account, g.From.Day.Date(), g.To.Day.Date(), money.Format(g.Residual, a.Currency))
}

// summarize returns the figures of an account's statements in one file, without the dates and what
// the books knew before. It returns false if the file has no statements of the account.
func (i *importing) summarize(f *readFile, a bookrules.Account) (r ownbooks.Statement, found bool) {
	r = ownbooks.Statement{
		Key: a.Key, Account: ShortNumber(a.Number), Bank: a.Bank, Currency: ownbooks.Optional(a.Currency),
	}
	if a.Number == "" || i.options.AllowUnnamed && i.unnamed(a) {
		r.Account = ""
	}
	for _, n := range f.of(a.Key) {
		s := &f.statements[n]
		if !f.known {
			shown := f.sources[n].shown
			r.Read = append(r.Read, shown[:min(len(shown), ownbooks.MaxRead-len(r.Read))]...)
		}
		if !found && s.Opening != nil {
			r.Opening = &s.Opening.Minor
		}
		found = true
		if s.Closing != nil {
			r.Closing = &s.Closing.Minor
		}
		r.Lines += s.Lines
		r.InMinor += s.InflowMinor
		r.OutMinor += s.OutflowMinor
		r.Pending += s.PendingLines
	}
	return r, found
}

// unnamed reports whether an account was added only for the preview of a file that does not name
// its account.
func (i *importing) unnamed(a bookrules.Account) bool {
	for at := range i.read {
		f := &i.read[at]
		for _, n := range f.of(a.Key) {
			if !f.known && f.unnamed && f.sources[n].source.Account.Number == "" {
				return true
			}
		}
	}
	return false
}

// lineGroup is a day and an amount. Lines with the same day and amount cannot be told apart.
type lineGroup struct {
	day   bookrules.Day
	minor int64
}

func (g lineGroup) compare(other lineGroup) int {
	return cmp.Or(cmp.Compare(g.day, other.day), cmp.Compare(g.minor, other.minor))
}

// groupCount is the number of lines in a group.
type groupCount struct {
	lineGroup
	lines int
}

// countLines returns the number of lines for each day and amount, in that order.
func countLines(merged []bookrules.Merged) []groupCount {
	groups := make([]groupCount, 0, len(merged))
	for _, m := range merged {
		group := lineGroup{m.Day, m.Minor}
		if last := len(groups) - 1; last >= 0 && groups[last].lineGroup == group {
			groups[last].lines++
		} else {
			groups = append(groups, groupCount{group, 1})
		}
	}
	return groups
}

// addedLines returns how many lines an import adds for each day and amount. The number is negative
// if it removes lines, because another file dates them differently.
func addedLines(before, after *derived) []groupCount {
	added, had := countLines(after.merged), countLines(before.merged)
	for i := range added {
		g := &added[i]
		for len(had) > 0 && had[0].compare(g.lineGroup) < 0 {
			had = had[1:]
		}
		if len(had) > 0 && had[0].lineGroup == g.lineGroup {
			g.lines -= had[0].lines
		}
	}
	return added
}

// compare returns how many of a file's lines are new to the books, and how many the books had
// before. The list added has the number of lines that this import adds for each day and amount.
// From it, compare removes the lines that it counts as new, so that a later file of the import
// counts them as known. Lines that the books have with another date count as known too.
func compare(f *readFile, a *derived, added []groupCount) (fresh, known int) {
	for n, c := range a.contents {
		if a.files[n] != f.key {
			continue
		}
		rest := added
		for _, e := range c.Entries {
			group := lineGroup{e.Day, e.Minor}
			for len(rest) > 0 && rest[0].compare(group) < 0 {
				rest = rest[1:]
			}
			if len(rest) > 0 && rest[0].lineGroup == group && rest[0].lines > 0 {
				rest[0].lines--
				fresh++
			} else {
				known++
			}
		}
	}
	return fresh, known
}

// changed returns the number of lines that the books had before this import and whose text now
// comes from the file f.
func changed(f *readFile, before, after *derived) (n int) {
	if f.known || len(before.merged) == 0 {
		return 0
	}
	own := map[int64]bool{}
	for i, c := range after.contents {
		if after.files[i] == f.key {
			for _, e := range c.Entries {
				own[e.Line] = true
			}
		}
	}
	had := before.merged
	for _, m := range after.merged {
		for len(had) > 0 && compareMerged(had[0], m) < 0 {
			had = had[1:]
		}
		if len(had) > 0 && compareMerged(had[0], m) == 0 && own[m.Line] {
			n++
		}
	}
	return n
}

func compareMerged(a, b bookrules.Merged) int {
	return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Minor, b.Minor), cmp.Compare(a.Ordinal, b.Ordinal))
}
