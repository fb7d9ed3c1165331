package demodata

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/accounts"
	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/ledger"
	"tarmac/service/lifecycle"
	"tarmac/service/payments"
	"tarmac/service/store"
)

// Life goes on with a generated organization: it makes one thing happen after
// the other, each in one transaction of the store, so that the figures agree
// after every step. It is not safe for concurrent use.
type Life struct {
	st    *store.Store
	org   store.OrgKey
	rng   *rand.Rand
	ids   idSources
	small *smallRows
	clock func() time.Time
	// drift is what steps have added to each feed so far, in USD cents. Life leans
	// against it: a program that runs for a week must not spend the company's cash.
	drift [2]int64
}

// ErrNoAccount is returned by Step for an organization that has no open account
// to live on.
var ErrNoAccount = errors.New("the organization has no open account")

// Between two steps there are 2 to 6 seconds.
const (
	shortestPause = 2 * time.Second
	longestPause  = 6 * time.Second
)

// sweepBatch is how many overdue invoices a step moves at most.
const sweepBatch = 500

// NewLife returns the life of an organization that Generate made. clock tells
// the time of Run's steps.
func NewLife(st *store.Store, org store.OrgKey, seed int64, clock func() time.Time) *Life {
	rng := newRand(seed, streamLife)
	small := newSmallRows(rng, 0)
	small.serial = clock().Unix() // references go on after those of an earlier life
	return &Life{st: st, org: org, rng: rng, ids: newIDSources(seed, streamLifeIDs, org), small: small, clock: clock}
}

// Run makes a step every few seconds until ctx ends. A step that fails is told to
// failed, and life goes on with the next. after is time.After, or what a test puts
// in its place.
func (l *Life) Run(ctx context.Context, after func(time.Duration) <-chan time.Time, failed func(error)) {
	for {
		pause := shortestPause + time.Duration(l.rng.Int64N(int64(longestPause-shortestPause)))
		select {
		case <-ctx.Done():
			return
		case <-after(pause):
		}
		if err := l.Step(ctx, l.clock()); err != nil && ctx.Err() == nil {
			failed(err)
		}
	}
}

// Step makes one thing happen at the given time: rows, balances, the invoice or
// payment that moved and its events are written together or not at all. Invoices
// that have fallen overdue since the last step are moved on the way.
func (l *Life) Step(ctx context.Context, now time.Time) error {
	var drift [2]int64
	err := l.st.Write(ctx, func(tx *store.Tx) error {
		s := step{Life: l, tx: tx, now: now.UTC().Truncate(time.Millisecond)}
		s.today = civil.Of(s.now)
		if _, err := lifecycle.New(tx, l.ids.events, s.now).MarkOverdue(sweepBatch); err != nil {
			return err
		}
		if err := s.load(); err != nil {
			return err
		}
		if err := s.act(); err != nil {
			return err
		}
		drift = s.moved
		drift[ledger.ServiceAccount] -= s.transferred
		drift[ledger.LinkedBank] += s.transferred
		return s.finish()
	})
	if err != nil {
		return fmt.Errorf("living on: %w", err)
	}
	for source, cents := range drift {
		l.drift[source] += cents
	}
	return nil
}

// step is one step under way.
type step struct {
	*Life
	tx    *store.Tx
	now   time.Time
	today civil.Date

	balance   accounts.Balance
	operating accounts.Linked
	invoices  []invoicing.Invoice // that money is owed on
	waiting   []payments.Intent   // held
	underWay  []payments.Intent   // processing

	rows   []ledger.Transaction
	events []events.Event
	moved  [2]int64
	// transferred are cents of a transfer to the bank, which the balances have already.
	transferred int64
}

func (s *step) load() error {
	if err := s.loadBalances(); err != nil {
		return err
	}
	var err error
	if s.invoices, err = s.tx.OpenInvoices(s.org); err != nil {
		return err
	}
	if s.waiting, err = s.tx.PaymentIntentsByStatus(s.org, payments.Held); err != nil {
		return err
	}
	s.underWay, err = s.tx.PaymentIntentsByStatus(s.org, payments.Processing)
	return err
}

func (s *step) loadBalances() error {
	open, balance, ok, err := s.tx.Account(s.org)
	if err != nil {
		return err
	}
	if !ok || !open {
		return ErrNoAccount
	}
	s.balance = balance
	linked, err := s.tx.LinkedAccounts(s.org)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(linked, func(l accounts.Linked) bool { return l.Name == operatingAccount })
	if i < 0 {
		return fmt.Errorf("the linked account %q is missing", operatingAccount)
	}
	s.operating = linked[i]
	return nil
}

// finish writes rows, balances and events.
func (s *step) finish() error {
	if err := s.tx.InsertTransactions(s.org, s.rows); err != nil {
		return err
	}
	held, locked, pending := earmarked(slices.Concat(s.waiting, s.underWay))
	settled, ok := s.balance.SettledCents()
	if ok {
		settled, ok = money.Add(settled, s.moved[ledger.ServiceAccount])
	}
	if !ok {
		return errors.New("the account's balance is larger than can be counted")
	}
	err := s.tx.SetAccount(s.org, true, accounts.Balance{
		AvailableCents: settled - held - locked, HoldingCents: held, LockedCents: locked, PendingCents: pending, SyncedAt: s.now,
	})
	if err != nil {
		return err
	}
	s.operating.BalanceMinor += s.moved[ledger.LinkedBank]
	s.operating.USDCents += s.moved[ledger.LinkedBank]
	s.operating.ReadAt = s.now
	if err := s.tx.SetLinkedAccount(s.org, s.operating); err != nil {
		return err
	}
	return s.tx.AppendEvents(s.org, s.events)
}

// addRow puts a row of today into the ledger.
func (s *step) addRow(t ledger.Transaction) error {
	t.Date = s.today
	var err error
	if t.ID, err = s.ids.transactions.New(ids.Transaction, s.now); err != nil {
		return err
	}
	s.moved[t.Source] += signed(&t)
	s.rows = append(s.rows, t)
	return nil
}

// updateInvoice writes where an invoice now stands; a new status has an event.
func (s *step) updateInvoice(inv *invoicing.Invoice) error {
	inv.UpdatedAt = s.now
	if err := s.tx.UpdateInvoice(s.org, *inv); err != nil {
		return err
	}
	return s.tell(func(id string) (events.Event, error) { return events.ForInvoice(id, s.now, *inv) })
}

func (s *step) tell(seal func(id string) (events.Event, error)) error {
	id, err := s.ids.events.New(ids.Event, s.now)
	if err != nil {
		return err
	}
	e, err := seal(id)
	if err != nil {
		return err
	}
	s.events = append(s.events, e)
	return nil
}
