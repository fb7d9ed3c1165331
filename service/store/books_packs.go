package store

import (
	"fmt"

	"tarmac/service/bookrules"
	"tarmac/service/store/database"
)

// BookPack holds, in a packed form, what the derivation of the books needs of the booked lines of
// an account in a file that are of one month.
type BookPack struct {
	File, Account int64
	Month         bookrules.Day // its first day; 0 for the digest of what all months follow from
	Pack          []byte        // empty if the lines of the month have changed since
}

// BookPacks calls visit for each pack of an account, ordered by file and month. If visit returns an
// error, BookPacks stops and returns it.
func (tx *Tx) BookPacks(org OrgKey, account int64, visit func(BookPack) error) error {
	return readBookPacks(tx.db, org, account, visit)
}

// BookPacks calls visit for each pack of an account, ordered by file and month. If visit returns an
// error, BookPacks stops and returns it.
func (s *Snapshot) BookPacks(org OrgKey, account int64, visit func(BookPack) error) error {
	return readBookPacks(s.db, org, account, visit)
}

func readBookPacks(r database.Queryer, org OrgKey, account int64, visit func(BookPack) error) error {
	rows, err := r.Query(`SELECT file_id, month, pack FROM book_packs WHERE org_id = ? AND account_id = ?
		ORDER BY file_id, month`, org, account)
	return database.Each(rows, err, "the packed lines of an account", func(row database.Row) error {
		p := BookPack{Account: account}
		if err := row.Scan(&p.File, &p.Month, &p.Pack); err != nil {
			return err
		}
		return visit(p)
	})
}

// SetBookPack stores a pack and replaces the one that was stored before.
func (tx *Tx) SetBookPack(org OrgKey, p BookPack) error {
	_, err := tx.db.Exec(`INSERT INTO book_packs (org_id, file_id, account_id, month, pack) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (account_id, file_id, month) DO UPDATE SET pack = excluded.pack`,
		org, p.File, p.Account, p.Month, p.Pack)
	if err != nil {
		return fmt.Errorf("storing packed lines: %w", err)
	}
	return nil
}

// DeleteBookPacks deletes the packs of an account in a file.
func (tx *Tx) DeleteBookPacks(org OrgKey, account, file int64) error {
	_, err := tx.db.Exec("DELETE FROM book_packs WHERE org_id = ? AND account_id = ? AND file_id = ?", org, account, file)
	if err != nil {
		return fmt.Errorf("removing packed lines: %w", err)
	}
	return nil
}

// StampBookPacks replaces the digest of what the packs of a file follow from.
func (tx *Tx) StampBookPacks(org OrgKey, file int64, before, after Digest) error {
	_, err := tx.db.Exec("UPDATE book_packs SET pack = ? WHERE org_id = ? AND file_id = ? AND month = 0 AND pack = ?",
		after[:], org, file, before[:])
	if err != nil {
		return fmt.Errorf("storing what packed lines follow from: %w", err)
	}
	return nil
}
