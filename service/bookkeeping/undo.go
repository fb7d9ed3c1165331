package bookkeeping

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tarmac/service/books"
	"tarmac/service/store"
)

// Undone describes what undoing an import removes.
type Undone struct {
	Import string   `json:"import"`
	Files  []string `json:"files"` // names of the files that no other import contains
	Lines  int      `json:"lines"` // number of booked lines that the books no longer have
	// Accounts are the accounts that the books no longer have, written as in StatementReport.
	Accounts []string `json:"accounts"`
	// PaidInvoices lists the numbers of the organization's own invoices that stay paid, although
	// the books no longer have the payment.
	PaidInvoices []string `json:"paid_invoices"`
}

// Undo removes an import and updates the ledger, as if the import had never been made. Files that
// other imports contain too are kept. The import that holds the readings of a connection can be
// undone once it was disconnected, and what is stored about the connection is then deleted too.
// Undo returns store.ErrNotFound if the books have no import with the id.
func (b *Books) Undo(ctx context.Context, id string) (Undone, error) { return b.undo(ctx, id, false) }

// PreviewUndo returns what Undo would return, but changes nothing.
func (b *Books) PreviewUndo(ctx context.Context, id string) (Undone, error) {
	return b.undo(ctx, id, true)
}

func (b *Books) undo(ctx context.Context, id string, preview bool) (undone Undone, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	err = b.Store.WriteBooks(ctx, b.Org, func(tx *store.Tx) error {
		undone = Undone{Import: id, Files: []string{}, Accounts: []string{}, PaidInvoices: []string{}}
		imports, err := tx.BookImports(b.Org)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(imports, func(i books.Import) bool { return i.ID == id })
		if at < 0 {
			return fmt.Errorf("import %s: %w", id, store.ErrNotFound)
		}
		ended, err := b.endedConnection(tx, imports[at])
		if err != nil {
			return err
		}
		for _, f := range imports[at].Files {
			if !contained(imports, at, f.Key) {
				undone.Files = append(undone.Files, f.Name)
			}
		}
		if err := b.remove(tx, imports[at], &undone, preview); err != nil || ended == 0 {
			return err
		}
		return tx.DeleteConnection(ended)
	})
	if errors.Is(err, errPreview) {
		err = nil
	}
	return undone, err
}

// endedConnection returns the disconnected connection whose readings an import holds; 0 if there is
// none. Its error is a *liveImport if the connection is still read.
func (b *Books) endedConnection(tx *store.Tx, i books.Import) (store.ConnectionKey, error) {
	if i.Connection() == "" {
		return 0, nil
	}
	c, err := tx.ConnectionOf(b.Org, i.Connection())
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

// remove deletes an import and updates the ledger. It adds to undone what the books lose. With
// preview, the error is errPreview.
func (b *Books) remove(tx *store.Tx, i books.Import, undone *Undone, preview bool) error {
	_, before, err := b.deriveAll(tx)
	if err != nil {
		return err
	}
	if err := tx.DeleteBookImport(b.Org, i.Key); err != nil {
		return err
	}
	if err := tx.DeleteUnusedBookAccounts(b.Org); err != nil {
		return err
	}
	if _, err := b.takeRules(tx); err != nil {
		return err
	}
	l, after, err := b.deriveAll(tx)
	if err != nil {
		return err
	}
	undone.compare(before, after)
	j, err := newJournal(l, after)
	if err != nil {
		return err
	}
	undone.PaidInvoices = append(undone.PaidInvoices, j.orphans()...)
	if preview {
		return errPreview
	}
	_, err = j.publish(tx, nil)
	return err
}

// ForgetFeed removes all readings of a connection from the books and updates the ledger, as if they
// had never been made. The function finish is called in the same transaction; it may be nil. If the
// books have no reading of the connection, ForgetFeed only calls finish.
func (b *Books) ForgetFeed(ctx context.Context, connection string, finish func(tx *store.Tx) error) (Undone, error) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	var undone Undone
	err := b.Store.WriteBooks(ctx, b.Org, func(tx *store.Tx) error {
		undone = Undone{Files: []string{}, Accounts: []string{}, PaidInvoices: []string{}}
		imports, err := tx.BookImports(b.Org)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(imports, func(i books.Import) bool { return i.Connection() == connection })
		if at >= 0 && connection != "" {
			undone.Import, undone.Files = imports[at].ID, append(undone.Files, imports[at].Files[0].Name)
			if err := b.remove(tx, imports[at], &undone, false); err != nil {
				return err
			}
		}
		if finish == nil {
			return nil
		}
		return finish(tx)
	})
	return undone, err
}

// compare compares the accounts before and after an import is undone. It stores which accounts are
// gone and how many lines are missing.
func (u *Undone) compare(before, after []derived) {
	for i := range before {
		u.Lines += len(before[i].merged)
		if !slices.ContainsFunc(after, func(d derived) bool { return d.Key == before[i].Key }) {
			u.Accounts = append(u.Accounts, ShortNumber(before[i].Number))
		}
	}
	for i := range after {
		u.Lines -= len(after[i].merged)
	}
}

// contained reports whether a file belongs to an import other than imports[index].
func contained(imports []books.Import, index int, file int64) bool {
	for n, i := range imports {
		if n != index && slices.ContainsFunc(i.Files, func(f books.ImportedFile) bool { return f.Key == file }) {
			return true
		}
	}
	return false
}
