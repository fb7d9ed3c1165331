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

// PDF says what InvoicePDF wrote.
type PDF struct {
	Bytes int64
	// FileName is what the server calls the document, as the name of a file in one
	// directory on any system, ending in .pdf; "" where it gives no name.
	FileName string
}

// InvoicePDF writes an invoice to w as a PDF document of at most 32 MiB
// (docs/api.md, Invoice PDF). Nothing is written before the whole document is here,
// so an error of the request leaves w untouched: ErrNotFound, ErrUnprocessable when
// the invoice cannot be rendered, a *ContractError for what is no PDF document.
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
		return PDF{}, call.broken("", "is no PDF document, though it says so")
	case got.open && !bytes.Contains(got.body[max(0, len(got.body)-1024):], []byte("%%EOF")):
		return PDF{}, call.broken("", "lacks its end")
	}
	written, err := w.Write(got.body)
	pdf := PDF{Bytes: int64(written), FileName: c.fileName(got.header.Get("Content-Disposition"))}
	if err != nil {
		return pdf, fmt.Errorf("%s %s: write the document: %w", call.method, call.route, err)
	}
	return pdf, nil
}

const maxFileName = 200 // bytes; systems take 255

// fileName reads the name in a Content-Disposition header, as that of a PDF file
// beside others: no directories, nothing that a system or a shell takes for
// something else.
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

// reserved reports whether Windows takes a file of this name for a device,
// whatever comes after a point.
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
