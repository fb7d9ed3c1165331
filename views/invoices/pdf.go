package invoices

import (
	"cmp"
	"context"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/download"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/views"
)

// savedMsg says where the PDF of an invoice was saved, or why it was not.
type savedMsg struct {
	number string
	file   download.File
	open   bool // the file should be opened in the system's viewer
	err    error
}

// viewerClosed says that the PDF viewer has ended, or why it could not be started.
type viewerClosed struct {
	path string
	err  error
}

// confirmSave saves the PDF of the current invoice. If openViewer is true, it then opens the file
// in the system's viewer. While amounts are hidden, it first asks for confirmation.
func (s *Screen) confirmSave(verb string, openViewer bool) tea.Cmd {
	i := s.list.Current()
	id, number := i.ID, i.Number
	if s.Env.Places.Remote {
		return views.NotOverSSH("tarmac invoices pdf " + id)
	}
	return s.Question.Ask(s.Theme, verb, "the PDF", func() tea.Cmd { return s.save(id, number, openViewer) })
}

// save returns the command that fetches the PDF of an invoice and saves it in the documents
// directory. It returns nil while another PDF is being saved.
func (s *Screen) save(id, number string, open bool) tea.Cmd {
	if s.saving != "" {
		return nil
	}
	s.saving = cmp.Or(number, id)
	parent, timeout, source, dir := s.Context, s.Timeout, s.source, s.Env.Places.Documents
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		msg := savedMsg{number: cmp.Or(number, id), open: open}
		msg.file, msg.err = download.Invoice(ctx, source, id, number, dir)
		return msg
	}
}

// reportSaved returns the command that shows where the PDF was saved or why it was not, and opens
// the file if requested.
func (s *Screen) reportSaved(msg savedMsg) tea.Cmd {
	s.saving = ""
	if msg.err != nil {
		return views.Warn("PDF of " + msg.number + " not saved: " + termtext.Line(download.Reason(msg.err)))
	}
	where := filepath.Base(msg.file.Path) + " in " + filepath.Dir(msg.file.Path)
	text := "saved " + where + ", " + money.Count(int64(msg.file.Bytes)) + " bytes"
	if msg.file.Existed {
		text = "already saved: " + where
	}
	notice := views.Tell(termtext.Line(text))
	if !msg.open || s.Env.Open == nil {
		return notice
	}
	show := s.Env.Open
	return tea.Batch(notice, func() tea.Msg { return viewerClosed{path: msg.file.Path, err: show(msg.file.Path)} })
}

func (m viewerClosed) notice() tea.Cmd {
	if m.err == nil {
		return nil
	}
	return views.Warn(termtext.Line(m.path + " could not be opened: " + m.err.Error()))
}
