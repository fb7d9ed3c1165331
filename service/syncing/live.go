package syncing

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"tarmac/internal/panics"
	"tarmac/service/bookrules"
	"tarmac/service/providers"
	"tarmac/service/providers/pace"
	"tarmac/service/store"
)

const (
	// maxLiveAge is the age up to which a balance counts as live.
	maxLiveAge = 10 * time.Second
	// maxLive is the longest time that a caller waits for live balances, and liveLease the time
	// after which a process that asked for them is taken for dead.
	maxLive   = 4 * time.Second
	liveLease = 6 * time.Second
	// afterFailure is the time for which a failure is the answer to all callers. After a refusal of
	// the token it is afterDenial, and after a limit without a time of its own afterLimit.
	afterFailure, afterDenial, afterLimit = 5 * time.Second, time.Minute, 30 * time.Second
	// mostAhead is the longest time ahead for which a lease or a failure is believed. Later times
	// come from a clock that was ahead.
	mostAhead = 2 * afterDenial
	// pollLive is the time between two looks at whether another process has read the balances.
	pollLive = 50 * time.Millisecond
)

// LiveProviders returns the names of the providers that can be asked for a balance at any time.
func (s *Syncer) LiveProviders() (names []string) {
	for _, k := range s.Kinds {
		if k.Live {
			names = append(names, k.Name)
		}
	}
	return names
}

// RefreshBalances makes sure that the stored balances of an organization's live accounts are at
// most maxLiveAge old. It asks each provider once, however many callers in however many processes
// need the balances. The error is a *providers.Failure if a provider did not answer in time, must
// not be asked yet, or refused.
func (s *Syncer) RefreshBalances(ctx context.Context, org store.OrgKey) error {
	live := s.LiveProviders()
	if len(live) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, maxLive, errTooSlow)
	defer cancel()
	for {
		all, err := s.liveConnections(ctx, org, live)
		if err != nil {
			return err
		}
		var busy *store.LiveConnection
		var ended <-chan struct{}
		for n := range all {
			asked, err := s.refreshLive(ctx, &all[n])
			if err != nil {
				return err
			}
			if asked != nil {
				busy, ended = &all[n], asked
			}
		}
		if busy == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return timedOut(ctx, busy)
		case <-ended:
		case <-time.After(pollLive): // another process may have read them
		}
	}
}

var errTooSlow = errors.New("too slow")

// timedOut returns the error for a caller that has waited too long or has gone away.
func timedOut(ctx context.Context, c *store.LiveConnection) error {
	if !errors.Is(context.Cause(ctx), errTooSlow) {
		return ctx.Err()
	}
	return &providers.Failure{Cause: providers.Unreachable, Text: providers.NoAnswer(c.Label, maxLive)}
}

// liveReadings are the live readings that this process has begun.
type liveReadings struct {
	mu    sync.Mutex
	ended map[store.ConnectionKey]chan struct{} // closed when the reading ends
}

// begin begins a reading of a connection and returns the function that ends it. If this process is
// already reading the connection, begin returns instead a channel that is closed when that reading
// ends.
func (r *liveReadings) begin(key store.ConnectionKey) (end func(), other <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if ended, found := r.ended[key]; found {
		return nil, ended
	}
	if r.ended == nil {
		r.ended = map[store.ConnectionKey]chan struct{}{}
	}
	ended := make(chan struct{})
	r.ended[key] = ended
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.ended, key)
		close(ended)
	}, nil
}

// liveConnections returns the organization's connections with accounts that have a share of its
// cash, and only those accounts. Connections without a token are left out: they cannot be asked.
func (s *Syncer) liveConnections(ctx context.Context, org store.OrgKey, live []string) (
	all []store.LiveConnection, err error,
) {
	var shares []bookrules.CashShare
	var reporting store.ReportingCurrency
	err = s.Store.Read(ctx, func(snap *store.Snapshot) (err error) {
		if all, err = snap.LiveConnections(org, live); err != nil || len(all) == 0 {
			return err
		}
		if reporting, err = snap.ReportingCurrency(org); err != nil {
			return err
		}
		shares, err = snap.BookCashShares(org)
		return err
	})
	for n := range all {
		c := &all[n]
		for at := len(c.Readings) - 1; at >= 0; at-- {
			if !slices.ContainsFunc(shares, func(s bookrules.CashShare) bool {
				return c.Readings[at].IsOf(s, bookrules.USD) || c.Readings[at].IsOf(s, reporting.Code)
			}) {
				c.Readings = slices.Delete(c.Readings, at, at+1)
				c.RemoteIDs = slices.Delete(c.RemoteIDs, at, at+1)
			}
		}
	}
	return slices.DeleteFunc(all, func(c store.LiveConnection) bool {
		return len(c.Readings) == 0 || !c.HasToken
	}), err
}

