package service

import (
	"context"
	"errors"
	"fmt"

	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/lifecycle"
	"tarmac/service/store"
)

// Invoices returns an organization's newest invoices with the given status, at most limit of them.
// The status "" means all statuses. The error wraps store.ErrNotFound if there is no such
// organization.
func (s *Service) Invoices(
	ctx context.Context, orgPublicID string, status invoicing.Status, limit int,
) (all []invoicing.Invoice, err error) {
	err = s.readOrganization(ctx, orgPublicID, func(snap *store.Snapshot, org store.OrgKey) (err error) {
		all, err = snap.Invoices(org, status, limit)
		return err
	})
	return all, err
}

// Invoice returns the invoice with the given public id, whichever organization it belongs to. The
// error wraps store.ErrNotFound if there is no such invoice.
func (s *Service) Invoice(ctx context.Context, id string) (invoicing.Invoice, error) {
	return s.withInvoice(ctx, id, func(
		tx *store.Tx, org store.OrgKey,
	) (invoicing.Invoice, error) {
		return tx.Invoice(org, id)
	})
}

// SendInvoice marks a draft as sent. The error wraps store.ErrNotFound if there is no such
// invoice. Other errors are those of package lifecycle.
func (s *Service) SendInvoice(ctx context.Context, id string) (invoicing.Invoice, error) {
	return s.transitionInvoice(ctx, id, lifecycle.Transitions.SendInvoice)
}

// PayInvoice applies a cleared payment to an invoice. cents is in minor units of the invoice's
// currency; 0 means the whole outstanding amount. Errors are those of SendInvoice.
func (s *Service) PayInvoice(ctx context.Context, id string, cents int64) (invoicing.Invoice, error) {
	return s.transitionInvoice(ctx, id, func(
		m lifecycle.Transitions, org store.OrgKey, id string,
	) (invoicing.Invoice, error) {
		return m.PayInvoice(org, id, cents)
	})
}

// VoidInvoice marks an invoice as void. Errors are those of SendInvoice.
func (s *Service) VoidInvoice(ctx context.Context, id string) (invoicing.Invoice, error) {
	return s.transitionInvoice(ctx, id, lifecycle.Transitions.VoidInvoice)
}

// WithholdInvoice forbids rendering an invoice as a PDF if withheld is true, and allows it
// otherwise. Errors are those of SendInvoice.
func (s *Service) WithholdInvoice(ctx context.Context, id string, withheld bool) (invoicing.Invoice, error) {
	return s.transitionInvoice(ctx, id, func(
		m lifecycle.Transitions, org store.OrgKey, id string,
	) (invoicing.Invoice, error) {
		return m.WithholdInvoice(org, id, withheld)
	})
}

func (s *Service) transitionInvoice(ctx context.Context, id string,
	transition func(lifecycle.Transitions, store.OrgKey, string) (invoicing.Invoice, error)) (invoicing.Invoice, error) {
	return s.withInvoice(ctx, id, func(tx *store.Tx, org store.OrgKey) (invoicing.Invoice, error) {
		return transition(lifecycle.New(tx, s.ids, s.now()), org, id)
	})
}

func (s *Service) withInvoice(ctx context.Context, id string,
	fn func(*store.Tx, store.OrgKey) (invoicing.Invoice, error)) (inv invoicing.Invoice, err error) {
	if err := checkID("an invoice", id, ids.Invoice); err != nil {
		return invoicing.Invoice{}, err
	}
	err = s.store.Write(ctx, func(tx *store.Tx) error {
		org, err := tx.InvoiceOrg(id)
		if err != nil {
			return err
		}
		inv, err = fn(tx, org)
		return err
	})
	return inv, wrapNotFound("the invoice", id, err)
}

// wrapNotFound adds the kind and the id of a record to store.ErrNotFound. It returns other errors
// unchanged.
func wrapNotFound(what, id string, err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("%s %q: %w", what, id, err)
	}
	return err
}

// readOrganization calls the function read with a snapshot of the database and the organization's
// key. The error wraps store.ErrNotFound if there is no such organization.
func (s *Service) readOrganization(
	ctx context.Context, publicID string, read func(*store.Snapshot, store.OrgKey) error,
) error {
	_, org, err := s.Organization(ctx, publicID)
	if err != nil {
		return err
	}
	return s.store.Read(ctx, func(snap *store.Snapshot) error { return read(snap, org) })
}
