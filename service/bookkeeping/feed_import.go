package bookkeeping

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
)

// errUnchanged rolls back the transaction of a reading that is the same as the one before.
var errUnchanged = errors.New("the reading is unchanged")

// isUnchanged reports whether a reading is the same as the last reading of its connection.
func (b *Books) isUnchanged(r reader, file bookrules.File) (bool, error) {
	last, err := r.BookFeed(b.Org, file.Connection)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return last.Hash == file.Hash, err
}

// importFeed imports a reading of a connection. A reading is first compared with the books in a
// snapshot: one that says nothing new, in the same bytes or in others, needs no lock.
func (b *Books) importFeed(ctx context.Context, sources []Source, options Options) (
	report *ownbooks.Report, err error,
) {
	if len(sources) != 1 {
		return nil, fmt.Errorf("a reading is one source, not %d", len(sources))
	}
	budget, cancel, err := sources[0].budget(bank.NewBudget(ctx))
	if err != nil {
		return nil, err
	}
	defer cancel()
	read, err := recognize(budget, sources[0], civil.Of(b.Now()))
	if err != nil {
		return nil, err
	}
	read.identifyFeed(options.Feed)
	run := func(c *change) error {
		c.preview = options.Preview
		one := *read
		f := &feedImport{
			importing:  importing{change: c, options: options, report: newFeedReport(read)},
			recognized: &one, feed: options.Feed,
		}
		report = f.report
		return f.run()
	}
	err = b.Store.Read(ctx, func(snap *store.Snapshot) error {
		return run(&change{Books: b, ctx: ctx, snap: snap})
	})
	if errors.Is(err, errNews) {
		err = b.changeBooks(ctx, run)
	}
	switch {
	case errors.Is(err, errUnchanged):
		report = newFeedReport(read)
		report.Feed.Unchanged = true
		return report, nil
	case errors.Is(err, errPreview):
		report.Import = ""
		return report, nil
	}
	return report, err
}

func newFeedReport(r *recognized) *ownbooks.Report {
	return &ownbooks.Report{
		Files: []ownbooks.FileReport{{
			Name: r.Name, Format: r.format.Name, Statements: []ownbooks.Statement{}, Problems: []string{},
		}},
		Feed: &ownbooks.Reading{Accounts: []string{}, Residuals: []string{}},
	}
}

// feedRank is behind the ranks of all formats (bank.Format). So lines that files have too keep
// their dates and texts when an account is connected.
const feedRank = 4

// identifyFeed describes the file that holds the readings of a connection after this one. The hash
// includes the connection, so that no imported file has it.
func (r *recognized) identifyFeed(f *Feed) {
	r.file.Connection, r.file.OwnFeed = f.Connection, f.OwnFeed
	r.file.Format, r.file.Making, r.file.Rank = f.Provider, f.Title, feedRank
	key := fmt.Appendf(r.file.SHA256[:], "%s %t", f.Connection, f.OwnFeed)
	if f.Invoices != nil {
		key = fmt.Appendf(key, " %+v", *f.Invoices)
	}
	r.file.Hash = sha256.Sum256(key)
}

// feedImport holds the state of the import of a reading.
type feedImport struct {
	importing
	recognized *recognized
	feed       *Feed
	accounts   []*feedAccount
	balances   []bookrules.FeedBalance // balances of earlier readings
	// packs is the digest of what the packs of the earlier readings follow from, and common that of
	// commonInputs. Both are zero for the first reading of a connection.
	packs, common store.Digest
	edited        *feedEdits // what is stored when the books are derived; nil if it is stored at once
	// news is true if the reading says anything that the books do not have: lines, days, balances,
	// open or paid invoices, or facts about accounts.
	news bool
}

// run imports the reading. Without news, the error is errUnchanged.
func (f *feedImport) run() error {
	known := false
	err := f.change.look(func(r reader) error {
		unchanged, err := f.change.isUnchanged(r, f.recognized.file)
		if err == nil && unchanged {
			err = errUnchanged
		}
		if err == nil {
			known, err = f.begin(r)
		}
		return err
	})
	if err != nil {
		return err
	}
	if !known {
		if err := f.change.write(f.addFeed); err != nil {
			return err
		}
	}
	f.progress(0)
	reading := &feedReading{}
	if err := f.recognized.read(f.options.Read, reading); err != nil {
		return err
	}
	if err := reading.complete(); err != nil {
		return err
	}
	if f.accounts, err = reading.accounts(f.resolve); err != nil {
		return err
	}
	f.progress(1)
	for _, a := range f.accounts {
		if err := f.replace(a); err != nil {
			return err
		}
	}
	if err := errors.Join(f.keepPacks(), f.replaceLists(reading), f.addPaidInvoices()); err != nil {
		return err
	}
	switch {
	case !f.news && !f.options.Preview:
		return errUnchanged
	case f.change.snap != nil:
		return errNews
	}
	f.report.Files[0].Problems = append(f.report.Files[0].Problems, reading.problems...)
	return f.publish()
}

// store stores something of the reading: at once, or when the books are derived.
func (f *feedImport) store(fn func(tx *store.Tx) error) error {
	if f.edited == nil {
		return f.change.write(fn)
	}
	f.edited.steps = append(f.edited.steps, fn)
	return nil
}

