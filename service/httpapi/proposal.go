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

// proposeInvoice creates a draft invoice, attributed to the active owner. Nothing is sent
// or charged (docs/api.md, Propose-only).
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
	var kept store.StoredResponse
	replayed := false
	// One transaction reads and writes the idempotency key. The second of two identical
	// requests waits for the first here and then finds its response.
	err = c.api.Store.WriteOf(c.ctx, c.credential.Org, func(tx *store.Tx) (err error) {
		kept, replayed, err = c.createDraft(tx, proposal, id, key)
		return err
	})
	if err != nil {
		return nil, err
	}
	response := customResponse{
		status: http.StatusCreated, raw: kept.Body,
		header: [][2]string{{"Location", Prefix + "/invoices/" + kept.InvoiceID}},
	}
	if replayed {
		response.header = append(response.header, [2]string{"Idempotent-Replayed", "true"})
	}
	return response, nil
}

// createDraft stores a draft invoice and the response to it. With the key of an earlier
// request it returns that request's response instead, and replayed is true.
func (c *call) createDraft(tx *store.Tx, p invoicing.Proposal, id, key string) (
	kept store.StoredResponse, replayed bool, err error,
) {
	fingerprint := p.Fingerprint()
	if key != "" {
		kept, err := tx.StoredResponse(c.credential.Org, key, c.now.Add(-invoicing.ResponseRetention))
		switch {
		case err == nil && !bytes.Equal(kept.Fingerprint, fingerprint[:]):
			return kept, false, unprocessable("this Idempotency-Key was used with another body")
		case err == nil:
			return kept, true, nil
		case !errors.Is(err, store.ErrNotFound):
			return kept, false, err
		}
	}
	org, err := tx.Organization(c.credential.Org)
	if err != nil {
		return kept, false, err
	}
	if org.OwnerName == "" && org.OwnerEmail == "" {
		return kept, false, conflict("the organization has no active owner to attribute the invoice to")
	}
	invoice := p.Invoice(id, c.now)
	invoice.OwnerName, invoice.OwnerEmail = org.OwnerName, org.OwnerEmail
	if invoice, err = tx.InsertInvoice(c.credential.Org, invoice); err != nil {
		return kept, false, err
	}
	var response buffer
	if err := response.encode(newInvoiceResponse(invoice)); err != nil {
		return kept, false, err
	}
	kept = store.StoredResponse{Fingerprint: fingerprint[:], InvoiceID: invoice.ID, Body: response.b, CreatedAt: c.now}
	if key != "" {
		err = tx.StoreResponse(c.credential.Org, key, kept)
	}
	return kept, false, err
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
