package store

import (
	"fmt"

	"tarmac/service/books"
	"tarmac/service/store/database"
)

// BookQuestion is a question about own books that nobody has answered yet.
type BookQuestion struct {
	Key  string // identifies the question, as in Tx.SetBookAnswer
	Kind string
	Day  books.Day // day of the line that the question is about
	Text string
}

// BookQuestions returns the open questions about the organization's books, by day.
func (s *Snapshot) BookQuestions(org OrgKey) ([]BookQuestion, error) {
	rows, err := s.db.Query("SELECT question, kind, day, text FROM book_questions WHERE org_id = ? ORDER BY day, question",
		org)
	return database.Collect(rows, err, "the open questions", func(row database.Row) (q BookQuestion, err error) {
		err = row.Scan(&q.Key, &q.Kind, &q.Day, &q.Text)
		return q, err
	})
}

// ReplaceBookQuestions replaces the open questions about the organization's books.
func (tx *Tx) ReplaceBookQuestions(org OrgKey, questions []BookQuestion) error {
	tx.booksChanged(org)
	if _, err := tx.db.Exec("DELETE FROM book_questions WHERE org_id = ?", org); err != nil {
		return fmt.Errorf("removing questions: %w", err)
	}
	for _, q := range questions {
		_, err := tx.db.Exec("INSERT INTO book_questions (org_id, question, kind, day, text) VALUES (?, ?, ?, ?, ?)",
			org, q.Key, q.Kind, q.Day, q.Text)
		if err != nil {
			return fmt.Errorf("storing a question: %w", err)
		}
	}
	return nil
}

// BookInvoicePayment is the part of an imported payment that was applied to an invoice of the
// organization.
type BookInvoicePayment struct {
	Invoice     string // public id
	Transaction string // public id
	Minor       int64  // in the invoice's currency
	Booked      bool   // false if the transaction is not in the ledger any more
}

// BookInvoicePayments returns the imported payments that were applied to the organization's
// invoices.
func (tx *Tx) BookInvoicePayments(org OrgKey) ([]BookInvoicePayment, error) {
	return readBookInvoicePayments(tx.db, org)
}

// BookInvoicePayments returns the imported payments that were applied to the organization's
// invoices.
func (s *Snapshot) BookInvoicePayments(org OrgKey) ([]BookInvoicePayment, error) {
	return readBookInvoicePayments(s.db, org)
}

func readBookInvoicePayments(r database.Queryer, org OrgKey) ([]BookInvoicePayment, error) {
	rows, err := r.Query(`SELECT invoice_id, transaction_id, minor, booked
		FROM book_invoice_payments WHERE org_id = ? ORDER BY invoice_id, transaction_id`, org)
	return database.Collect(rows, err, "the payments of invoices", scanBookInvoicePayment)
}

func scanBookInvoicePayment(row database.Row) (p BookInvoicePayment, err error) {
	err = row.Scan(&p.Invoice, &p.Transaction, &p.Minor, &p.Booked)
	return p, err
}

// SetBookInvoicePayment stores the part of an imported payment that was applied to an invoice. It
// replaces the stored part of the same payment. An amount of 0 deletes it.
func (tx *Tx) SetBookInvoicePayment(org OrgKey, p BookInvoicePayment) error {
	tx.booksChanged(org)
	_, err := tx.db.Exec("DELETE FROM book_invoice_payments WHERE org_id = ? AND invoice_id = ? AND transaction_id = ?",
		org, p.Invoice, p.Transaction)
	if err == nil && p.Minor != 0 {
		_, err = tx.db.Exec(`INSERT INTO book_invoice_payments (org_id, invoice_id, transaction_id, minor, booked)
			VALUES (?, ?, ?, ?, ?)`, org, p.Invoice, p.Transaction, p.Minor, bit(p.Booked))
	}
	if err != nil {
		return fmt.Errorf("storing the payment of an invoice: %w", err)
	}
	return nil
}
