package ui

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/client/annotations"
	"tarmac/client/draft"
	"tarmac/internal/termtext"
	"tarmac/views"
)

// annotated is what the person writes about the transactions of a session.
type annotated struct {
	file    *annotations.File
	reading bool // reading the file has begun
}

// annotationsRead is the message that the file was read, or why it could not be.
type annotationsRead struct{ err error }

// readAnnotations returns the command that reads the categories and notes. It returns nil while the
// organization is unknown, and if reading has already begun.
func (s *session) readAnnotations() tea.Cmd {
	ping, known := s.data.Ping.Value()
	if s.annotations.reading || !known || ping.OrgID == "" {
		return nil
	}
	s.annotations.reading = true
	file, organization := s.annotations.file, draft.OrgKey(s.connection.Client.Origin(), ping.OrgID)
	return s.address(noPage, func() tea.Msg { return annotationsRead{file.Open(organization)} })
}

// annotationsKnown tells the screens that the file was read, or the person why it could not be.
func (m *Model) annotationsKnown(msg annotationsRead) tea.Cmd {
	if msg.err != nil {
		return views.Warn(termtext.Line("categories and notes could not be read and cannot be written: " + msg.err.Error()))
	}
	return m.broadcast(views.Annotated{})
}