// refreshLive reads the balances of a connection unless they are fresh. If others are reading them,
// refreshLive returns a channel, which is closed at the end of that reading if this process does
// it.
func (s *Syncer) refreshLive(ctx context.Context, c *store.LiveConnection) (busy <-chan struct{}, err error) {
	now := s.Now()
	if near(now, c.ReadAt, maxLiveAge) {
		return nil, nil
	}
	if failure := refusedNow(c, now); failure != nil {
		return nil, failure
	}
	end, busy := s.live.begin(c.Key)
	if busy != nil {
		return busy, nil
	}
	defer end()
	claimed := false
	err = s.Store.WriteUnsynced(ctx, func(tx *store.Tx) (err error) {
		claimed, err = tx.ClaimLiveReading(c.Key, now, now.Add(liveLease), now.Add(-maxLiveAge), now.Add(mostAhead))
		return err
	})
	if err != nil || !claimed {
		return make(chan struct{}), err
	}
	return nil, s.readLive(ctx, c)
}

// near reports whether two times are less than d apart. Clocks of other processes may be ahead.
func near(a, b time.Time, d time.Duration) bool { return a.Sub(b).Abs() < d }

// refusedNow returns why a provider is not asked now; nil if it may be.
func refusedNow(c *store.LiveConnection, now time.Time) *providers.Failure {
	switch {
	case c.State == store.ConnectionDenied:
		return &providers.Failure{Cause: providers.Denied, Text: c.Problem}
	case c.RetryAt.After(now) && c.Limited:
		return &providers.Failure{Cause: providers.Limited, Text: c.Failure, RetryAfter: c.RetryAt.Sub(now)}
	case c.RetryAt.After(now) && near(c.RetryAt, now, mostAhead):
		return &providers.Failure{Cause: providers.Unreachable, Text: c.Failure}
	case c.WaitUntil.After(now) && near(c.WaitUntil, now, pace.LongestWait):
		return &providers.Failure{Cause: providers.Limited, Text: c.Problem, RetryAfter: c.WaitUntil.Sub(now)}
	}
	return nil
}

// readLive asks the provider for the balances of a connection that was claimed, and stores them or
// the failure. It does so even if the caller goes away, because others may wait for the outcome.
func (s *Syncer) readLive(ctx context.Context, c *store.LiveConnection) error {
	ctx = context.WithoutCancel(ctx)
	balances, err := s.askLive(ctx, c)
	now := s.Now()
	ctx, cancel := context.WithTimeout(ctx, maxRecord)
	defer cancel()
	if err != nil {
		return s.failLive(ctx, c, now, err)
	}
	return s.Store.WriteUnsynced(ctx, func(tx *store.Tx) error {
		for n, id := range c.RemoteIDs {
			err := tx.SetConnectionBalance(c.Key, id, *balanceOf(&balances[n], now))
			if errors.Is(err, store.ErrNotFound) {
				continue // the account was taken away meanwhile
			}
			if err != nil {
				return err
			}
		}
		return tx.FinishLiveReading(c.Key, now)
	})
}

// askLive asks the provider for the balances of all accounts of a connection at the same time.
func (s *Syncer) askLive(ctx context.Context, c *store.LiveConnection) ([]providers.Balance, error) {
	ctx, cancel := context.WithTimeout(ctx, maxLive)
	defer cancel()
	provider, _, err := s.open(ctx, c.Connection)
	if err != nil {
		return nil, err
	}
	balances, failures := make([]providers.Balance, len(c.RemoteIDs)), make([]error, len(c.RemoteIDs))
	var asked sync.WaitGroup
	for n, id := range c.RemoteIDs {
		asked.Go(func() {
			defer func() {
				if fault := recover(); fault != nil {
					failures[n] = panics.Describe(fault)
				}
			}()
			balances[n], failures[n] = provider.Balance(ctx, id)
		})
	}
	asked.Wait()
	for _, err := range failures {
		if err != nil {
			return nil, err
		}
	}
	return balances, nil
}

// failLive records that live balances could not be read, and returns the failure.
func (s *Syncer) failLive(ctx context.Context, c *store.LiveConnection, now time.Time, err error) error {
	failure, known := errors.AsType[*providers.Failure](err)
	if !known {
		failure = &providers.Failure{Cause: providers.Unreachable, Text: "reading the balance from " + c.Label + " failed"}
	}
	wait, limited := afterFailure, failure.RetryAfter > 0
	switch failure.Cause {
	case providers.Denied, providers.Unpaid:
		wait = afterDenial
	case providers.Limited:
		wait, limited = afterLimit, true
	}
	if failure.RetryAfter > 0 {
		wait = failure.RetryAfter
	}
	s.Logger.Warn("a live balance could not be read", "connection", c.ID, "provider", c.Provider, "error", err)
	err = s.Store.WriteUnsynced(ctx, func(tx *store.Tx) error {
		return tx.FailLiveReading(c.Key, failure.Text, now.Add(wait), limited)
	})
	if err != nil {
		return err
	}
	if limited {
		failure.RetryAfter = wait
	}
	return failure
}
