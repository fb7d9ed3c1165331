package ownbooks

import (
	"cmp"
	"slices"
	"strings"

	"tarmac/internal/money"
)

// ConnectedAccount is an account at a provider.
type ConnectedAccount struct {
	ID           string   `json:"id"`     // the provider's id
	Bank         string   `json:"bank"`   // "" if unknown
	Name         string   `json:"name"`   // "" if unknown
	Number       string   `json:"number"` // "…" and the last characters of the number; "" if unknown
	Currency     string   `json:"currency"`
	Balance      *int64   `json:"balance_minor"` // nil if unknown
	Taken        bool     `json:"taken"`         // true if the account is read into the books
	Missing      bool     `json:"missing"`       // true if the provider does not have the account any more
	Refused      Optional `json:"refused"`       // why the account cannot be taken, in words; "" if it can
	BooksAccount string   `json:"books_account"` // account of the books that it is, or is proposed to be, read into
	// Matches are the accounts of the books that may be this one, before the accounts are chosen.
	// If BooksAccount is none of them, it is a new account.
	Matches []string `json:"-"`
}

// AccountChoice chooses an account of a provider, and the account of the books to read it into.
type AccountChoice struct {
	ID           string // ConnectedAccount.ID
	BooksAccount string // account of the books, or the name of a new one; "" for the proposed one
}

// Fact says which account of the books the account is read into, and its balance. The function
// amount returns minor units of a currency as text.
func (a *ConnectedAccount) Fact(amount func(minor int64, currency string) string) Fact {
	f := Fact{Label: "Account", Text: a.Label()}
	if a.Balance != nil {
		f.Text += ", " + amount(*a.Balance, a.Currency)
	}
	switch {
	case a.Refused != "":
		f.Text += ", not read: " + string(a.Refused)
	case !a.Taken:
		f.Text += ", not read"
	case a.BooksAccount != "" && a.BooksAccount != a.Label() && AccountText(a.BooksAccount) != a.Number:
		f.Text += ", in the books as " + AccountText(a.BooksAccount)
	}
	if a.Missing {
		f.Text, f.Level = f.Text+"; the provider does not list it any more", Caution
	}
	return f
}

// Label returns the bank, name and number of the account as far as they are known, or else its id.
func (a *ConnectedAccount) Label() string {
	parts := []string{a.Bank, a.Name, a.Number}
	if strings.Contains(a.Name, strings.TrimPrefix(a.Number, "…")) {
		parts = parts[:2]
	}
	if a.Bank != "" && strings.HasPrefix(a.Name, a.Bank) {
		parts = parts[1:]
	}
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	return cmp.Or(strings.Join(parts, " "), a.ID)
}

// AccountText returns the number or name of an account of the books for the user: of a number, "…"
// and the last four characters.
func AccountText(account string) string {
	const shown = 4
	end := account[max(0, len(account)-shown):]
	if len(account) <= shown || strings.Trim(end, "0123456789") != "" || strings.ContainsAny(account, " …") {
		return account
	}
	return "…" + end
}

// TakenCount says how many accounts are read into the books, such as "2 of 3".
func (c *Connection) TakenCount() string {
	taken := 0
	for _, a := range c.Accounts {
		if a.Taken {
			taken++
		}
	}
	switch {
	case len(c.Accounts) == 0:
		return money.Dash
	case taken == len(c.Accounts):
		return money.Count(int64(taken))
	}
	return money.Count(int64(taken)) + " of " + money.Count(int64(len(c.Accounts)))
}

// Chosen returns the accounts that are proposed to be read: those that were taken before, or else
// all that can be taken.
func (c *Connection) Chosen() []bool {
	again := slices.ContainsFunc(c.Accounts, func(a ConnectedAccount) bool { return a.Taken })
	chosen := make([]bool, len(c.Accounts))
	for n, a := range c.Accounts {
		chosen[n] = a.Refused == "" && !a.Missing && (a.Taken || !again)
	}
	return chosen
}

// Targets returns the accounts of the books into which the account can be read, the proposed one
// first. A name that is not in Matches is that of a new account.
func (c *Connection) Targets(a *ConnectedAccount) []string {
	targets := []string{a.BooksAccount}
	for _, match := range a.Matches {
		if match != a.BooksAccount {
			targets = append(targets, match)
		}
	}
	if !a.Taken && slices.Contains(a.Matches, a.BooksAccount) {
		targets = append(targets, c.NewAccount(a))
	}
	return targets
}

// NewAccount returns the name of a new account of the books for an account that may have one there.
func (c *Connection) NewAccount(a *ConnectedAccount) string {
	return strings.TrimSpace(c.Title + " " + cmp.Or(a.Name, a.Number))
}

// IsNew reports whether a target of the account is a new account of the books.
func (a *ConnectedAccount) IsNew(target string) bool {
	return !a.Taken && !slices.Contains(a.Matches, target)
}
