package syncing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tarmac/internal/processes"
	"tarmac/service/bookkeeping"
	"tarmac/service/bookrules"
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

// choose stores which accounts of a connection are read. An account that was not read before is
// read from its beginning.
func (s *Syncer) choose(ctx context.Context, c Connection, choices []Choice) error {
	if len(choices) == 0 && len(c.Accounts) > 0 {
		return errors.New("choose at least one account")
	}
	chosen := map[string]Choice{}
	for _, choice := range choices {
		if !slices.ContainsFunc(c.Accounts, func(a ConnectedAccount) bool { return a.RemoteID == choice.RemoteID }) {
			return fmt.Errorf("%s does not list one of the chosen accounts any more; choose again", c.Title)
		}
		chosen[choice.RemoteID] = choice
	}
	return s.Store.WriteOf(ctx, c.Org, func(tx *store.Tx) error {
		// A reading in progress would store the accounts as they were chosen before.
		if err := tx.EndReading(c.Key); err != nil {
			return err
		}
		more, used := false, map[string]string{}
		for _, a := range c.Accounts {
			choice, take := chosen[a.RemoteID]
			if take {
				if err := setBooksAccount(&a, choice, used); err != nil {
					return err
				}
			}
			more = more || take && !a.Taken
			a.Taken = take
			if err := tx.PutConnectionAccount(c.Org, a.ConnectionAccount); err != nil {
				return err
			}
		}
		c.State, c.NextTry = store.ConnectionReady, s.Now()
		if more {
			c.History = store.ConnectionHistory{}
		}
		return tx.DescribeConnection(c.Connection)
	})
}

// setBooksAccount sets the account of the books that an account is read into. The map used has the
// names of the accounts that are read already, by their accounts of the books. An account stays
// where its lines are, because they would count twice otherwise.
func setBooksAccount(a *ConnectedAccount, choice Choice, used map[string]string) error {
	if a.Refused != "" {
		return fmt.Errorf("%s cannot be taken: %s", a.Name, a.Refused)
	}
	number := cmp.Or(choice.BooksAccount, a.BooksNumber)
	if moves := bookrules.NumberEnd(number) != bookrules.NumberEnd(a.BooksNumber); moves && a.Taken {
		return fmt.Errorf("%s is read into %s already; to read it into another account of the books, disconnect with "+
			"--forget first", a.Name, bookkeeping.ShortNumber(a.BooksNumber))
	} else if moves {
		a.BooksNumber = number
	}
	digits, _ := bookrules.UnmaskedNumber(number)
	into := digits + " " + a.Currency
	if used[into] != "" {
		return fmt.Errorf("%s and %s cannot both be read into %s; choose another account of the books for one of them",
			used[into], a.Name, bookkeeping.ShortNumber(number))
	}
	used[into] = a.Name
	return nil
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
		c, err := s.find(all, name)
		if err != nil {
			return nil, err
		}
		all = []Connection{c}
	}
	if len(all) == 0 {
		return nil, s.errNoConnection()
	}
	outcomes := make([]Outcome, len(all))
	for n, c := range all {
		if outcomes[n], err = s.syncOne(ctx, c, options); err != nil {
			return nil, err
		}
	}
	s.wake()
	return outcomes, nil
}

// syncOne reads one connection because a person wants it. If it is being read already, syncOne
// waits for that reading instead.
func (s *Syncer) syncOne(ctx context.Context, c Connection, options SyncOptions) (o Outcome, err error) {
	now := s.Now()
	switch {
	case c.State == store.ConnectionClaiming:
		o.Problem = fmt.Sprintf("the token was sent and no answer was stored, so it may be used up; make a new one at %s "+
			"and connect it again", c.Title)
	case c.State == store.ConnectionChoosing:
		o.Problem = "its accounts are not chosen: connect " + c.Title + " with --choose"
	case now.Before(c.WaitUntil):
		o.Problem = fmt.Sprintf("%s; wait until %s", cmp.Or(c.Problem, c.Title+" was asked too often"), moment(c.WaitUntil))
	default:
		o, err = s.claimAndRead(ctx, c.Connection, options)
	}
	if err != nil {
		return o, err
	}
	o.Connection, err = s.Find(ctx, c.Org, c.ID)
	return o, err
}

