package books

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/importing"
	"tarmac/internal/ownbooks"
	"tarmac/internal/termtext"
	"tarmac/views"
	"tarmac/views/parts/field"
	"tarmac/views/parts/table"
)

// intake holds the steps of an import: the files that the user names, their questions, and the
// preview. The typed text stays until the import has succeeded.
type intake struct {
	names      field.Text
	problem    string   // why the names or the preview were refused
	candidates []string // names that continue the last path, after Tab
	completing uint64   // number of the latest completion; results of earlier completions are ignored
	downloads  downloads
	first      bool // the first import of new books, which ends with a summary

	batch    ownbooks.Batch
	report   ownbooks.Report
	rows     []previewRow // of report
	question *ownbooks.Question
	answer   field.Text
	options  []ownbooks.Option      // choices of the question
	choice   int                    // index of the chosen answer, or -1
	typed    map[questionKey]string // earlier answers, which are offered again

	notes  bool         // the notes of the files are shown
	sure   bool         // the user is asked whether to import lines that do not add up
	table  *table.Table // accounts of the preview
	cursor int          // row of the table
	offset int          // first visible line of the preview
	files  *table.Table // files of the account under the cursor
	lines  *table.Table // lines of the file under the cursor
	notice string       // result of the latest confirmed import that failed, or ""
}

// questionKey identifies a question: a file and the flag that answers it.
type questionKey struct{ file, flag, account string }

// Limits for typed text, in characters.
const (
	longestNames  = 4096
	longestAnswer = 200
)

func newIntake() intake {
	return intake{
		names:  field.NewText("~/Downloads/*.csv", longestNames),
		answer: field.NewText("", longestAnswer), typed: map[questionKey]string{},
	}
}

// openIntake opens the prompt for the files, with the text that was typed before, and returns the
// command that looks for bank files in the folder of downloads.
func (s *Screen) openIntake() tea.Cmd {
	s.mode, s.outcome = naming, outcome{}
	s.intake.problem, s.intake.candidates = "", nil
	s.intake.downloads.listed = len(s.intake.downloads.files) > 0
	s.focusNames()
	return s.findDownloads()
}

// focusNames shows the cursor in the prompt, unless keys move in the list of downloads.
func (s *Screen) focusNames() {
	if s.intake.downloads.listed {
		s.intake.names.Blur()
		return
	}
	s.intake.names.Focus()
}

// editNames passes a key press or a paste to the prompt.
func (s *Screen) editNames(msg tea.Msg) {
	if _, pasted := msg.(tea.PasteMsg); pasted {
		s.intake.downloads.listed = false
		s.focusNames()
	}
	if s.intake.downloads.listed {
		return
	}
	if s.intake.names.Update(msg) {
		s.intake.problem, s.intake.candidates = "", nil
		s.intake.completing++
	}
}

// namesDialog asks for the files.
func (s *Screen) namesDialog() *dialog {
	listed := func() bool { return s.intake.downloads.listed }
	return &dialog{
		help: "Import", back: s.closeDialog, edit: s.editNames,
		keys: views.Actions{
			{Key: "enter", Help: "preview", Do: s.find},
			{Key: "space", Also: []string{" "}, Help: "tick", When: listed, Do: views.Do(s.intake.downloads.tick)},
			{Key: "down", Also: []string{"j"}, Shown: "↓", Help: "down", When: listed,
				Do: views.Do(func() { s.intake.downloads.move(1) })},
			{Key: "up", Also: []string{"k"}, Shown: "↑", Help: "up", When: listed,
				Do: views.Do(func() { s.intake.downloads.move(-1) })},
			{Key: "p", Help: "type a path", When: listed, Do: views.Do(func() { s.switchToNames(false) })},
			{Key: "tab", Help: "complete", When: func() bool { return !listed() }, Do: s.complete},
			{Key: "esc", Help: "back to the list", When: func() bool {
				return !listed() && len(s.intake.downloads.files) > 0
			}, Do: views.Do(func() { s.switchToNames(true) })},
			{Key: "esc", Help: "cancel", Do: views.Do(s.closeDialog)},
		},
		draw: func() string { return s.framed("Import files", s.namesLines) },
	}
}

