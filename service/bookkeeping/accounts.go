package bookkeeping

import (
	"fmt"
	"strings"
	"unicode"

	"tarmac/internal/money"
	"tarmac/service/books"
	"tarmac/service/statements/bank"
)

// resolve returns the key of a statement's account: the account with the number in the file,
// else the account of Options.Account, else the only account whose balance the statement
// continues. It adds an account that the books do not have yet. Without any of these it returns
// a *bank.Question, or an account of its own for a preview.
func (i *importing) resolve(s *collected) (int64, error) {
	currency := s.source.Currency
	if currency == "" {
		currency = i.readOptions.Currency
	}
	number := strings.TrimSpace(s.source.Account.Number)
	if number == "" {
		number = strings.TrimSpace(i.readOptions.Account)
	}
	if number == "" {
		if account, ok := i.continued(s, currency); ok {
			return account.Key, nil
		}
		if !i.options.AllowUnnamed {
			return 0, &bank.Question{
				Reason: "the file does not say which account it is of", Flag: "--account", Choices: i.accountNames(),
			}
		}
		return i.add(s, fmt.Sprintf("%s?%d", i.current, len(i.accounts)), currency)
	}
	if account, ok := i.find(number, currency); ok {
		if currency == "" && money.Exponent(account.Currency) != money.Exponent("") {
			return 0, missingCurrency
		}
		return account.Key, nil
	}
	return i.add(s, number, currency)
}

var missingCurrency = &bank.Question{Reason: "the file does not say its currency", Flag: "--currency"}

// find returns the account with a number. A masked number such as "xxxx6789" means the only
// account that ends like it.
func (i *importing) find(number, currency string) (found books.Account, ok bool) {
	wanted, masked := unmasked(number)
	for _, a := range i.accounts {
		if currency != "" && a.Currency != currency {
			continue
		}
		have, haveMasked := unmasked(a.Number)
		switch {
		case have == wanted, strings.EqualFold(a.Name, number):
			return a, true
		case masked && strings.HasSuffix(have, wanted), haveMasked && strings.HasSuffix(wanted, have),
			endsIBAN(have, wanted), endsIBAN(wanted, have):
			if ok {
				return books.Account{}, false // two accounts end like it
			}
			found, ok = a, true
		}
	}
	return found, ok
}

// endsIBAN reports whether an IBAN ends with a national account number, as in MT940 files of banks
// whose CAMT files have the IBAN.
func endsIBAN(iban, number string) bool {
	const shortestIBAN, shortestNumber = 15, 6
	return len(iban) >= shortestIBAN && len(number) >= shortestNumber && len(number) < len(iban)-4 &&
		unicode.IsLetter(rune(iban[0])) && unicode.IsLetter(rune(iban[1])) && unicode.IsDigit(rune(iban[2])) &&
		unicode.IsDigit(rune(iban[3])) && strings.HasSuffix(iban, number)
}

// unmasked returns the letters and digits of an account number, or those after the signs that
// hide its beginning.
func unmasked(number string) (text string, masked bool) {
	upper := strings.ToUpper(number)
	if at := strings.LastIndexAny(upper, "*•…"); at >= 0 || strings.HasPrefix(upper, "XX") {
		masked = true
		upper = strings.TrimLeft(upper[max(at, 0):], "*•…X")
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, upper), masked
}

// continued returns the only account of the currency whose latest balance is the statement's
// opening balance.
func (i *importing) continued(s *collected, currency string) (found books.Account, ok bool) {
	if s.stored.Opening == nil {
		return books.Account{}, false
	}
	for _, a := range i.accounts {
		closing, known := i.closing(a.Key)
		if !known || closing.Minor != s.stored.Opening.Minor || currency != "" && a.Currency != currency {
			continue
		}
		if ok {
			return books.Account{}, false
		}
		found, ok = a, true
	}
	return found, ok
}

// closing returns the latest closing balance of an account.
func (i *importing) closing(account int64) (latest books.Balance, known bool) {
	for _, s := range i.statements {
		if s.Account == account && s.Closing != nil && (!known || s.Closing.Day > latest.Day) {
			latest, known = *s.Closing, true
		}
	}
	return latest, known
}

// add adds an account to the books.
func (i *importing) add(s *collected, number, currency string) (int64, error) {
	if currency == "" && !i.options.AllowUnnamed {
		return 0, missingCurrency
	}
	a := books.Account{
		Number: number, Currency: currency, Bank: s.source.Account.Bank, Name: s.source.Account.Name,
		Role: roleOf(s.source.Account.Kind),
	}
	key, err := i.tx.InsertBookAccount(i.org, a)
	if err != nil {
		return 0, err
	}
	a.Key = key
	i.accounts = append(i.accounts, a)
	return key, nil
}

// roleOf returns the role of a new account. Cash of an investment account can be spent soon, as
// savings can.
func roleOf(kind bank.Kind) books.Role {
	switch kind {
	case bank.KindSavings, bank.KindInvestment:
		return books.Savings
	case bank.KindCard:
		return books.Card
	}
	return books.Operating
}

// accountNames returns the names of the accounts as a person may type them.
func (i *importing) accountNames() []string {
	names := make([]string, len(i.accounts))
	for n, a := range i.accounts {
		names[n] = ShortNumber(a.Number)
	}
	return names
}

// ShortNumber returns an account's number as it is shown: the last four characters of a number,
// or a whole name.
func ShortNumber(number string) string {
	digits := 0
	for _, r := range number {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	text, _ := unmasked(number)
	if digits < 4 || len(text) < 4 || strings.Contains(number, ":") {
		return number
	}
	return "…" + text[len(text)-4:]
}
