package bookkeeping

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"

	"tarmac/service/store"
)

// errStale means that the organization's own invoices have changed since the books were derived.
var errStale = errors.New("invoices have changed while the books were derived")

// maxDerivations is how often the books are derived again because invoices have changed meanwhile.
const maxDerivations = 20

// deriveStaged is derive for an import with a stage. The books are derived from a snapshot, so that
// others can write meanwhile. Other changes of the books wait for the stage; only invoices can
// change before the result is published, and then the books are derived again.
func (i *importing) deriveStaged() error {
	for range maxDerivations {
		report := i.report.clone()
		err := i.stage.Read(i.ctx, i.deriveSnapshot)
		if !errors.Is(err, errStale) {
			return err
		}
		*i.report = *report
	}
	return fmt.Errorf("%w: %w", store.ErrBusy, errStale)
}

// deriveSnapshot derives the books from a snapshot and publishes them.
func (i *importing) deriveSnapshot(snap *store.Snapshot) error {
	l, err := i.loadEdited(snap, i.edits)
	if err != nil {
		return err
	}
	packs := &stagedPacks{importing: i}
	l.packs = packs
	d, err := i.deriveFrom(l)
	switch {
	case err != nil:
		return err
	case i.report.Failed() || len(i.read) == 0 || i.options.Preview:
		return nil
	}
	if err := packs.flush(); err != nil {
		return err
	}
	if d.journal == nil {
		return i.stage.Publish(i.ctx, false, func(tx *store.Tx) error {
			return errors.Join(i.edits.store(tx, i.org), l.storeProofs(tx, d.accounts))
		})
	}
	return i.publish(d.journal, snap)
}

// publish publishes a journal that was derived from a snapshot.
func (i *importing) publish(j *journal, snap *store.Snapshot) error {
	if i.days == nil {
		i.days = &stagedDays{ctx: i.ctx, stage: i.stage, org: i.org, atOnce: cmp.Or(i.atOnce, maxAtOnce)}
	}
	before, err := i.days.begin(snap)
	if err != nil {
		return err
	}
	p := publisher{journal: j, before: before, explained: j.explain(), days: i.days}
	if err := p.publishDays(); err != nil {
		return err
	}
	if err := i.days.complete(); err != nil {
		return err
	}
	if i.onDerived != nil {
		i.onDerived()
	}
	var paid []string
	err = i.stage.Publish(i.ctx, i.days.beside, func(tx *store.Tx) error {
		if err := j.checkInvoices(tx); err != nil {
			return err
		}
		if err := errors.Join(i.edits.store(tx, i.org), i.days.store(tx)); err != nil {
			return err
		}
		paid, err = p.publishRest(tx)
		return err
	})
	if err == nil {
		i.report.PaidInvoices, i.report.turned = paid, i.days.beside
	}
	return err
}

// checkInvoices returns errStale if the organization's own invoices, or the payments that were
// applied to them, are not those of the journal any more.
func (j *journal) checkInvoices(tx *store.Tx) error {
	invoices, err := tx.SentInvoices(j.Org)
	if err != nil {
		return err
	}
	recorded, err := tx.BookInvoicePayments(j.Org)
	if err == nil && !(reflect.DeepEqual(invoices, j.invoices) && reflect.DeepEqual(recorded, j.recorded)) {
		err = errStale
	}
	return err
}

// stagedPacks stores packs in transactions of a stage. Those of a preview are not stored.
type stagedPacks struct {
	*importing
	steps []func(tx *store.Tx) error
	size  int // bytes of the packs that steps stores
}

// The largest number of packs, and of their bytes, that one transaction stores.
const (
	maxPacks    = 200
	maxPackSize = 1 << 20
)

func (s *stagedPacks) SetBookPack(org store.OrgKey, p store.BookPack) error {
	return s.add(len(p.Pack), func(tx *store.Tx) error { return tx.SetBookPack(org, p) })
}

func (s *stagedPacks) DeleteBookPacks(org store.OrgKey, account, file int64) error {
	return s.add(0, func(tx *store.Tx) error { return tx.DeleteBookPacks(org, account, file) })
}

func (s *stagedPacks) add(size int, step func(tx *store.Tx) error) error {
	if s.options.Preview {
		return nil
	}
	s.steps, s.size = append(s.steps, step), s.size+size
	if len(s.steps) < maxPacks && s.size < maxPackSize {
		return nil
	}
	return s.flush()
}

// flush stores the packs that are not stored yet.
func (s *stagedPacks) flush() error {
	if len(s.steps) == 0 {
		return nil
	}
	steps := s.steps
	s.steps, s.size = nil, 0
	return s.write(func(tx *store.Tx) error {
		for _, step := range steps {
			if err := step(tx); err != nil {
				return err
			}
		}
		return nil
	})
}
