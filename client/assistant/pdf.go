package assistant

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"tarmac/apiclient"
)

// MaxPDF is the maximum size of a document, in bytes.
const MaxPDF = 2 << 20

// Documents fetches invoices as PDF documents. *apiclient.Client implements it.
type Documents interface {
	InvoicePDF(ctx context.Context, id string, w io.Writer) (apiclient.PDF, error)
}

// GetInvoicePDF returns an invoice as a PDF document of at most MaxPDF bytes.
func GetInvoicePDF(ctx context.Context, source Documents, in InvoiceInput) ([]byte, error) {
	if identifier(in.ID) == "" {
		return nil, errInvoiceID
	}
	var document bytes.Buffer
	if _, err := source.InvoicePDF(ctx, in.ID, &document); err != nil {
		return nil, err
	}
	if document.Len() > MaxPDF {
		text := fmt.Sprintf("the document is larger than %d MiB; use `tarmac invoices pdf`", MaxPDF>>20)
		return nil, &InputError{Text: text}
	}
	return document.Bytes(), nil
}
