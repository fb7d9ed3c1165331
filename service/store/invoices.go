package store

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"tarmac/internal/civil"
	"tarmac/service/invoicing"
	"tarmac/service/store/database"
)

// InsertInvoice adds an invoice and returns it with the organization's next invoice number as its
// Sequence. The Sequence in inv is ignored.
func (tx *Tx) InsertInvoice(org OrgKey, inv invoicing.Invoice) (invoicing.Invoice, error) {
	tx.created(inv.ID)
	if err := tx.lock(org); err != nil {
		return invoicing.Invoice{}, err
	}
	err := tx.db.QueryRow(`UPDATE organizations SET invoice_sequence = invoice_sequence + 1
		WHERE id = ? RETURNING invoice_sequence`, org).Scan(&inv.Sequence)
	if err != nil {
		return invoicing.Invoice{}, notFound(err, "the organization's invoice numbers")
	}
	lines, err := marshalLines(inv.LineItems)
	if err != nil {
		return invoicing.Invoice{}, err
	}
	_, err = tx.db.Exec(`INSERT INTO invoices (public_id, org_id, sequence, status, currency, description, recipient_name,
			recipient_email, subtotal_cents, tax_cents, total_cents, paid_cents, due_day, notes, line_items,
			created_at, updated_at, sent_at, paid_at, voided_at, owner_name, owner_email, content_withheld)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		inv.ID, org, inv.Sequence, string(inv.Status), inv.Currency, inv.Description, inv.RecipientName,
		inv.RecipientEmail, inv.SubtotalCents, inv.TaxCents, inv.TotalCents, inv.PaidCents, nullDay(inv.DueDate),
		inv.Notes, lines, micros(inv.CreatedAt), micros(inv.UpdatedAt), nullMicros(inv.SentAt), nullMicros(inv.PaidAt),
		nullMicros(inv.VoidedAt), inv.OwnerName, inv.OwnerEmail, bit(inv.Withheld))
	if err != nil {
		return invoicing.Invoice{}, fmt.Errorf("adding the invoice %s: %w", inv.Number(), err)
	}
	return inv, nil
}

// UpdateInvoice writes an invoice's status, paid amount, times and Withheld. Other fields cannot
// change. It returns an error if the stored status cannot change to the new one, and ErrNotFound if
// the organization has no such invoice.
func (tx *Tx) UpdateInvoice(org OrgKey, inv invoicing.Invoice) error {
	if err := tx.lock(org); err != nil {
		return err
	}
	var status invoicing.Status
	err := tx.db.QueryRow("SELECT status FROM invoices WHERE public_id = ? AND org_id = ?", inv.ID, org).Scan(&status)
	if err != nil {
		return notFound(err, "the invoice")
	}
	if status != inv.Status && !status.CanBecome(inv.Status) {
		return fmt.Errorf("the invoice %s is %s and cannot become %s", inv.ID, status, inv.Status)
	}
	return tx.execOne(`UPDATE invoices SET status = ?, paid_cents = ?, updated_at = ?, sent_at = ?, paid_at = ?,
			voided_at = ?, content_withheld = ? WHERE public_id = ? AND org_id = ?`,
		string(inv.Status), inv.PaidCents, micros(inv.UpdatedAt), nullMicros(inv.SentAt), nullMicros(inv.PaidAt),
		nullMicros(inv.VoidedAt), bit(inv.Withheld), inv.ID, org)
}

// OpenInvoices returns the organization's sent and overdue invoices, oldest first.
func (tx *Tx) OpenInvoices(org OrgKey) ([]invoicing.Invoice, error) {
	if err := tx.lock(org); err != nil {
		return nil, err
	}
	rows, err := tx.db.Query("SELECT "+invoiceColumns+` FROM invoices
		WHERE org_id = ? AND status IN ('sent', 'overdue') ORDER BY sequence`, org)
	return database.Collect(rows, err, "the open invoices", scanInvoice)
}

// SentInvoices returns the organization's invoices that are not drafts, oldest first.
func (tx *Tx) SentInvoices(org OrgKey) ([]invoicing.Invoice, error) {
	if err := tx.lock(org); err != nil {
		return nil, err
	}
	return readSentInvoices(tx.db, org)
}

// SentInvoices returns the organization's invoices that are not drafts, oldest first.
func (s *Snapshot) SentInvoices(org OrgKey) ([]invoicing.Invoice, error) {
	return readSentInvoices(s.db, org)
}

func readSentInvoices(r database.Queryer, org OrgKey) ([]invoicing.Invoice, error) {
	rows, err := r.Query("SELECT "+invoiceColumns+` FROM invoices
		WHERE org_id = ? AND status <> 'draft' ORDER BY sequence`, org)
	return database.Collect(rows, err, "the sent invoices", scanInvoice)
}

// InvoicesPastDue returns sent invoices of all organizations whose due date is before today, at
// most limit of them. The earliest due dates come first.
func (tx *Tx) InvoicesPastDue(today civil.Date, limit int) ([]OrgInvoice, error) {
	const due = " FROM invoices WHERE status = 'sent' AND due_day < ? ORDER BY due_day, id LIMIT ?"
	if tx.db.Dialect == database.Postgres {
		rows, err := tx.db.Query("SELECT org_id"+due, dayOf(today), limit)
		orgs, err := database.Collect(rows, err, "whose invoices fell due", func(row database.Row) (org OrgKey, err error) {
			err = row.Scan(&org)
			return org, err
		})
		if err != nil {
			return nil, err
		}
		if err := tx.lock(orgs...); err != nil {
			return nil, err
		}
	}
	rows, err := tx.db.Query("SELECT org_id, "+invoiceColumns+due, dayOf(today), limit)
	all, err := database.Collect(rows, err, "the invoices past due", func(row database.Row) (o OrgInvoice, err error) {
		o.Invoice, err = scanInvoice(rowWith{Row: row, before: []any{&o.Org}})
		return o, err
	})
	if tx.db.Dialect == database.Postgres {
		// Organizations whose invoices became due after the first query are not locked. The next
		// call returns their invoices.
		all = slices.DeleteFunc(all, func(o OrgInvoice) bool { return !tx.locked[o.Org] })
	}
	return all, err
}

// OrgInvoice is an invoice with the key of its organization.
type OrgInvoice struct {
	Org     OrgKey
	Invoice invoicing.Invoice
}

// Invoice returns one of the organization's invoices, or ErrNotFound.
func (tx *Tx) Invoice(org OrgKey, publicID string) (invoicing.Invoice, error) {
	if err := tx.lock(org); err != nil {
		return invoicing.Invoice{}, err
	}
	return readInvoice(tx.db, org, publicID)
}

// InvoiceOrg returns the organization that an invoice belongs to, or ErrNotFound.
func (tx *Tx) InvoiceOrg(publicID string) (org OrgKey, err error) {
	if err = tx.db.QueryRow("SELECT org_id FROM invoices WHERE public_id = ?", publicID).Scan(&org); err != nil {
		return 0, notFound(err, "the invoice")
	}
	return org, nil
}

// Invoice returns one of the organization's invoices, or ErrNotFound.
func (s *Snapshot) Invoice(org OrgKey, publicID string) (invoicing.Invoice, error) {
	return readInvoice(s.db, org, publicID)
}

func readInvoice(r database.Queryer, org OrgKey, publicID string) (invoicing.Invoice, error) {
	query := "SELECT " + invoiceColumns + " FROM invoices WHERE public_id = ? AND org_id = ?"
	inv, err := scanInvoice(r.QueryRow(query, publicID, org))
	if err != nil {
		return invoicing.Invoice{}, notFound(err, "the invoice")
	}
	return inv, nil
}

// Invoices returns the organization's newest invoices, at most limit of them. The empty status
// selects all statuses.
func (s *Snapshot) Invoices(org OrgKey, status invoicing.Status, limit int) ([]invoicing.Invoice, error) {
	query := "SELECT " + invoiceColumns + " FROM invoices WHERE org_id = ? ORDER BY sequence DESC LIMIT ?"
	args := []any{org, limit}
	if status != "" {
		query = "SELECT " + invoiceColumns + " FROM invoices WHERE org_id = ? AND status = ? ORDER BY sequence DESC LIMIT ?"
		args = []any{org, string(status), limit}
	}
	rows, err := s.db.Query(query, args...)
	return database.Collect(rows, err, "the invoices", scanInvoice)
}

const invoiceColumns = `public_id, sequence, status, currency, description, recipient_name, recipient_email,
	subtotal_cents, tax_cents, total_cents, paid_cents, due_day, notes, line_items,
	created_at, updated_at, sent_at, paid_at, voided_at, owner_name, owner_email, content_withheld`

func scanInvoice(row database.Row) (inv invoicing.Invoice, err error) {
	var lines []byte
	var created, updated int64
	var due, sent, paid, voided sql.NullInt64
	err = row.Scan(&inv.ID, &inv.Sequence, &inv.Status, &inv.Currency, &inv.Description, &inv.RecipientName,
		&inv.RecipientEmail, &inv.SubtotalCents, &inv.TaxCents, &inv.TotalCents, &inv.PaidCents, &due, &inv.Notes, &lines,
		&created, &updated, &sent, &paid, &voided, &inv.OwnerName, &inv.OwnerEmail, &inv.Withheld)
	if err != nil {
		return invoicing.Invoice{}, err
	}
	inv.DueDate = dateOrZero(due)
	inv.CreatedAt, inv.UpdatedAt = fromMicros(created), fromMicros(updated)
	inv.SentAt, inv.PaidAt, inv.VoidedAt = timePointer(sent), timePointer(paid), timePointer(voided)
	inv.LineItems, err = unmarshalLines(lines)
	return inv, err
}

// storedLine is a line item in the JSON that the column line_items stores. Its field names must not
// change.
type storedLine struct {
	Description    string `json:"description"`
	Quantity       string `json:"quantity"`
	UnitPriceCents int64  `json:"unit_price_cents"`
	AmountCents    int64  `json:"amount_cents"`
}

func marshalLines(items []invoicing.LineItem) (string, error) {
	lines := make([]storedLine, len(items))
	for i, item := range items {
		lines[i] = storedLine(item)
	}
	b, err := json.Marshal(lines)
	return string(b), err
}

func unmarshalLines(b []byte) ([]invoicing.LineItem, error) {
	var lines []storedLine
	if err := json.Unmarshal(b, &lines); err != nil {
		return nil, fmt.Errorf("line items: %w", err)
	}
	items := make([]invoicing.LineItem, len(lines))
	for i, l := range lines {
		items[i] = invoicing.LineItem(l)
	}
	return items, nil
}
