// Package books is the page of own books: the accounts with their balances, covered days and
// proofs, the connections to providers, and the imports. It imports files, undoes imports, and
// connects, reads and disconnects providers.
//
// The page knows the books only as ownbooks.Books. Commands read the files and the books, so that
// Update never waits for a disk. An import is previewed first: the user sees what it changes,
// answers what files leave open, and then confirms it. The user can cancel a running import or its
// undoing. The page then waits for the result, which says whether the books have changed.
package books

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/client/ownbooks"
	"tarmac/client/resource"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/table"
)

// mode says what the page shows and which keys work.
type mode int

const (
	browsing       mode = iota
	naming              // the user types the files to import
	previewing          // the files are being read
	asking              // the user answers what a file leaves open
	confirming          // the preview is shown; the user confirms the import
	importing           // the import is running
	checking            // the page finds out what undoing an import removes
	confirmingUndo      // the user confirms the undoing of an import
	undoing             // the undoing is running

	choosingKind         // the user chooses a provider
	typingToken          // the user types the provider's token
	connecting           // the token is being checked, and the accounts are listed
	choosingAccounts     // the user chooses the accounts
	reading              // providers are being read
	confirmingRemoved    // the user is asked whether missing lines may be removed
	confirmingDisconnect // the user is asked whether a provider is disconnected
	disconnecting        // the provider is being disconnected
)

// Screen is the page of own books.
type Screen struct {
	views.Base

	contents    resource.Resource[contents]
	accounts    *table.Table
	connections *table.Table
	imports     *table.Table
	detail      table.Detail
	list        focus  // the list whose row is selected
	rows        [3]int // rows of the cursors in the other lists, by focus
	opened      bool   // the details take the whole page

	theme         theme.Theme
	inks          inks
	width, height int
	keys          keyMap

	mode    mode
	intake  intake
	undo    undo
	connect connect
	run     run
	outcome outcome

	visible    bool
	background bool // the terminal does not have the focus

	env   views.Env
	books ownbooks.Books

	providers ownbooks.Providers // nil if providers cannot be connected
}

// run describes the running command: a search for files, a preview, an import or the undoing of
// one. At most one command runs.
type run struct {
	number    uint64 // number of the latest command; results of earlier commands are ignored
	cancel    context.CancelFunc
	cancelled bool // the user has cancelled a change, whose end the page awaits
	progress  *ownbooks.Progress
	text      string // what progress said at the last tick
}

// outcome is what the page says about the latest import or undoing. It is shown until the user
// closes it or starts another one.
type outcome struct {
	text    string
	problem bool
}

// New returns the screen. It fetches nothing until the command of Init runs.
func New(env views.Env) *Screen {
	s := &Screen{env: env, books: env.Books, providers: env.Providers, keys: newKeyMap(), intake: newIntake()}
	s.run.cancel = func() {}
	s.accounts = table.New(accountColumns(), accountRows{s})
	s.connections = table.New(connectionColumns(), connectionRows{s})
	s.imports = table.New(importColumns(), importRows{s})
	s.intake.table = table.New(previewColumns(), previewRows{&s.intake, s})
	s.SetTheme(env.Theme)
	return s
}

// Init returns the command that reads the books.
func (s *Screen) Init() tea.Cmd { return s.fetch() }

// Refresh returns the command that reads the books again.
func (s *Screen) Refresh() tea.Cmd { return s.fetch() }

// Update handles keys, pastes, ticks, changes of the terminal's focus and results of commands.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		cmd = s.key(msg)
	case tea.PasteMsg:
		s.paste(msg)
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
	case completedMsg:
		s.storeCompletion(msg)
	case foundMsg:
		cmd = s.storeFiles(msg)
	case previewMsg:
		cmd = s.storePreview(msg)
	case importMsg:
		cmd = s.finishImport(msg)
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

// SetVisible tells the screen whether it is visible. A hidden screen reads nothing by itself.
func (s *Screen) SetVisible(visible bool) {
	s.visible = visible
	s.syncView()
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
	s.detail.SetTheme(t)
	s.syncView()
}

// syncView updates tables, sizes, the details and the enabled keys. It is called after every change
// of state.
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
	widen(s.accounts, accountRows{s}, len(value.Accounts))
	widen(s.connections, connectionRows{s}, len(value.connections))
	s.showDetail()
	s.arrange()
	s.intake.clamp(s)
	s.enable()
}

