package bookkeeping

import (
	"context"
	"fmt"
	"slices"

	"tarmac/service/books"
	"tarmac/service/store"
)

// Undone describes an import that was undone.
type Undone struct {
	Import string   `json:"import"`
	Files  []string `json:"files"` // names of the files that no other import contains
}

// Undo removes an import and updates the ledger, as if the import had never been made. Files that
// other imports contain too are kept. It returns store.ErrNotFound if the books have no import with
// the id.
func (b *Books) Undo(ctx context.Context, id string) (undone Undone, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	err = b.Store.WriteOf(ctx, b.Org, func(tx *store.Tx) error {
		undone = Undone{Import: id, Files: []string{}}
		imports, err := tx.BookImports(b.Org)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(imports, func(i books.Import) bool { return i.ID == id })
		if at < 0 {
			return fmt.Errorf("import %s: %w", id, store.ErrNotFound)
		}
		for _, f := range imports[at].Files {
			if !contained(imports, at, f.Key) {
				undone.Files = append(undone.Files, f.Name)
			}
		}
		if err := tx.DeleteBookImport(b.Org, imports[at].Key); err != nil {
			return err
		}
		if err := tx.DeleteUnusedBookAccounts(b.Org); err != nil {
			return err
		}
		return b.rebuild(tx)
	})
	return undone, err
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

// rebuild derives all accounts again and publishes the ledger.
func (b *Books) rebuild(tx *store.Tx) error {
	l, err := b.load(tx)
	if err != nil {
		return err
	}
	all := make([]derived, len(l.accounts))
	for n, a := range l.accounts {
		if all[n], err = l.derive(a, nil); err != nil {
			return err
		}
	}
	return l.publish(tx, all)
}
