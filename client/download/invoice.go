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

// Source fetches the PDF documents of invoices. *apiclient.Client implements it.
type Source interface {
	InvoicePDF(ctx context.Context, id string, w io.Writer) (apiclient.PDF, error)
}

// File is a saved document. Existed says that a file with the same content was already there.
type File struct {
	Path    string
	Bytes   int
	Existed bool
}

// Invoice fetches the PDF of an invoice and saves it with Save. The file gets the server's name for
// the document. Without one, the name is made from the invoice's number or ID.
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

// unrendered is the beginning of the server's message that an invoice cannot be rendered. Reason
// removes it, because the caller already says that the invoice was not saved.
const unrendered = "this invoice cannot be rendered as a PDF: "

// Reason says why Invoice failed: it returns the server's reason, or the directory and why it
// cannot be written to.
func Reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return filepath.Dir(path.Path) + ": " + path.Err.Error()
	}
	return strings.TrimPrefix(problem.Reason(err), unrendered)
}
