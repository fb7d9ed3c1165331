package bookkeeping

import (
	"context"
	"errors"

	"tarmac/service/store"
)

// DerivedAnew returns the number of transactions that differ from those derived anew from all
// lines, as if no day had a stored digest: with the packs that are stored, and without any. Nothing
// is stored.
func (b *Books) DerivedAnew(ctx context.Context) (different int, err error) {
	done := errors.New("nothing is stored")
	err = b.Store.WriteOf(ctx, b.Org, func(tx *store.Tx) error {
		for _, packed := range [...]bool{true, false} {
			if !packed {
				if err := b.forgetPacks(tx); err != nil {
					return err
				}
			}
			rows, err := b.deriveDays(tx)
			if err != nil {
				return err
			}
			different += rows
		}
		return done
	})
	if errors.Is(err, done) {
		err = nil
	}
	return different, err
}

// deriveDays publishes all days as if no day had a stored digest.
func (b *Books) deriveDays(tx *store.Tx) (different int, err error) {
	days, err := tx.BookDays(b.Org)
	if err != nil {
		return 0, err
	}
	for day, digest := range days {
		digest.Inputs = store.Digest{}
		if err := tx.SetBookDay(b.Org, day, digest); err != nil {
			return 0, err
		}
	}
	c := &change{Books: b, tx: tx, counting: true}
	err = c.deriveAll(nil)
	return c.rows, err
}

// forgetPacks deletes all packs.
func (b *Books) forgetPacks(tx *store.Tx) error {
	accounts, err := tx.BookAccounts(b.Org)
	for _, a := range accounts {
		files := map[int64]bool{}
		err = errors.Join(err, tx.BookPacks(b.Org, a.Key, func(p store.BookPack) error {
			files[p.File] = true
			return nil
		}))
		for file := range files {
			err = errors.Join(err, tx.DeleteBookPacks(b.Org, a.Key, file))
		}
	}
	return err
}

// ForgetProofs forgets what the last derivation of the books found out about their accounts.
func (b *Books) ForgetProofs(ctx context.Context) error {
	return b.Store.WriteOf(ctx, b.Org, func(tx *store.Tx) error { return tx.SetBookProofs(b.Org, store.Digest{}, nil) })
}

// ContradictProofs stores as a finding of the last derivation that no account adds up.
func (b *Books) ContradictProofs(ctx context.Context, contradiction string) error {
	return b.Store.WriteOf(ctx, b.Org, func(tx *store.Tx) error {
		proofs, err := tx.BookProofs(b.Org)
		if err != nil {
			return err
		}
		for n := range proofs {
			proofs[n].Contradiction = contradiction
		}
		return tx.SetBookProofs(b.Org, proofs[0].Digest, proofs)
	})
}

// SetAtOnce sets the largest number of transactions that one transaction of an import writes. With
// -1, the ledger is always written beside the one that counts.
func (b *Books) SetAtOnce(rows int) { b.atOnce = rows }

// OnDerived makes imports call fn when the books are derived and not published yet.
func (b *Books) OnDerived(fn func()) { b.onDerived = fn }

// Packs returns the number of packs of the accounts in the books.
func (b *Books) Packs(ctx context.Context) (packs int, err error) {
	err = b.Store.WriteOf(ctx, b.Org, func(tx *store.Tx) error {
		accounts, err := tx.BookAccounts(b.Org)
		for _, a := range accounts {
			err = errors.Join(err, tx.BookPacks(b.Org, a.Key, func(store.BookPack) error {
				packs++
				return nil
			}))
		}
		return err
	})
	return packs, err
}

// ForgetPacks deletes all packs, as if an earlier version had stored the books.
func (b *Books) ForgetPacks(ctx context.Context) error {
	return b.Store.WriteOf(ctx, b.Org, b.forgetPacks)
}

// DamagePacks removes the end of all packs.
func (b *Books) DamagePacks(ctx context.Context) error {
	return b.Store.WriteOf(ctx, b.Org, func(tx *store.Tx) error {
		accounts, err := tx.BookAccounts(b.Org)
		for _, a := range accounts {
			var packs []store.BookPack
			err = errors.Join(err, tx.BookPacks(b.Org, a.Key, func(p store.BookPack) error {
				packs = append(packs, p)
				return nil
			}))
			for _, p := range packs {
				if p.Month > 0 {
					p.Pack = p.Pack[:len(p.Pack)-1]
					err = errors.Join(err, tx.SetBookPack(b.Org, p))
				}
			}
		}
		return err
	})
}
