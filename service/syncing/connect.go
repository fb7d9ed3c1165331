package syncing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"tarmac/internal/termtext"
	"tarmac/service/ids"
	"tarmac/service/providers"
	"tarmac/service/providers/pace"
	"tarmac/service/providers/wire"
	"tarmac/service/store"
)

// maxConnect is the timeout of connecting, without the choice of accounts.
const maxConnect = 3 * time.Minute

// Connect connects an organization to a provider: it exchanges the token for a credential if the
// provider wants that, stores the credential encrypted, and returns the accounts that it can see.
// Nothing is read into the books before Take is called.
//
// Without a token, Connect lists the accounts again with the stored credential, so that another
// choice can be made. A token for accounts that the organization has connected before replaces the
// credential of that connection, whose state is then ready.
func (s *Syncer) Connect(ctx context.Context, org store.OrgKey, r ConnectRequest) (
	*Connection, providers.Listing, error,
) {
	kind, err := s.kind(r.Provider)
	if err != nil {
		return nil, providers.Listing{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, maxConnect)
	defer cancel()
	if r.Token.IsZero() {
		return s.relist(ctx, org, kind, r)
	}
	if err := kind.Check(r.Token); err != nil {
		return nil, providers.Listing{}, err
	}
	c, err := s.claim(ctx, org, kind, r)
	if err != nil {
		return nil, providers.Listing{}, err
	}
	listing, err := s.accounts(ctx, c, kind)
	if err != nil {
		if kind.Claim == nil { // the token can be used again
			return nil, listing, errors.Join(err, s.forget(ctx, c))
		}
		return nil, listing, fmt.Errorf("%w; the token was exchanged and is stored: connect %s with --choose", err,
			kind.Title)
	}
	return s.useListing(ctx, c, kind, listing)
}

// claim stores a new connection with its credential. The connection is stored before a token that
// can be used once is sent, so that a crash leaves a record of it.
func (s *Syncer) claim(
	ctx context.Context, org store.OrgKey, kind providers.Kind, r ConnectRequest,
) (c store.Connection, err error) {
	now := s.Now().UTC().Truncate(time.Microsecond)
	c = store.Connection{Org: org, Provider: kind.Name, State: store.ConnectionClaiming, CreatedAt: now}
	if c.ID, err = s.IDs.New(ids.Connection, now); err != nil {
		return c, err
	}
	// A key that is missing must be found before a token is used up.
	if _, err := s.Seal(ctx, "", SealContext(c.ID)); err != nil {
		return c, err
	}
	if c.Label, err = s.label(ctx, org, r.Label, kind.Title); err != nil {
		return c, err
	}
	err = s.Store.WriteOf(ctx, org, func(tx *store.Tx) error {
		c.Key, err = tx.InsertConnection(c)
		return err
	})
	if err != nil {
		return c, err
	}
	credential := r.Token
	if kind.Claim != nil {
		if credential, err = kind.Claim(ctx, s.Client, r.Token); err != nil {
			return c, errors.Join(err, s.forget(ctx, c))
		}
	}
	c.State = store.ConnectionChoosing
	return c, s.storeCredential(ctx, c, credential)
}

// storeCredential encrypts a credential and stores it with the description of its connection.
// Connections whose tokens were lost earlier are deleted, because this one replaces them.
func (s *Syncer) storeCredential(ctx context.Context, c store.Connection, credential wire.Secret) error {
	sealed, err := s.Seal(ctx, credential.Reveal(), SealContext(c.ID))
	if err != nil {
		return err
	}
	return s.Store.WriteOf(ctx, c.Org, func(tx *store.Tx) error {
		return errors.Join(tx.DescribeConnection(c), tx.SetConnectionSecret(c.Key, sealed),
			tx.DeleteLostClaims(c.Org, c.Provider, s.Now().Add(-maxConnect)))
	})
}

// forget deletes a connection that could not be made. It does so even if ctx was canceled.
func (s *Syncer) forget(ctx context.Context, c store.Connection) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxRecord)
	defer cancel()
	return s.Store.WriteOf(ctx, c.Org, func(tx *store.Tx) error { return tx.DeleteConnection(c.Key) })
}

// maxRecord is the longest time to record the end of something that took place.
const maxRecord = 10 * time.Second

// accounts lists a connection's accounts at the provider.
func (s *Syncer) accounts(ctx context.Context, c store.Connection, kind providers.Kind) (providers.Listing, error) {
	provider, _, err := s.open(ctx, c)
	if err != nil {
		return providers.Listing{}, err
	}
	if err := s.reserve(ctx, c, kind, true); err != nil {
		return providers.Listing{}, err
	}
	return provider.Accounts(ctx)
}

// reserve counts a request before it is sent. It returns a *usedUp if the provider's limit allows
// no request now.
func (s *Syncer) reserve(ctx context.Context, c store.Connection, kind providers.Kind, byPerson bool) error {
	if kind.Daily == 0 {
		return nil
	}
	return s.Store.WriteOf(ctx, c.Org, func(tx *store.Tx) error {
		now := s.Now()
		sent, err := tx.RequestsSent(c.Key, now)
		if err != nil {
			return err
		}
		if budget := pace.BudgetOf(kind, sent, now, byPerson); budget.Left == 0 {
			return &usedUp{title: kind.Title, daily: kind.Daily, returned: budget.Returned}
		}
		return tx.CountRequest(c, now)
	})
}

// usedUp is the error for a request beyond a provider's limit. The next one is allowed at the time
// returned.
type usedUp struct {
	title    string
	daily    int
	returned time.Time
}

func (e *usedUp) Error() string {
	return fmt.Sprintf("%s allows %d requests in 24 hours and they are used up; the next is possible at %s", e.title,
		e.daily, moment(e.returned))
}

// label returns a name for a new connection that no other connection has.
func (s *Syncer) label(ctx context.Context, org store.OrgKey, wanted, title string) (string, error) {
	all, err := s.List(ctx, org)
	if err != nil {
		return "", err
	}
	taken := func(label string) bool {
		for _, c := range all {
			if strings.EqualFold(c.Label, label) && c.State != store.ConnectionClaiming {
				return true
			}
		}
		return false
	}
	wanted = strings.TrimSpace(termtext.Line(wanted))
	if wanted != "" && taken(wanted) {
		return "", fmt.Errorf("a connection is called %q already: choose another name, or none for a new token", wanted)
	}
	label := cmp.Or(wanted, title)
	for n := 2; taken(label); n++ {
		label = fmt.Sprintf("%s %d", title, n)
	}
	return label, nil
}
