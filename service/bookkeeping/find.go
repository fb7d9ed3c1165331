package bookkeeping

import (
	"fmt"
	"strings"

	"tarmac/internal/termtext"
	"tarmac/service/books"
	"tarmac/service/store"
)

// FindAccount returns the account that a person means by text: its number, the last characters of
// the number with or without "…", or its name. A currency after it, as in "…0731 EUR", chooses
// between accounts that differ only in that. The error wraps store.ErrNotFound if there is no such
// account, and names the accounts if there are several.
func FindAccount(accounts []books.Account, text string) (books.Account, error) {
	var exact, ending []books.Account
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
		return books.Account{}, fmt.Errorf("no account is called %q, see `tarmac books`: %w", name, store.ErrNotFound)
	case 1:
		return found[0], nil
	}
	names := make([]string, len(found))
	for n, a := range found {
		names[n] = termtext.Line(a.Number) + " " + a.Currency
	}
	return books.Account{}, fmt.Errorf("%q may be %s; type the whole of one", name, strings.Join(names, " or "))
}

// accountMatch says how well a text matches an account.
type accountMatch uint8

const (
	noMatch    accountMatch = iota
	endMatch                // the text is the end of the account's number
	wholeMatch              // the text is the account's number or name
)

func matchAccount(a books.Account, text string) accountMatch {
	text = strings.TrimSpace(text)
	if strings.HasSuffix(strings.ToUpper(text), " "+a.Currency) {
		text = strings.TrimSpace(text[:len(text)-len(a.Currency)])
	}
	wanted, _ := unmasked(text)
	number, _ := unmasked(a.Number)
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
