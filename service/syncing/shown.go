package syncing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarmac/internal/ownbooks"
	"tarmac/internal/termtext"
	"tarmac/service/bookkeeping"
	"tarmac/service/store"
)

// Shown returns a connection for people: without its secrets, with short account numbers, and with
// texts that are safe to print.
func (s *Syncer) Shown(c *Connection) ownbooks.Connection {
	shown := ownbooks.Connection{
		ID: c.ID, Provider: c.Provider, Title: c.Title, Label: cmp.Or(c.Label, c.Title), Company: c.Company,
		State: ownbooks.ConnectionState(c.State), LastSuccess: ownbooks.At(c.LastSuccess),
		LastTry: ownbooks.At(c.LastTry), NextTry: ownbooks.At(c.NextTry), Failures: c.Failures,
		Problem: ownbooks.Optional(c.Problem), Residual: ownbooks.Optional(c.Residual),
		Notices: append([]string{}, c.Notices...), SignIn: append([]string{}, c.SignIn...),
		Accounts: make([]ownbooks.ConnectedAccount, len(c.Accounts)),
	}
	if c.Lost != "" {
		shown.State, shown.Problem = ownbooks.Lost, ownbooks.Optional(c.Lost)
	}
	if c.BudgetLeft >= 0 {
		shown.RequestsLeft = &c.BudgetLeft
	}
	if kind, err := s.kind(c.Provider); err == nil {
		shown.Every = kind.Every
	}
	for n := range c.Accounts {
		shown.Accounts[n] = c.Accounts[n].shown()
	}
	ownbooks.Clean(&shown)
	return shown
}

func (a *ConnectedAccount) shown() ownbooks.ConnectedAccount {
	shown := ownbooks.ConnectedAccount{
		ID: a.RemoteID, Bank: a.Bank, Name: a.Name, Currency: a.Currency, Taken: a.Taken,
		Missing: !a.MissingSince.IsZero(), Refused: ownbooks.Optional(a.Refused),
		BooksAccount: bookkeeping.ShortNumber(a.BooksNumber), Number: bookkeeping.ShortNumber(a.Number),
	}
	for _, number := range a.Matches {
		shown.Matches = append(shown.Matches, bookkeeping.ShortNumber(number))
	}
	if a.Balance != nil {
		shown.Balance = &a.Balance.CurrentMinor
	}
	return shown
}

// ShownOutcome returns the outcome of a reading for people.
func (s *Syncer) ShownOutcome(o *Outcome) ownbooks.Outcome {
	shown := ownbooks.Outcome{
		Added: o.Added, Changed: o.Changed, Removed: o.Removed, Pending: o.Pending, Invoices: o.Invoices,
		PaidInvoices: append([]string{}, o.Paid...), Problem: ownbooks.Optional(o.Problem),
	}
	ownbooks.Clean(&shown)
	shown.Connection = s.Shown(&o.Connection)
	return shown
}

// Text says for which process a reading waits. It returns "" for the zero Wait.
func (w Wait) Text() string {
	if w == (Wait{}) {
		return ""
	}
	return fmt.Sprintf("%s is being read by %s. Waiting, until %s UTC at the latest", termtext.Line(w.Label),
		termtext.Line(w.Holder), w.Until.UTC().Format("15:04:05"))
}

// BooksNumber returns the number of the account in the books that a person means by a choice: an
// account by the end of its number, its number or its name, or the name of the new account that is
// offered. It returns "" for the proposed one.
func (s *Syncer) BooksNumber(ctx context.Context, org store.OrgKey, c *ownbooks.Connection,
	choice ownbooks.AccountChoice,
) (number string, err error) {
	text := strings.TrimSpace(choice.BooksAccount)
	at := slices.IndexFunc(c.Accounts, func(a ownbooks.ConnectedAccount) bool { return a.ID == choice.ID })
	if text == "" || at >= 0 && text == c.Accounts[at].BooksAccount {
		return "", nil
	}
	err = s.Store.Read(ctx, func(snap *store.Snapshot) error {
		accounts, err := snap.BookAccounts(org)
		if err != nil {
			return err
		}
		found, err := bookkeeping.FindAccount(accounts, strings.TrimPrefix(text, "…"))
		number = found.Number
		return err
	})
	if errors.Is(err, store.ErrNotFound) && at >= 0 && text == c.NewAccount(&c.Accounts[at]) {
		return text, nil
	}
	return number, err
}
