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

// Invoices returns an organization's newest invoices, of one status unless status
// is "". The error wraps store.ErrNotFound where there is no such organization.
func (s *Service) Invoices(ctx context.Context, orgPublicID string, status invoicing.Status, limit int) (all []invoicing.Invoice, err error) {
	err = s.readOrganization(ctx, orgPublicID, func(snap *store.Snapshot, org store.OrgKey) (err error) {
		all, err = snap.Invoices(org, status, limit)
		return err
	})
	return all, err
}

// Invoice returns one invoice, of whichever organization. The error wraps
// store.ErrNotFound where there is no such invoice.
func (s *Service) Invoice(ctx context.Context, id string) (invoicing.Invoice, error) {
	return s.withInvoice(ctx, id, func(tx *store.Tx, org store.OrgKey) (invoicing.Invoice, error) { return tx.Invoice(org, id) })
}

// SendInvoice marks a draft as sent. Errors of this and the following are those of
// package lifecycle; that of an invoice that there is not wraps store.ErrNotFound.
func (s *Service) SendInvoice(ctx context.Context, id string) (invoicing.Invoice, error) {
	return s.moveInvoice(ctx, id, lifecycle.Transitions.SendInvoice)
}

// PayInvoice applies cleared money to an invoice: so many minor units of its
// currency, or all that is outstanding when cents is 0.
func (s *Service) PayInvoice(ctx context.Context, id string, cents int64) (invoicing.Invoice, error) {
	return s.moveInvoice(ctx, id, func(m lifecycle.Transitions, org store.OrgKey, id string) (invoicing.Invoice, error) {
		return m.PayInvoice(org, id, cents)
	})
}

// VoidInvoice makes an invoice one that is not to be paid.
func (s *Service) VoidInvoice(ctx context.Context, id string) (invoicing.Invoice, error) {
	return s.moveInvoice(ctx, id, lifecycle.Transitions.VoidInvoice)
}

// WithholdInvoice says whether an invoice's content is kept off pages.
func (s *Service) WithholdInvoice(ctx context.Context, id string, withheld bool) (invoicing.Invoice, error) {
	return s.moveInvoice(ctx, id, func(m lifecycle.Transitions, org store.OrgKey, id string) (invoicing.Invoice, error) {
		return m.WithholdInvoice(org, id, withheld)
	})
}

func (s *Service) moveInvoice(ctx context.Context, id string,
	move func(lifecycle.Transitions, store.OrgKey, string) (invoicing.Invoice, error)) (invoicing.Invoice, error) {
	return s.withInvoice(ctx, id, func(tx *store.Tx, org store.OrgKey) (invoicing.Invoice, error) {
		return move(lifecycle.New(tx, s.ids, s.now()), org, id)
	})
}

func (s *Service) withInvoice(ctx context.Context, id string,
	do func(*store.Tx, store.OrgKey) (invoicing.Invoice, error)) (inv invoicing.Invoice, err error) {
	if err := named("an invoice", id, ids.Invoice); err != nil {
		return invoicing.Invoice{}, err
	}
	err = s.store.Write(ctx, func(tx *store.Tx) error {
		org, err := tx.InvoiceOrg(id)
		if err != nil {
			return err
		}
		inv, err = do(tx, org)
		return err
	})
	return inv, naming("the invoice", id, err)
}

// naming says of a record that does not exist which it was.
func naming(what, id string, err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("%s %q: %w", what, id, err)
	}
	return err
}

// readOrganization reads of one organization, from a snapshot.
func (s *Service) readOrganization(ctx context.Context, publicID string, read func(*store.Snapshot, store.OrgKey) error) error {
	_, org, err := s.Organization(ctx, publicID)
	if err != nil {
		return err
	}
	return s.store.Read(ctx, func(snap *store.Snapshot) error { return read(snap, org) })
}
