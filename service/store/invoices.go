package store

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"tarmac/internal/civil"
	"tarmac/service/invoicing"
	"tarmac/service/receivables"
	"tarmac/service/store/database"
)

// InsertInvoice adds an invoice with the organization's next number, and returns
// it with that. Its Sequence is ignored.
func (tx *Tx) InsertInvoice(org OrgKey, inv invoicing.Invoice) (invoicing.Invoice, error) {
	if err := tx.lock(org); err != nil {
		return invoicing.Invoice{}, err
	}
	err := tx.db.QueryRow("UPDATE organizations SET invoice_sequence = invoice_sequence + 1 WHERE id = ? RETURNING invoice_sequence", org).
		Scan(&inv.Sequence)
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
		inv.RecipientEmail, inv.SubtotalCents, inv.TaxCents, inv.TotalCents, inv.PaidCents, nullDay(inv.DueDate), inv.Notes, lines,
		micros(inv.CreatedAt), micros(inv.UpdatedAt), nullMicros(inv.SentAt), nullMicros(inv.PaidAt), nullMicros(inv.VoidedAt),
		inv.OwnerName, inv.OwnerEmail, bit(inv.Withheld))
	if err != nil {
		return invoicing.Invoice{}, fmt.Errorf("adding the invoice %s: %w", inv.Number(), err)
	}
	return inv, nil
}

// UpdateInvoice writes where an invoice stands: status, payments applied, times,
// whether its content is withheld.
// What was billed never changes. It refuses a status that the invoice cannot
// move to, and returns ErrNotFound when the organization has no such invoice.
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
	return tx.execOne(`UPDATE invoices SET status = ?, paid_cents = ?, updated_at = ?, sent_at = ?, paid_at = ?, voided_at = ?,
			content_withheld = ? WHERE public_id = ? AND org_id = ?`,
		string(inv.Status), inv.PaidCents, micros(inv.UpdatedAt), nullMicros(inv.SentAt), nullMicros(inv.PaidAt),
		nullMicros(inv.VoidedAt), bit(inv.Withheld), inv.ID, org)
}

// OpenInvoices returns the invoices that money is owed on, the oldest first.
func (tx *Tx) OpenInvoices(org OrgKey) ([]invoicing.Invoice, error) {
	if err := tx.lock(org); err != nil {
		return nil, err
	}
	rows, err := tx.db.Query("SELECT "+invoiceColumns+` FROM invoices
		WHERE org_id = ? AND status IN ('sent', 'overdue') ORDER BY sequence`, org)
	return database.Collect(rows, err, "the open invoices", scanInvoice)
}

// InvoicesPastDue returns sent invoices of all organizations that were due before the
// given day, with the organization of each; at most limit of them.
func (tx *Tx) InvoicesPastDue(today civil.Date, limit int) ([]OrgInvoice, error) {
	const due = " FROM invoices WHERE status = 'sent' AND due_day < ? ORDER BY due_day, id LIMIT ?"
	if tx.db.Dialect == database.Postgres {
		rows, err := tx.db.Query("SELECT org_id"+due, dayOf(today), limit)
		orgs, err := database.Collect(rows, err, "whose invoices fell due", func(row database.Row) (org OrgKey, err error) { return org, row.Scan(&org) })
		if err != nil {
			return nil, err
		}
		if err := tx.lock(orgs...); err != nil {
			return nil, err
		}
	}
	rows, err := tx.db.Query("SELECT org_id, "+invoiceColumns+due, dayOf(today), limit)
	all, err := database.Collect(rows, err, "the invoices that fell due", func(row database.Row) (o OrgInvoice, err error) {
		o.Invoice, err = scanInvoice(rowWith{Row: row, before: []any{&o.Org}})
		return o, err
	})
	if tx.db.Dialect == database.Postgres {
		// What fell due of others since is left to the next time.
		all = slices.DeleteFunc(all, func(o OrgInvoice) bool { return !tx.locked[o.Org] })
	}
	return all, err
}

// OrgInvoice is an invoice and whose it is.
type OrgInvoice struct {
	Org     OrgKey
	Invoice invoicing.Invoice
}

// Invoice returns one invoice of the organization, or ErrNotFound.
func (tx *Tx) Invoice(org OrgKey, publicID string) (invoicing.Invoice, error) {
	if err := tx.lock(org); err != nil {
		return invoicing.Invoice{}, err
	}
	return readInvoice(tx.db, org, publicID)
}

// InvoiceOrg returns the organization that an invoice is of, or ErrNotFound.
func (tx *Tx) InvoiceOrg(publicID string) (org OrgKey, err error) {
	if err = tx.db.QueryRow("SELECT org_id FROM invoices WHERE public_id = ?", publicID).Scan(&org); err != nil {
		return 0, notFound(err, "the invoice")
	}
	return org, nil
}

// Invoice returns one invoice of the organization, or ErrNotFound.
func (s *Snapshot) Invoice(org OrgKey, publicID string) (invoicing.Invoice, error) {
	return readInvoice(s.db, org, publicID)
}

