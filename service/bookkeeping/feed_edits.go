package bookkeeping

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"

	"tarmac/service/bookrules"
	"tarmac/service/store"
)

// feedEdits is what a reading of a known connection changes. It is stored when the books are
// derived; until then, only its new lines are stored, aside: in a file that does not count. As a
// reader, it sees the books as the reading changes them.
type feedEdits struct {
	reader
	feed       *feedImport
	aside      int64                             // file that holds the new lines; 0 if there is none
	steps      []func(tx *store.Tx) error        // store what is not stored yet
	statements map[int64][]bookrules.Statement   // of the connection, by account
	balances   map[int64][]bookrules.FeedBalance // of the connection, by account
	months     map[int64][]bookrules.Day         // first days of months with other lines, by account
	deleted    map[int64]bool                    // keys of lines that the books do not have any more
	lists      []bookrules.OpenList              // of the connection, if otherLists is true
	otherLists bool
	paid       []bookrules.PaidInvoice // that the books do not have yet

	packs     packStore
	repacked  map[int64]bool             // accounts all of whose packs are stored anew
	packSteps []func(tx *store.Tx) error // store packs that are not valid before the reading is stored
}

func newFeedEdits(f *feedImport) *feedEdits {
	return &feedEdits{
		feed: f, statements: map[int64][]bookrules.Statement{}, balances: map[int64][]bookrules.FeedBalance{},
		months: map[int64][]bookrules.Day{}, deleted: map[int64]bool{},
	}
}

func (e *feedEdits) file() int64 { return e.feed.recognized.file.Key }

func (e *feedEdits) delete(lines []int64) {
	for _, key := range lines {
		e.deleted[key] = true
	}
}

// addAside adds the statement that holds the new lines of an account, and returns its key.
func (e *feedEdits) addAside(a *feedAccount) (int64, error) {
	if a.aside != 0 {
		return a.aside, nil
	}
	f := e.feed
	err := f.change.write(func(tx *store.Tx) (err error) {
		if e.aside == 0 {
			file := f.recognized.file
			file.Connection, file.Hash = "", sha256.Sum256(append(file.Hash[:], "aside"...))
			if e.aside, err = tx.InsertBookFile(f.change.Org, file); err != nil {
				return err
			}
		}
		a.aside, err = tx.InsertBookStatement(f.change.Org, bookrules.Statement{
			File: e.aside, Account: a.key, Facts: a.facts,
		})
		return err
	})
	return a.aside, err
}

// insertedLines returns the new lines of an account, by their keys.
func (e *feedEdits) insertedLines(a *feedAccount) (map[int64]bookrules.Line, error) {
	lines := map[int64]bookrules.Line{}
	err := e.feed.change.look(func(r reader) error {
		return r.BookFileLines(e.feed.change.Org, e.aside, a.key, always, func(l bookrules.Line) error {
			lines[l.Key] = l
			return nil
		})
	})
	return lines, err
}

// see returns a reader of the books as the reading changes them.
func (e *feedEdits) see(r reader) (reader, error) {
	snap, ok := r.(*store.Snapshot)
	if !ok {
		return nil, fmt.Errorf("a reading that is stored later needs a snapshot, not a %T", r)
	}
	facts := map[int64]bookrules.AccountFacts{}
	for _, a := range e.feed.accounts {
		facts[a.key] = a.facts
	}
	snap.SupposeFeed(store.FeedFacts{
		File: e.file(), Aside: e.aside, OwnFeed: e.feed.recognized.file.OwnFeed, Facts: facts,
	})
	e.reader, e.packSteps, e.repacked = r, nil, map[int64]bool{}
	return e, nil
}

// apply stores the reading.
func (e *feedEdits) apply(tx *store.Tx) error {
	f := e.feed
	for _, a := range f.accounts {
		if holder := e.statements[a.key][0].Key; a.aside != 0 && a.aside != holder {
			if err := tx.MoveBookLines(f.change.Org, a.aside, holder); err != nil {
				return err
			}
		}
	}
	for _, step := range slices.Concat(e.steps, e.packSteps) {
		if err := step(tx); err != nil {
			return err
		}
	}
	if e.aside == 0 {
		return nil
	}
	return tx.DeleteBookFile(f.change.Org, e.aside)
}

func (e *feedEdits) BookStatements(org store.OrgKey) ([]bookrules.Statement, error) {
	statements, err := e.reader.BookStatements(org)
	statements = slices.DeleteFunc(statements, func(s bookrules.Statement) bool {
		_, replaced := e.statements[s.Account]
		return s.File == e.aside || s.File == e.file() && replaced
	})
	for _, account := range slices.Sorted(maps.Keys(e.statements)) {
		statements = append(statements, e.statements[account]...)
	}
	slices.SortStableFunc(statements, func(x, y bookrules.Statement) int {
		return cmp.Or(-cmp.Compare(min(x.Key, 1), min(y.Key, 1)), cmp.Compare(x.Key, y.Key)) // those to be added have no key
	})
	return statements, err
}

