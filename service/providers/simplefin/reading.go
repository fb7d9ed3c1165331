package simplefin

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/providers"
	"tarmac/service/statements/bank"
)

const (
	// mostAhead is the largest number of days by which a booked line or a balance may be in the
	// future, since clocks and time zones differ.
	mostAhead = 3
	// kept is a number of days for which every bank keeps its lines. A bank that gives no line of
	// earlier days may have no history of them.
	kept = 30
)

// reading returns the statements of accounts in an answer.
func (p *provider) reading(set *accountSet, wanted []string, w window) (providers.Reading, error) {
	found := p.collectProblems(set)
	reading := providers.Reading{Notices: found.notices, SignIn: found.signIn}
	byKey := map[string]*account{}
	for i := range *set.Accounts {
		a := &(*set.Accounts)[i]
		if byKey[a.key()] != nil {
			return providers.Reading{}, malformed("its answer lists the account %q twice", bank.Text(a.Name))
		}
		byKey[a.key()] = a
	}
	for _, key := range wanted {
		a := byKey[key]
		if a == nil {
			if reason := found.ofAbsent(key); reason != "" {
				reading.Statements = append(reading.Statements, providers.Statement{Account: key, Incomplete: reason})
			}
			continue
		}
		s := statementOf(a, w)
		if reason := found.of(a); reason != "" {
			s = providers.Statement{Account: key, Incomplete: reason}
		}
		reading.Statements = append(reading.Statements, s)
	}
	return reading, nil
}

// statementOf returns the statement of an account. If a value of the account cannot be read, the
// statement is incomplete.
func statementOf(a *account, w window) providers.Statement {
	r := reader{account: a, currency: a.currency(), window: w}
	r.statement.Account = a.key()
	if err := r.read(); err != nil {
		return providers.Statement{Account: a.key(), Incomplete: bank.Text(a.Name) + ": " + err.Error()}
	}
	return r.statement
}

// reader converts the answer for one account to a statement.
type reader struct {
	account   *account
	currency  string
	window    window
	statement providers.Statement
	earliest  civil.Date // day of the earliest booked line
	timed     bool       // true if the bank gives times of day, and not only days
}

func (r *reader) read() error {
	if r.currency == "" {
		return errors.New("its unit is no currency")
	}
	for i := range r.account.Transactions {
		if err := r.readLine(&r.account.Transactions[i]); err != nil {
			return err
		}
	}
	r.sortLines()
	r.setPeriod()
	if r.window.past {
		return nil
	}
	return r.readBalance()
}

// readLine adds a line to the statement. Lines outside the period are left out.
func (r *reader) readLine(t *transaction) error {
	minor, err := t.Amount.minor(r.currency)
	if err != nil {
		return fmt.Errorf("the amount %q %s", bank.Short(bank.Text(string(t.Amount))), amountReason(err, r.currency))
	}
	line := bank.Line{
		Minor: minor, ID: bank.Text(t.ID), Counterparty: bank.Text(t.Payee),
		Description: cmp.Or(bank.Text(t.Description), bank.Text(t.Memo)),
		Pending:     t.Pending || *t.Posted == 0 && t.Happened != 0,
	}
	happened, _ := dayOf(t.Happened)
	posted, ok := dayOf(*t.Posted)
	switch {
	case line.Pending:
		line.Booked = firstDay(happened, posted, r.window.last)
	case !ok:
		return fmt.Errorf("the line %q of %s %s has no date", bank.Short(line.Description), t.Amount, r.currency)
	case posted.After(civil.Of(r.window.now).AddDays(mostAhead)):
		return fmt.Errorf("the line %q of %s %s is dated %s, which is in the future", bank.Short(line.Description),
			t.Amount, r.currency, posted)
	case posted.Before(r.window.first), r.window.past && posted.After(r.window.last):
		return nil
	default:
		line.Booked, line.Value = posted, happened
		r.noteTime(posted, *t.Posted)
	}
	r.statement.Lines = append(r.statement.Lines, line)
	return nil
}

// firstDay returns the first of days that is not zero.
func firstDay(days ...civil.Date) civil.Date {
	for _, day := range days {
		if !day.IsZero() {
			return day
		}
	}
	return civil.Date{}
}

// noteTime remembers the earliest day, and whether the bank gives times of day. For banks that give
// days only, servers write midnight or noon.
func (r *reader) noteTime(day civil.Date, seconds int64) {
	const noon = 12 * 60 * 60
	if r.earliest.IsZero() || day.Before(r.earliest) {
		r.earliest = day
	}
	r.timed = r.timed || seconds%noon != 0
}

// sortLines sorts the lines, so that equal answers give equal statements, and removes lines that
// the answer repeats.
func (r *reader) sortLines() {
	lines := r.statement.Lines
	slices.SortStableFunc(lines, func(a, b bank.Line) int {
		return cmp.Or(a.Booked.Compare(b.Booked), cmp.Compare(a.Minor, b.Minor), cmp.Compare(a.ID, b.ID),
			cmp.Compare(a.Description, b.Description))
	})
	r.statement.Lines = slices.CompactFunc(lines, func(a, b bank.Line) bool { return a == b })
}

// setPeriod sets the days of which the statement has all lines, and leaves out booked lines before
// them. A bank that gives no lines before a day may not have them any more. So the period begins
// with the earliest line. A statement of the present is read again and again, so it begins with the
// day after if the bank may cut its lines within a day. It covers the last thirty days in any case.
func (r *reader) setPeriod() {
	s, w := &r.statement, r.window
	first := r.earliest
	if !first.IsZero() && r.timed && first.After(w.first) && !w.past {
		first = first.AddDays(1)
	}
	if recent := w.last.AddDays(1 - kept); !w.past && (first.IsZero() || first.After(recent)) {
		first = recent
		if first.Before(w.first) {
			first = w.first
		}
	}
	if !first.IsZero() && !first.After(w.last) {
		s.First, s.Last = first, w.last
	}
	s.Lines = slices.DeleteFunc(s.Lines, func(l bank.Line) bool {
		return !l.Pending && (s.First.IsZero() || l.Booked.Before(s.First))
	})
}

// readBalance adds the balance to the statement.
func (r *reader) readBalance() error {
	balance, err := r.account.present()
	if err != nil {
		return fmt.Errorf("its balance %q %s", bank.Short(bank.Text(string(r.account.Balance))),
			amountReason(err, r.currency))
	}
	r.statement.Present = balance
	day := civil.Of(balance.At)
	switch {
	case balance.At.IsZero(), balance.At.After(r.window.now.Add(mostAhead * 24 * time.Hour)):
		return nil // a balance without a day says nothing about lines
	case day.After(r.window.last):
		day = r.window.last
	}
	r.statement.Closing = &bank.Balance{Minor: balance.CurrentMinor, Date: day}
	return nil
}
