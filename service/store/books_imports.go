package store

import (
	"fmt"

	"tarmac/service/bookrules"
	"tarmac/service/store/database"
)

// InsertBookImport adds an import to the organization's books and returns its key. Files are added
// to it by LinkBookFile.
func (tx *Tx) InsertBookImport(org OrgKey, i bookrules.Import) (key int64, err error) {
	tx.booksChanged(org)
	tx.created(i.ID)
	if err := tx.lock(org); err != nil {
		return 0, err
	}
	err = tx.db.QueryRow(`INSERT INTO book_imports (org_id, public_id, imported_at, staged) VALUES (?, ?, ?, ?)
		RETURNING id`, org, i.ID, micros(i.At), tx.view.stage).Scan(&key)
	if err != nil {
		return 0, fmt.Errorf("adding the import %s: %w", i.ID, err)
	}
	return key, nil
}

// BookImports returns the imports of the organization's books with their files, oldest first.
func (tx *Tx) BookImports(org OrgKey) ([]bookrules.Import, error) {
	return readBookImports(tx.db, org, tx.view)
}

// BookImports returns the imports of the organization's books with their files, oldest first.
func (s *Snapshot) BookImports(org OrgKey) ([]bookrules.Import, error) {
	return readBookImports(s.db, org, s.view)
}

func readBookImports(r database.Queryer, org OrgKey, view bookView) ([]bookrules.Import, error) {
	var imports []bookrules.Import
	rows, err := r.Query(`SELECT i.id, i.public_id, i.imported_at, coalesce(i.reporting, ''), l.name, l.made,
			`+qualified("f", bookFileColumns)+`
		FROM book_imports i JOIN book_import_files l ON l.import_id = i.id JOIN book_files f ON f.id = l.file_id
		WHERE i.org_id = ?`+view.seen("i")+" ORDER BY i.id, l.name, f.id", org)
	_, err = database.Collect(rows, err, "the imports", func(row database.Row) (none struct{}, err error) {
		var (
			i    bookrules.Import
			file bookrules.ImportedFile
			at   int64
		)
		of := []any{&i.Key, &i.ID, &at, &i.Reporting, &file.Name, &file.Made}
		file.File, err = scanBookFile(rowWith{Row: row, before: of})
		if err != nil {
			return none, err
		}
		i.At = fromMicros(at)
		if last := len(imports) - 1; last < 0 || imports[last].Key != i.Key {
			imports = append(imports, i)
		}
		last := &imports[len(imports)-1]
		last.Files = append(last.Files, file)
		return none, nil
	})
	return imports, err
}

const bookFileColumns = "id, hash, sha256, format, making, rank, connection, own_feed"

func scanBookFile(row database.Row) (f bookrules.File, err error) {
	var hash, sum []byte
	if err := row.Scan(&f.Key, &hash, &sum, &f.Format, &f.Making, &f.Rank, &f.Connection, &f.OwnFeed); err != nil {
		return f, err
	}
	if copy(f.Hash[:], hash) != len(f.Hash) || copy(f.SHA256[:], sum) != len(f.SHA256) {
		return f, fmt.Errorf("a file's hash has %d and %d bytes, not 32", len(hash), len(sum))
	}
	return f, nil
}

// BookFile returns the imported file with the given hash (bookrules.File.Hash). It returns
// ErrNotFound if there is none.
func (tx *Tx) BookFile(org OrgKey, hash [32]byte) (bookrules.File, error) {
	f, err := scanBookFile(tx.db.QueryRow("SELECT "+bookFileColumns+" FROM book_files f WHERE org_id = ? AND hash = ?"+
		tx.view.seen("f"), org, hash[:]))
	if err != nil {
		return bookrules.File{}, notFound(err, "the file")
	}
	return f, nil
}