func (s *Screen) key(press tea.KeyPressMsg) tea.Cmd {
	switch s.mode {
	case browsing:
		return s.keyInList(press)
	case naming:
		return s.keyInNames(press)
	case asking:
		return s.keyInQuestion(press)
	case confirming:
		return s.keyInPreview(press)
	case confirmingUndo:
		if key.Matches(press, s.keys.Yes) {
			return s.startUndo()
		}
		if key.Matches(press, s.keys.No) {
			s.mode = browsing
		}
	case choosingKind, typingToken, choosingAccounts, confirmingRemoved, confirmingDisconnect:
		return s.keyInConnect(press)
	}
	return nil
}

func (s *Screen) keyInList(press tea.KeyPressMsg) tea.Cmd {
	k := &s.keys
	switch {
	case key.Matches(press, k.Import):
		s.openIntake()
	case key.Matches(press, k.Undo) && s.list != onImports:
		s.focusList(onImports)
		return views.Tell("choose an import and press u")
	case key.Matches(press, k.Undo):
		return s.checkUndo()
	case key.Matches(press, k.Copy):
		return s.copy()
	case key.Matches(press, k.Connect):
		return s.openConnect()
	case key.Matches(press, k.Sync):
		return s.syncNow()
	case key.Matches(press, k.Disconnect):
		return s.askDisconnect()
	case key.Matches(press, k.Other) && press.String() == "shift+tab":
		s.switchList(-1)
	case key.Matches(press, k.Other):
		s.switchList(1)
	case key.Matches(press, k.Open):
		s.opened = true
		s.detail.Top()
	case key.Matches(press, k.Back):
		s.Back()
	case s.opened:
		lines, _ := k.LineMove(press, s.detail.Rows())
		s.detail.Scroll(lines)
		return s.warnReadOnly(press)
	default:
		if s.tables()[s.list].Update(press, k.Navigation) {
			s.detail.Top()
			return nil
		}
		return s.warnReadOnly(press)
	}
	return nil
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

// Typing reports whether key presses are text, so that the root model's keys are disabled.
func (s *Screen) Typing() bool { return s.mode == naming || s.mode == asking || s.mode == typingToken }

// Back closes what was opened last, or cancels what is running. It reports whether it did anything.
func (s *Screen) Back() bool {
	switch s.mode {
	case naming, checking, confirmingUndo, choosingKind, confirmingRemoved, confirmingDisconnect:
		s.stop()
		s.mode = browsing
	case typingToken, choosingAccounts:
		s.closeConnect()
	case previewing, asking, confirming:
		s.stop()
		s.mode = naming
		s.intake.names.Focus()
	case importing, undoing, connecting, reading, disconnecting:
		s.run.cancelled = true
		s.run.cancel() // the result says whether the change was cancelled or has succeeded
	case browsing:
		switch {
		case s.opened:
			s.opened = false
		case s.outcome.text != "":
			s.outcome = outcome{}
		default:
			return false
		}
	}
	s.syncView()
	return true
}

// stop cancels a running command whose result is not needed any more.
func (s *Screen) stop() {
	s.run.cancel()
	s.run = run{number: s.run.number + 1, cancel: func() {}}
}

// start cancels the running command, and returns the context and the number of a new one.
func (s *Screen) start(progress *ownbooks.Progress) (context.Context, uint64) {
	s.run.cancel()
	ctx, cancel := context.WithCancel(s.env.Context)
	s.run = run{number: s.run.number + 1, cancel: cancel, progress: progress}
	return ctx, s.run.number
}

// ended reports whether the result with the given number belongs to the running command. If so, no
// command runs any more. Results of earlier commands must be ignored.
func (s *Screen) ended(number uint64) bool {
	if number != s.run.number {
		return false
	}
	s.run.cancel()
	s.run = run{number: number, cancel: func() {}}
	return true
}

func (s *Screen) paste(msg tea.PasteMsg) {
	switch s.mode {
	case naming:
		s.editNames(msg)
	case asking:
		s.editAnswer(msg)
	case typingToken:
		s.editToken(msg)
	}
}
