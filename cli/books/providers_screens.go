package books

import (
	"context"
	"errors"

	"tarmac/client/importing"
	"tarmac/internal/ownbooks"
	"tarmac/service/providers/wire"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// connections binds the connections of the service to an organization, for the commands, the
// dashboard and the line mode.
type connections struct {
	*syncing.Syncer
	org store.OrgKey
}

// Connections returns the connections of an organization, for the commands, the dashboard and the
// line mode.
func Connections(syncer *syncing.Syncer, org store.OrgKey) importing.Providers {
	return connections{syncer, org}
}

// Kinds returns the providers that can be connected.
func (c connections) Kinds() (kinds []ownbooks.ProviderKind) {
	for _, k := range c.Syncer.Kinds {
		kinds = append(kinds, k.ProviderKind)
	}
	return kinds
}

// Connections returns the connections, the oldest first.
func (c connections) Connections(ctx context.Context) (all []ownbooks.Connection, err error) {
	list, err := c.List(ctx, c.org)
	for i := range list {
		all = append(all, c.Shown(&list[i]))
	}
	return all, err
}

// Find returns the connection that the user means by name.
func (c connections) Find(ctx context.Context, name string) (ownbooks.Connection, error) {
	found, err := c.Syncer.Find(ctx, c.org, name)
	if err != nil {
		return ownbooks.Connection{}, err
	}
	return c.Shown(&found), nil
}

// findToDisconnect returns the connection that the user means by name. ended is true if it was
// disconnected before.
func (c connections) findToDisconnect(ctx context.Context, name string) (_ ownbooks.Connection, ended bool, err error) {
	found, err := c.Syncer.Find(ctx, c.org, name)
	if errors.Is(err, store.ErrNotFound) {
		removed, failed := c.FindDisconnected(ctx, c.org, name)
		if ended = !errors.Is(failed, store.ErrNotFound); ended {
			found, err = removed, failed
		}
	}
	if err != nil {
		return ownbooks.Connection{}, false, err
	}
	return c.Shown(&found), ended, nil
}

// Connect stores a credential and returns the connection.
func (c connections) Connect(ctx context.Context, r importing.ConnectRequest) (ownbooks.Connection, error) {
	made, listing, err := c.Syncer.Connect(ctx, c.org, syncing.ConnectRequest{
		Provider: r.Provider, Label: r.Label, Token: wire.NewSecret(r.Token.Reveal()),
	})
	if err != nil {
		return ownbooks.Connection{}, err
	}
	made.Notices = listing.Notices
	return c.Shown(made), nil
}

// Take chooses the accounts of a connection and reads them.
func (c connections) Take(ctx context.Context, id string, choices []ownbooks.AccountChoice) (ownbooks.Outcome, error) {
	connection, err := c.Find(ctx, id)
	if err != nil {
		return ownbooks.Outcome{}, err
	}
	chosen := make([]syncing.Choice, len(choices))
	for i, choice := range choices {
		number, err := c.BooksNumber(ctx, c.org, &connection, choice)
		if err != nil {
			return ownbooks.Outcome{}, err
		}
		chosen[i] = syncing.Choice{RemoteID: choice.ID, BooksAccount: number}
	}
	outcome, err := c.Syncer.Take(ctx, c.org, id, chosen)
	if err != nil {
		return ownbooks.Outcome{}, err
	}
	return c.ShownOutcome(outcome), nil
}

// Sync reads the connection that the user means by name, or all.
func (c connections) Sync(ctx context.Context, name string, acceptRemoved bool, waiting func(text string)) (
	all []ownbooks.Outcome, err error,
) {
	outcomes, err := c.Syncer.Sync(ctx, c.org, name, syncing.SyncOptions{
		AcceptRemoved: acceptRemoved, Waiting: func(w syncing.Wait) { waiting(w.Text()) },
	})
	for i := range outcomes {
		all = append(all, c.ShownOutcome(&outcomes[i]))
	}
	return all, err
}

// Disconnect deletes a credential.
func (c connections) Disconnect(ctx context.Context, id string, forget bool) error {
	return c.Syncer.Disconnect(ctx, c.org, id, forget)
}