// begin reads the stored books, and finds the file and the import of the connection. It returns
// false if there are none yet.
func (f *feedImport) begin(r reader) (known bool, err error) {
	if err := f.readStored(r); err != nil {
		return false, err
	}
	if f.balances, err = r.BookFeedBalances(f.change.Org); err != nil {
		return false, err
	}
	file := &f.recognized.file
	stored, err := r.BookFeed(f.change.Org, file.Connection)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	file.Key = stored.Key
	before, err := f.change.load(r)
	if err != nil {
		return false, err
	}
	f.packs, f.common = before.packDigestOf(file.Key), before.common
	f.news = f.rulesChanged || stored.OwnFeed != file.OwnFeed
	imports, err := r.BookImports(f.change.Org)
	if err != nil {
		return false, err
	}
	at := slices.IndexFunc(imports, func(i bookrules.Import) bool { return i.Connection() == file.Connection })
	f.record = imports[at]
	f.record.At = f.change.Now().UTC()
	if f.change.tx == nil {
		f.edited = newFeedEdits(f)
	}
	return true, f.store(func(tx *store.Tx) error {
		return errors.Join(tx.UpdateBookFeed(f.change.Org, *file), tx.UpdateBookImport(f.change.Org, f.record))
	})
}

// addFeed adds the file and the import of the connection.
func (f *feedImport) addFeed(tx *store.Tx) (err error) {
	f.news = true
	if err := errors.Join(f.change.refuseForeign(tx), f.addImport(tx)); err != nil {
		return err
	}
	file := &f.recognized.file
	if file.Key, err = tx.InsertBookFile(f.change.Org, *file); err != nil {
		return err
	}
	return tx.LinkBookFile(f.change.Org, f.record.Key,
		bookrules.ImportedFile{Name: f.feed.Title + liveSuffix, File: *file})
}

// keepPacks makes the packs of earlier readings valid after this one. Those of months with other
// lines have been removed.
func (f *feedImport) keepPacks() error {
	file := f.recognized.file
	return f.store(func(tx *store.Tx) error {
		return tx.StampBookPacks(f.change.Org, file.Key, f.packs, packDigest(f.common, file, f.record.At.UnixMicro()))
	})
}

// liveSuffix follows the title of the provider in the name of the file that holds the readings of a
// connection.
const liveSuffix = ", live"

// replaceLists replaces the lists of open invoices of the connection by those of the reading.
func (f *feedImport) replaceLists(reading *feedReading) error {
	file := f.recognized.file.Key
	var before []bookrules.OpenList
	err := f.change.look(func(r reader) (err error) {
		before, err = r.BookOpenLists(f.change.Org)
		return err
	})
	if err != nil {
		return err
	}
	before = slices.DeleteFunc(before, func(l bookrules.OpenList) bool { return l.File != file })
	after := make([]bookrules.OpenList, len(reading.lists))
	for n, list := range reading.lists {
		after[n] = bookrules.OpenList{
			File: file, Side: list.source.Side, Source: list.source.Source, AsOf: bookrules.DayOf(list.source.AsOf),
			Items: list.items,
		}
		if list.source.Side == bank.Payable {
			f.report.Files[0].Bills += len(list.items)
		} else {
			f.report.Files[0].OpenItems += len(list.items)
		}
	}
	if slices.EqualFunc(before, after, func(x, y bookrules.OpenList) bool {
		return x.Side == y.Side && x.Source == y.Source && x.AsOf == y.AsOf && slices.Equal(x.Items, y.Items)
	}) {
		return nil
	}
	f.news = true
	if f.edited != nil {
		f.edited.lists, f.edited.otherLists = after, true
	}
	return f.store(func(tx *store.Tx) error {
		if err := tx.DeleteBookOpenLists(f.change.Org, file); err != nil {
			return err
		}
		for _, list := range after {
			if _, err := tx.InsertBookOpenList(f.change.Org, list); err != nil {
				return err
			}
		}
		return nil
	})
}

// addPaidInvoices stores the invoices that were paid since the last reading.
func (f *feedImport) addPaidInvoices() error {
	if f.feed.Invoices == nil || len(f.feed.Invoices.Paid) == 0 {
		return nil
	}
	var before []bookrules.PaidInvoice
	err := f.change.look(func(r reader) (err error) {
		before, err = r.BookPaidInvoices(f.change.Org)
		return err
	})
	if err != nil {
		return err
	}
	var added []bookrules.PaidInvoice
	for _, i := range f.feed.Invoices.Paid {
		paid := bookrules.PaidInvoice{
			File: f.recognized.file.Key, Connection: f.feed.Connection, RemoteID: i.ID, Number: i.Number, Email: i.Email,
			Currency: i.Currency, TotalMinor: i.TotalMinor, Paid: bookrules.DayOf(i.PaidOn),
		}
		if !slices.Contains(before, paid) {
			added = append(added, paid)
		}
	}
	f.news = f.news || len(added) > 0
	if f.edited != nil {
		f.edited.paid = added
	}
	return f.store(func(tx *store.Tx) error {
		for _, paid := range added {
			if err := tx.SetBookPaidInvoice(f.change.Org, paid); err != nil {
				return err
			}
		}
		return nil
	})
}

// publish updates the ledger and completes the report.
func (f *feedImport) publish() error {
	f.change.finish = func(tx *store.Tx) error {
		f.report.PaidInvoices, f.report.Import = f.change.paid, ownbooks.Optional(f.record.ID)
		if f.feed.Finish == nil {
			return nil
		}
		return f.feed.Finish(tx, f.report)
	}
	if f.edited != nil {
		f.change.edits.see, f.change.edits.apply = f.edited.see, f.edited.apply
	}
	err := f.derive()
	f.change.added = newLines(f.report)
	if err == nil && f.options.Preview {
		err = errPreview
	}
	return err
}
