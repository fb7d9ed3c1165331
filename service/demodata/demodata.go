// Package demodata generates a sample organization with consistent figures: a startup of about
// thirty people over twenty-four months, with payroll, rent, cloud bills, customers that come
// and go, and two financing rounds.
//
// The same seed and time give the same organization, byte for byte, except for public ids:
// they also depend on the organization's key, so that two organizations of one seed can share a
// database.
//
// The figures are consistent in these ways:
//
//   - The cash of each feed is the sum of its rows with a USD amount and of its transfers from
//     and to the other feed, which are not rows. One feed is the managed account, with its
//     available, holding and locked cents, the other the linked accounts. A row without a USD
//     amount has not settled and is in no balance.
//   - The amount paid on an invoice is the sum of the rows with its number as the reference.
//   - A completed outgoing payment intent has a row with its id as the reference.
//   - Holding, locked and pending amounts are those of the open payment intents.
//   - Every status change of an invoice or payment in the last ninety days has its event.
package demodata

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/accounts"
	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// DefaultTransactions is the number of transactions that commands generate by default. A
// ledger of that size is generated quickly.
const DefaultTransactions = 4000

// MaxTransactions is the largest number of transactions that commands generate.
const MaxTransactions = 10_000_000

// DefaultSeed is the seed that commands use unless another is given.
const DefaultSeed = 1

// batchRows is how many rows are written in one database transaction.
const batchRows = 10_000

// ErrNotEmpty is returned for an organization that already has records. Generated records would not
// be consistent with them.
var ErrNotEmpty = errors.New("the organization already has records (an open account with money is one)")

// Options configures the generated organization.
type Options struct {
	Seed int64
	// Transactions is the number of ledger rows. If it is 0, only the rows of the full history are
	// generated, several hundred. If it is too small for these, the history is simple: capital and
	// small payments, without invoices and payment intents.
	Transactions int
	Today        time.Time // time at which the generated history ends
	// SettlesMonths says that rows without a USD amount lie in the current month only, so that past
	// months are whole.
	SettlesMonths bool
	// HasBills says that there are bills of vendors to pay.
	HasBills bool
}

// Figures counts the records of a generated organization and gives its total cash.
type Figures struct {
	Transactions, Invoices, Receivables, PaymentIntents, Events int

	CashCents int64 // cash of both feeds, in USD cents
	First     civil.Date
}

// Generate writes the records of an organization to the store. It calls progress with the number of
// rows written so far and in total; progress may be nil. Its memory use does not depend on the
// number of rows. More than batchRows rows are written in several transactions. If one of them
// fails, the earlier ones remain, and the organization is unusable.
func Generate(
	ctx context.Context, st *store.Store, org store.OrgKey, opts Options, progress func(done, total int),
) (Figures, error) {
	p, err := newPlan(opts, newIDSources(opts.Seed, streamIDs, org))
	if err != nil {
		return Figures{}, fmt.Errorf("planning the organization: %w", err)
	}
	feed, err := p.feed()
	if err != nil {
		return Figures{}, fmt.Errorf("planning the organization's events: %w", err)
	}
	if err := checkEmpty(ctx, st, org); err != nil {
		return Figures{}, err
	}
	total := p.transactions()
	done := 0
	err = p.stream(newRand(opts.Seed, streamSmall), func(rows []ledger.Transaction, last bool) error {
		err := st.Write(ctx, func(tx *store.Tx) error {
			if err := tx.InsertTransactions(org, rows); err != nil || !last {
				return err
			}
			return p.writeRecords(tx, org, feed)
		})
		done += len(rows)
		if err == nil && progress != nil {
			progress(done, total)
		}
		return err
	})
	if err != nil {
		return Figures{}, fmt.Errorf("generating the organization: %w", err)
	}
	return Figures{
		Transactions: total, Invoices: len(p.bills), Receivables: len(p.receivables), PaymentIntents: len(p.intents),
		Events:    len(feed),
		CashCents: p.settled[ledger.ServiceAccount] + p.settled[ledger.LinkedBank], First: p.first,
	}, nil
}