func (e *feedEdits) BookImports(org store.OrgKey) ([]bookrules.Import, error) {
	imports, err := e.reader.BookImports(org)
	for n := range imports {
		if imports[n].Key == e.feed.record.Key {
			imports[n].At, imports[n].Files[0].File = e.feed.record.At, e.feed.recognized.file
		}
	}
	return imports, err
}

func (e *feedEdits) BookEntries(org store.OrgKey, account int64, visit func(statement int64, e bookrules.Entry)) error {
	aside, holder := int64(0), int64(0)
	for _, a := range e.feed.accounts {
		if a.key == account {
			aside, holder = a.aside, e.statements[account][0].Key
		}
	}
	return e.reader.BookEntries(org, account, func(statement int64, entry bookrules.Entry) {
		if statement == aside {
			statement = holder
		}
		if !e.deleted[entry.Line] {
			visit(statement, entry)
		}
	})
}

func (e *feedEdits) BookLines(
	org store.OrgKey,
	account int64,
	days bookrules.Span,
	visit func(bookrules.Line) error,
) error {
	return e.reader.BookLines(org, account, days, e.kept(visit))
}

func (e *feedEdits) BookFileLines(
	org store.OrgKey,
	file, account int64,
	days bookrules.Span,
	visit func(bookrules.Line) error,
) error {
	err := e.reader.BookFileLines(org, file, account, days, e.kept(visit))
	if file != e.file() || e.aside == 0 {
		return err
	}
	return errors.Join(err, e.reader.BookFileLines(org, e.aside, account, days, visit))
}

// kept returns a function that calls visit for lines that the books keep.
func (e *feedEdits) kept(visit func(bookrules.Line) error) func(bookrules.Line) error {
	return func(l bookrules.Line) error {
		if e.deleted[l.Key] {
			return nil
		}
		return visit(l)
	}
}

func (e *feedEdits) BookFeedBalances(org store.OrgKey) ([]bookrules.FeedBalance, error) {
	balances, err := e.reader.BookFeedBalances(org)
	balances = slices.DeleteFunc(balances, func(b bookrules.FeedBalance) bool {
		_, replaced := e.balances[b.Account]
		return b.File == e.file() && replaced
	})
	for _, after := range e.balances {
		balances = append(balances, after...)
	}
	slices.SortFunc(balances, func(x, y bookrules.FeedBalance) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Account, y.Account), cmp.Compare(x.Day, y.Day))
	})
	return balances, err
}

func (e *feedEdits) BookPaidInvoices(org store.OrgKey) ([]bookrules.PaidInvoice, error) {
	paid, err := e.reader.BookPaidInvoices(org)
	for _, i := range e.paid {
		paid = slices.DeleteFunc(
			paid,
			func(o bookrules.PaidInvoice) bool { return o.File == i.File && o.RemoteID == i.RemoteID },
		)
		paid = append(paid, i)
	}
	slices.SortFunc(paid, func(x, y bookrules.PaidInvoice) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.RemoteID, y.RemoteID))
	})
	return paid, err
}

func (e *feedEdits) BookOpenLists(org store.OrgKey) ([]bookrules.OpenList, error) {
	lists, err := e.reader.BookOpenLists(org)
	if !e.otherLists {
		return lists, err
	}
	lists = slices.DeleteFunc(lists, func(l bookrules.OpenList) bool { return l.File == e.file() })
	return append(lists, e.lists...), err
}

// BookPacks calls visit for packs. Those of earlier readings of the connection stay valid, except
// those of months with other lines.
func (e *feedEdits) BookPacks(org store.OrgKey, account int64, visit func(store.BookPack) error) error {
	f := e.feed
	after := packDigest(f.common, f.recognized.file, f.record.At.UnixMicro())
	err := e.reader.BookPacks(org, account, func(p store.BookPack) error {
		if p.File == e.file() {
			switch {
			case p.Month == 0 && slices.Equal(p.Pack, f.packs[:]):
				p.Pack = after[:]
			case slices.Contains(e.months[account], p.Month):
				return nil
			}
		}
		return visit(p)
	})
	for _, month := range e.months[account] {
		if err == nil {
			err = visit(store.BookPack{File: e.file(), Account: account, Month: month})
		}
	}
	return err
}

// storing returns where the packs of a derivation are stored: those of months with other lines with
// the reading, because the others of their account are valid before it, and all others at once.
func (e *feedEdits) storing(packs packStore) packStore {
	e.packs = packs
	return e
}

func (e *feedEdits) SetBookPack(org store.OrgKey, p store.BookPack) error {
	if p.File != e.file() || e.repacked[p.Account] {
		return e.packs.SetBookPack(org, p)
	}
	e.packSteps = append(e.packSteps, func(tx *store.Tx) error { return tx.SetBookPack(org, p) })
	return nil
}

func (e *feedEdits) DeleteBookPacks(org store.OrgKey, account, file int64) error {
	if file == e.file() {
		e.repacked[account] = true
	}
	return e.packs.DeleteBookPacks(org, account, file)
}
