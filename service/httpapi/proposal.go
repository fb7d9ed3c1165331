package httpapi

import (
	"bytes"
	"errors"
	"net/http"

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
	var stored store.StoredResponse
	replayed := false
	// One transaction reads and writes the idempotency key. Of two identical requests, the second
	// waits here for the first and then finds its stored response.
	err = c.api.Store.WriteOf(c.ctx, c.credential.Org, func(tx *store.Tx) (err error) {
		stored, replayed, err = c.createDraft(tx, proposal, id, key)
		return err
	})
	if err != nil {
		return nil, err
	}
	response := customResponse{
		status: http.StatusCreated, raw: stored.Body,
		header: [][2]string{{"Location", Prefix + "/invoices/" + stored.InvoiceID}},
	}
	if replayed {
		response.header = append(response.header, [2]string{"Idempotent-Replayed", "true"})
	}
	return response, nil
}

// createDraft stores a draft invoice and its response. If an earlier request used the same
// idempotency key, it returns that request's response instead, and replayed is true.
func (c *call) createDraft(tx *store.Tx, p invoicing.Proposal, id, key string) (
	stored store.StoredResponse, replayed bool, err error,
) {
	fingerprint := p.Fingerprint(c.credential.PublicID)
	if key != "" {
		stored, err := tx.StoredResponse(c.credential.Org, key, c.now.Add(-invoicing.ResponseRetention))
		switch {
		case err == nil && !bytes.Equal(stored.Fingerprint, fingerprint[:]):
			return stored, false, unprocessable("this Idempotency-Key was used with another body or by another token")
		case err == nil:
			return stored, true, nil
		case !errors.Is(err, store.ErrNotFound):
			return stored, false, err
		}
	}
	org, err := tx.Organization(c.credential.Org)
	if err != nil {
		return stored, false, err
	}
	if org.OwnerName == "" && org.OwnerEmail == "" {
		return stored, false, conflict("the organization has no active owner to attribute the invoice to")
	}
	invoice := p.Invoice(id, c.now)
	invoice.OwnerName, invoice.OwnerEmail = org.OwnerName, org.OwnerEmail
	if invoice, err = tx.InsertInvoice(c.credential.Org, invoice); err != nil {
		return stored, false, err
	}
	if err := checkDrafts(tx, c.credential.Org, org.DraftLimit()); err != nil {
		return stored, false, err
	}
	if session, isSession := c.session(); isSession {
		if err := tx.CountSSHProposal(session.ID); err != nil {
			return stored, false, err
		}
	}
	var response buffer
	if err := response.encode(newInvoiceResponse(invoice)); err != nil {
		return stored, false, err
	}
	stored = store.StoredResponse{Fingerprint: fingerprint[:], InvoiceID: invoice.ID, Body: response.b, CreatedAt: c.now}
	if key != "" {
		err = tx.StoreResponse(c.credential.Org, key, stored)
	}
	return stored, false, err
}

// checkDrafts refuses a proposal whose draft, which is stored already, is beyond the limits of the
// organization's drafts. The error undoes the transaction.
func checkDrafts(tx *store.Tx, org store.OrgKey, limit store.DraftUsage) error {
	usage, err := tx.Drafts(org, limit.Drafts+1)
	switch {
	case err != nil:
		return err
	case usage.Drafts > limit.Drafts:
		return conflict("the organization already has %d drafts; send or void some first", limit.Drafts)
	case usage.Bytes > limit.Bytes:
		return conflict("the organization's drafts already take %d MiB; send or void some first", limit.Bytes>>20)
	}
	return nil
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
