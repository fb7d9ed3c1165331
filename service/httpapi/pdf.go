package httpapi

import (
	"context"
	"errors"
	"net/http"

	"tarmac/service/invoicepdf"
	"tarmac/service/invoicing"
	"tarmac/service/store"
)

// getInvoicePDF responds with an invoice as a PDF (docs/api.md, Invoice PDF).
func getInvoicePDF(c *call) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	var inv invoicing.Invoice
	var org store.Organization
	err := c.api.Store.Read(c.ctx, func(snap *store.Snapshot) (err error) {
		if inv, err = snap.Invoice(c.credential.Org, c.pathParam); err != nil {
			return lookupError(err, "invoice")
		}
		org, err = snap.Organization(c.credential.Org)
		return err
	})
	if err != nil {
		return nil, err
	}
	if inv.Withheld {
		return nil, unrenderable()
	}
	seller := invoicepdf.Party{Name: org.Name, Email: org.OwnerEmail}
	if inv.OwnerEmail != "" {
		seller.Email = inv.OwnerEmail
	}
	page, err := c.api.PDFs.Render(c.ctx, c.credential.OrgPublicID, invoicepdf.Document{Seller: seller, Invoice: inv})
	if errors.Is(err, invoicepdf.ErrCurrency) {
		return nil, unrenderable()
	}
	if unreadable := new(invoicepdf.Unreadable); errors.As(err, &unreadable) {
		return nil, unprocessable(notRendered + ": " + unreadable.Error())
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, overloaded(err) // timed out while other PDFs were being made
	}
	if err != nil {
		return nil, err
	}
	return customResponse{
		status: http.StatusOK, raw: page, contentType: "application/pdf",
		header: [][2]string{{"Content-Disposition", `inline; filename="` + inv.Number() + `.pdf"`}},
	}, nil
}

const notRendered = "this invoice cannot be rendered as a PDF"

func unrenderable() *problem { return unprocessable(notRendered) }