// backToNames returns to the prompt for the files and cancels the running command.
func (s *Screen) backToNames() {
	s.stop()
	s.intake.sure = false
	s.mode = naming
	s.focusNames()
}

// completedMsg is the result of completing a path.
type completedMsg struct {
	number     uint64
	completion importing.Completion
	err        error
}

// complete returns the command that reads a directory and completes the last path.
func (s *Screen) complete() tea.Cmd {
	s.intake.completing++
	number, places, typed := s.intake.completing, s.env.Places, s.intake.names.Value()
	return func() tea.Msg {
		completion, err := importing.Complete(places, typed)
		return completedMsg{number, completion, err}
	}
}

// storeCompletion puts a completed path into the prompt, unless the text has changed meanwhile.
func (s *Screen) storeCompletion(msg completedMsg) {
	i := &s.intake
	if msg.number != i.completing || s.mode != naming {
		return
	}
	i.problem, i.candidates = "", nil
	switch {
	case msg.err != nil:
		i.problem = errorText(msg.err)
	case len(msg.completion.Names) == 0:
		i.problem = "No name continues this path."
	case len(msg.completion.Names) > 1:
		i.candidates = msg.completion.Names
	}
	i.names.Set(msg.completion.Text)
}

// foundMsg is the result of looking for the files that the user named.
type foundMsg struct {
	number uint64
	files  []string
	err    error
}

// find returns the command that looks for the named files.
func (s *Screen) find() tea.Cmd {
	s.intake.names.Blur()
	s.intake.problem, s.intake.candidates, s.intake.notice = "", nil, ""
	s.intake.completing++
	s.mode = previewing
	_, number := s.start(nil)
	s.run.text = "Looking for the files"
	places, typed, ticked := s.env.Places, s.intake.names.Value(), s.intake.downloads.ticked()
	return func() tea.Msg {
		if strings.TrimSpace(typed) == "" && len(ticked) > 0 {
			return foundMsg{number, ticked, nil}
		}
		files, err := importing.Find(places, typed)
		for _, path := range ticked {
			if !slices.Contains(files, path) {
				files = append(files, path)
			}
		}
		return foundMsg{number, files, err}
	}
}

// storeFiles starts the preview of the files that were found.
func (s *Screen) storeFiles(msg foundMsg) tea.Cmd {
	if !s.ended(msg.number) {
		return nil
	}
	if msg.err != nil {
		s.refuse(msg.err)
		return nil
	}
	s.intake.batch = s.intake.batch.With(msg.files)
	return s.preview()
}

// refuse returns to the prompt and shows an error there.
func (s *Screen) refuse(err error) {
	s.mode, s.intake.problem = naming, errorText(err)
	s.focusNames()
}

// previewMsg is the result of a preview.
type previewMsg struct {
	number uint64
	report ownbooks.Report
	err    error
}

// preview returns the command that previews the batch.
func (s *Screen) preview() tea.Cmd {
	s.mode = previewing
	batch, books := s.intake.batch, s.books
	progress := importing.NewProgress(batch)
	ctx, number := s.start(progress)
	return func() tea.Msg {
		report, err := books.Preview(ctx, batch, progress)
		return previewMsg{number, report, err}
	}
}

// storePreview shows the preview, or the first question of the files.
func (s *Screen) storePreview(msg previewMsg) tea.Cmd {
	if !s.ended(msg.number) {
		return nil
	}
	if msg.err != nil {
		s.refuse(msg.err)
		return s.noticeIfHidden("the import preview failed")
	}
	i := &s.intake
	s.setReport(msg.report)
	i.problem = ""
	i.question = msg.report.Question(&i.batch)
	switch {
	case i.question == nil:
		s.mode = confirming
		return s.noticeIfHidden("the import preview is ready on the Books page")
	case i.batch.Answered(i.question):
		// The preview repeats a question that has an accepted answer. Asking the user again would
		// never end.
		s.mode = confirming
		return nil
	}
	s.ask()
	return s.noticeIfHidden("an import has a question on the Books page")
}

// noticeIfHidden returns the command that shows a notice if the page is hidden.
func (s *Screen) noticeIfHidden(text string) tea.Cmd {
	if s.visible {
		return nil
	}
	return views.Tell(text)
}

