package bookkeeping

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tarmac/internal/ownbooks"
	"tarmac/service/bookrules"
	"tarmac/service/store"
)

// Undo removes an import and updates the ledger, as if the import had never been made. Files that
// other imports contain too are kept. The import that holds the readings of a connection can be
// undone once it was disconnected, and what is stored about the connection is then deleted too.
// Undo returns store.ErrNotFound if the books have no import with the id.
func (b *Books) Undo(ctx context.Context, id string) (undone ownbooks.Undone, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	err = b.changeBooks(ctx, func(c *change) error {
		u := undoing{Books: b}
		if err := c.look(func(r reader) error { return u.find(r, id) }); err != nil {
			return err
		}
		c.finish = func(tx *store.Tx) error {
			ended, err := b.endedConnection(tx, u.imported)
			if err != nil || ended == 0 {
				return err
			}
			return tx.DeleteConnection(ended)
		}
		err := c.remove(&u)
		undone = u.Undone
		return err
	})
	ownbooks.Clean(&undone)
	return undone, err
}

// PreviewUndo returns what Undo would return. It only reads.
func (b *Books) PreviewUndo(ctx context.Context, id string) (ownbooks.Undone, error) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	u := undoing{Books: b}
	err := b.Store.Read(ctx, func(snap *store.Snapshot) error {
		if err := errors.Join(u.find(snap, id), u.count(snap)); err != nil {
			return err
		}
		rules, err := b.changedRules(snap)
		if err != nil {
			return err
		}
		l, err := b.loadEdited(snap, bookEdits{rules: rules, see: u.see})
		if err != nil {
			return err
		}
		mt, err := l.matching()
		if err == nil {
			u.compare(mt)
		}
		return err
	})
	ownbooks.Clean(&u.Undone)
	return u.Undone, err
}

// undoing is an import that is undone, and what the books lose by it.
type undoing struct {
	*Books
	ownbooks.Undone
	imported bookrules.Import
	before   []derived // accounts with the import, without their lines
	lines    int       // number of lines that they have
}

// find finds the import with an id and the files that are removed with it.
func (u *undoing) find(r reader, id string) error {
	imports, err := r.BookImports(u.Org)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(imports, func(i bookrules.Import) bool { return i.ID == id })
	if at < 0 {
		return fmt.Errorf("import %s: %w", id, store.ErrNotFound)
	}
	u.take(imports, at)
	_, err = u.endedConnection(r, u.imported)
	return err
}

// take says that imports[at] is undone.
func (u *undoing) take(imports []bookrules.Import, at int) {
	u.imported = imports[at]
	u.Undone = ownbooks.Undone{Import: u.imported.ID, Files: []string{}, Accounts: []string{}, PaidInvoices: []string{}}
	for _, f := range u.imported.Files {
		if !contained(imports, at, f.Key) {
			u.Files = append(u.Files, f.Name)
		}
	}
}

// count counts the lines that the books have with the import.
func (u *undoing) count(r reader) error {
	l, err := u.load(r)
	if err != nil {
		return err
	}
	u.before, u.lines = nil, 0
	for _, a := range l.accounts {
		d, err := l.derive(a)
		if err != nil {
			return err
		}
		u.before, u.lines = append(u.before, derived{Account: a}), u.lines+len(d.merged)
	}
	return nil
}

// see makes a reader see the books without the import.
func (u *undoing) see(r reader) (reader, error) { return r, r.LeaveOutImport(u.Org, u.imported.Key) }

// compare stores which accounts are gone without the import, how many lines are missing, and which
// invoices stay paid.
func (u *undoing) compare(mt *matching) {
	u.Undone.Lines, u.Undone.Accounts = u.lines, []string{}
	for _, before := range u.before {
		if _, has := mt.byKey[before.Key]; !has {
			u.Undone.Accounts = append(u.Undone.Accounts, ShortNumber(before.Number))
		}
	}
	for n := range mt.accounts {
		u.Undone.Lines -= len(mt.accounts[n].merged)
	}
	u.PaidInvoices = append([]string{}, mt.orphans()...)
}

// remove removes an import and updates the ledger.
func (c *change) remove(u *undoing) error {
	err := c.look(func(r reader) (err error) {
		if err = u.count(r); err == nil {
			c.edits.rules, err = c.changedRules(r)
		}
		return err
	})
	if err != nil {
		return err
	}
	c.edits.see = u.see
	c.edits.apply = func(tx *store.Tx) error {
		if c.stage != nil {
			return tx.RetireBookImport(c.Org, u.imported.Key)
		}
		return errors.Join(tx.DeleteBookImport(c.Org, u.imported.Key), tx.DeleteUnusedBookAccounts(c.Org))
	}
	return c.deriveAll(u.compare)
}

// endedConnection returns the disconnected connection whose readings an import holds; 0 if there is
// none. Its error is a *liveImport if the connection is still read.
func (b *Books) endedConnection(r reader, i bookrules.Import) (store.ConnectionKey, error) {
	if i.Connection() == "" {
		return 0, nil
	}
	c, err := r.ConnectionOf(b.Org, i.Connection())
	switch {
	case errors.Is(err, store.ErrNotFound):
		return 0, nil
	case err == nil && c.State != store.ConnectionRemoved:
		err = &liveImport{name: i.Files[0].Name, label: c.Label}
	}
	return c.Key, err
}

// liveImport is the error for undoing the import that holds the readings of a connection.
type liveImport struct {
	name  string // name of the import
	label string // name of the connection
}

func (e *liveImport) Error() string {
	label := e.label
	if strings.ContainsFunc(label, unicode.IsSpace) {
		label = strconv.Quote(label)
	}
	return fmt.Sprintf("%q is read from a connection and would come again; `disconnect %s --forget` ends the connection "+
		"and removes its lines", e.name, label)
}

// ForgetFeed removes all readings of a connection from the books and updates the ledger, as if they
// had never been made. The function finish is called in the same transaction; it may be nil. If the
// books have no reading of the connection, ForgetFeed only calls finish.
func (b *Books) ForgetFeed(ctx context.Context, connection string, finish func(tx *store.Tx) error) (
	ownbooks.Undone, error,
) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	u := undoing{Books: b, Undone: ownbooks.Undone{Files: []string{}, Accounts: []string{}, PaidInvoices: []string{}}}
	err := b.changeBooks(ctx, func(c *change) error {
		found := false
		err := c.look(func(r reader) error {
			imports, err := r.BookImports(b.Org)
			at := slices.IndexFunc(imports, func(i bookrules.Import) bool { return i.Connection() == connection })
			if found = at >= 0 && connection != ""; found {
				u.take(imports, at)
			}
			return err
		})
		if err != nil {
			return err
		}
		c.finish = finish
		if !found {
			return c.last(false, func(*store.Tx) error { return nil })
		}
		return c.remove(&u)
	})
	return u.Undone, err
}

// contained reports whether a file belongs to an import other than imports[index].
func contained(imports []bookrules.Import, index int, file int64) bool {
	for n, i := range imports {
		if n != index && slices.ContainsFunc(i.Files, func(f bookrules.ImportedFile) bool { return f.Key == file }) {
			return true
		}
	}
	return false
}
