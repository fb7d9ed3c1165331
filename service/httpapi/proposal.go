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

// proposeInvoice creates a draft, attributed to the active owner. Nothing is sent or
// charged (docs/api.md, Propose-only).
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
		return nil, refusedBody(err)
	}
	id, err := c.api.IDs.New(ids.Invoice, c.now)
	if err != nil {
		return nil, err
	}
	var kept store.KeptAnswer
	replayed := false
	// All of it is one transaction. A request that comes twice at once waits for
	// its twin here and finds the twin's answer, so that none is "still running".
	err = c.api.Store.WriteOf(c.ctx, c.credential.Org, func(tx *store.Tx) (err error) {
		kept, replayed, err = c.draft(tx, proposal, id, key)
		return err
	})
	if err != nil {
		return nil, err
	}
	answer := reply{status: http.StatusCreated, raw: kept.Answer, header: [][2]string{{"Location", Prefix + "/invoices/" + kept.InvoiceID}}}
	if replayed {
		answer.header = append(answer.header, [2]string{"Idempotent-Replayed", "true"})
	}
	return answer, nil
}

// draft writes the draft with its answer, or finds the answer that an earlier
// request with the same key got.
func (c *call) draft(tx *store.Tx, p invoicing.Proposal, id, key string) (kept store.KeptAnswer, replayed bool, err error) {
	fingerprint := p.Fingerprint()
	if key != "" {
		kept, err := tx.KeptAnswer(c.credential.Org, key, c.now.Add(-invoicing.AnswersKept))
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
		return kept, false, &problem{status: http.StatusConflict, text: "the organization has no active owner to attribute the invoice to"}
	}
	invoice := p.Invoice(id, c.now)
	invoice.OwnerName, invoice.OwnerEmail = org.OwnerName, org.OwnerEmail
	if invoice, err = tx.InsertInvoice(c.credential.Org, invoice); err != nil {
		return kept, false, err
	}
	var answer buffer
	if err := answer.encode(invoiceOf(invoice)); err != nil {
		return kept, false, err
	}
	kept = store.KeptAnswer{Fingerprint: fingerprint[:], InvoiceID: invoice.ID, Answer: answer.b, CreatedAt: c.now}
	if key != "" {
		err = tx.KeepAnswer(c.credential.Org, key, kept)
	}
	return kept, false, err
}

func unprocessable(text string) *problem {
	return &problem{status: http.StatusUnprocessableEntity, text: text}
}

// idempotencyKey returns the key of a request; "" when it has none.
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
