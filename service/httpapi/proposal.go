package httpapi

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"net/http"
	"time"

	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/store"
)

const maxIdempotencyKey = 255

// proposeInvoice creates a draft invoice in the name of the organization's active owner. It sends
// and charges nothing (docs/api.md, Propose-only).
func proposeInvoice(c *call) (any, error) {
	body, err := c.body()
	if err != nil {
		return nil, err
	}
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	key, err := idempotencyKey(c.r.Header)
	if err != nil {
		return nil, err
	}
	proposal, err := invoicing.ParseProposal(body)
	if unsupported, ok := errors.AsType[*invoicing.UnsupportedCurrencyError](err); ok {
		return nil, unprocessable(unsupported.Error())
	}
	if err != nil {
		return nil, bodyError(err)
	}
	id, err := c.api.IDs.New(ids.Invoice, c.now)
	if err != nil {
		return nil, err
	}
	d := draft{invoice: proposal.Invoice(id, c.now), key: key, fingerprint: proposal.Fingerprint(c.credential.PublicID)}
	stored, err := c.storedOrNew(d)
	if err != nil {
		return nil, err
	}
	response := customResponse{
		status: http.StatusCreated, raw: stored.Body,
		header: [][2]string{{"Location", Prefix + "/invoices/" + stored.InvoiceID}},
	}
	if stored.InvoiceID != id {
		response.header = append(response.header, [2]string{"Idempotent-Replayed", "true"})
	}
	return response, nil
}

// draft is an invoice to be stored.
type draft struct {
	invoice     invoicing.Invoice
	key         string // Idempotency-Key, or ""
	fingerprint [sha256.Size]byte
}

// storedOrNew returns the stored response to an earlier request with the same idempotency key. If
// there is none, it stores the draft and its response.
func (c *call) storedOrNew(d draft) (response *store.StoredResponse, err error) {
	// Repeats and refusals are found without a write, which would leave a line in the audit: with
	// them a token could fill the disk at the limit of drafts, too.
	err = c.api.Store.Read(c.ctx, func(snap *store.Snapshot) (err error) {
		_, response, err = c.checkDraft(snap, d)
		return err
	})
	if err != nil || response != nil {
		return response, err
	}
	// One transaction reads and writes the idempotency key. Of two identical requests, the second
	// waits here for the first and then finds its stored response.
	err = c.api.Store.WriteOf(c.ctx, c.credential.Org, func(tx *store.Tx) error {
		org, stored, err := c.checkDraft(tx, d)
		if err != nil || stored != nil {
			response = stored
			return err
		}
		response, err = c.storeDraft(tx, d, org)
		return err
	})
	return response, err
}

// draftReader is a *store.Snapshot or a *store.Tx.
type draftReader interface {
	StoredResponse(org store.OrgKey, key string, cutoff time.Time) (store.StoredResponse, error)
	Organization(org store.OrgKey) (store.Organization, error)
	Drafts(org store.OrgKey, limit int) (store.DraftUsage, error)
}

// checkDraft returns the stored response to an earlier request with the same idempotency key, or
// nil if the draft may be stored, with its organization.
func (c *call) checkDraft(r draftReader, d draft) (org store.Organization, earlier *store.StoredResponse, err error) {
	if d.key != "" {
		stored, err := r.StoredResponse(c.credential.Org, d.key, c.now.Add(-invoicing.ResponseRetention))
		switch {
		case err == nil && !bytes.Equal(stored.Fingerprint, d.fingerprint[:]):
			return org, nil, unprocessable("this Idempotency-Key was used with another body or by another token")
		case err == nil:
			return org, &stored, nil
		case !errors.Is(err, store.ErrNotFound):
			return org, nil, err
		}
	}
	if org, err = r.Organization(c.credential.Org); err != nil {
		return org, nil, err
	}
	if org.OwnerName == "" && org.OwnerEmail == "" {
		return org, nil, conflict("the organization has no active owner to attribute the invoice to")
	}
	limit := org.DraftLimit()
	usage, err := r.Drafts(c.credential.Org, limit.Drafts)
	switch {
	case err != nil:
		return org, nil, err
	case usage.Drafts >= limit.Drafts:
		return org, nil, conflict("the organization already has %d drafts; send or void some first", limit.Drafts)
	case usage.Bytes+store.InvoiceBytes(d.invoice) > limit.Bytes:
		return org, nil, conflict("the organization's drafts already take %d MiB; send or void some first", limit.Bytes>>20)
	}
	return org, nil, nil
}

// storeDraft stores a draft and the response to its request.
func (c *call) storeDraft(tx *store.Tx, d draft, org store.Organization) (*store.StoredResponse, error) {
	d.invoice.OwnerName, d.invoice.OwnerEmail = org.OwnerName, org.OwnerEmail
	invoice, err := tx.InsertInvoice(c.credential.Org, d.invoice)
	if err != nil {
		return nil, err
	}
	if session, isSession := c.session(); isSession {
		if err := tx.CountSSHProposal(session.ID); err != nil {
			return nil, err
		}
	}
	var response buffer
	if err := response.encode(newInvoiceResponse(invoice)); err != nil {
		return nil, err
	}
	stored := &store.StoredResponse{Fingerprint: d.fingerprint[:], InvoiceID: invoice.ID, Body: response.b,
		CreatedAt: c.now}
	if d.key != "" {
		err = tx.StoreResponse(c.credential.Org, d.key, *stored)
	}
	return stored, err
}

// idempotencyKey returns the request's idempotency key, or "" if it has none.
func idempotencyKey(header http.Header) (string, error) {
	values := header.Values("Idempotency-Key")
	switch {
	case len(values) == 0:
		return "", nil
	case len(values) > 1:
		return "", invalid("Idempotency-Key was given more than once")
	}
	key := values[0]
	if len(key) < 1 || len(key) > maxIdempotencyKey {
		return "", invalid("Idempotency-Key must have 1 to %d characters", maxIdempotencyKey)
	}
	for _, b := range []byte(key) {
		if b < ' ' || b > '~' {
			return "", invalid("Idempotency-Key must be printable ASCII")
		}
	}
	return key, nil
}
