package books

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarmac/client/ownbooks"
	"tarmac/internal/termtext"
	"tarmac/service/bookkeeping"
	"tarmac/service/providers/wire"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// connections adapts the connections of the service to the commands, the dashboard and the line
// mode. All texts in its results are safe to print.
type connections struct {
	syncer *syncing.Syncer
	org    store.OrgKey
}

// Connections returns the connections of an organization, for the commands, the dashboard and the
// line mode.
func Connections(syncer *syncing.Syncer, org store.OrgKey) ownbooks.Providers {
	return connections{syncer, org}
}

// Kinds returns the providers that can be connected.
func (c connections) Kinds() (kinds []ownbooks.ProviderKind) {
	for _, k := range c.syncer.Kinds {
		kinds = append(kinds, ownbooks.ProviderKind{Name: k.Name, Title: k.Title, Every: k.Every})
	}
	return kinds
}

// Connections returns the connections, the oldest first.
func (c connections) Connections(ctx context.Context) (all []ownbooks.Connection, err error) {
	list, err := c.syncer.List(ctx, c.org)
	for i := range list {
		all = append(all, c.connection(&list[i]))
	}
	return all, err
}

// Find returns the connection that the user means by name.
func (c connections) Find(ctx context.Context, name string) (ownbooks.Connection, error) {
	found, err := c.syncer.Find(ctx, c.org, name)
	if err != nil {
		return ownbooks.Connection{}, err
	}
	return c.connection(&found), nil
}

// findToDisconnect returns the connection that the user means by name. ended is true if it was
// disconnected before.
func (c connections) findToDisconnect(ctx context.Context, name string) (_ ownbooks.Connection, ended bool, err error) {
	found, err := c.syncer.Find(ctx, c.org, name)
	if errors.Is(err, store.ErrNotFound) {
		removed, failed := c.syncer.FindDisconnected(ctx, c.org, name)
		if ended = !errors.Is(failed, store.ErrNotFound); ended {
			found, err = removed, failed
		}
	}
	if err != nil {
		return ownbooks.Connection{}, false, err
	}
	return c.connection(&found), ended, nil
}

// Connect stores a credential and returns the connection.
func (c connections) Connect(ctx context.Context, r ownbooks.ConnectRequest) (ownbooks.Connection, error) {
	token := wire.NewSecret(r.Token.Reveal())
	made, listing, err := c.syncer.Connect(ctx, c.org, syncing.ConnectRequest{
		Provider: r.Provider, Label: r.Label, Token: token,
	})
	if err != nil {
		return ownbooks.Connection{}, err
	}
	connection := c.connection(made)
	connection.Notices = clean(listing.Notices)
	return connection, nil
}

// Take chooses the accounts of a connection and reads them.
func (c connections) Take(ctx context.Context, id string, choices []ownbooks.AccountChoice) (
	ownbooks.SyncOutcome, error,
) {
	connection, err := c.Find(ctx, id)
	if err != nil {
		return ownbooks.SyncOutcome{}, err
	}
	chosen := make([]syncing.Choice, len(choices))
	for i, choice := range choices {
		number, err := c.number(ctx, &connection, choice)
		if err != nil {
			return ownbooks.SyncOutcome{}, err
		}
		chosen[i] = syncing.Choice{RemoteID: choice.ID, BooksAccount: number}
	}
	outcome, err := c.syncer.Take(ctx, c.org, id, chosen)
	if err != nil {
		return ownbooks.SyncOutcome{}, err
	}
	return c.outcome(outcome), nil
}

// number returns the number of the account in the books that a choice means: an account by the end
// of its number, its number or its name, or the name of the new account that is offered. It returns
// "" for the proposed one.
func (c connections) number(
	ctx context.Context, connection *ownbooks.Connection, choice ownbooks.AccountChoice,
) (number string, err error) {
	text := strings.TrimSpace(choice.BooksAccount)
	at := slices.IndexFunc(connection.Accounts, func(a ownbooks.ConnectedAccount) bool { return a.ID == choice.ID })
	if text == "" || at >= 0 && text == connection.Accounts[at].BooksAccount {
		return "", nil
	}
	err = c.syncer.Store.Read(ctx, func(snap *store.Snapshot) error {
		accounts, err := snap.BookAccounts(c.org)
		if err != nil {
			return err
		}
		found, err := bookkeeping.FindAccount(accounts, strings.TrimPrefix(text, "…"))
		number = found.Number
		return err
	})
	if errors.Is(err, store.ErrNotFound) && at >= 0 && text == connection.NewAccount(&connection.Accounts[at]) {
		return text, nil
	}
	return number, err
}