func readInvoice(r database.Queryer, org OrgKey, publicID string) (invoicing.Invoice, error) {
	inv, err := scanInvoice(r.QueryRow("SELECT "+invoiceColumns+" FROM invoices WHERE public_id = ? AND org_id = ?", publicID, org))
	if err != nil {
		return invoicing.Invoice{}, notFound(err, "the invoice")
	}
	return inv, nil
}

// Invoices returns the newest invoices, of one status unless status is "".
func (s *Snapshot) Invoices(org OrgKey, status invoicing.Status, limit int) ([]invoicing.Invoice, error) {
	query, args := "SELECT "+invoiceColumns+" FROM invoices WHERE org_id = ? ORDER BY sequence DESC LIMIT ?", []any{org, limit}
	if status != "" {
		query = "SELECT " + invoiceColumns + " FROM invoices WHERE org_id = ? AND status = ? ORDER BY sequence DESC LIMIT ?"
		args = []any{org, string(status), limit}
	}
	rows, err := s.db.Query(query, args...)
	return database.Collect(rows, err, "the invoices", scanInvoice)
}

// OpenItems returns everything that customers still owe: what is outstanding on
// invoices, by recipient, and what accounting systems reported.
func (s *Snapshot) OpenItems(org OrgKey) ([]receivables.Open, error) {
	rows, err := s.db.Query(`SELECT 0, recipient_email, recipient_name, total_cents - paid_cents, total_cents - paid_cents, CASE WHEN currency = 'USD' THEN 1 ELSE 0 END, due_day
			FROM invoices WHERE org_id = ? AND status IN ('sent', 'overdue') AND total_cents > paid_cents
		UNION ALL
		SELECT 1, customer_key, customer_name, open_minor, usd_cents, usd_known, due_day
			FROM imported_receivables WHERE org_id = ? AND open_minor > 0`, org, org)
	return database.Collect(rows, err, "the receivables", func(row database.Row) (receivables.Open, error) {
		var o receivables.Open
		var imported bool
		var due sql.NullInt64
		if err := row.Scan(&imported, &o.CustomerKey, &o.CustomerName, &o.OpenMinor, &o.USDCents, &o.USDKnown, &due); err != nil {
			return o, err
		}
		o.Due = dateOrZero(due)
		if imported {
			o.CustomerKey = receivables.ImportedCustomer(o.CustomerKey)
		} else {
			o.CustomerKey = receivables.InvoicedCustomer(o.CustomerKey)
		}
		if !o.USDKnown {
			o.USDCents = 0
		}
		return o, nil
	})
}

// InsertReceivable adds an open item that an accounting system reported.
func (tx *Tx) InsertReceivable(org OrgKey, r receivables.Imported) error {
	if r.OpenMinor < 0 || r.USDCents < 0 || (!r.USDKnown && r.USDCents != 0) {
		return fmt.Errorf("the receivable of %q breaks the rules of amounts", r.CustomerName)
	}
	_, err := tx.db.Exec(`INSERT INTO imported_receivables (org_id, customer_key, customer_name, currency, open_minor, usd_cents, usd_known, due_day)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		org, r.CustomerKey, r.CustomerName, r.Currency, r.OpenMinor, r.USDCents, bit(r.USDKnown), nullDay(r.Due))
	if err != nil {
		return fmt.Errorf("adding the receivable of %q: %w", r.CustomerName, err)
	}
	return nil
}

const invoiceColumns = `public_id, sequence, status, currency, description, recipient_name, recipient_email,
	subtotal_cents, tax_cents, total_cents, paid_cents, due_day, notes, line_items,
	created_at, updated_at, sent_at, paid_at, voided_at, owner_name, owner_email, content_withheld`

func scanInvoice(row database.Row) (inv invoicing.Invoice, err error) {
	var lines []byte
	var created, updated int64
	var due, sent, paid, voided sql.NullInt64
	err = row.Scan(&inv.ID, &inv.Sequence, &inv.Status, &inv.Currency, &inv.Description, &inv.RecipientName, &inv.RecipientEmail,
		&inv.SubtotalCents, &inv.TaxCents, &inv.TotalCents, &inv.PaidCents, &due, &inv.Notes, &lines,
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

// line is a line item as it is stored; its keys must not change.
type line struct {
	Description    string `json:"description"`
	Quantity       string `json:"quantity"`
	UnitPriceCents int64  `json:"unit_price_cents"`
	AmountCents    int64  `json:"amount_cents"`
}

func marshalLines(items []invoicing.LineItem) (string, error) {
	lines := make([]line, len(items))
	for i, item := range items {
		lines[i] = line(item)
	}
	b, err := json.Marshal(lines)
	return string(b), err
}

func unmarshalLines(b []byte) ([]invoicing.LineItem, error) {
	var lines []line
	if err := json.Unmarshal(b, &lines); err != nil {
		return nil, fmt.Errorf("line items: %w", err)
	}
	items := make([]invoicing.LineItem, len(lines))
	for i, l := range lines {
		items[i] = invoicing.LineItem(l)
	}
	return items, nil
}
