// Package books is the page of own books: the accounts with their balances, covered days and
// proofs, the connections to providers, and the imports. It imports files, undoes imports, and
// connects, reads and disconnects providers.
//
// The page knows the books only as importing.Books. Commands read the files and the books, so that
// Update never waits for a disk. An import is previewed first: the user sees what it changes,
// answers what files leave open, and then confirms it. The user can cancel a running import or its
// undoing. The page then waits for the result, which says whether the books have changed.
package books

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/importing"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/table"
)

// Page returns the page's name, key and constructor for the root model. Only sessions on own books
// have the page.
func Page() views.Page {
	return views.Page{
		Name: views.Books, Digit: "9", Title: "Books", Short: "Books",
		Absent:    "Books: for your own bank files · : import",
		Available: func(env views.Env) bool { return env.Books != nil },
		New:       func(env views.Env) views.Screen { return New(env) },
	}
}

// Screen is the page of own books.
type Screen struct {
	contents    resource.Resource[contents]
	accounts    *table.Table
	connections *table.Table
	imports     *table.Table
	detail      table.Detail
	list        focus  // the list whose row is selected
	rows        [3]int // rows of the cursors in the other lists, by focus
	opened      bool   // the details take the whole page
	layout      accountLayout

	theme         theme.Theme
	inks          inks
	width, height int
	nav           views.Navigation
	actions       actions

	mode      mode
	dialogs   [modes]*dialog
	intake    intake
	questions questions
	undo      undo
	currency  currency
	connect   connect
	run       run
	outcome   outcome
	lasts     string // how long the cash lasts after the first import; "" if it is unknown
	runway    string // the same in a few words
	assumed   []string
	imported  string // what the first import has added
	finishing bool   // the summary of the first import follows the questions

	visible    bool
	background bool // the terminal does not have the focus

	env   views.Env
	books importing.Books

	providers importing.Providers // nil if providers cannot be connected
}

// run describes the running command: a search for files, a preview, an import or the undoing of
// one. At most one command runs.
type run struct {
	number    uint64 // number of the latest command; results of earlier commands are ignored
	cancel    context.CancelFunc
	cancelled bool // the user has cancelled a change that has not ended yet
	progress  progress
	text      string // progress at the last tick
}

// progress describes what the running command does.
type progress interface{ Text() string }

// outcome is the message about the latest import or undoing. It is shown until the user
// closes it or starts another one.
type outcome struct {
	text    string
	problem bool
	asks    bool // the text says that there are questions
}

// New returns the page without data. Init fetches it.
func New(env views.Env) *Screen {
	s := &Screen{env: env, books: env.Books, providers: env.Providers, nav: views.NewNavigation(), intake: newIntake()}
	s.run.cancel = func() {}
	s.accounts = table.New(accountColumns(), accountRows{s})
	s.connections = table.New(connectionColumns(), connectionRows{s})
	s.imports = table.New(importColumns(), importRows{s})
	s.intake.table = table.New(previewColumns(), previewRows{&s.intake, s})
	s.intake.files = table.New(fileColumns(), fileRows{s})
	s.intake.lines = table.New(lineColumns(), lineRows{s})
	s.actions, s.dialogs = s.newActions(), s.newDialogs()
	s.SetTheme(env.Theme)
	return s
}

// Init returns the command that reads the books.
func (s *Screen) Init() tea.Cmd { return s.fetch() }

