package download

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/problem"
)

// Source gives invoices as documents; *apiclient.Client is one.
type Source interface {
	InvoicePDF(ctx context.Context, id string, w io.Writer) (apiclient.PDF, error)
}

// File is a document that was saved. Kept reports that it was there already.
type File struct {
	Path    string
	Bytes   int
	Existed bool
}

// Invoice fetches the PDF of an invoice and saves it with Save, under the server's name for it
// or one made of the invoice's number or id.
func Invoice(ctx context.Context, from Source, id, number, dir string) (File, error) {
	var document bytes.Buffer
	pdf, err := from.InvoicePDF(ctx, id, &document)
	if err != nil {
		return File{}, err
	}
	name := cmp.Or(pdf.FileName, Name(cmp.Or(number, id), "invoice", ".pdf"))
	file := File{Bytes: document.Len()}
	file.Path, file.Existed, err = Save(dir, name, document.Bytes())
	return file, err
}

// unrendered begins the server's sentence about an invoice that cannot be a page. Who says
// that it was not saved needs only the rest.
const unrendered = "this invoice cannot be rendered as a PDF: "

// Reason says why an invoice was not saved: what the server said, or the directory with what is
// wrong with it.
func Reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return filepath.Dir(path.Path) + ": " + path.Err.Error()
	}
	return strings.TrimPrefix(problem.Reason(err), unrendered)
}
