package bookkeeping

import (
	"context"
	"errors"

	"tarmac/service/store"
)

// DerivedAnew returns the number of transactions that differ from those derived anew from all
// lines, as if no day had a stored digest. Nothing is stored.
func (b *Books) DerivedAnew(ctx context.Context) (different int, err error) {
	done := errors.New("nothing is stored")
	err = b.Store.WriteOf(ctx, b.Org, func(tx *store.Tx) error {
		days, err := tx.BookDays(b.Org)
		if err != nil {
			return err
		}
		for day, digest := range days {
			digest.Inputs = store.Digest{}
			if err := tx.SetBookDay(b.Org, day, digest); err != nil {
				return err
			}
		}
		l, all, err := b.deriveAll(tx)
		if err != nil {
			return err
		}
		r, err := l.republish(tx, all)
		different = r.rows
		return errors.Join(err, done)
	})
	if errors.Is(err, done) {
		err = nil
	}
	return different, err
}
