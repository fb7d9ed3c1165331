package plain

import (
	"cmp"

	"tarmac/client/annotations"
	"tarmac/client/draft"
	"tarmac/client/export"
	"tarmac/client/problem"
)

// annotations returns the user's categories and notes of the organization's transactions. If they
// can't be read, it prints why, and returns a file that can't be written.
func (s *session) annotations() *annotations.File {
	if s.annotated != nil {
		return s.annotated
	}
	file := cmp.Or(s.server.Annotations, annotations.NewFile(s.Drafts))
	if s.server.Annotations == nil && file.IsKept() {
		ping, err := s.organization()
		if err == nil {
			err = file.Open(draft.OrgKey(s.server.Client.Origin(), ping.OrgID))
		}
		if err != nil {
			s.say("Categories and notes could not be read: %s", errorInWords(err))
			return file // it is read again next time
		}
	}
	s.annotated = file
	return file
}

// exported returns what exports add to the transactions of the server. It returns nil if there is
// no category or note.
func (s *session) exported() export.Annotated {
	file := s.annotations()
	if len(file.Set()) == 0 && !s.server.Client.HasCategories() {
		return nil
	}
	return file.Of
}

// annotate returns the command that writes a text of the transaction.
func (p *transactionPage) annotate(of func(*annotations.Annotation) *string) func(*session, string) error {
	return func(s *session, text string) error {
		file := s.annotations()
		if _, err := file.Change(p.row.ID, func(a *annotations.Annotation) { *of(a) = text }); err != nil {
			return s.answer("Not saved: %s", problem.Sentence(err.Error()))
		}
		kept := "Saved."
		if !file.IsKept() {
			kept = "Saved until you quit."
		}
		s.say("%s", kept)
		return p.show(s)
	}
}