// InsertBookFile adds an imported file and returns its key.
func (tx *Tx) InsertBookFile(org OrgKey, f bookrules.File) (key int64, err error) {
	tx.booksChanged(org)
	err = tx.db.QueryRow(`INSERT INTO book_files (org_id, hash, sha256, format, making, rank, connection, own_feed, staged)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`, org, f.Hash[:], f.SHA256[:], f.Format, f.Making, f.Rank,
		f.Connection, bit(f.OwnFeed), tx.view.stage).Scan(&key)
	if err != nil {
		return 0, fmt.Errorf("adding a file: %w", err)
	}
	return key, nil
}

// SetImportReporting stores in which currency the organization reports while the import is the
// oldest.
func (tx *Tx) SetImportReporting(org OrgKey, importKey int64, currency string) error {
	tx.booksChanged(org)
	return tx.execOne("UPDATE book_imports SET reporting = ? WHERE org_id = ? AND id = ?", currency, org, importKey)
}

// LinkBookFile adds a stored file to an import, with its name and the day on which it was made. If
// the import already contains the file, the file keeps its first name.
func (tx *Tx) LinkBookFile(org OrgKey, importKey int64, file bookrules.ImportedFile) error {
	tx.booksChanged(org)
	_, err := tx.db.Exec(`INSERT INTO book_import_files (org_id, import_id, file_id, name, made) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (import_id, file_id) DO NOTHING`, org, importKey, file.Key, file.Name, file.Made)
	if err != nil {
		return fmt.Errorf("adding the file %s to the import: %w", file.Name, err)
	}
	return nil
}

// DeleteBookImport deletes an import. It also deletes the files that no other import contains, with
// all records that were read from them.
func (tx *Tx) DeleteBookImport(org OrgKey, importKey int64) error {
	tx.booksChanged(org)
	if err := tx.lock(org); err != nil {
		return err
	}
	unlink := "DELETE FROM book_import_files WHERE org_id = ? AND import_id = ?"
	if _, err := tx.db.Exec(unlink, org, importKey); err != nil {
		return fmt.Errorf("removing an import's files: %w", err)
	}
	if err := tx.DeleteUnlinkedBookFiles(org); err != nil {
		return err
	}
	stated := "DELETE FROM book_balances WHERE org_id = ? AND import_id = ?"
	if _, err := tx.db.Exec(stated, org, importKey); err != nil {
		return fmt.Errorf("removing an import's balances: %w", err)
	}
	return tx.execOne("DELETE FROM book_imports WHERE org_id = ? AND id = ?", org, importKey)
}

// DeleteUnlinkedBookFiles deletes the files that no import contains, with all records that were
// read from them.
func (tx *Tx) DeleteUnlinkedBookFiles(org OrgKey) error {
	tx.booksChanged(org)
	const unlinked = `SELECT f.id FROM book_files f WHERE f.org_id = ?
		AND NOT EXISTS (SELECT 1 FROM book_import_files l WHERE l.file_id = f.id)`
	for _, statement := range []string{
		`DELETE FROM book_lines WHERE statement_id IN
			(SELECT id FROM book_statements WHERE file_id IN (` + unlinked + `))`,
		"DELETE FROM book_statements WHERE file_id IN (" + unlinked + ")",
		`DELETE FROM book_open_items WHERE list_id IN
			(SELECT id FROM book_open_lists WHERE file_id IN (` + unlinked + `))`,
		"DELETE FROM book_open_lists WHERE file_id IN (" + unlinked + ")",
		"DELETE FROM book_rates WHERE file_id IN (" + unlinked + ")",
		"DELETE FROM book_feed_balances WHERE file_id IN (" + unlinked + ")",
		"DELETE FROM book_paid_invoices WHERE file_id IN (" + unlinked + ")",
		"DELETE FROM book_files WHERE id IN (" + unlinked + ")",
	} {
		if _, err := tx.db.Exec(statement, org); err != nil {
			return fmt.Errorf("removing files without an import: %w", err)
		}
	}
	return nil
}
