package bookkeeping

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"tarmac/internal/money"
	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
)

// resolve returns the key of the account that a statement belongs to. It looks for the account
// number in the file, or else in Options.Account, which may be the end of a known number. An
// account with a new number is added to the books. Without a number, the statement belongs to the
// only account whose latest balance is the statement's opening balance. If there is no such
// account, resolve returns a *bank.Question; with AllowUnnamed, it adds an account for the preview
// instead. A statement with the lines of another account belongs to that account if the user says
// so (copied).
func (i *importing) resolve(s *collected) (int64, error) {
	currency := s.source.Currency
	if currency == "" {
		currency = i.readOptions.Currency
	}
	typed := strings.TrimSpace(i.readOptions.Account)
	number := cmp.Or(strings.TrimSpace(s.source.Account.Number), typed)
	s.stored.Facts = bookrules.AccountFacts{
		Number: number, Bank: s.source.Account.Bank, Name: s.source.Account.Name, Role: roleOf(s.source.Account.Kind),
	}
	if number == "" {
		if account, ok := i.continued(s, currency); ok {
			return account.Key, nil
		}
		if number = i.onlyOfBank(s, currency); number == "" && !i.options.AllowUnnamed {
			return 0, i.askAccount(s, currency)
		}
		s.stored.Facts.Number = number
		return i.add(s, cmp.Or(number, fmt.Sprintf("%s?%d", i.current, len(i.accounts))), currency)
	}
	found := i.find(number, currency)
	if len(found) > 1 && typed != "" {
		found = i.find(typed, currency)
	}
	if len(found) == 0 && number == typed { // a reader may have copied the number from the option
		var err error
		if found, err = i.typed(number, currency); err != nil {
			return 0, err
		}
	}
	own := int64(0)
	if len(found) == 1 {
		own = found[0].Key
	}
	if len(found) <= 1 {
		if other, err := i.copied(s, number, currency, own); err != nil || other != 0 {
			s.stored.Facts.Number, s.stored.Facts.Name = "", ""
			return other, err
		}
	}
	switch {
	case len(found) == 0:
		return i.add(s, number, currency)
	case len(found) > 1:
		return 0, &bank.Question{
			Reason: fmt.Sprintf("the file is of account %s, which may be any of several", number), Flag: "--account",
			Choices: numbersOf(found),
		}
	case currency == "" && money.Exponent(found[0].Currency) != money.Exponent(""):
		return 0, missingCurrency
	}
	account := found[0]
	if strings.EqualFold(account.Name, number) && !strings.EqualFold(account.Number, number) {
		s.stored.Facts.Number = ""
	} else {
		i.renumber(account, bookrules.FullerNumber(account.Number, number))
	}
	return account.Key, nil
}

// renumber gives an account another number.
func (i *importing) renumber(a *bookrules.Account, number string) {
	if a.Number == number {
		return
	}
	a.Number = number
	index := i.index()
	index.number(index.byKey[a.Key], number)
}

// typed returns the account whose number ends with what the user typed. It returns an error if
// several accounts match. If none matches, it returns no account, because the text then names a new
// account.
func (i *importing) typed(text, currency string) ([]*bookrules.Account, error) {
	if len([]rune(text)) < lastCharacters {
		return nil, nil
	}
	accounts := slices.DeleteFunc(slices.Clone(i.accounts), func(a bookrules.Account) bool {
		return currency != "" && a.Currency != currency
	})
	found, err := FindAccount(accounts, text)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(i.accounts, func(a bookrules.Account) bool { return a.Key == found.Key })
	return []*bookrules.Account{&i.accounts[at]}, nil
}

// lastCharacters is the number of characters at the end of an account number by which people name
// the account.
const lastCharacters = 4

var missingCurrency = &bank.Question{Reason: "the file does not say its currency", Flag: "--currency"}