// moment returns the first whole second at t or later as people read it, in UTC.
func moment(t time.Time) string {
	t = t.UTC().Add(time.Second - 1).Truncate(time.Second)
	if t.Second() == 0 {
		return t.Format("2006-01-02 15:04") + " UTC"
	}
	return t.Format("2006-01-02 15:04:05") + " UTC"
}

// claimAndRead claims a connection and reads it. While another process holds it, claimAndRead
// waits; a reading that succeeds meanwhile is the outcome.
func (s *Syncer) claimAndRead(ctx context.Context, c store.Connection, options SyncOptions) (Outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, leaseTime+maxReading)
	defer cancel()
	began := s.Now()
	for {
		lease, claimed, err := s.claimReading(ctx, c.Key, time.Time{})
		if err != nil {
			return Outcome{}, err
		}
		if claimed {
			return s.read(ctx, lease, c, options, true)
		}
		if c, err = s.awaitReading(ctx, c, options.Waiting); err != nil {
			return Outcome{}, err
		}
		if !c.LastSuccess.Before(began) && !options.AcceptRemoved {
			return Outcome{}, nil
		}
	}
}

// claimReading claims a connection for a reading (store.Tx.ClaimReading).
func (s *Syncer) claimReading(ctx context.Context, key store.ConnectionKey, due time.Time) (
	lease store.ReadingLease, claimed bool, err error,
) {
	now := s.Now()
	err = s.Store.Write(ctx, func(tx *store.Tx) (err error) {
		lease, claimed, err = tx.ClaimReading(key, now, now.Add(leaseTime), due, s.Process)
		return err
	})
	return lease, claimed, err
}

// pollReading is the time between two looks at whether another process still reads a connection.
const pollReading = 250 * time.Millisecond

// awaitReading waits until no process reads a connection any more, and returns the connection. It
// ends the reading of a process of this host that has ended itself. The function waiting is that of
// SyncOptions.
func (s *Syncer) awaitReading(ctx context.Context, c store.Connection, waiting func(Wait)) (store.Connection, error) {
	ticker := time.NewTicker(pollReading)
	defer ticker.Stop()
	for waited := false; ; {
		until, holder, err := s.heldUntil(ctx, &c)
		if err != nil {
			return c, err
		}
		ended := until.IsZero() || processes.Ended(holder)
		if ended && waited && waiting != nil {
			waiting(Wait{})
		}
		if until.IsZero() {
			return c, nil
		}
		if ended {
			return c, s.Store.WriteOf(ctx, c.Org, func(tx *store.Tx) error { return tx.EndReadingOf(c.Key, holder) })
		}
		if !waited && waiting != nil {
			waiting(Wait{Label: c.Label, Holder: processes.Describe(holder), Until: until})
		}
		waited = true
		select {
		case <-ctx.Done():
			return c, fmt.Errorf("%s is still being read by %s; try again after %s", c.Label, processes.Describe(holder),
				moment(until))
		case <-ticker.C:
		}
	}
}

// heldUntil reads a connection again. It returns the end of the lease of the process that reads it,
// and the name of the process.
func (s *Syncer) heldUntil(ctx context.Context, c *store.Connection) (until time.Time, holder string, err error) {
	err = s.Store.Read(ctx, func(snap *store.Snapshot) (err error) {
		if until, holder, err = snap.ReadingUntil(c.Key, s.Now()); err != nil {
			return err
		}
		*c, err = snap.Connection(c.Key)
		return err
	})
	return until, holder, err
}

// balanceOf returns a provider's balance as it is stored; nil if there is none.
func balanceOf(b *providers.Balance, read time.Time) *store.ConnectionBalance {
	if b == nil {
		return nil
	}
	return &store.ConnectionBalance{
		CurrentMinor: b.CurrentMinor, AvailableMinor: b.AvailableMinor, At: b.At, Read: read,
	}
}
