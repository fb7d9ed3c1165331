package bookkeeping

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"tarmac/internal/money"
	"tarmac/service/books"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
)

// resolve returns the key of the account that a statement belongs to. It looks for the account
// number in the file, or else in Options.Account, which may be the end of a known number. An
// account with a new number is added to the books. Without a number, the statement belongs to the
// only account whose latest balance is the statement's opening balance. If there is no such
// account, resolve returns a *bank.Question; with AllowUnnamed, it adds an account for the preview
// instead.
func (i *importing) resolve(s *collected) (int64, error) {
	currency := s.source.Currency
	if currency == "" {
		currency = i.readOptions.Currency
	}
	typed := strings.TrimSpace(i.readOptions.Account)
	number := cmp.Or(strings.TrimSpace(s.source.Account.Number), typed)
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
	account, ok := i.find(number, currency)
	if !ok && number == typed { // readers may pass the option on
		var err error
		if account, ok, err = i.typed(number, currency); err != nil {
			return 0, err
		}
	}
	if ok {
		if currency == "" && money.Exponent(account.Currency) != money.Exponent("") {
			return 0, missingCurrency
		}
		return account.Key, nil
	}
	return i.add(s, number, currency)
}

// typed returns the account whose number ends with what a person typed. It returns an error if
// there are several, and false if there is none: then the text is the name of a new account.
func (i *importing) typed(text, currency string) (a books.Account, ok bool, err error) {
	if len([]rune(text)) < lastCharacters {
		return a, false, nil
	}
	accounts := slices.DeleteFunc(slices.Clone(i.accounts), func(a books.Account) bool {
		return currency != "" && a.Currency != currency
	})
	a, err = FindAccount(accounts, text)
	if errors.Is(err, store.ErrNotFound) {
		return a, false, nil
	}
	return a, err == nil, err
}

// lastCharacters is the number of characters at the end of an account number by which people name
// the account.
const lastCharacters = 4

var missingCurrency = &bank.Question{Reason: "the file does not say its currency", Flag: "--currency"}

// find returns the account with the given number or name. A masked number such as "xxxx6789" stands
// for the only account whose number ends in these digits.
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
				return books.Account{}, false // two accounts end in the same digits
			}
			found, ok = a, true
		}
	}
	return found, ok
}

// endsIBAN reports whether an IBAN ends with a national account number. A bank may name an account
// by that number in MT940 files and by the IBAN in CAMT files.
func endsIBAN(iban, number string) bool {
	const shortestIBAN, shortestNumber = 15, 6
	return len(iban) >= shortestIBAN && len(number) >= shortestNumber && len(number) < len(iban)-4 &&
		unicode.IsLetter(rune(iban[0])) && unicode.IsLetter(rune(iban[1])) && unicode.IsDigit(rune(iban[2])) &&
		unicode.IsDigit(rune(iban[3])) && strings.HasSuffix(iban, number)
}

// unmasked returns the letters and digits of an account number. If the beginning of the number is
// masked with X, *, • or …, it returns only the letters and digits after the mask.
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

// continued returns the account that a statement continues: the only one in its currency whose
// latest closing balance equals the statement's opening balance.
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

// closing returns the latest closing balance of an account before this import. It returns false if
// none of its statements has one.
func (i *importing) closing(account int64) (latest books.Balance, known bool) {
	for _, s := range i.statements {
		if s.Account == account && s.Closing != nil && (!known || s.Closing.Day > latest.Day) {
			latest, known = *s.Closing, true
		}
	}
	return latest, known
}

// add adds the account of a statement to the books and returns its key.
func (i *importing) add(s *collected, number, currency string) (int64, error) {
	if currency == "" && !i.options.AllowUnnamed {
		return 0, missingCurrency
	}
	a := books.Account{
		Number: number, Currency: currency, Bank: s.source.Account.Bank, Name: s.source.Account.Name,
		Role: books.Operating,
	}
	key, err := i.tx.InsertBookAccount(i.org, a)
	if err != nil {
		return 0, err
	}
	a.Key = key
	i.accounts = append(i.accounts, a)
	return key, nil
}

// roleOf returns the role of accounts of a kind, and "" for the unknown kind. The cash of an
// investment account counts like savings, because it can be spent soon.
func roleOf(kind bank.Kind) books.Role {
	switch kind {
	case bank.KindSavings, bank.KindInvestment:
		return books.Savings
	case bank.KindCard:
		return books.Card
	case bank.KindChecking:
		return books.Operating
	}
	return ""
}

// accountNames returns the short numbers of all accounts, which a user can type as an answer.
func (i *importing) accountNames() []string {
	names := make([]string, len(i.accounts))
	for n, a := range i.accounts {
		names[n] = ShortNumber(a.Number)
	}
	return names
}

// ShortNumber returns an account number for display: "…" and the number's last four characters. It
// returns names of accounts, and numbers with fewer than four digits, unchanged.
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
