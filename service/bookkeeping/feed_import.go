package bookkeeping

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"tarmac/internal/civil"
	"tarmac/service/books"
	"tarmac/service/store"
)

// errUnchanged rolls back the transaction of a reading that is the same as the one before.
var errUnchanged = errors.New("the reading is unchanged")

// feedReader reads which file holds the readings of a connection. It is implemented by *store.Tx
// and *store.Snapshot.
type feedReader interface {
	BookFeed(org store.OrgKey, connection string) (books.File, error)
}

// isUnchanged reports whether a reading is the same as the last reading of its connection.
func (b *Books) isUnchanged(r feedReader, file books.File) (bool, error) {
	last, err := r.BookFeed(b.Org, file.Connection)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return last.Hash == file.Hash, err
}

// importFeed imports a reading of a connection. A reading of the same bytes as the one before needs
// no lock. One that says the same in other words writes nothing, and nothing is derived.
func (b *Books) importFeed(ctx context.Context, sources []Source, options Options) (*Report, error) {
	if len(sources) != 1 {
		return nil, fmt.Errorf("a reading is one source, not %d", len(sources))
	}
	read, err := recognize(sources[0], civil.Of(b.Now()))
	if err != nil {
		return nil, err
	}
	read.identifyFeed(options.Feed)
	unchanged := false
	err = b.Store.Read(ctx, func(snap *store.Snapshot) (err error) {
		unchanged, err = b.isUnchanged(snap, read.file)
		return err
	})
	report := &Report{}
	if err == nil && !unchanged {
		err = b.Store.WriteBooks(ctx, b.Org, func(tx *store.Tx) error {
			f := &feedImport{
				importing: importing{
					Books:   b,
					ctx:     ctx,
					tx:      tx,
					org:     b.Org,
					options: options,
				}, recognized: read, feed: options.Feed,
			}
			f.report = newFeedReport(read)
			report = f.report
			return f.run()
		})
	}
	switch {
	case unchanged || errors.Is(err, errUnchanged):
		report = newFeedReport(read)
		report.Feed.Unchanged = true
		return report, nil
	case errors.Is(err, errPreview):
		report.Import = nil
		return report, nil
	}
	return report, err
}

func newFeedReport(r *recognized) *Report {
	return &Report{
		Files: []FileReport{{File: r.Name, Format: r.format.Name, Statements: []StatementReport{}, Problems: []string{}}},
		Feed:  &FeedReport{Accounts: []string{}, Residuals: []string{}},
	}
}

// feedRank is behind the ranks of all formats (rank). So lines that files have too keep their dates
// and texts when an account is connected.
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
	balances   []books.FeedBalance // balances of earlier readings
	// packs is the digest of what the packs of the earlier readings follow from, and common that of
	// commonInputs. Both are zero for the first reading of a connection.
	packs, common store.Digest
	// news is true if the reading says anything that the books do not have: lines, days, balances,
	// open or paid invoices, or facts about accounts.
	news bool
}

