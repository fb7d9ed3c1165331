package bookkeeping

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"tarmac/service/bookrules"
	"tarmac/service/store"
)

// change is a change of an organization's books: an import, a reading, an undone import, new rules,
// an answer, or a choice about an account. On SQLite it has a stage: the books are derived from a
// snapshot, so that others can write meanwhile, and short transactions write the result. Otherwise
// it is one transaction.
type change struct {
	*Books
	ctx   context.Context
	stage *store.BookStage // nil if the change is one transaction
	tx    *store.Tx        // transaction of the change; nil if it has a stage
	// snap is the snapshot of a change that is only compared with the books. It writes nothing.
	snap  *store.Snapshot
	edits bookEdits   // what is stored when the change is published
	days  *stagedDays // days of the ledger that the stage changes; nil before they are derived
	// finish is called in the last transaction, at its end. It may be nil.
	finish func(tx *store.Tx) error
	// counting is true if rows is needed: the number of transactions that were added, changed or
	// removed.
	counting bool
	rows     int
	paid     []string // numbers of the organization's own invoices that the change has paid
	added    int      // number of lines that the books did not have before
	preview  bool     // true if nothing is stored
}

// changeBooks calls fn with a change of the books. Readers see all of the change or nothing. Other
// changes of the same books wait.
func (b *Books) changeBooks(ctx context.Context, fn func(c *change) error) error {
	var c *change
	err := b.Store.StageBooks(ctx, b.Org, func(stage *store.BookStage) error {
		c = &change{Books: b, ctx: ctx, stage: stage}
		return fn(c)
	})
	if c == nil && errors.Is(err, errors.ErrUnsupported) {
		err = b.Store.WriteBooks(ctx, b.Org, func(tx *store.Tx) error {
			c = &change{Books: b, ctx: ctx, tx: tx}
			return errors.Join(tx.AllowPauses(), fn(c))
		})
	}
	// The change is complete, so an error here must not fail it. Searches are only slower then.
	switch {
	case err != nil:
	case c.added >= manyLines:
		_ = b.Store.Optimize(ctx)
	case c.stage != nil && c.stage.Turned():
		_ = b.Store.MergeSearch(ctx)
	}
	return err
}

// manyLines is the number of new lines from which a change leaves the search index in so many
// segments that searches are slower.
const manyLines = 20_000

// write calls fn in the transaction of the change, or in one of its stage.
func (c *change) write(fn func(tx *store.Tx) error) error {
	switch {
	case c.snap != nil:
		return errNews
	case c.stage == nil:
		return fn(c.tx)
	}
	return c.stage.Write(c.ctx, fn)
}

// errNews means that a change that is only compared with the books would change them.
var errNews = errors.New("the books do not have this yet")

// look calls fn with the books as the change has changed them.
func (c *change) look(fn func(r reader) error) error {
	switch {
	case c.snap != nil:
		return fn(c.snap)
	case c.stage == nil:
		return fn(c.tx)
	}
	return c.stage.Read(c.ctx, func(snap *store.Snapshot) error { return fn(snap) })
}

// bookEdits are changes of the books that are stored later, with what is derived from them.
type bookEdits struct {
	answers map[string]string // by question
	rules   *string           // nil if they stay the same
	// chosen is the currency of reports: "" for the one that follows from imports, nil if the
	// choice stays the same.
	chosen *string
	// see makes a reader see the books with further edits. It may be nil.
	see func(r reader) (reader, error)
	// apply stores these further edits. It may be nil.
	apply func(tx *store.Tx) error
}

// store stores the edits.
func (e *bookEdits) store(tx *store.Tx, org store.OrgKey) error {
	for question, answer := range e.answers {
		if err := tx.SetBookAnswer(org, question, answer); err != nil {
			return err
		}
	}
	if e.rules != nil {
		if err := tx.SetBookRules(org, *e.rules); err != nil {
			return err
		}
	}
	if e.apply == nil {
		return nil
	}
	return e.apply(tx)
}

// derivedBooks is what is published of a change.
type derivedBooks struct {
	matching *matching // nil if nothing has changed that the ledger follows from
	accounts []derived // accounts that were derived without a matching
	discard  bool      // true if nothing is stored
}

// errStale means that the organization's own invoices have changed since the books were derived.
var errStale = errors.New("invoices have changed while the books were derived")

