package books

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/internal/ownbooks"
	"tarmac/views"
)

// undo holds the import that the user wants to undo, and the lines this removes.
type undo struct {
	record  ownbooks.Import
	removes ownbooks.Undone
}

// undoPreviewMsg is the effect of undoing an import.
type undoPreviewMsg struct {
	number  uint64
	removes ownbooks.Undone
	err     error
}

// undoneMsg is the result of undoing an import.
type undoneMsg undoPreviewMsg

// undoDialog confirms the undoing of an import.
func (s *Screen) undoDialog() *dialog {
	return &dialog{
		help: "Undo", back: s.closeDialog,
		keys: views.Actions{
			{Key: "y", Help: "undo import", Do: s.startUndo},
			{Key: "n", Also: []string{"esc"}, Help: "keep", Do: views.Do(s.closeDialog)},
		},
		draw: func() string {
			return s.framed("Undo an import", func(width, _ int) ([]string, int) {
				lines := s.undoLines(width)
				return lines, len(lines) - 1
			})
		},
	}
}

// askUndo checks the selected import. From another list, it first moves the focus to the imports.
func (s *Screen) askUndo() tea.Cmd {
	if s.list != onImports {
		s.focusList(onImports)
		return views.Tell("choose an import and press u")
	}
	return s.checkUndo()
}

// checkUndo returns the command that computes the effect of undoing the selected import.
func (s *Screen) checkUndo() tea.Cmd {
	record := s.selectedImport()
	if record == nil || s.env.ReadOnly {
		return nil
	}
	s.mode, s.outcome, s.undo = checking, outcome{}, undo{record: *record}
	ctx, number := s.start(nil)
	books, id := s.books, record.ID
	return func() tea.Msg {
		removes, err := books.PreviewUndo(ctx, id)
		return undoPreviewMsg{number, removes, err}
	}
}

// storeUndoPreview opens the confirmation.
func (s *Screen) storeUndoPreview(msg undoPreviewMsg) {
	if !s.ended(msg.number) {
		return
	}
	if msg.err != nil {
		s.mode = browsing
		s.outcome = outcome{text: "Cannot undo " + s.undo.record.ID + ": " + errorText(msg.err), problem: true}
		return
	}
	s.mode, s.undo.removes = confirmingUndo, msg.removes
}

// startUndo returns the command that undoes the import.
func (s *Screen) startUndo() tea.Cmd {
	s.mode = undoing
	ctx, number := s.start(nil)
	books, id := s.books, s.undo.record.ID
	return func() tea.Msg {
		removed, err := books.Undo(ctx, id)
		return undoneMsg{number, removed, err}
	}
}

// finishUndo shows how the undoing ended. After a success all pages fetch their figures again.
func (s *Screen) finishUndo(msg undoneMsg) tea.Cmd {
	cancelled := s.run.cancelled
	if !s.ended(msg.number) {
		return nil
	}
	s.mode = browsing
	switch {
	case msg.err != nil && cancelled:
		s.outcome = outcome{text: "Cancelled: the import was not undone.", problem: true}
		return nil
	case msg.err != nil:
		s.outcome = outcome{text: "Not undone: " + errorText(msg.err), problem: true}
		return s.noticeIfHidden("the import was not undone; see the Books page")
	}
	s.opened, s.outcome = false, outcome{text: msg.removes.Done()}
	return tea.Batch(changed, s.noticeIfHidden("the import is undone"))
}

// undoLines returns the lines of the confirmation.
func (s *Screen) undoLines(width int) []string {
	u := &s.undo
	lines := styled(s.theme.Strong, u.record.FilesText(), width)
	lines = append(lines, styled(s.theme.Faint, u.record.ID, width)...)
	lines = append(lines, "")
	lines = append(lines, styled(s.theme.Text, u.removes.Means(), width)...)
	lines = append(lines, "")
	return append(lines, s.theme.Strong.Render("Undo this import?")+"  "+s.answerKeys())
}
