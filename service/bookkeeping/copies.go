package bookkeeping

import (
	"cmp"
	"fmt"
	"slices"

	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

// Answers to the question whether a file with the lines of another account is of that account.
const (
	SameAccount  = "yes"
	OtherAccount = "no"
)

const (
	// enoughCopies is the number of lines from which equal lines are a copy although no balance
	// says so.
	enoughCopies = 10
	// maxCompared is the number of lines of a file that are compared with an account.
	maxCompared = 200
	// maxSample is the number of lines of a statement that are kept for the comparison.
	maxSample = 5000
	// mostCompared is how often the accounts of an import are compared with others. A comparison
	// that reads lines counts as linesCompared. It suffices to compare each of a hundred accounts
	// with all others.
	mostCompared, linesCompared = 1_000_000, 100
)

// copyKey is the first word of the keys of answers that two accounts have equal lines.
const copyKey = "equal lines "

// copied returns the account whose lines and balances a statement has, if the user says that the
// file is of that account; else 0. The parameter own is the account that the file names, 0 for a
// new one. If the user has not been asked yet, copied returns a *bank.Question.
func (i *importing) copied(s *collected, number, currency string, own int64) (int64, error) {
	if i.collector == nil { // a connection names its account
		return 0, nil
	}
	key := number + " " + currency
	if found, known := i.copies[key]; known {
		return found, nil
	}
	lines, balances := i.sample(s)
	for _, a := range i.accounts {
		if len(lines) < enoughCopies && len(balances) == 0 || i.compared >= mostCompared {
			break // no account can have them, or there are too many to ask about
		}
		if a.Key == own || currency != "" && a.Currency != currency {
			continue
		}
		n, err := i.equalLines(lines, balances, a)
		if err != nil {
			return 0, storeError{err}
		}
		if n == 0 {
			continue
		}
		pair := []string{i.choiceAccount(number, currency), i.choiceAccount(a.Number, a.Currency)}
		slices.Sort(pair)
		answerKey := fmt.Sprintf("%s%s %s %s", copyKey, a.Currency, pair[0], pair[1])
		switch cmp.Or(i.sameAccount, i.answers[answerKey]) {
		case SameAccount:
			i.copies[key] = a.Key
			return a.Key, nil
		case OtherAccount:
			i.answer(answerKey, OtherAccount)
		default:
			return 0, &bank.Question{
				Reason: fmt.Sprintf("%d lines, of %s, are lines of %s too, so that the file may be of that account",
					n, ShortNumber(number), ShortNumber(a.Number)),
				Flag: "--same-account", Choices: []string{SameAccount, OtherAccount},
			}
		}
	}
	i.copies[key] = 0
	return 0, nil
}

// sample returns lines of the account of a statement in the file that is being read, ordered by
// day, and its balances in the file.
func (i *importing) sample(of *collected) (lines []lineGroup, balances []bookrules.Balance) {
	for _, s := range i.collector.sameAccount(of) {
		lines = append(lines, s.sample...)
		balances = append(balances, balancesOf(s.stored)...)
	}
	slices.SortFunc(lines, func(a, b lineGroup) int { return cmp.Compare(a.day, b.day) })
	return lines, balances
}

// sameAccount returns the statements of the file with the account number and the currency of a
// statement.
func (c *collector) sameAccount(s *collected) []*collected {
	if c.byNumber == nil {
		c.byNumber = map[statedNumber][]*collected{}
		for _, one := range c.statements {
			of := statedNumber{one.source.Account.Number, one.source.Currency}
			c.byNumber[of] = append(c.byNumber[of], one)
		}
	}
	return c.byNumber[statedNumber{s.source.Account.Number, s.source.Currency}]
}

// statedNumber is the number of an account and a currency as a file states them.
type statedNumber struct{ number, currency string }

func balancesOf(s bookrules.Statement) (balances []bookrules.Balance) {
	if s.Opening != nil {
		balances = append(balances, *s.Opening)
	}
	if s.Closing != nil {
		balances = append(balances, *s.Closing)
	}
	return balances
}

// equalLines returns how many of the lines of a file an account has, if the file may be a copy of
// the account's: at least nine of ten lines of the days that both cover, at least ten or all of the
// file, and no other balance on a day. Otherwise it returns 0.
func (i *importing) equalLines(lines []lineGroup, balances []bookrules.Balance, a bookrules.Account) (int, error) {
	i.compared++
	theirs := i.contentOf(a.Key)
	inBoth := slices.DeleteFunc(slices.Clone(lines), func(l lineGroup) bool {
		return !bookrules.Covers(theirs.covered, l.day)
	})
	all := len(inBoth) == len(lines)
	if len(inBoth) > maxCompared {
		last := inBoth[maxCompared].day
		inBoth = slices.DeleteFunc(inBoth, func(l lineGroup) bool { return l.day > last })
	}
	confirmed, contradicted := compareBalances(balances, theirs.balances)
	if len(inBoth) == 0 || contradicted || !all && len(inBoth) < enoughCopies {
		return 0, nil
	}
	if !confirmed && (len(inBoth) < enoughCopies || sameAmounts(inBoth)) {
		return 0, nil
	}
	i.compared += linesCompared
	have, total, err := i.linesOf(a.Key, bookrules.Span{First: inBoth[0].day, Last: inBoth[len(inBoth)-1].day})
	if err != nil {
		return 0, err
	}
	equal := 0
	for _, l := range inBoth {
		if have[l] > 0 {
			have[l]--
			equal++
		}
	}
	if equal*10 < max(len(inBoth), total)*9 {
		return 0, nil
	}
	return equal, nil
}

// sameAmounts reports whether lines have fewer than three different amounts, as fees of two
// accounts.
func sameAmounts(lines []lineGroup) bool {
	amounts := map[int64]bool{}
	for _, l := range lines {
		amounts[l.minor] = true
	}
	return len(amounts) < 3
}

// compareBalances compares balances of the same day and kind.
func compareBalances(a []bookrules.Balance, b map[balanceKey][]int64) (equal, different bool) {
	for _, x := range a {
		for _, minor := range b[balanceKey{x.Day, x.Opening}] {
			equal, different = equal || x.Minor == minor, different || x.Minor != minor
		}
	}
	return equal, different
}

// accountContent holds what statements say about an account.
type accountContent struct {
	covered  []bookrules.Span
	balances map[balanceKey][]int64
}

// balanceKey is the day and the kind of a balance.
type balanceKey struct {
	day     bookrules.Day
	opening bool
}

// contentOf returns the days that statements of an account cover, and its balances, with those of
// files that this import has read before.
func (i *importing) contentOf(account int64) *accountContent {
	if i.contents == nil {
		i.contents = map[int64]*accountContent{}
		for _, s := range i.statements {
			i.addContent(s)
		}
		for _, f := range i.read {
			for _, s := range f.statements {
				i.addContent(s)
			}
		}
		for _, c := range i.contents {
			c.covered = bookrules.Join(c.covered)
		}
	}
	if c := i.contents[account]; c != nil {
		return c
	}
	return &accountContent{}
}

func (i *importing) addContent(s bookrules.Statement) {
	c := i.contents[s.Account]
	if c == nil {
		c = &accountContent{balances: map[balanceKey][]int64{}}
		i.contents[s.Account] = c
	}
	c.covered = append(c.covered, s.Covered)
	for _, b := range balancesOf(s) {
		key := balanceKey{b.Day, b.Opening}
		if !slices.Contains(c.balances[key], b.Minor) {
			c.balances[key] = append(c.balances[key], b.Minor)
		}
	}
}

// linesOf returns how often an account has lines of a day and amount, and the number of all lines.
func (i *importing) linesOf(account int64, days bookrules.Span) (have map[lineGroup]int, total int, err error) {
	have = map[lineGroup]int{}
	inStatement := map[int64]map[lineGroup]int{} // files may overlap
	err = i.change.look(func(r reader) error {
		return r.BookLines(i.change.Org, account, days, func(l bookrules.Line) error {
			if l.Pending {
				return nil
			}
			group := lineGroup{bookrules.DayOf(l.Booked), l.Minor}
			if inStatement[l.Statement] == nil {
				inStatement[l.Statement] = map[lineGroup]int{}
			}
			inStatement[l.Statement][group]++
			if n := inStatement[l.Statement][group]; n > have[group] {
				have[group] = n
				total++
			}
			return nil
		})
	})
	return have, total, err
}