// maxDerivations is how often the books are derived again because invoices have changed meanwhile.
const maxDerivations = 20

// derive calls fn with the books as the edits change them, and publishes what it returns. Other
// changes of the books wait for a stage; only invoices can change before the result is published,
// and then fn is called again.
func (c *change) derive(fn func(l *ledgerBooks) (derivedBooks, error)) error {
	for range maxDerivations {
		err := c.look(func(r reader) error { return c.deriveFrom(r, fn) })
		if !errors.Is(err, errStale) {
			return err
		}
	}
	return fmt.Errorf("%w: %w", store.ErrBusy, errStale)
}

func (c *change) deriveFrom(r reader, fn func(l *ledgerBooks) (derivedBooks, error)) error {
	l, err := c.loadEdited(r, c.edits)
	if err != nil {
		return err
	}
	packs := &stagedPacks{change: c}
	if c.stage != nil {
		l.packs = packs
	}
	if edited, ok := l.reader.(*feedEdits); ok {
		l.packs = edited.storing(packs)
	}
	d, err := fn(l)
	if err != nil || d.discard || c.preview {
		return err
	}
	if err := packs.flush(); err != nil {
		return err
	}
	return c.publish(l, d, r)
}

// deriveAll is derive for a change whose matching is that of all accounts. The function report is
// called with the matching before it is published; it may be nil.
func (c *change) deriveAll(report func(mt *matching)) error {
	return c.derive(func(l *ledgerBooks) (d derivedBooks, err error) {
		if d.matching, err = l.matching(); err == nil && report != nil {
			report(d.matching)
		}
		return d, err
	})
}

// publish publishes what was derived.
func (c *change) publish(l *ledgerBooks, d derivedBooks, r reader) error {
	if d.matching == nil {
		return c.last(false, func(tx *store.Tx) error {
			return errors.Join(c.edits.store(tx, c.Org), l.storeProofs(tx, d.accounts))
		})
	}
	days, before, err := c.changedDays(r)
	if err != nil {
		return err
	}
	p := publisher{matching: d.matching, before: before, explained: d.matching.explain(), days: days}
	if err := p.publishDays(); err != nil {
		return err
	}
	if err := days.complete(); err != nil {
		return err
	}
	if c.onDerived != nil && c.stage != nil {
		c.onDerived()
	}
	return c.last(days.written(), func(tx *store.Tx) error {
		if err := d.matching.checkInvoices(tx); err != nil {
			return err
		}
		if err := errors.Join(c.edits.store(tx, c.Org), days.store(tx)); err != nil {
			return err
		}
		c.rows = days.changes()
		c.paid, err = p.publishRest(tx)
		return err
	})
}

// last calls fn in the last transaction of the change. If turn is true, the ledger is then the one
// that the stage has written beside it.
func (c *change) last(turn bool, fn func(tx *store.Tx) error) error {
	whole := func(tx *store.Tx) error {
		if err := fn(tx); err != nil || c.finish == nil {
			return err
		}
		return c.finish(tx)
	}
	if c.stage == nil {
		return whole(c.tx)
	}
	return c.stage.Publish(c.ctx, turn, whole)
}

// changedDays returns the days of the ledger for a publication, and their digests as they are in
// the ledger that is written.
func (c *change) changedDays(r reader) (ledgerDays, map[bookrules.Day]store.DayDigest, error) {
	if c.stage == nil {
		before, err := c.tx.BookDays(c.Org)
		return &writtenDays{tx: c.tx, org: c.Org, counting: c.counting}, before, err
	}
	if c.days == nil {
		c.days = &stagedDays{change: c}
	}
	before, err := c.days.begin(r.(*store.Snapshot))
	return c.days, before, err
}

// checkInvoices returns errStale if the organization's own invoices, or the payments that were
// applied to them, are not those of the matching any more.
func (mt *matching) checkInvoices(tx *store.Tx) error {
	invoices, err := tx.SentInvoices(mt.books.Org)
	if err != nil {
		return err
	}
	recorded, err := tx.BookInvoicePayments(mt.books.Org)
	if err == nil && !(reflect.DeepEqual(invoices, mt.invoices) && reflect.DeepEqual(recorded, mt.recorded)) {
		err = errStale
	}
	return err
}