// find returns the account with the given number or name. If there is none, it returns the accounts
// that the number may stand for: "xxxx6789" for all whose number ends in these digits, a national
// number for the IBAN that ends in it, and the other way round.
func (i *importing) find(number, currency string) (found []*bookrules.Account) {
	wanted, masked := bookrules.UnmaskedNumber(number)
	index := i.index()
	for _, n := range index.candidates(number) {
		a := &i.accounts[n]
		if currency != "" && a.Currency != currency {
			continue
		}
		have, haveMasked := index.of[n].text, index.of[n].masked
		switch {
		case masked == haveMasked && withoutZeros(have) == withoutZeros(wanted), strings.EqualFold(a.Name, number):
			return []*bookrules.Account{a}
		case masked && strings.HasSuffix(have, wanted), haveMasked && strings.HasSuffix(wanted, have),
			endsIBAN(have, wanted), endsIBAN(wanted, have):
			found = append(found, a)
		}
	}
	return found
}

// withoutZeros returns an account number without leading zeros, which spreadsheets drop.
func withoutZeros(number string) string {
	if rest := strings.TrimLeft(number, "0"); rest != "" {
		return rest
	}
	return number
}

// endsIBAN reports whether an IBAN ends with a national account number. A bank may name an account
// by that number in MT940 files and by the IBAN in CAMT files.
func endsIBAN(iban, number string) bool {
	const shortestIBAN, shortestNumber = 15, 6
	return len(iban) >= shortestIBAN && len(number) >= shortestNumber && len(number) < len(iban)-4 &&
		unicode.IsLetter(rune(iban[0])) && unicode.IsLetter(rune(iban[1])) && unicode.IsDigit(rune(iban[2])) &&
		unicode.IsDigit(rune(iban[3])) && strings.HasSuffix(iban, number)
}

// continued returns the account that a statement continues: the only one in its currency whose
// latest closing balance equals the statement's opening balance.
func (i *importing) continued(s *collected, currency string) (found bookrules.Account, ok bool) {
	if s.stored.Opening == nil {
		return bookrules.Account{}, false
	}
	if i.closings == nil {
		i.closings = i.closingAccounts()
	}
	for _, a := range i.closings[s.stored.Opening.Minor] {
		if currency != "" && a.Currency != currency {
			continue
		}
		if ok {
			return bookrules.Account{}, false
		}
		found, ok = a, true
	}
	return found, ok
}

// closingAccounts returns the accounts of earlier imports by their latest closing balance.
func (i *importing) closingAccounts() map[int64][]bookrules.Account {
	latest := map[int64]bookrules.Balance{}
	for _, s := range i.statements {
		if before, known := latest[s.Account]; s.Closing != nil && (!known || s.Closing.Day > before.Day) {
			latest[s.Account] = *s.Closing
		}
	}
	closings := map[int64][]bookrules.Account{}
	for _, a := range i.accounts {
		if closing, known := latest[a.Key]; known {
			closings[closing.Minor] = append(closings[closing.Minor], a)
		}
	}
	return closings
}

// add adds the account of a statement to the books and returns its key.
func (i *importing) add(s *collected, number, currency string) (int64, error) {
	if currency == "" && !i.options.AllowUnnamed {
		return 0, missingCurrency
	}
	a := bookrules.Account{
		Number: number, Currency: currency, Bank: s.source.Account.Bank, Name: s.source.Account.Name,
		Role: bookrules.Operating,
	}
	err := i.change.write(func(tx *store.Tx) (err error) {
		a.Key, err = tx.InsertBookAccount(i.change.Org, a)
		return err
	})
	if err == nil {
		i.accounts = append(i.accounts, a)
	}
	return a.Key, err
}

// roleOf returns the role of accounts of a kind, and "" for the unknown kind. The cash of an
// investment account counts like savings, because it can be spent soon.
func roleOf(kind bank.Kind) bookrules.Role {
	switch kind {
	case bank.KindSavings, bank.KindInvestment:
		return bookrules.Savings
	case bank.KindCard:
		return bookrules.Card
	case bank.KindChecking:
		return bookrules.Operating
	}
	return ""
}

func numbersOf(accounts []*bookrules.Account) []string {
	numbers := make([]string, len(accounts))
	for n, a := range accounts {
		numbers[n] = a.Number
	}
	return numbers
}

// ShortNumber returns an account number for display: "…" and the number's last four characters. It
// returns names of accounts, and numbers with fewer than four digits, unchanged.
func ShortNumber(number string) string {
	if !bookrules.IsNumber(number) {
		return number
	}
	return "…" + bookrules.NumberEnd(number)
}
