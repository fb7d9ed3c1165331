package store

import (
	"fmt"

	"tarmac/service/invoicing"
	"tarmac/service/store/database"
)

// DraftUsage is a number of drafts of invoices, and the bytes of their texts.
type DraftUsage struct {
	Drafts int
	Bytes  int64
}

// Drafts counts the organization's drafts, at most limit of them.
func (tx *Tx) Drafts(org OrgKey, limit int) (DraftUsage, error) {
	if err := tx.lock(org); err != nil {
		return DraftUsage{}, err
	}
	return readDrafts(tx.db, org, limit)
}

// Drafts counts the organization's drafts, at most limit of them.
func (s *Snapshot) Drafts(org OrgKey, limit int) (DraftUsage, error) {
	return readDrafts(s.db, org, limit)
}

// InvoiceBytes returns the bytes of an invoice's texts, as Drafts counts them.
func InvoiceBytes(inv invoicing.Invoice) int64 {
	lines, _ := marshalLines(inv.LineItems) // texts and numbers, which JSON can always hold
	return int64(len(lines) + len(inv.Description) + len(inv.Notes) + len(inv.RecipientName) + len(inv.RecipientEmail))
}

func readDrafts(r database.Queryer, org OrgKey, limit int) (u DraftUsage, err error) {
	// Both databases know the length of a text without reading it.
	err = r.QueryRow(`SELECT count(*), coalesce(sum(bytes), 0) FROM (SELECT octet_length(line_items) +
			octet_length(description) + octet_length(notes) + octet_length(recipient_name) +
			octet_length(recipient_email) AS bytes
		FROM invoices WHERE org_id = ? AND status = 'draft' LIMIT ?) AS drafts`, org, limit).Scan(&u.Drafts, &u.Bytes)
	if err != nil {
		return DraftUsage{}, fmt.Errorf("counting the drafts: %w", err)
	}
	return u, nil
}
