package syncing

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tarmac/service/providers"
	"tarmac/service/store"
)

// Take chooses the accounts of a connection that are read into the books, and reads them for the
// first time. Accounts that are not among choices are not read.
func (s *Syncer) Take(ctx context.Context, org store.OrgKey, id string, choices []Choice) (*Outcome, error) {
	c, err := s.Find(ctx, org, id)
	if err != nil {
		return nil, err
	}
	if err := s.choose(ctx, c, choices); err != nil {
		return nil, err
	}
	outcomes, err := s.Sync(ctx, org, c.ID, SyncOptions{})
	if err != nil {
		return nil, err
	}
	return &outcomes[0], nil
}

// choose stores which accounts of a connection are read.
func (s *Syncer) choose(ctx context.Context, c Connection, choices []Choice) error {
	return s.Store.WriteOf(ctx, c.Org, func(tx *store.Tx) error {
		for _, a := range c.Accounts {
			a.Taken = false
			for _, choice := range choices {
				if choice.RemoteID != a.RemoteID {
					continue
				}
				if a.Refused != "" {
					return fmt.Errorf("%s cannot be taken: %s", a.Name, a.Refused)
				}
				a.Taken = true
				if choice.BooksAccount != "" {
					a.BooksNumber = choice.BooksAccount
				}
			}
			if err := tx.PutConnectionAccount(c.Org, a.ConnectionAccount); err != nil {
				return err
			}
		}
		c.State, c.NextTry = store.ConnectionReady, s.Now()
		return tx.DescribeConnection(c.Connection)
	})
}

// Sync reads the connection that name means, or all connections if name is "". A reading that fails
// is an Outcome with a Problem. Sync returns an error if nothing could be read at all, for example
// because there is no such connection.
func (s *Syncer) Sync(ctx context.Context, org store.OrgKey, name string, options SyncOptions) ([]Outcome, error) {
	all, err := s.List(ctx, org)
	if err != nil {
		return nil, err
	}
	if name != "" {
		c, err := find(all, name)
		if err != nil {
			return nil, err
		}
		all = []Connection{c}
	}
	if len(all) == 0 {
		return nil, errNoConnection
	}
	return nil, errors.New("connections cannot be read yet")
}

// Run reads the connections of all organizations, each when it is due, until ctx ends.
func (s *Syncer) Run(ctx context.Context) { <-ctx.Done() }

// balanceOf returns a provider's balance as it is stored; nil if there is none.
func balanceOf(b *providers.Balance, read time.Time) *store.ConnectionBalance {
	if b == nil {
		return nil
	}
	return &store.ConnectionBalance{
		CurrentMinor: b.CurrentMinor, AvailableMinor: b.AvailableMinor, At: b.At, Read: read,
	}
}
