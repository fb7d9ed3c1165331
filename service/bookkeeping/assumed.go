package bookkeeping

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tarmac/internal/ownbooks"
	"tarmac/service/bookrules"
	"tarmac/service/cutoff"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
)

// AboutQuiet asks whether an account without lines since its last statement is unchanged. Until the
// user answers, it's assumed to be.
const AboutQuiet ownbooks.QuestionKind = "quiet"

// AboutClosed asks whether an emptied account without later statements is closed. Until
// the user answers, later statements are missing.
const AboutClosed ownbooks.QuestionKind = "closed"

// Prefixes of the keys of answers about accounts. The currency, the last known day and the identity
// follow, so that an account with later statements is asked about again.
const (
	quietKey  = "quiet "
	closedKey = "closed "
)

// findAssumed sets mt.known: the accounts with the evidence for their last known day. It asks about
// accounts whose later statements are missing.
func (mt *matching) findAssumed() error {
	mt.known = make([]cutoff.Account, len(mt.accounts))
	firsts := make([]bookrules.Day, len(mt.accounts))
	names, err := mt.namedPeriods()
	if err != nil {
		return err
	}
	newest := bookrules.Day(0) // last day of an account that isn't closed
	for n := range mt.accounts {
		a, k := &mt.accounts[n], &mt.known[n]
		k.Account, k.Covered = a.Account, mt.own[a.Key].Covered
		k.Said = saidLast(mt.books.stored(a.Key).statements)
		firsts[n] = bookrules.FirstDay(a.contents)
		if a.Role == bookrules.Closed || a.Role == bookrules.Excluded {
			continue
		}
		k.Weaker = append(names[a.Key], a.equalBalance()...)
		for _, e := range append(k.Weaker, cutoff.Evidence{Span: bookrules.Span{Last: lastOf(k.Covered)}}) {
			newest = max(newest, e.Last)
		}
	}
	cutoff.SinceFirst(mt.known, firsts)
	moved := mt.movedSince()
	for n := range mt.accounts {
		a, k := &mt.accounts[n], &mt.known[n]
		if a.Role == bookrules.Excluded || a.Role == bookrules.Closed || len(k.Covered) == 0 {
			continue
		}
		last := lastOf(k.Covered)
		if day := moved[a.Key]; day+bookrules.TransferDays > last {
			k.Weaker = slices.DeleteFunc(k.Weaker, func(e cutoff.Evidence) bool { return day+bookrules.TransferDays <= e.Last })
			continue
		}
		closed, err := mt.findClosings(n, newest)
		if err == nil && !closed {
			err = mt.findQuiet(n, newest)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func lastOf(days []bookrules.Span) bookrules.Day {
	if len(days) == 0 {
		return 0
	}
	return days[len(days)-1].Last
}

// saidLast reports whether the newest day of statements is one that the user said.
func saidLast(statements []bookrules.Statement) bool {
	said, last := false, bookrules.Day(0)
	for _, s := range statements {
		if s.Covered.Last > last || s.Covered.Last == last && s.Period != bookrules.SaidPeriod {
			last, said = s.Covered.Last, s.Period == bookrules.SaidPeriod
		}
	}
	return said
}

// namedPeriods returns the periods in the names of files that have no other, by account. A name
// counts only if its period has all lines of the file.
func (mt *matching) namedPeriods() (map[int64][]cutoff.Evidence, error) {
	imports, err := mt.books.BookImports(mt.books.Org)
	if err != nil {
		return nil, err
	}
	named := map[int64][]bookrules.Span{} // by file
	for _, i := range imports {
		for _, f := range i.Files {
			if period, ok := cutoff.Named(f.Name, f.Made); ok && f.Connection == "" {
				named[f.Key] = append(named[f.Key], period)
			}
		}
	}
	if len(named) == 0 {
		return nil, nil
	}
	lines := map[int64]bookrules.Span{} // days of a file's lines; the zero value if the file states a period
	for _, s := range mt.books.statements {
		days, seen := lines[s.File]
		switch {
		case s.Period != bookrules.OfLines || seen && days == bookrules.Span{}:
			lines[s.File] = bookrules.Span{}
		case seen:
			lines[s.File] = bookrules.Span{First: min(days.First, s.Covered.First), Last: max(days.Last, s.Covered.Last)}
		default:
			lines[s.File] = s.Covered
		}
	}
	evidence := map[int64][]cutoff.Evidence{}
	for _, s := range mt.books.statements {
		for _, period := range named[s.File] {
			if days := lines[s.File]; days.First > 0 && period.First <= days.First && days.Last <= period.Last {
				evidence[s.Account] = append(evidence[s.Account], cutoff.Evidence{Span: period, Source: cutoff.FileName})
			}
		}
	}
	return evidence, nil
}

// equalBalance returns the days from the last covered one to a later day with an equal balance. A
// balance of zero is no proof, because some accounts are emptied again and again.
func (d *derived) equalBalance() (evidence []cutoff.Evidence) {
	last := lastOf(bookrules.Covered(d.contents))
	later := func(b bookrules.Balance) bool { return b.Day > last }
	if !slices.ContainsFunc(d.contents, func(c bookrules.Content) bool { return slices.ContainsFunc(c.Balances, later) }) {
		return nil
	}
	running := bookrules.RunningBalance(d.merged, d.contents)
	for n, c := range running.Checkpoints {
		if n > 0 && c.Day > last && last > 0 && c.Missing == 0 && c.Minor != 0 {
			evidence = []cutoff.Evidence{{Span: bookrules.Span{First: last + 1, Last: c.Day}, Source: cutoff.Balance}}
		} else if c.Day > last && c.Missing != 0 {
			break
		}
	}
	return evidence
}

// movedSince returns the newest day on which other accounts moved money to or from an account
// whose own line isn't known, by account.
func (mt *matching) movedSince() map[int64]bookrules.Day {
	moved := map[int64]bookrules.Day{}
	for _, t := range mt.transfers.InTransit {
		moved[t.Other] = max(moved[t.Other], mt.movements[t.Movement].Day)
	}
	return moved
}

// closingDays is the largest number of days between the notice that an account is closed and its
// last line.
const closingDays = 10

// findClosings adds the days after which an account was closed with a notice in its lines and a
// balance of zero, each up to the next statement. It returns true if none follows. Cards are never
// closed. newest is the last day of all accounts.
func (mt *matching) findClosings(n int, newest bookrules.Day) (closed bool, err error) {
	a, k := &mt.accounts[n], &mt.known[n]
	covered := bookrules.Covered(a.contents)
	if a.Role == bookrules.Card || len(covered) == 1 && covered[0].Last >= newest {
		return false, nil
	}
	running := bookrules.RunningBalance(a.merged, a.contents)
	for at, span := range covered {
		after := bookrules.Span{First: span.Last + 1, Last: bookrules.FarFuture}
		if at+1 < len(covered) {
			after.Last = covered[at+1].First - 1
		}
		balance, known := running.Closing(a.merged, covered, span.Last)
		if !known || balance != 0 || span.Last >= newest {
			continue
		}
		noticed, days := false, bookrules.Span{First: span.Last - closingDays, Last: span.Last}
		err := mt.books.lines(a, days, func(_ int, l bank.Line) error {
			noticed = noticed || bookrules.IsClosingNotice(textOf(l))
			return nil
		})
		if err != nil {
			return false, err
		}
		if noticed {
			k.Weaker = append(k.Weaker, cutoff.Evidence{Span: after, Source: cutoff.Closing})
			closed = after.Last == bookrules.FarFuture
		}
	}
	return closed, nil
}

func textOf(l bank.Line) string {
	return strings.Join([]string{l.Counterparty, l.Description, l.Reference, l.Method}, " ")
}

// mostQuietLines limits the lines of a quiet account: one with more in twelve months isn't quiet.
const mostQuietLines = 60

// findQuiet adds evidence that an account is unchanged after its last known day, or asks whether
// it's closed. newest is the last day of all accounts.
func (mt *matching) findQuiet(n int, newest bookrules.Day) error {
	a, k := &mt.accounts[n], &mt.known[n]
	last := lastOf(k.Covered)
	for _, e := range k.Weaker {
		last = max(last, e.Last)
	}
	balance, known := bookrules.BookedBalance(a.merged, a.contents)
	for last < newest {
		name := fmt.Sprintf("%s %d %s", a.Currency, last, a.Identity)
		if known && balance.Minor == 0 {
			mt.askClosed(a, k, closedKey+name, newest-last)
			return nil
		}
		answer, day, _ := strings.Cut(mt.books.answers[quietKey+name], " ")
		if answer == answeredYes {
			to := last
			if _, err := fmt.Sscan(day, &to); err != nil || to <= last {
				return err
			}
			k.Weaker = append(k.Weaker, cutoff.Evidence{Span: bookrules.Span{First: last + 1, Last: to}, Source: cutoff.Answer})
			last = to
			continue
		}
		quiet, isQuiet, err := mt.quietDays(a, bookrules.Span{First: k.Covered[0].First, Last: last})
		if isQuiet && answer == "" {
			k.Weaker = append(k.Weaker, cutoff.Evidence{Span: quiet, Source: cutoff.Quiet})
			mt.aboutAccounts = append(mt.aboutAccounts, quietQuestion(a, quietKey+name, last, min(newest, quiet.Last)))
		}
		return err
	}
	return nil
}

// quietDays returns the result of cutoff.QuietDays for an account that is known in a span of days.
func (mt *matching) quietDays(a *derived, known bookrules.Span) (quiet bookrules.Span, ok bool, err error) {
	year := bookrules.Span{First: known.Last - cutoff.QuietYear, Last: known.Last}
	from, to := indexes(a.merged, year)
	if a.Role == bookrules.Card || to-from > mostQuietLines {
		return quiet, false, nil
	}
	routine := make([]bool, to-from)
	err = mt.books.lines(a, year, func(at int, l bank.Line) error {
		if at >= from && at < to {
			routine[at-from] = bookrules.IsRoutine(textOf(l))
		}
		return nil
	})
	balance, _ := bookrules.BookedBalance(a.merged, a.contents)
	lines := make([]cutoff.Line, to-from)
	for n := range lines {
		m := &mt.movements[a.firstMovement+from+n]
		lines[n] = cutoff.Line{Day: m.Day, Minor: m.Minor, Payee: bookrules.PayeeWords(m.Payee)}
		switch mt.transfers.Treatments[a.firstMovement+from+n] {
		case bookrules.IsPaired, bookrules.IsInTransit, bookrules.IsOneSided:
			lines[n].Routine = true
		default:
			lines[n].Routine = routine[n] && isSmall(m.Minor, balance.Minor)
		}
	}
	quiet, ok = cutoff.QuietDays([]bookrules.Span{known}, lines)
	return quiet, ok, err
}

// isSmall reports whether an amount is at most a twentieth of a balance, as interest and fees are.
func isSmall(minor, balance int64) bool {
	const share = 20
	return max(minor, -minor) <= max(balance, -balance)/share
}

func quietQuestion(a *derived, key string, last, to bookrules.Day) question {
	return question{
		OpenQuestion: ownbooks.OpenQuestion{
			Kind:      AboutQuiet,
			Text:      fmt.Sprintf("%s has no lines since %s. Is it unchanged?", a.Label(), last.Date()),
			Meanwhile: fmt.Sprintf("It's assumed to be unchanged up to %s.", to.Date()),
			Choices: []ownbooks.Choice{
				{
					Answer: "yes", Text: fmt.Sprintf("unchanged up to %s", to.Date()),
					Stored: fmt.Sprintf("%s %d", answeredYes, to),
				},
				{Answer: "no", Text: "it has moved: import its next statement", Stored: answeredNo},
			},
		},
		key: key, account: a.Key, lineGroup: lineGroup{day: last},
	}
}

// closedSilence is the number of days after which an emptied account is asked about. Statements of
// other accounts have a month more by then.
const closedSilence = 31

// askClosed asks whether an account with a balance of zero is closed, if it's silent for long.
func (mt *matching) askClosed(a *derived, k *cutoff.Account, key string, silent bookrules.Day) {
	if a.Role == bookrules.Card || silent < closedSilence {
		return
	}
	last := lastOf(k.Covered)
	if mt.books.answers[key] == answeredYes {
		k.Weaker = append(k.Weaker, cutoff.Evidence{
			Span: bookrules.Span{First: last + 1, Last: bookrules.FarFuture}, Source: cutoff.Closing,
		})
	}
	group := lineGroup{day: last}
	if n := len(a.merged); n > 0 {
		group = lineGroup{a.merged[n-1].Day, a.merged[n-1].Minor}
	}
	mt.aboutAccounts = append(mt.aboutAccounts, question{
		OpenQuestion: ownbooks.OpenQuestion{
			Kind:      AboutClosed,
			Text:      fmt.Sprintf("%s is empty and has no statement after %s. Is it closed?", a.Label(), last.Date()),
			Meanwhile: "Its later statements are missing.",
			Choices: []ownbooks.Choice{
				{Answer: "yes", Text: "closed: no later statement is missing", Stored: answeredYes},
				{Answer: "no", Text: "open: import its newer statements", Stored: answeredNo},
			},
		},
		key: key, account: a.Key, lineGroup: group,
	})
}

// storedAssumed returns the weaker evidence for the database.
func (mt *matching) storedAssumed() (stored []store.AssumedDays) {
	for n := range mt.known {
		k := &mt.known[n]
		for _, e := range k.Weaker {
			stored = append(stored, store.AssumedDays{
				Identity: k.Identity, Currency: k.Currency, First: e.First, Last: e.Last, Source: string(e.Source),
			})
		}
	}
	slices.SortFunc(stored, func(x, y store.AssumedDays) int {
		return cmp.Or(cmp.Compare(x.Identity, y.Identity), cmp.Compare(x.Currency, y.Currency), cmp.Compare(x.First, y.First),
			cmp.Compare(x.Source, y.Source), cmp.Compare(x.Last, y.Last))
	})
	return stored
}
