package proposal

import (
	"context"
	"errors"
	"io"
	"time"

	"tarmac/apiclient"
	"tarmac/client/draft"
)

// OpenElsewhere tells the user that another running program has a draft open.
const OpenElsewhere = "Another tarmac has a draft open for this organization; this draft is saved separately."

// Saved is the draft of a proposal together with its file. It is not safe for concurrent use.
type Saved struct {
	Draft    draft.Draft
	Store    *draft.Store // nil if drafts are not saved
	Org      string       // key of the draft in Store, made by draft.OrgKey
	Sequence uint64       // number of the latest write of the file
	KeyUsed  bool         // the draft was sent with its current idempotency key
}

// OpenDraft returns the draft that the store has for an organization, as draft.Store.Open does. If
// there is none, the draft is empty and has a new idempotency key.
func OpenDraft(store *draft.Store, org string, entropy io.Reader, now time.Time) (
	d draft.Draft, openElsewhere bool, err error,
) {
	d, openElsewhere, err = store.Open(org, now)
	if d.Key == "" {
		key, failed := NewKey(entropy)
		d.Key, err = key, errors.Join(err, failed)
	}
	return d, openElsewhere, err
}

// Change must be called before the draft is changed. A draft that was sent gets a new idempotency
// key, because each key stands for one content.
func (s *Saved) Change(entropy io.Reader) error {
	if !s.KeyUsed {
		return nil
	}
	key, err := NewKey(entropy)
	if err == nil {
		s.Draft.Key, s.KeyUsed = key, false
	}
	return err
}

// Write returns a function that writes the draft as it is now to its file. The function may run on
// any goroutine. Of several such functions, the one returned last decides what the file contains.
func (s *Saved) Write(now time.Time) func() error {
	s.Sequence = s.Store.NextSequence()
	s.Draft.SavedAt = now.UTC()
	store, org, sequence, d := s.Store, s.Org, s.Sequence, s.Draft
	return func() error { return store.Save(org, sequence, d) }
}

// Remove returns a function that removes the draft's file. It may run on any goroutine, like the
// function that Write returns.
func (s *Saved) Remove() func() error {
	s.Sequence = s.Store.NextSequence()
	store, org, sequence := s.Store, s.Org, s.Sequence
	return func() error { return store.Discard(org, sequence) }
}

// Discard replaces the draft with an empty one that has a new idempotency key. It returns the
// function that removes the file.
func (s *Saved) Discard(entropy io.Reader) (remove func() error, err error) {
	key, err := NewKey(entropy)
	s.Draft, s.KeyUsed = draft.Draft{Key: key}, false
	return s.Remove(), err
}

// MarkSent records in the draft that it is sent now. A draft that was sent before keeps the earlier
// time. Once the draft is written, the program looks for the invoice after a crash.
func (s *Saved) MarkSent(now time.Time) {
	s.KeyUsed = true
	if s.Draft.SentAt.IsZero() {
		s.Draft.SentAt = now.UTC()
	}
}

// NotSavedError means that a proposal was not sent, because its draft could not be written to its
// file with the time SentAt. After a crash, the program would not have looked for the invoice.
type NotSavedError struct{ Err error }

// Error returns a sentence for the user, without the cause.
func (e *NotSavedError) Error() string {
	return "Not sent: the draft file could not be updated, so a crash while sending would go unnoticed."
}

// Unwrap returns the cause, Err.
func (e *NotSavedError) Unwrap() error { return e.Err }

// Proposer sends proposals. *apiclient.Client implements it.
type Proposer interface {
	ProposeInvoice(
		ctx context.Context, p apiclient.InvoiceProposal, opts ...apiclient.ProposeOption,
	) (*apiclient.Invoice, error)
}

// Send calls write, a result of Saved.Write after MarkSent, and then sends the proposal once with
// an idempotency key. If write fails, Send returns a *NotSavedError and sends nothing, unless
// sendUnsaved is true.
func Send(
	ctx context.Context, to Proposer, p apiclient.InvoiceProposal, key string, write func() error, sendUnsaved bool,
) (*apiclient.Invoice, error) {
	if err := write(); err != nil && !sendUnsaved {
		return nil, &NotSavedError{err}
	}
	return to.ProposeInvoice(ctx, p, apiclient.IdempotencyKey(key))
}
