package bookkeeping

import (
	"slices"
	"strconv"
	"strings"

	"tarmac/service/bookrules"
)

// storedAccount holds what the stored books have of one account besides its lines.
type storedAccount struct {
	statements []bookrules.Statement
	stated     []bookrules.Balance           // balances that the user stated
	read       map[int64][]bookrules.Balance // balances in readings of connections, by file
}

// stored returns what the stored books have of an account besides its lines.
func (l *ledgerBooks) stored(account int64) *storedAccount {
	if l.byAccount == nil {
		l.byAccount = map[int64]*storedAccount{}
		of := func(account int64) *storedAccount {
			if l.byAccount[account] == nil {
				l.byAccount[account] = &storedAccount{read: map[int64][]bookrules.Balance{}}
			}
			return l.byAccount[account]
		}
		for _, s := range l.statements {
			a := of(s.Account)
			a.statements = append(a.statements, s)
		}
		for _, b := range l.stated {
			a := of(b.Account)
			a.stated = append(a.stated, b.Balance)
		}
		for _, b := range l.read {
			a := of(b.Account)
			a.read[b.File] = append(a.read[b.File], bookrules.Balance{Day: b.Day, Minor: b.Minor, Read: true})
		}
	}
	if a := l.byAccount[account]; a != nil {
		return a
	}
	return &storedAccount{}
}

// statedBalances returns the balances that the user stated for an account.
func (l *ledgerBooks) statedBalances(account int64) (c bookrules.Content) {
	c.Balances = slices.Clone(l.stored(account).stated)
	slices.SortStableFunc(c.Balances, func(x, y bookrules.Balance) int { return int(x.Day - y.Day) })
	return c
}

// accountName identifies an account in the keys of answers.
type accountName struct{ currency, identity string }

// decisions returns what the user decided about similar lines of an account.
func (l *ledgerBooks) decisions(a bookrules.Account) []bookrules.Decision {
	if l.decided == nil {
		l.decided = map[accountName][]bookrules.Decision{}
		for question, answer := range l.answers {
			if of, d, ok := parseDecision(question, answer); ok {
				l.decided[of] = append(l.decided[of], d)
			}
		}
	}
	return l.decided[accountName{a.Currency, a.Identity}]
}

// parseDecision returns the account and the lines that an answer is about, if it is one to a
// question of doubtKeyOf with which lines are not treated as without an answer. Otherwise it
// returns false.
func parseDecision(question, answer string) (of accountName, d bookrules.Decision, ok bool) {
	if rest, found := strings.CutPrefix(question, doubtKey); found && answer == differentLines {
		words := strings.SplitN(rest, " ", 4)
		if len(words) != 4 {
			return of, d, false
		}
		day, err := strconv.ParseInt(words[1], 10, 32)
		if err != nil {
			return of, d, false
		}
		d.Day = bookrules.Day(day)
		d.Minor, err = strconv.ParseInt(words[2], 10, 64)
		return accountName{words[0], words[3]}, d, err == nil
	}
	if rest, found := strings.CutPrefix(question, datesKey); found && answer == sameLines {
		currency, rest, _ := strings.Cut(rest, " ")
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil || !strings.HasPrefix(rest[len(quoted):], " ") {
			return of, d, false
		}
		d.Making, err = strconv.Unquote(quoted)
		return accountName{currency, rest[len(quoted)+1:]}, d, err == nil
	}
	return of, d, false
}
