package apiclient

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"strings"
	"unicode/utf8"
)

// PDF describes a document written by InvoicePDF.
type PDF struct {
	Bytes int64
	// FileName is the server's name for the document. It ends in .pdf and is changed to be safe as
	// a file name on all systems. It is "" if the server sent none.
	FileName string
}

// InvoicePDF writes an invoice to w as a PDF document of at most 32 MiB (docs/api.md, Invoice PDF).
// It begins to write when the whole document has arrived, so that a failed request writes nothing.
// It returns ErrNotFound if the invoice does not exist, ErrUnprocessable if the server cannot
// render it, and a *ContractError if the response is not a PDF document.
func (c *Client) InvoicePDF(ctx context.Context, id string, w io.Writer) (PDF, error) {
	call, err := readOne("/invoices/{invoiceId}/pdf", id)
	if err != nil {
		return PDF{}, err
	}
	call.kind = pdfBody
	got, err := c.exchange(ctx, call)
	if err != nil {
		return PDF{}, err
	}
	switch {
	case !bytes.HasPrefix(got.body, []byte("%PDF-")):
		return PDF{}, call.contractError("", "is no PDF document, though it says so")
	case got.maybeTruncated && !bytes.Contains(got.body[max(0, len(got.body)-1024):], []byte("%%EOF")):
		return PDF{}, call.contractError("", "lacks its end")
	}
	written, err := w.Write(got.body)
	pdf := PDF{Bytes: int64(written), FileName: c.fileName(got.header.Get("Content-Disposition"))}
	if err != nil {
		return pdf, fmt.Errorf("%s %s: write the document: %w", call.method, call.route, err)
	}
	return pdf, nil
}

const maxFileName = 200 // in bytes; file systems allow 255

// fileName returns the name in a Content-Disposition header as a safe file name that ends in .pdf.
// It removes directories, and characters with a special meaning to a system or a shell.
func (c *Client) fileName(disposition string) string {
	_, parameters, err := mime.ParseMediaType(disposition)
	if err != nil {
		return ""
	}
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>:"|?*`, r) || r == utf8.RuneError {
			return '_'
		}
		return r
	}, c.clean(parameters["filename"]))
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	if extension := len(name) - len(".pdf"); extension >= 0 && strings.EqualFold(name[extension:], ".pdf") {
		name = name[:extension]
	}
	name = strings.TrimLeft(name, ".- ~")
	for len(name) > maxFileName {
		_, last := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-last]
	}
	name = strings.TrimRight(name, ". ")
	if name == "" {
		return ""
	}
	if reserved(name) {
		name = "_" + name
	}
	return name + ".pdf"
}

// reserved reports whether Windows treats a file of this name as a device, whatever the extension.
func reserved(name string) bool {
	name, _, _ = strings.Cut(strings.ToUpper(name), ".")
	switch name = strings.TrimRight(name, " "); name {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	number, ok := strings.CutPrefix(name, "COM")
	if !ok {
		number, ok = strings.CutPrefix(name, "LPT")
	}
	return ok &&
		(len(number) == 1 && number[0] >= '0' && number[0] <= '9' || number == "¹" || number == "²" || number == "³")
}
