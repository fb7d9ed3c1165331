package syncing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/service/providers"
	"tarmac/service/providers/pace"
	"tarmac/service/store"
)

// List returns the organization's connections except removed ones, oldest first.
func (s *Syncer) List(ctx context.Context, org store.OrgKey) (shown []Connection, err error) {
	var all []Connection
	err = s.Store.Read(ctx, func(snap *store.Snapshot) (err error) {
		all, err = s.list(snap, org)
		return err
	})
	for _, c := range all {
		if c.State != store.ConnectionRemoved && (c.State != store.ConnectionClaiming || !hasLater(all, c)) {
			shown = append(shown, c)
		}
	}
	return shown, err
}

// hasLater reports whether a later connection has the same provider. Then nobody needs to know that
// the token of an earlier one may be used up.
func hasLater(all []Connection, c Connection) bool {
	return slices.ContainsFunc(all, func(other Connection) bool {
		return other.Key > c.Key && other.Provider == c.Provider && other.State != store.ConnectionClaiming
	})
}

// list returns the organization's connections, including removed ones.
func (s *Syncer) list(snap *store.Snapshot, org store.OrgKey) ([]Connection, error) {
	records, err := snap.Connections(org)
	if err != nil {
		return nil, err
	}
	accounts, err := snap.ConnectionAccounts(org)
	if err != nil {
		return nil, err
	}
	all := make([]Connection, len(records))
	for n, record := range records {
		all[n] = Connection{Connection: record, Title: record.Provider, BudgetLeft: -1}
		if kind, err := s.kind(record.Provider); err == nil {
			all[n].Title = kind.Title
			if all[n].BudgetLeft, err = s.budgetLeft(snap, record.Key, kind); err != nil {
				return nil, err
			}
		}
		if all[n].Lost, err = s.lost(snap, record); err != nil {
			return nil, err
		}
		for _, a := range accounts {
			if a.Connection == record.Key {
				all[n].Accounts = append(all[n].Accounts, ConnectedAccount{ConnectionAccount: a})
			}
		}
	}
	return all, nil
}

// lost returns Connection.Lost.
func (s *Syncer) lost(snap *store.Snapshot, c store.Connection) (string, error) {
	if c.State == store.ConnectionRemoved || c.State == store.ConnectionClaiming {
		return "", nil // has no credential
	}
	sealed, err := snap.ConnectionSecret(c.Key)
	if err != nil {
		return "", err
	}
	if sealed == nil {
		return cmp.Or(c.Problem, "its token is gone; connect it again"), nil
	}
	if _, err := s.Unseal(sealed, SealContext(c.ID)); errors.As(err, new(*providers.Failure)) {
		return err.Error(), nil
	}
	return "", nil
}

// budgetLeft returns how many requests a person may still cause; -1 without a limit.
func (s *Syncer) budgetLeft(snap *store.Snapshot, key store.ConnectionKey, kind providers.Kind) (int, error) {
	now := s.Now()
	sent, err := snap.RequestsSent(key, now)
	return pace.BudgetOf(kind, sent, now, true).Left, err
}

// Find returns the connection that a person means by name: its label, its id, or the name of its
// provider if no other connection has the same provider. The error wraps store.ErrNotFound if there
// is none.
func (s *Syncer) Find(ctx context.Context, org store.OrgKey, name string) (Connection, error) {
	all, err := s.List(ctx, org)
	if err != nil {
		return Connection{}, err
	}
	return s.find(all, name)
}

func (s *Syncer) find(all []Connection, name string) (Connection, error) {
	for _, matches := range [...]func(Connection) bool{
		func(c Connection) bool { return c.ID == name || strings.EqualFold(c.Label, name) },
		func(c Connection) bool {
			return strings.EqualFold(c.Provider, name) || strings.EqualFold(c.Title, name)
		},
	} {
		var found []Connection
		for _, c := range all {
			if matches(c) {
				found = append(found, c)
			}
		}
		if len(found) == 1 {
			return found[0], nil
		}
		if len(found) > 1 {
			return Connection{}, fmt.Errorf("%q may be %s; type one of these", termtext.Line(name), names(found))
		}
	}
	if len(all) == 0 {
		return Connection{}, s.errNoConnection()
	}
	return Connection{}, notConnected{fmt.Sprintf("no connection is called %q; there are %s",
		termtext.Line(name), labels(all))}
}

// errNoConnection says which providers can be connected.
func (s *Syncer) errNoConnection() error {
	names := make([]string, len(s.Kinds))
	for n, k := range s.Kinds {
		names[n] = k.Name
	}
	return notConnected{"no provider is connected; connect " + plural.List(names, "or") + " first"}
}

// notConnected is the error for a name of no connection. It is a store.ErrNotFound.
type notConnected struct{ text string }

func (e notConnected) Error() string        { return e.text }
func (e notConnected) Is(target error) bool { return target == store.ErrNotFound }

// names returns the labels of connections, or their ids if labels are equal.
func names(all []Connection) string {
	for n := range all {
		if slices.ContainsFunc(all[:n], func(c Connection) bool { return strings.EqualFold(c.Label, all[n].Label) }) {
			ids := make([]string, len(all))
			for i := range all {
				ids[i] = all[i].ID
			}
			return strings.Join(ids, " or ")
		}
	}
	return labels(all)
}

func labels(all []Connection) string {
	names := make([]string, len(all))
	for n, c := range all {
		names[n] = c.Label
	}
	return strings.Join(names, ", ")
}

// FindDisconnected returns the disconnected connection that a person means by name, in the same
// way as Find.
func (s *Syncer) FindDisconnected(ctx context.Context, org store.OrgKey, name string) (Connection, error) {
	var removed []Connection
	err := s.Store.Read(ctx, func(snap *store.Snapshot) error {
		all, err := s.list(snap, org)
		removed = slices.DeleteFunc(all, func(c Connection) bool { return c.State != store.ConnectionRemoved })
		return err
	})
	if err != nil {
		return Connection{}, err
	}
	return s.find(removed, name)
}

// CheckCredential returns an error if the credential of a connection is missing or cannot be
// decrypted. It sends nothing to the provider.
func (s *Syncer) CheckCredential(ctx context.Context, org store.OrgKey, id string) error {
	c, err := s.Find(ctx, org, id)
	if err != nil {
		return err
	}
	_, _, err = s.open(ctx, c.Connection)
	return err
}

// Disconnect deletes a connection's credential and ends its readings. Its lines stay in the books
// unless forget is set: then the books are as if the connection had never been read. With forget,
// id may also be that of a connection that was disconnected before.
func (s *Syncer) Disconnect(ctx context.Context, org store.OrgKey, id string, forget bool) error {
	c, err := s.Find(ctx, org, id)
	if forget && errors.Is(err, store.ErrNotFound) {
		if ended, failed := s.FindDisconnected(ctx, org, id); failed == nil {
			c, err = ended, nil
		}
	}
	if err != nil {
		return err
	}
	if forget {
		_, err := s.Books(org).ForgetFeed(ctx, c.ID, func(tx *store.Tx) error { return tx.DeleteConnection(c.Key) })
		return err
	}
	return s.Store.WriteOf(ctx, org, func(tx *store.Tx) error { return tx.RemoveConnection(c.Key) })
}
