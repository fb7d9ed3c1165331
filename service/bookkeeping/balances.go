package bookkeeping

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/jsonlines"
	"tarmac/service/store"
)

// StatedBalance is a balance of an account as the user typed it.
type StatedBalance struct {
	// Account names the account (FindAccount). It may be "" if the files of the import state the
	// balances of all their accounts but one.
	Account string
	Text    string // see ParseBalance
}

// BalanceError is the error for a stated balance that cannot be read or has no clear account.
type BalanceError struct{ text string }

func (e *BalanceError) Error() string { return e.text }

// ParseBalance reads a balance such as "1,234.56 on 2026-09-30" or "1,234.56@2026-09-30": an amount
// in a currency at the end of a day. A debt is negative.
func ParseBalance(text, currency string, today civil.Date) (b bookrules.Balance, err error) {
	amount, day, found := strings.Cut(text, "@")
	if !found {
		if amount, day, found = strings.Cut(strings.TrimSpace(text), " "); !found {
			return b, &BalanceError{"a balance has a day, such as 1,234.56 on 2026-09-30"}
		}
		day = strings.TrimPrefix(strings.TrimSpace(day), "on ")
	}
	period, err := civil.ParsePeriod(strings.TrimSpace(day), today)
	switch {
	case err != nil || period.From.IsZero() || period.From != period.To:
		return b, &BalanceError{fmt.Sprintf("%q is no day; write it as in 1,234.56 on 2026-09-30", strings.TrimSpace(day))}
	case period.From.After(today):
		return b, &BalanceError{fmt.Sprintf("%s is in the future", period.From)}
	}
	amount = strings.TrimSpace(amount)
	parse := money.Parse
	if strings.HasPrefix(amount, "-") || strings.HasPrefix(amount, "+") {
		parse = money.ParseSigned
	}
	if b.Minor, err = parse(amount, currency); err != nil {
		return b, &BalanceError{fmt.Sprintf("%q %s", amount, err)}
	}
	b.Day = bookrules.DayOf(period.From)
	return b, nil
}

// StateBalance stores a balance that the user states after the import of the account's statements.
// It is an import of its own, of a file in JSON lines, so that it is listed and can be undone.
// account names the account (FindAccount), and text is read by ParseBalance. StateBalance returns a
// *BalanceError if one of them cannot be understood.
func (b *Books) StateBalance(ctx context.Context, account, text string) (*ownbooks.Report, error) {
	var of bookrules.Account
	err := b.Store.Read(ctx, func(snap *store.Snapshot) error {
		accounts, err := snap.BookAccounts(b.Org)
		if err != nil {
			return err
		}
		if of, err = FindAccount(accounts, account); err != nil {
			return &BalanceError{err.Error()}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	balance, err := ParseBalance(text, of.Currency, civil.Of(b.Now()))
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	statement := bank.Statement{
		Account: bank.Account{Number: of.Number}, Currency: of.Currency,
		Closing: &bank.Balance{Date: balance.Day.Date(), Minor: balance.Minor},
	}
	if err := jsonlines.Write(&file, []jsonlines.Statement{{Statement: statement}}, nil); err != nil {
		return nil, err
	}
	source := Source{Name: "stated balance", Content: bytes.NewReader(file.Bytes())}
	return b.Import(ctx, []Source{source}, Options{})
}

// stateBalances stores the balances that the user stated for this import. All files must have been
// read.
func (i *importing) stateBalances() error {
	for _, stated := range i.options.Balances {
		a, err := i.accountOf(stated)
		if err != nil {
			return err
		}
		balance, err := ParseBalance(stated.Text, a.Currency, civil.Of(i.change.Now()))
		if err != nil {
			return err
		}
		err = i.change.write(func(tx *store.Tx) error {
			return tx.InsertBookBalance(i.change.Org, i.record.Key, bookrules.StatedBalance{Account: a.Key, Balance: balance})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// accountOf returns the account of a stated balance.
func (i *importing) accountOf(stated StatedBalance) (bookrules.Account, error) {
	if stated.Account != "" {
		a, err := FindAccount(i.accounts, stated.Account)
		if err != nil {
			err = &BalanceError{err.Error()}
		}
		return a, err
	}
	unknown, err := i.withoutBalance()
	switch {
	case err != nil:
		return bookrules.Account{}, err
	case len(unknown) == 1:
		return unknown[0], nil
	case len(unknown) == 0:
		return bookrules.Account{}, &BalanceError{"the balances of all accounts in the files are known; say which account " +
			"is meant with --account"}
	}
	names := make([]string, len(unknown))
	for n, a := range unknown {
		names[n] = nameAccount(a, ShortNumber(a.Number))
	}
	return bookrules.Account{}, &BalanceError{
		fmt.Sprintf("the balance may be of %s; say which account is meant with --account", strings.Join(names, " or ")),
	}
}

// withoutBalance returns the accounts with statements in this import whose balances are not known.
func (i *importing) withoutBalance() (unknown []bookrules.Account, err error) {
	var statements []bookrules.Statement
	var stated []bookrules.StatedBalance
	var read []bookrules.FeedBalance
	err = i.change.look(func(r reader) (err error) {
		if statements, err = r.BookStatements(i.change.Org); err != nil {
			return err
		}
		if stated, err = r.BookBalances(i.change.Org); err != nil {
			return err
		}
		read, err = r.BookFeedBalances(i.change.Org)
		return err
	})
	if err != nil {
		return nil, err
	}
	known := map[int64]bool{}
	for _, s := range statements {
		known[s.Account] = known[s.Account] || s.Opening != nil || s.Closing != nil
	}
	for _, b := range stated {
		known[b.Account] = true
	}
	for _, b := range read {
		known[b.Account] = true
	}
	for _, a := range i.accounts {
		if !known[a.Key] && i.concerns(a.Key) {
			unknown = append(unknown, a)
		}
	}
	return unknown, nil
}

// reportBalances lists the accounts of this import whose balances are not known in the report.
// Closed and excluded accounts are left out, because they need no balance.
func (i *importing) reportBalances() error {
	unknown, err := i.withoutBalance()
	for _, a := range unknown {
		if a.Role != bookrules.Closed && a.Role != bookrules.Excluded {
			newest, last := i.newestOf(a.Key), civil.Date{}
			if len(newest) > 0 {
				last = newest[0].Day
			}
			of := ownbooks.Account{Number: ShortNumber(a.Number), Bank: a.Bank}
			q := ownbooks.BalanceQuestion(a.Number, of.Label(), a.Currency, last, a.Role == bookrules.Card || i.isCard(a.Key))
			for n := range newest {
				q.Samples = append(q.Samples, sampleText(&newest[n], a.Currency))
			}
			i.report.Balances = append(i.report.Balances, q)
		}
	}
	return err
}
