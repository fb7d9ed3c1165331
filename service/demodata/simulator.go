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

// Simulator adds activity to a generated organization. Each call of Step performs one action in one
// database transaction, so the figures stay consistent. It is not safe for concurrent use.
type Simulator struct {
	st    *store.Store
	org   store.OrgKey
	rng   *rand.Rand
	ids   idSources
	small *smallRows
	clock func() time.Time
	// drift is the net amount that calls of Step have added to each feed so far, in USD cents,
	// indexed by ledger.Source. Actions are chosen so that it hardly exceeds maxDrift. The cash
	// therefore lasts however long the simulator runs.
	drift [2]int64
}

// ErrNoAccount is returned by Step for an organization without an open account.
var ErrNoAccount = errors.New("the organization has no open account")

// Run waits a random time between minPause and maxPause before each Step.
const (
	minPause = 2 * time.Second
	maxPause = 6 * time.Second
)

// overdueBatch is the largest number of invoices that one Step marks overdue.
const overdueBatch = 500

// NewSimulator returns a simulator of an organization that Generate created. Run takes the current
// time from clock.
func NewSimulator(st *store.Store, org store.OrgKey, seed int64, clock func() time.Time) *Simulator {
	rng := newRand(seed, streamSimulator)
	small := newSmallRows(rng, 0)
	small.serial = clock().Unix() // continues after the references of earlier simulators
	return &Simulator{
		st: st, org: org, rng: rng, ids: newIDSources(seed, streamSimulatorIDs, org), small: small, clock: clock,
	}
}

// Run calls Step every few seconds until ctx ends. If Step fails, Run calls failed with the error
// and continues. timer is time.After except in tests.
func (l *Simulator) Run(ctx context.Context, timer func(time.Duration) <-chan time.Time, failed func(error)) {
	for {
		pause := minPause + time.Duration(l.rng.Int64N(int64(maxPause-minPause)))
		select {
		case <-ctx.Done():
			return
		case <-timer(pause):
		}
		if err := l.Step(ctx, l.clock()); err != nil && ctx.Err() == nil {
			failed(err)
		}
	}
}

// Step marks invoices overdue and performs one random action at the time now. It writes all changes
// in one transaction: ledger rows, balances, the invoice or payment, and events.
func (l *Simulator) Step(ctx context.Context, now time.Time) error {
	var drift [2]int64
	err := l.st.Write(ctx, func(tx *store.Tx) error {
		s := step{Simulator: l, tx: tx, now: now.UTC().Truncate(time.Millisecond)}
		s.today = civil.Of(s.now)
		if _, err := lifecycle.New(tx, l.ids.events, s.now).MarkOverdue(overdueBatch); err != nil {
			return err
		}
		if err := s.load(); err != nil {
			return err
		}
		if err := s.runAction(); err != nil {
			return err
		}
		drift = s.net
		drift[ledger.ServiceAccount] -= s.transferred
		drift[ledger.LinkedBank] += s.transferred
		return s.finish()
	})
	if err != nil {
		return fmt.Errorf("simulating activity: %w", err)
	}
	for source, cents := range drift {
		l.drift[source] += cents
	}
	return nil
}

// step holds the records that one call of Step has read, and those that it will write.
type step struct {
	*Simulator
	tx    *store.Tx
	now   time.Time
	today civil.Date

	balance    accounts.Balance
	operating  accounts.Linked
	invoices   []invoicing.Invoice // invoices with the status sent or overdue
	held       []payments.Intent
	processing []payments.Intent

	rows   []ledger.Transaction
	events []events.Event
	net    [2]int64
	// transferred is the amount in cents that this step has transferred to the linked bank. Unlike
	// net, it is already included in the fields balance and operating.
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
	if s.held, err = s.tx.PaymentIntentsByStatus(s.org, payments.Held); err != nil {
		return err
	}
	s.processing, err = s.tx.PaymentIntentsByStatus(s.org, payments.Processing)
	return err
}

func (s *step) loadBalances() error {
	open, balance, ok, err := s.tx.ManagedAccount(s.org)
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

// finish writes the step's ledger rows, events and balances.
func (s *step) finish() error {
	if err := s.tx.InsertTransactions(s.org, s.rows); err != nil {
		return err
	}
	held, locked, pending := reservedAmounts(slices.Concat(s.held, s.processing))
	settled, ok := s.balance.SettledCents()
	if ok {
		settled, ok = money.Add(settled, s.net[ledger.ServiceAccount])
	}
	if !ok {
		return errors.New("the account's balance is too large: more than 64 bits can hold")
	}
	err := s.tx.SetAccount(s.org, true, accounts.Balance{
		AvailableCents: settled - held - locked, HoldingCents: held, LockedCents: locked, PendingCents: pending,
		SyncedAt: s.now,
	})
	if err != nil {
		return err
	}
	s.operating.BalanceMinor += s.net[ledger.LinkedBank]
	s.operating.USDCents += s.net[ledger.LinkedBank]
	s.operating.ReadAt = s.now
	if err := s.tx.SetLinkedAccount(s.org, s.operating); err != nil {
		return err
	}
	return s.tx.AppendEvents(s.org, s.events)
}

// addRow adds a ledger row with the current date.
func (s *step) addRow(t ledger.Transaction) error {
	t.Date = s.today
	var err error
	if t.ID, err = s.ids.transactions.New(ids.Transaction, s.now); err != nil {
		return err
	}
	s.net[t.Source] += netUSD(&t)
	s.rows = append(s.rows, t)
	return nil
}

// updateInvoice stores an invoice whose status has changed, and the event of that change.
func (s *step) updateInvoice(inv *invoicing.Invoice) error {
	inv.UpdatedAt = s.now
	if err := s.tx.UpdateInvoice(s.org, *inv); err != nil {
		return err
	}
	return s.appendEvent(func(id string) (events.Event, error) { return events.ForInvoice(id, s.now, *inv) })
}

func (s *step) appendEvent(build func(id string) (events.Event, error)) error {
	id, err := s.ids.events.New(ids.Event, s.now)
	if err != nil {
		return err
	}
	e, err := build(id)
	if err != nil {
		return err
	}
	s.events = append(s.events, e)
	return nil
}