// previewDialog shows the preview and confirms the import.
func (s *Screen) previewDialog() *dialog {
	is := func(state importable) func() bool {
		return func() bool { return s.importable() == state }
	}
	return &dialog{
		help: "Preview", back: s.backFromPreview, draw: s.drawPreview,
		keys: views.Actions{
			{Key: "y", Help: "import", When: is(ready), Do: func() tea.Cmd { return s.startImport(false) }},
			{Key: "y", Help: "import anyway", When: is(contradicting), Do: s.importAnyway},
			{Key: "enter", Help: "files of the account", When: func() bool { return s.checkedAccount() != nil },
				Do: views.Do(s.openChecked)},
			{Key: "a", Help: "all notes", When: func() bool { return len(s.intake.report.Problems()) > 0 },
				Do: views.Do(func() { s.intake.notes = !s.intake.notes })},
			{Key: "esc", Help: "back", Do: views.Do(s.backFromPreview)},
			{Key: "n", Help: "back to the files", Do: views.Do(s.backToNames)},
		},
		move: s.movePreview,
	}
}

// backFromPreview goes back to the last question, or to the files. While the user is asked whether
// to import lines that do not add up, it takes that back.
func (s *Screen) backFromPreview() {
	if s.intake.sure {
		s.intake.sure = false
		return
	}
	s.backInIntake()
}

// importAnyway asks whether to import lines that do not add up to balances, and imports them when
// the user has said so twice.
func (s *Screen) importAnyway() tea.Cmd {
	if s.intake.sure {
		return s.startImport(true)
	}
	s.intake.sure = true
	return nil
}

// importMsg is the result of an import.
type importMsg struct {
	number uint64
	report ownbooks.Report
	err    error
}

// startImport returns the command that imports the previewed files.
func (s *Screen) startImport(acceptResidual bool) tea.Cmd {
	if s.env.ReadOnly {
		return nil
	}
	s.mode, s.intake.problem, s.intake.notice = importRunning, "", ""
	batch, books := s.intake.batch, s.books
	batch.AcceptResidual = acceptResidual
	progress := importing.NewProgress(batch)
	ctx, number := s.start(progress)
	return func() tea.Msg {
		report, err := books.Import(ctx, batch, progress)
		return importMsg{number, report, err}
	}
}

// finishImport shows how an import ended. After a success all pages fetch their figures again.
func (s *Screen) finishImport(msg importMsg) tea.Cmd {
	cancelled := s.run.cancelled
	if !s.ended(msg.number) {
		return nil
	}
	switch {
	case msg.err != nil && cancelled:
		s.mode, s.intake.notice = confirming, "Cancelled: nothing was imported."
		return nil
	case msg.err != nil:
		s.mode, s.intake.notice = confirming, "! Nothing was imported: "+errorText(msg.err)
		return s.noticeIfHidden("the import failed; see the Books page")
	case msg.report.Import == "":
		s.setReport(msg.report)
		s.mode = confirming
		return s.noticeIfHidden("nothing was imported; see the Books page")
	}
	s.mode, s.outcome = browsing, outcome{
		text: msg.report.Done("a answers them"), asks: len(msg.report.Questions) > 0,
	}
	company, first := s.intake.batch.Of(ownbooks.NameFlag), s.intake.first
	done := newIntake()
	done.typed, done.table = s.intake.typed, s.intake.table
	done.files, done.lines = s.intake.files, s.intake.lines
	s.intake = done
	if s.list == onImports {
		s.imports.SetCursor(0)
	} else {
		s.rows[onImports] = 0
	}
	told := func() tea.Msg { return views.LedgerChanged{Company: company} }
	if first {
		return tea.Batch(told, s.endFirst(msg.report))
	}
	return tea.Batch(told, s.noticeIfHidden("the files are imported; see the Books page"))
}

// changed reports to the dashboard that the books have changed. All pages, including this one, then
// fetch their data again.
func changed() tea.Msg { return views.LedgerChanged{} }

// errorText returns an error as a sentence in one line, also the error of a cancelled context.
func errorText(err error) string {
	text := termtext.Line(err.Error())
	if text == "" || err == context.Canceled {
		return "Cancelled."
	}
	return text
}
