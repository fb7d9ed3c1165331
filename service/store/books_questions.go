package store

import (
	"fmt"
	"strings"

	"tarmac/service/bookrules"
	"tarmac/service/store/database"
)

// BookQuestion is a question about own books that nobody has answered yet.
type BookQuestion struct {
	Key  string // identifies the question, as in Tx.SetBookAnswer
	Kind string
	Day  bookrules.Day // day of the line that the question is about
	Text string
	// Flows are the transactions that net burn in US dollars leaves out until the question is
	// answered, and ReportedFlows those in the reporting currency if that is another.
	Flows, ReportedFlows []QuestionFlow
}

// QuestionFlow is a transaction that a question is about. Cents are minor units, negative for money
// out.
type QuestionFlow struct {
	Day   bookrules.Day
	Cents int64
}

// flowsText returns flows as they are stored.
func flowsText(flows []QuestionFlow) string {
	texts := make([]string, len(flows))
	for n, f := range flows {
		texts[n] = fmt.Sprintf("%d:%d", f.Day, f.Cents)
	}
	return strings.Join(texts, " ")
}

// parseFlows reads what flowsText wrote.
func parseFlows(text string) (flows []QuestionFlow, err error) {
	for field := range strings.FieldsSeq(text) {
		var f QuestionFlow
		if _, err := fmt.Sscanf(field, "%d:%d", &f.Day, &f.Cents); err != nil {
			return nil, fmt.Errorf("the transactions %q of a question: %w", text, err)
		}
		flows = append(flows, f)
	}
	return flows, nil
}

// BookQuestions returns the open questions about the organization's books, by day.
func (s *Snapshot) BookQuestions(org OrgKey) ([]BookQuestion, error) {
	rows, err := s.db.Query(`SELECT question, kind, day, text, flows, reporting_flows FROM book_questions
		WHERE org_id = ? ORDER BY day, question`, org)
	return database.Collect(rows, err, "the open questions", func(row database.Row) (q BookQuestion, err error) {
		var flows, reported string
		if err = row.Scan(&q.Key, &q.Kind, &q.Day, &q.Text, &flows, &reported); err == nil {
			q.Flows, err = parseFlows(flows)
		}
		if err == nil {
			q.ReportedFlows, err = parseFlows(reported)
		}
		return q, err
	})
}

// ReplaceBookQuestions replaces the open questions about the organization's books. It doesn't write
// questions again that are stored already.
func (tx *Tx) ReplaceBookQuestions(org OrgKey, questions []BookQuestion) error {
	tx.booksChanged(org)
	stored, err := tx.storedQuestions(org)
	if err != nil {
		return err
	}
	remove := func(question string) error {
		_, err := tx.db.Exec("DELETE FROM book_questions WHERE org_id = ? AND question = ?", org, question)
		return err
	}
	batch := tx.db.NewBatch("book_questions", "org_id", "question", "kind", "day", "text", "flows", "reporting_flows")
	for _, q := range questions {
		row := storedQuestion{q.Kind, q.Day, q.Text, flowsText(q.Flows), flowsText(q.ReportedFlows)}
		before, found := stored[q.Key]
		delete(stored, q.Key)
		switch {
		case found && before == row:
			continue
		case found:
			err = remove(q.Key)
		}
		if err == nil {
			err = batch.Add(org, q.Key, row.kind, row.day, row.text, row.flows, row.reportedFlows)
		}
		if err != nil {
			return fmt.Errorf("storing a question: %w", err)
		}
	}
	for question := range stored {
		if err := remove(question); err != nil {
			return fmt.Errorf("removing a question: %w", err)
		}
	}
	if err := batch.Flush(); err != nil {
		return fmt.Errorf("storing questions: %w", err)
	}
	return nil
}

// storedQuestion is a question as it is stored, without its key.
type storedQuestion struct {
	kind                 string
	day                  bookrules.Day
	text                 string
	flows, reportedFlows string // as of flowsText
}

func (tx *Tx) storedQuestions(org OrgKey) (map[string]storedQuestion, error) {
	stored := map[string]storedQuestion{}
	rows, err := tx.db.Query(`SELECT question, kind, day, text, flows, reporting_flows FROM book_questions
		WHERE org_id = ?`, org)
	err = database.Each(rows, err, "the open questions", func(row database.Row) error {
		var key string
		var q storedQuestion
		err := row.Scan(&key, &q.kind, &q.day, &q.text, &q.flows, &q.reportedFlows)
		stored[key] = q
		return err
	})
	return stored, err
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