// Sync reads the connection that the user means by name, or all.
func (c connections) Sync(ctx context.Context, name string, acceptRemoved bool, waiting func(text string)) (
	all []ownbooks.SyncOutcome, err error,
) {
	outcomes, err := c.syncer.Sync(ctx, c.org, name, syncing.SyncOptions{
		AcceptRemoved: acceptRemoved, Waiting: func(w syncing.Wait) { waiting(waitText(w)) },
	})
	for i := range outcomes {
		all = append(all, c.outcome(&outcomes[i]))
	}
	return all, err
}

// waitText says for which process a reading waits, or returns "" for the zero Wait.
func waitText(w syncing.Wait) string {
	if w == (syncing.Wait{}) {
		return ""
	}
	return fmt.Sprintf("%s is being read by %s. Waiting, until %s UTC at the latest", termtext.Line(w.Label),
		termtext.Line(w.Holder), w.Until.UTC().Format("15:04:05"))
}

// Disconnect deletes a credential.
func (c connections) Disconnect(ctx context.Context, id string, forget bool) error {
	return c.syncer.Disconnect(ctx, c.org, id, forget)
}

func (c connections) outcome(o *syncing.Outcome) ownbooks.SyncOutcome {
	return ownbooks.SyncOutcome{
		Connection: c.connection(&o.Connection), Added: o.Added, Changed: o.Changed, Removed: o.Removed,
		Pending: o.Pending, Invoices: o.Invoices, PaidInvoices: clean(o.Paid), Problem: termtext.Line(o.Problem),
	}
}

func (c connections) connection(from *syncing.Connection) ownbooks.Connection {
	to := ownbooks.Connection{
		ID: from.ID, Provider: from.Provider, Title: from.Title, Label: termtext.Line(cmp.Or(from.Label, from.Title)),
		Company: termtext.Line(from.Company), State: ownbooks.ConnectionState(from.State),
		LastSuccess: from.LastSuccess, LastTry: from.LastTry, NextTry: from.NextTry, Failures: from.Failures,
		Problem: termtext.Line(from.Problem), Residual: termtext.Line(from.Residual), Notices: clean(from.Notices),
		SignIn:       clean(from.SignIn),
		RequestsLeft: from.BudgetLeft,
	}
	if from.Lost != "" {
		to.State, to.Problem = ownbooks.Lost, termtext.Line(from.Lost)
	}
	for _, k := range c.syncer.Kinds {
		if k.Name == from.Provider {
			to.Every = k.Every
		}
	}
	for i := range from.Accounts {
		to.Accounts = append(to.Accounts, connectedAccount(&from.Accounts[i]))
	}
	return to
}

func connectedAccount(a *syncing.ConnectedAccount) ownbooks.ConnectedAccount {
	to := ownbooks.ConnectedAccount{
		ID: termtext.Line(a.RemoteID), Bank: termtext.Line(a.Bank), Name: termtext.Line(a.Name), Currency: a.Currency,
		Taken: a.Taken, Missing: !a.MissingSince.IsZero(), Refused: termtext.Line(a.Refused),
		BooksAccount: shownNumber(a.BooksNumber), Number: shownNumber(a.Number),
	}
	for _, number := range a.Matches {
		to.Matches = append(to.Matches, shownNumber(number))
	}
	if a.Balance != nil {
		to.Balance = &a.Balance.CurrentMinor
	}
	return to
}

// shownNumber returns "…" and the last characters of an account number, or the whole name of an
// account without a number.
func shownNumber(number string) string {
	return termtext.Line(bookkeeping.ShortNumber(number))
}
