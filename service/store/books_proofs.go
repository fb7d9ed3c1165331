package store

import (
	"fmt"

	"tarmac/service/bookrules"
	"tarmac/service/store/database"
)

// BookProof is what the last derivation of the books found out about an account.
type BookProof struct {
	Account       int64
	Digest        Digest // of the books from which the rest follows
	ResidualMinor int64  // amount missing between two balances; 0 if the lines add up
	Contradiction string // says what is missing; "" if nothing is
	// UnratedDay is the day of the account's balance if it is in another currency than US dollars
	// and not 0; 0 for all other accounts.
	UnratedDay bookrules.Day
}

// BookProofs returns what the last derivation found out about the accounts of the books.
func (tx *Tx) BookProofs(org OrgKey) ([]BookProof, error) { return readBookProofs(tx.db, org) }

// BookProofs returns what the last derivation found out about the accounts of the books.
func (s *Snapshot) BookProofs(org OrgKey) ([]BookProof, error) { return readBookProofs(s.db, org) }

func readBookProofs(r database.Queryer, org OrgKey) ([]BookProof, error) {
	rows, err := r.Query(`SELECT account_id, digest, residual_minor, contradiction, unrated_day FROM book_proofs
		WHERE org_id = ?`, org)
	return database.Collect(rows, err, "the proofs of the books", func(row database.Row) (p BookProof, err error) {
		var digest []byte
		err = row.Scan(&p.Account, &digest, &p.ResidualMinor, &p.Contradiction, &p.UnratedDay)
		copy(p.Digest[:], digest)
		return p, err
	})
}

// SetBookProofs stores what a derivation of the books with the given digest found out about
// accounts, and forgets what earlier ones did.
func (tx *Tx) SetBookProofs(org OrgKey, digest Digest, proofs []BookProof) error {
	if _, err := tx.db.Exec("DELETE FROM book_proofs WHERE org_id = ? AND digest <> ?", org, digest[:]); err != nil {
		return fmt.Errorf("forgetting the proofs of the books: %w", err)
	}
	for _, p := range proofs {
		_, err := tx.db.Exec(`INSERT INTO book_proofs
				(org_id, account_id, digest, residual_minor, contradiction, unrated_day) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (org_id, account_id) DO UPDATE SET residual_minor = excluded.residual_minor,
				contradiction = excluded.contradiction, unrated_day = excluded.unrated_day`,
			org, p.Account, digest[:], p.ResidualMinor, p.Contradiction, p.UnratedDay)
		if err != nil {
			return fmt.Errorf("storing the proof of an account: %w", err)
		}
	}
	return nil
}

// BookedDays returns the first and the last day of the booked lines in a statement. It returns the
// zero Span if there are none.
func (tx *Tx) BookedDays(org OrgKey, statement int64) (bookrules.Span, error) {
	return readBookedDays(tx.db, org, statement)
}

// BookedDays returns the first and the last day of the booked lines in a statement as the method of
// Tx does.
func (s *Snapshot) BookedDays(org OrgKey, statement int64) (bookrules.Span, error) {
	return readBookedDays(s.db, org, statement)
}

func readBookedDays(r database.Queryer, org OrgKey, statement int64) (days bookrules.Span, err error) {
	const day = `coalesce((SELECT day FROM book_lines WHERE org_id = ? AND statement_id = ? AND pending = 0
		ORDER BY day `
	err = r.QueryRow("SELECT "+day+"LIMIT 1), 0), "+day+"DESC LIMIT 1), 0)", org, statement, org, statement).
		Scan(&days.First, &days.Last)
	if err != nil {
		return days, fmt.Errorf("reading the days of a statement: %w", err)
	}
	return days, nil
}