// stream generates the ledger day by day and passes it to the function write in one or more
// batches. write must not keep rows: the next batch uses the same memory.
func (p *plan) stream(rng *rand.Rand, write func(rows []ledger.Transaction, last bool) error) error {
	small := newSmallRows(rng, (p.transactions()-len(p.rows))/len(p.days))
	batch := make([]ledger.Transaction, 0, min(p.transactions(), batchRows))
	left := p.transactions()
	planned := p.rows
	for _, d := range p.days {
		ofDay := planned[:countOn(planned, d.date)]
		planned = planned[len(ofDay):]
		open := !p.isSettled(d.date)
		rows := len(ofDay) + d.small[0].rows + d.small[1].rows
		for i := range rows {
			batch = batch[:len(batch)+1]
			t := &batch[len(batch)-1]
			var one *plannedRow
			switch n := rng.IntN(rows - i); {
			case n < len(ofDay):
				one, ofDay = &ofDay[0], ofDay[1:]
				*t = one.Transaction
			case n < len(ofDay)+d.small[ledger.ServiceAccount].rows:
				small.next(&d.small[ledger.ServiceAccount], ledger.ServiceAccount, open, t)
			default:
				small.next(&d.small[ledger.LinkedBank], ledger.LinkedBank, open, t)
			}
			t.Date = d.date
			var err error
			if t.ID, err = p.ids.transactions.New(ids.Transaction, p.timeOfRow(d.date, i, rows)); err != nil {
				return err
			}
			if one != nil {
				one.ID = t.ID // for the bills that it pays
			}
			if left--; len(batch) == cap(batch) || left == 0 {
				if err := write(batch, left == 0); err != nil {
					return err
				}
				batch = batch[:0]
			}
		}
	}
	return nil
}

// countOn returns how many rows at the start of rows have the given date. rows is ordered by date.
func countOn(rows []plannedRow, date civil.Date) (n int) {
	for n < len(rows) && rows[n].Date == date {
		n++
	}
	return n
}

// timeOfRow returns the time of row i of a day with the given number of rows. It spreads them
// evenly over the day; on the current day, over the time before now.
func (p *plan) timeOfRow(date civil.Date, i, rows int) time.Time {
	length := 24 * time.Hour
	if date == p.today {
		length = p.now.Sub(p.today.Time())
	}
	return date.Time().Add(time.Duration(int64(length/time.Millisecond)*int64(i)/int64(rows)) * time.Millisecond)
}

func (p *plan) writeRecords(tx *store.Tx, org store.OrgKey, feed []events.Event) error {
	for i := range p.bills {
		inv, err := tx.InsertInvoice(org, p.bills[i].inv)
		if err != nil {
			return err
		}
		if inv.Sequence != p.bills[i].inv.Sequence {
			return ErrNotEmpty
		}
	}
	for _, r := range p.receivables {
		if err := tx.InsertReceivables(org, r); err != nil {
			return err
		}
	}
	for _, i := range p.intents {
		if err := tx.InsertPaymentIntent(org, i); err != nil {
			return err
		}
	}
	if err := tx.AppendEvents(org, feed); err != nil {
		return err
	}
	if p.hasBills {
		if err := p.writeVendorBills(tx, org); err != nil {
			return err
		}
	}
	for _, l := range p.linkedAccounts() {
		if err := tx.SetLinkedAccount(org, l); err != nil {
			return err
		}
	}
	return tx.SetAccount(org, true, accounts.Balance{
		AvailableCents: p.settled[ledger.ServiceAccount] - p.held - p.locked,
		HoldingCents:   p.held, LockedCents: p.locked, PendingCents: p.pending, SyncedAt: p.now,
	})
}

// operatingAccount is the name of the linked bank account that has transactions. The other linked
// account, in euros, has none.
const operatingAccount = "Harbor & Pine Operating"

func (p *plan) linkedAccounts() []accounts.Linked {
	euro, _ := usdCents(euroAccountMinor, "EUR")
	operating := p.settled[ledger.LinkedBank] - euro
	return []accounts.Linked{
		{
			Name: operatingAccount, Currency: "USD", BalanceMinor: operating, USDCents: operating, USDKnown: true, ReadAt: p.now,
		},
		{
			Name: "Harbor & Pine Euro", Currency: "EUR", BalanceMinor: euroAccountMinor, USDCents: euro, USDKnown: true,
			ReadAt: p.now,
		},
	}
}

// checkEmpty returns ErrNotEmpty if the organization has transactions, invoices or balances.
func checkEmpty(ctx context.Context, st *store.Store, org store.OrgKey) error {
	return st.Read(ctx, func(s *store.Snapshot) error {
		account, err := s.ManagedAccount(org)
		if err != nil {
			return err
		}
		linked, err := s.LinkedAccounts(org)
		if err != nil {
			return err
		}
		invoices, err := s.Invoices(org, "", 1)
		if err != nil {
			return err
		}
		rows, err := s.Transactions(org, ledger.Filter{}, nil, 1)
		if err != nil {
			return err
		}
		if account.Balance != (accounts.Balance{}) || len(linked) > 0 || len(invoices) > 0 || len(rows.Rows) > 0 {
			return ErrNotEmpty
		}
		return nil
	})
}
