package bookkeeping

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"tarmac/internal/termtext"
	"tarmac/service/bookrules"
	"tarmac/service/store"
)

// AccountChange describes an account after the user gave it a role or a name.
type AccountChange struct {
	// Account is "…" and the last four characters of the number, or the whole name.
	Account  string         `json:"account"`
	Currency string         `json:"currency"`
	Name     string         `json:"name"`
	Role     bookrules.Role `json:"role"`
	// ChangedRows is the number of transactions that were added, changed or removed.
	ChangedRows int `json:"changed_rows"`
	// PaidInvoices lists the numbers of the organization's own invoices that are paid now and were
	// not before the change.
	PaidInvoices []string `json:"paid_invoices,omitempty"`
}

// SetRole gives an account a role and derives the books again. The text names the account by its
// number, the end of its number, or its name.
func (b *Books) SetRole(ctx context.Context, account string, role bookrules.Role) (AccountChange, error) {
	return b.changeAccount(ctx, account, func(bookrules.Account, []bookrules.Account) (accountEdit, error) {
		return accountEdit{
			suppose: func(c *bookrules.AccountChoice) { c.Role = role },
			apply:   func(tx *store.Tx, a bookrules.Account) error { return tx.SetBookAccountRole(b.Org, a, role) },
		}, nil
	})
}

// maxAccountName is the largest number of characters in an account's name.
const maxAccountName = 60

// Rename gives an account a name. With an empty name, the account has the name in its files again.
// Because names are evidence of transfers, Rename derives the books again.
func (b *Books) Rename(ctx context.Context, account, name string) (AccountChange, error) {
	name = strings.TrimSpace(termtext.Line(name))
	if utf8.RuneCountInString(name) > maxAccountName {
		return AccountChange{}, fmt.Errorf("the name has more than %d characters", maxAccountName)
	}
	return b.changeAccount(ctx, account, func(a bookrules.Account, all []bookrules.Account) (accountEdit, error) {
		for _, other := range all {
			if name != "" && other.Key != a.Key && (strings.EqualFold(other.Name, name) || other.Number == name) {
				return accountEdit{}, fmt.Errorf("the account %s is called that already",
					nameAccount(other, ShortNumber(other.Number)))
			}
		}
		return accountEdit{
			suppose: func(c *bookrules.AccountChoice) { c.Name = name },
			apply:   func(tx *store.Tx, a bookrules.Account) error { return tx.SetBookAccountName(b.Org, a, name) },
		}, nil
	})
}

// accountEdit is a choice about an account: in the books as they are derived, and stored.
type accountEdit struct {
	suppose func(c *bookrules.AccountChoice)
	apply   func(tx *store.Tx, a bookrules.Account) error
}

// changeAccount calls edit with the account that the text names and with all accounts, and then
// derives the books again with the choice that edit returns.
func (b *Books) changeAccount(ctx context.Context, text string,
	edit func(a bookrules.Account, all []bookrules.Account) (accountEdit, error),
) (changed AccountChange, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	err = b.changeBooks(ctx, func(c *change) error {
		var a bookrules.Account
		var chosen accountEdit
		err := c.write(func(tx *store.Tx) error {
			all, err := tx.BookAccounts(b.Org)
			if err != nil {
				return err
			}
			if a, err = FindAccount(all, text); err != nil {
				return err
			}
			if err := b.refuseForeign(tx); err != nil {
				return err
			}
			if chosen, err = edit(a, all); err == nil {
				c.edits.rules, err = b.changedRules(tx)
			}
			return err
		})
		if err != nil {
			return err
		}
		c.counting = true
		c.edits.see = func(r reader) (reader, error) {
			r.SupposeChoice(a, chosen.suppose)
			return r, nil
		}
		c.edits.apply = func(tx *store.Tx) error { return chosen.apply(tx, a) }
		changed = AccountChange{Account: ShortNumber(a.Number), Currency: a.Currency}
		err = c.deriveAll(func(mt *matching) {
			for _, d := range mt.accounts {
				if d.Key == a.Key {
					changed.Name, changed.Role = d.Name, d.Role
				}
			}
		})
		changed.ChangedRows, changed.PaidInvoices = c.rows, c.paid
		return err
	})
	return changed, err
}

// AccountName is an account and a text that stands for it in a command.
type AccountName struct {
	Text string
	bookrules.Account
}

// AccountNames returns, for each account, the shortest text that stands for no other account: the
// end of its number, its number, or either of them with the currency.
func (b *Books) AccountNames(ctx context.Context) (names []AccountName, err error) {
	var accounts []bookrules.Account
	err = b.Store.Read(ctx, func(snap *store.Snapshot) error {
		accounts, err = snap.BookAccounts(b.Org)
		return err
	})
	for _, a := range accounts {
		end := strings.TrimPrefix(ShortNumber(a.Number), "…")
		name := AccountName{Text: a.Number, Account: a}
		for _, text := range [...]string{end, a.Number, end + " " + a.Currency, a.Number + " " + a.Currency} {
			if found, err := FindAccount(accounts, text); err == nil && found.Key == a.Key {
				name.Text = text
				break
			}
		}
		names = append(names, name)
	}
	return names, err
}