// run imports the reading.
func (f *feedImport) run() error {
	if err := errors.Join(f.tx.AllowPauses(), f.refuseForeign(f.tx)); err != nil {
		return err
	}
	unchanged, err := f.isUnchanged(f.tx, f.recognized.file)
	switch {
	case err != nil:
		return err
	case unchanged:
		return errUnchanged
	}
	if err := f.begin(); err != nil {
		return err
	}
	f.progress(0)
	reading := &feedReading{}
	if err := f.recognized.read(f.ctx, f.options.Read, reading); err != nil {
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
	if !f.news && !f.options.Preview {
		return errUnchanged
	}
	f.report.Files[0].Problems = append(f.report.Files[0].Problems, reading.problems...)
	return f.finish()
}

// begin reads the stored books, and finds or adds the file and the import of the connection.
func (f *feedImport) begin() (err error) {
	if err := f.readStored(f.tx); err != nil {
		return err
	}
	if f.balances, err = f.tx.BookFeedBalances(f.org); err != nil {
		return err
	}
	file := &f.recognized.file
	stored, err := f.tx.BookFeed(f.org, file.Connection)
	switch {
	case err == nil:
		file.Key = stored.Key
		before, err := f.load(f.tx)
		if err != nil {
			return err
		}
		f.packs, f.common = before.packDigestOf(file.Key), before.common
		f.news = f.rulesChanged || stored.OwnFeed != file.OwnFeed
		if err := f.tx.UpdateBookFeed(f.org, *file); err != nil {
			return err
		}
		imports, err := f.tx.BookImports(f.org)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(imports, func(i books.Import) bool { return i.Connection() == file.Connection })
		f.record = imports[at]
		f.record.At = f.Now().UTC()
		return f.tx.UpdateBookImport(f.org, f.record)
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	f.news = true
	if err := f.addImport(f.tx); err != nil {
		return err
	}
	if file.Key, err = f.tx.InsertBookFile(f.org, *file); err != nil {
		return err
	}
	return f.tx.LinkBookFile(f.org, f.record.Key, file.Key, f.feed.Title+liveSuffix)
}

// keepPacks makes the packs of earlier readings valid after this one. Those of months with other
// lines have been removed.
func (f *feedImport) keepPacks() error {
	file := f.recognized.file
	return f.tx.StampBookPacks(f.org, file.Key, f.packs, packDigest(f.common, file, f.record.At.UnixMicro()))
}

// liveSuffix follows the title of the provider in the name of the file that holds the readings of a
// connection.
const liveSuffix = ", live"

// replaceLists replaces the lists of open invoices of the connection by those of the reading.
func (f *feedImport) replaceLists(reading *feedReading) error {
	file := f.recognized.file.Key
	before, err := f.tx.BookOpenLists(f.org)
	if err != nil {
		return err
	}
	before = slices.DeleteFunc(before, func(l books.OpenList) bool { return l.File != file })
	after := make([]books.OpenList, len(reading.lists))
	for n, list := range reading.lists {
		after[n] = books.OpenList{
			File: file, Source: list.source.Source, AsOf: books.DayOf(list.source.AsOf), Items: list.items,
		}
		f.report.Files[0].OpenItems += len(list.items)
	}
	if slices.EqualFunc(before, after, func(x, y books.OpenList) bool {
		return x.Source == y.Source && x.AsOf == y.AsOf && slices.Equal(x.Items, y.Items)
	}) {
		return nil
	}
	f.news = true
	if err := f.tx.DeleteBookOpenLists(f.org, file); err != nil {
		return err
	}
	for _, list := range after {
		if err := f.tx.InsertBookOpenList(f.org, list); err != nil {
			return err
		}
	}
	return nil
}

// addPaidInvoices stores the invoices that were paid since the last reading.
func (f *feedImport) addPaidInvoices() error {
	if f.feed.Invoices == nil || len(f.feed.Invoices.Paid) == 0 {
		return nil
	}
	before, err := f.tx.BookPaidInvoices(f.org)
	if err != nil {
		return err
	}
	for _, i := range f.feed.Invoices.Paid {
		paid := books.PaidInvoice{
			File: f.recognized.file.Key, Connection: f.feed.Connection, RemoteID: i.ID, Number: i.Number, Email: i.Email,
			Currency: i.Currency, TotalMinor: i.TotalMinor, Paid: books.DayOf(i.PaidOn),
		}
		if slices.Contains(before, paid) {
			continue
		}
		f.news = true
		if err := f.tx.SetBookPaidInvoice(f.org, paid); err != nil {
			return err
		}
	}
	return nil
}

// finish updates the ledger and completes the report.
func (f *feedImport) finish() error {
	if err := f.derive(); err != nil {
		return err
	}
	f.report.Import = &f.record.ID
	if f.options.Preview {
		return errPreview
	}
	if f.feed.Finish == nil {
		return nil
	}
	return f.feed.Finish(f.tx, f.report)
}
