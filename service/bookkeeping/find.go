package bookkeeping

import (
	"fmt"
	"strings"

	"tarmac/internal/termtext"
	"tarmac/service/bookrules"
	"tarmac/service/store"
)

// FindAccount returns the account that the user means by text: its number, the last characters of
// the number with or without "…", or its name. A currency after it, as in "…0731 EUR", chooses
// between accounts that differ only in currency. If several accounts match, the error lists them.
// If none matches, the error is a store.ErrNotFound.
func FindAccount(accounts []bookrules.Account, text string) (bookrules.Account, error) {
	var exact, ending []bookrules.Account
	for _, a := range accounts {
		switch matchAccount(a, text) {
		case wholeMatch:
			exact = append(exact, a)
		case endMatch:
			ending = append(ending, a)
		}
	}
	found := exact
	if len(found) == 0 {
		found = ending
	}
	name := termtext.Line(text)
	switch len(found) {
	case 0:
		return bookrules.Account{}, noAccount(name, accounts)
	case 1:
		return found[0], nil
	}
	names := make([]string, len(found))
	for n, a := range found {
		names[n] = nameAccount(a, a.Number)
	}
	return bookrules.Account{}, fmt.Errorf("%q may be %s; type the whole of one", name, strings.Join(names, " or "))
}

// unknownAccount is the error for a text that names no account. It is a store.ErrNotFound.
type unknownAccount struct{ text string }

func (e unknownAccount) Error() string        { return e.text }
func (e unknownAccount) Is(target error) bool { return target == store.ErrNotFound }

func noAccount(name string, accounts []bookrules.Account) error {
	if len(accounts) == 0 {
		return unknownAccount{"the books have no account yet"}
	}
	names := make([]string, len(accounts))
	for n, a := range accounts {
		names[n] = nameAccount(a, ShortNumber(a.Number))
	}
	return unknownAccount{fmt.Sprintf("no account is called %q; there are %s", name, strings.Join(names, ", "))}
}

// nameAccount returns an account for a message: its number, as given, its name and its currency.
func nameAccount(a bookrules.Account, number string) string {
	if a.Name != "" && a.Name != a.Number {
		number += " " + a.Name
	}
	return termtext.Line(number + " (" + a.Currency + ")")
}

// accountMatch says how well a text matches an account.
type accountMatch uint8

const (
	noMatch    accountMatch = iota
	endMatch                // the text is the end of the account's number
	wholeMatch              // the text is the account's number or name
)

func matchAccount(a bookrules.Account, text string) accountMatch {
	text = strings.TrimSpace(termtext.Line(text)) // as the user sees it
	if strings.HasSuffix(strings.ToUpper(text), " "+a.Currency) {
		text = strings.TrimSpace(text[:len(text)-len(a.Currency)])
	}
	wanted, _ := bookrules.UnmaskedNumber(text)
	a.Number, a.Name = termtext.Line(a.Number), termtext.Line(a.Name)
	number, _ := bookrules.UnmaskedNumber(a.Number)
	switch {
	case text == "":
		return noMatch
	case strings.EqualFold(text, a.Number), strings.EqualFold(text, a.Name), wanted != "" && wanted == number:
		return wholeMatch
	case wanted != "" && strings.HasSuffix(number, wanted):
		return endMatch
	}
	return noMatch
}
