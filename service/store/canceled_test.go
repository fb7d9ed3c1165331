package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// The error of a canceled call wraps context.Canceled at every stage of the call. The service
// counts clients that hung up by this error.
func TestACanceledCallSaysSo(t *testing.T) {
	s, source := open(t), newIDs()
	org := seeded(t, s, source, "a")
	insert := func(tx *store.Tx) error {
		id, err := source.New(ids.Transaction, created)
		if err != nil {
			return err
		}
		row := ledger.Transaction{ID: id, Date: civil.New(2026, 11, 2), Currency: "USD", Counterparty: "Harbour Office"}
		return tx.InsertTransactions(org, []ledger.Transaction{row})
	}
	page := func(snap *store.Snapshot) error {
		_, _, err := snap.Listing(org, ledger.Filter{Keyword: "ha"}, nil, 10)
		return err
	}
	for name, call := range map[string]func(context.Context, func()) error{
		"before it reads": func(ctx context.Context, cancel func()) error {
			cancel()
			return s.Read(ctx, page)
		},
		"before it writes": func(ctx context.Context, cancel func()) error {
			cancel()
			return s.Write(ctx, insert)
		},
		"between two reads": func(ctx context.Context, cancel func()) error {
			return s.Read(ctx, func(snap *store.Snapshot) error {
				first := page(snap)
				cancel()
				return errors.Join(first, page(snap))
			})
		},
		"between two writes": func(ctx context.Context, cancel func()) error {
			return s.WriteOf(ctx, org, func(tx *store.Tx) error {
				first := insert(tx)
				cancel()
				return errors.Join(first, insert(tx))
			})
		},
		"after its transaction was rolled back": func(ctx context.Context, cancel func()) error {
			return s.WriteOf(ctx, org, func(tx *store.Tx) error {
				first := insert(tx)
				cancel()
				s.AwaitRollback()
				return errors.Join(first, insert(tx))
			})
		},
		"before it commits": func(ctx context.Context, cancel func()) error {
			return s.WriteOf(ctx, org, func(tx *store.Tx) error {
				err := insert(tx)
				cancel()
				return err
			})
		},
		"before it commits what was rolled back": func(ctx context.Context, cancel func()) error {
			return s.WriteOf(ctx, org, func(tx *store.Tx) error {
				err := insert(tx)
				cancel()
				s.AwaitRollback()
				return err
			})
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		if err := call(ctx, cancel); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
	}
	for i := range 300 {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Duration(i)*5*time.Microsecond, cancel)
		var err error
		switch i % 3 {
		case 0:
			err = s.Read(ctx, page)
		case 1:
			err = s.WriteOf(ctx, org, insert)
		case 2:
			_, err = s.TokenByHash(ctx, [32]byte{})
		}
		if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, store.ErrNotFound) {
			t.Errorf("at some moment: %v", err)
		}
		cancel()
	}
}
