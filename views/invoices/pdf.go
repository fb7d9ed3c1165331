package invoices

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/download"
	"tarmac/client/problem"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/views"
)

// PDFSource gives an invoice as a document.
type PDFSource interface {
	InvoicePDF(ctx context.Context, id string, w io.Writer) (apiclient.PDF, error)
}

// saved is what became of saving a document.
type saved struct {
	number string
	path   string
	bytes  int
	kept   bool // it was there already
	open   bool // it is wanted on the screen
	err    error
}

// shut is the end of the program that showed a document.
type shut struct {
	path string
	err  error
}

// asked saves the document of the present invoice, after asking where its amounts
// are masked; open shows it then.
func (s *Screen) asked(verb string, open bool) tea.Cmd {
	i, ok := s.current()
	if !ok {
		return nil
	}
	id, number := i.ID, i.Number
	return s.question.Ask(s.theme, verb, "the PDF", func() tea.Cmd { return s.save(id, number, open) })
}

// save fetches the document of an invoice and saves it.
func (s *Screen) save(id, number string, open bool) tea.Cmd {
	if s.saving != "" {
		return nil
	}
	s.saving = cmp.Or(number, id)
	parent, timeout, source, dir := s.env.Context, s.env.Timeout, s.source, s.env.Places.Documents
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		msg := saved{number: cmp.Or(number, id), open: open}
		var document bytes.Buffer
		pdf, err := source.InvoicePDF(ctx, id, &document)
		if err != nil {
			msg.err = err
			return msg
		}
		name := cmp.Or(pdf.FileName, download.Name(cmp.Or(number, id), "invoice", ".pdf"))
		msg.path, msg.kept, msg.err = download.Save(dir, name, document.Bytes())
		msg.bytes = document.Len()
		return msg
	}
}

// saved says where the document is, and shows it when that was asked for.
func (s *Screen) saved(msg saved) tea.Cmd {
	s.saving = ""
	if msg.err != nil {
		return views.Warn("PDF of " + msg.number + " not saved: " + why(msg.err))
	}
	where := filepath.Base(msg.path) + " in " + filepath.Dir(msg.path)
	text := "saved " + where + ", " + money.Count(int64(msg.bytes)) + " bytes"
	if msg.kept {
		text = "already there: " + where
	}
	told := views.Tell(termtext.Line(text))
	if !msg.open || s.env.Open == nil {
		return told
	}
	show := s.env.Open
	return tea.Batch(told, func() tea.Msg { return shut{path: msg.path, err: show(msg.path)} })
}

func (m shut) notice() tea.Cmd {
	if m.err == nil {
		return nil
	}
	return views.Warn(termtext.Line(m.path + " could not be opened: " + m.err.Error()))
}

// unrendered begins what the service says of an invoice that cannot be a page. The
// notice says that already, and has one line for the rest.
const unrendered = "this invoice cannot be rendered as a PDF: "

// why says what went wrong, at the server or on the disk.
func why(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return termtext.Line(filepath.Dir(path.Path) + ": " + path.Err.Error())
	}
	return termtext.Line(strings.TrimPrefix(problem.Reason(err), unrendered))
}