// Update handles a message.
func (s *Screen) Update(msg tea.Msg) (cmd tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		cmd = s.press(msg)
	case views.Click:
		cmd = s.click(msg.X, msg.Y)
	case views.Refresh:
		return s.fetch()
	case views.Visible:
		s.visible = bool(msg)
	case tea.PasteMsg:
		if d := s.dialog(); d != nil && d.edit != nil {
			d.edit(msg)
		}
	case views.Tick:
		if s.run.progress != nil {
			s.run.text = s.run.progress.Text()
		}
		cmd = s.fetchDue()
	case tea.BlurMsg:
		s.background = true
	case tea.FocusMsg:
		s.background = false
	case contentsMsg:
		s.storeContents(msg)
	case snapshot.Result:
		if s.mode != finished {
			return nil
		}
		s.updateLasts()
	case downloadsMsg:
		s.storeDownloads(msg)
	case completedMsg:
		s.storeCompletion(msg)
	case foundMsg:
		cmd = s.storeFiles(msg)
	case previewMsg:
		cmd = s.storePreview(msg)
	case importMsg:
		cmd = s.finishImport(msg)
	case questionsMsg:
		cmd = s.storeQuestions(msg)
	case answeredMsg:
		cmd = s.finishAnswer(msg)
	case currencyPreviewMsg:
		s.storeCurrencyPreview(msg)
	case currencyMsg:
		cmd = s.finishCurrency(msg)
	case undoPreviewMsg:
		s.storeUndoPreview(msg)
	case undoneMsg:
		cmd = s.finishUndo(msg)
	case connectedMsg:
		cmd = s.storeConnection(msg)
	case syncedMsg:
		cmd = s.finishSync(msg)
	case disconnectedMsg:
		cmd = s.finishDisconnect(msg)
	default:
		return nil
	}
	s.syncView()
	return cmd
}

// SetSize sets the size of the screen in cells.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = max(0, width), max(0, height)
	s.syncView()
}

// SetTheme sets the colours and styles.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme, s.inks = t, newInks(t)
	s.accounts.SetTheme(t)
	s.connections.SetTheme(t)
	s.imports.SetTheme(t)
	s.intake.table.SetTheme(t)
	s.intake.files.SetTheme(t)
	s.intake.lines.SetTheme(t)
	s.detail.SetTheme(t)
	s.syncView()
}

// syncView updates tables, sizes and the details. It is called after every change of state.
func (s *Screen) syncView() {
	value, _ := s.contents.Value()
	counts := value.counts()
	if counts[s.list] == 0 {
		s.switchList(1)
	}
	for list, t := range s.tables() {
		t.Invalidate()
		reach := counts[list]
		if focus(list) != s.list {
			reach = 0 // the cursor is shown only in the list with the focus
		}
		t.SetRows(reach, counts[list])
	}
	s.nameMonths()
	widen(s.accounts, accountRows{s}, len(value.Accounts))
	widen(s.connections, connectionRows{s}, len(value.connections))
	s.showDetail()
	s.arrange()
	s.intake.clamp(s)
}

// Back closes what was opened last, or cancels the running command. It returns false if there was
// neither.
func (s *Screen) Back() bool {
	d := s.dialog()
	switch {
	case d != nil:
		d.back()
	case s.opened:
		s.opened = false
	case s.outcome.text != "":
		s.outcome = outcome{}
	default:
		return false
	}
	s.syncView()
	return true
}

// State returns what the dialog does with keys and what leaving would cancel, and the accounts for
// the finder.
func (s *Screen) State() views.State {
	state := views.State{Fetched: []resource.State{s.contents.State()}, Records: s.records}
	if d := s.dialog(); d != nil {
		state.Typing, state.Unfinished = d.edit != nil || d.typing, d.leaving
	}
	return state
}

// copy returns the command that copies the selected import's id or the selected account.
func (s *Screen) copy() tea.Cmd {
	if i := s.selectedImport(); i != nil {
		return views.PutOnClipboard("the import's id", i.ID)
	}
	if c := s.selectedConnection(); c != nil {
		return views.PutOnClipboard("the connection's name", c.Label)
	}
	if a := s.selectedAccount(); a != nil {
		return views.PutOnClipboard("the account", a.Label())
	}
	return nil
}

// stop cancels a running command whose result is no longer needed.
func (s *Screen) stop() {
	s.run.cancel()
	s.run = run{number: s.run.number + 1, cancel: func() {}}
}

// start cancels the running command, and returns the context and the number of a new one.
func (s *Screen) start(p progress) (context.Context, uint64) {
	s.run.cancel()
	ctx, cancel := context.WithCancel(s.env.Context)
	s.run = run{number: s.run.number + 1, cancel: cancel, progress: p}
	if p != nil {
		s.run.text = p.Text()
	}
	return ctx, s.run.number
}

// ended marks the running command as ended if the result is its own, and reports whether it is.
// Results of earlier commands must be ignored.
func (s *Screen) ended(number uint64) bool {
	if number != s.run.number {
		return false
	}
	s.run.cancel()
	s.run = run{number: number, cancel: func() {}}
	return true
}
