// Package transactions is the page that lists the ledger: filters, totals of all matching
// transactions, details of one transaction, jumps to a date, percentage or row, and exports to
// files (docs/api.md, Transaction list, Transaction totals). A ledger may have millions of
// transactions, which the page fetches in parts.
package transactions

import (
	"cmp"
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/annotations"
	"tarmac/client/export"
	"tarmac/client/position"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/internal/civil"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/annotate"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/table"
)

// Screen is the page of transactions.
type Screen struct {
	views.Base

	data    *snapshot.Snapshot
	reports string // currency of the snapshot's figures when it last changed
	store   store
	state   resource.Resource[apiclient.Summary] // totals of all matching rows, and the state of the latest request
	filter  filter
	own     filter // the filter that the user set last; unlike filter, no other page sets it
	window  window
	sorting sorting
	drawn   drawnTotals

	theme         theme.Theme
	width, height int
	nav           views.Navigation
	actions       actions
	rows          rows
	table         *table.Table
	detail        detail
	frame         listdetail.Frame
	input         input

	request  request
	annotate *annotate.Editor
	seek     *seekState // the running seek; nil if none is running
	seeks    uint64     // number of seeks started so far
	exports  exports

	env    views.Env
	source Source
}

// window tracks the newest row of the listing, and the rows between it and the store.
type window struct {
	head        headMark  // newest row of the listing when its first page was last fetched
	upper       newerRows // rows newer than those in the store, while they are being fetched
	scrollingUp bool      // the cursor last moved up
	counted     time.Time // time of the last recount of row numbers
}

// detail is the pane that shows one transaction.
type detail struct {
	table.Detail
	open  bool
	shown string // ID of the transaction in the pane; "" makes arrange fill the pane again
	last  string // ID of the last transaction in the pane; if it changes, the pane scrolls to the top
}

// input is the open prompt or question above the list.
type input struct {
	prompt   listdetail.Prompt
	kind     kind                   // what the prompt asks for
	copying  *apiclient.Transaction // transaction to copy from while the user chooses what to copy; otherwise nil
	question *masked.Question
	problem  string // message about the typed text or a failed jump
}

// request is the state of the screen's running request, and what the next request must do.
type request struct {
	cancel context.CancelFunc // cancels the running request
	urgent bool               // the next request replaces the running one
	renew  bool               // the newest page must be fetched again
	newest string             // ID of the newest transaction for which the newest page was requested last
}

// exports holds the export that is being prepared and the one that is running.
type exports struct {
	preparing *exporting // the export whose file is being created; nil if there is none
	running   *exporting // the export that fetches and writes rows; nil if there is none
	started   uint64     // number of exports started so far
}

// headMark is the newest row of the listing and the number of rows when it was fetched.
type headMark struct {
	date civil.Date
	rows int
	id   string
}

// New returns the screen without transactions. The command of Init requests them.
func New(env views.Env, source Source) *Screen {
	s := &Screen{
		env: env, source: source, data: env.Snapshot, nav: views.NewNavigation(), request: request{cancel: func() {}},
		input: input{question: masked.NewQuestion()},
	}
	s.rows.annotated = cmp.Or(env.Annotations, annotations.NewFile(nil))
	s.annotate = annotate.New(s.rows.annotated, s.categories)
	s.actions = s.newActions()
	s.rows.row = s.row
	s.table = table.New(columns(), &s.rows)
	for _, column := range [...]int{totalsColumn, categoryColumn} {
		s.table.Hide(column, true)
	}
	s.rows.table = s.table
	s.frame = listdetail.Frame{List: s.table, Detail: &s.detail}
	s.SetTheme(env.Theme)
	return s
}

// Init returns the command that requests the newest page.
func (s *Screen) Init() tea.Cmd { return s.advance() }

// Refresh returns the command that requests the newest page again, even if a scheduled retry is not
// due yet. While a request is running, it returns nil; the newest page is then requested
// afterwards. If the list is sorted, all rows are read again instead.
func (s *Screen) Refresh() tea.Cmd {
	if s.sorting.order != byDate || s.sorting.whole {
		s.readAll(s.sorting.order)
		return s.advance()
	}
	s.request.renew = true
	if s.state.Waiting() {
		return nil
	}
	return s.fetch(pageRequest{kind: newestPage})
}

// Update handles keys, pastes, responses, ticks and new data of the snapshot.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch {
		case s.input.question.Open():
			cmd = s.input.question.Press(msg)
		case s.input.copying != nil:
			cmd = s.copyChosen(msg)
		case s.annotate.Open():
			cmd = s.annotate.Press(msg)
		case s.input.prompt.Typing():
			cmd = s.typed(msg)
		default:
			cmd = s.key(msg)
		}
	case Begun:
		s.exportCreated(msg)
	case Exported:
		cmd = s.exported(msg)
	case annotate.Saved:
		return s.annotate.Take(msg)
	case views.Annotated:
		s.annotated()
	case tea.PasteMsg:
		if s.annotate.Open() {
			s.annotate.Paste(msg)
			return nil
		}
		if s.input.prompt.Typing() && s.exports.preparing == nil {
			s.input.prompt.Paste(msg)
		}
		return nil
	case Loaded:
		s.loaded(msg)
	case snapshot.Result:
		s.followOutage()
		s.followCurrency()
	case views.Tick:
	default:
		return nil
	}
	s.arrange()
	return tea.Batch(cmd, s.advance(), s.continueExport())
}

func (s *Screen) key(press tea.KeyPressMsg) tea.Cmd {
	s.input.problem = ""
	if cmd, taken := s.actions.list.Press(press); taken {
		return cmd
	}
	if cmd, taken := s.actions.share.Press(press); taken {
		return cmd
	}
	before := s.table.Cursor()
	switch {
	case !s.listed():
	case s.detail.open && s.scrollDetail(press):
	case s.table.Update(press, s.nav):
		s.window.scrollingUp = s.table.Cursor() < before
	}
	return nil
}

// scrollDetail scrolls the open detail pane if the key is a page key, and reports whether it is
// one. Keys for single lines move to the next transaction instead.
func (s *Screen) scrollDetail(press tea.KeyPressMsg) bool {
	lines, ok := s.nav.PageMove(press, s.detail.Rows())
	s.detail.Scroll(lines)
	return ok
}

func (s *Screen) ask(k kind, hint string, limit int, value string) {
	s.input.kind = k
	label := "Filter   "
	switch k {
	case byPeriod:
		label = "Dates    "
	case toPosition:
		label = "Go to    "
	case toPercent:
		label = "Go to %  "
	case toFile:
		label = export.PromptLabel
	}
	s.input.prompt.Open(label, hint, limit, value)
}

func (s *Screen) typed(press tea.KeyPressMsg) tea.Cmd {
	cmd, taken := s.actions.prompt.Press(press)
	if !taken && s.exports.preparing == nil {
		s.input.problem = ""
		s.input.prompt.Press(press)
	}
	return cmd
}

// apply uses the text typed in the prompt: it sets a filter, jumps to a row or begins an export. An
// empty text removes the filter. If the text is invalid, the prompt stays open and a message says
// why.
func (s *Screen) apply(text string) (cmd tea.Cmd) {
	var err error
	switch s.input.kind {
	case byKeyword:
		var f filter
		if f, err = s.filter.withTyped(text, s.currency()); err == nil {
			s.leaveInput()
			s.setFilter(f)
		}
	case byPeriod:
		var p civil.Period
		if text != "" {
			p, err = civil.ParsePeriod(text, civil.Of(s.env.Now()))
		}
		if err == nil {
			s.leaveInput()
			s.setFilter(s.filter.with(byPeriod, func(f *filter) { f.period = p }))
		}
	case toPercent, toPosition:
		if s.input.kind == toPercent && !strings.HasSuffix(text, "%") {
			text += "%"
		}
		var to position.Position
		if to, err = position.Parse(text, civil.Of(s.env.Now())); err == nil {
			s.leaveInput()
			s.seekTo(target{Position: to})
		}
	case toFile:
		cmd, err = s.beginExport(text)
	}
	if err != nil {
		s.input.problem = err.Error()
	}
	return cmd
}

func (s *Screen) leaveInput() {
	s.input.problem = ""
	s.input.prompt.Close()
	if s.exports.preparing != nil {
		s.exports.preparing.cancel()
		s.exports.preparing = nil
	}
}

// setFilter changes the filter to one that the user has chosen.
func (s *Screen) setFilter(f filter) {
	s.own = f
	s.applyFilter(f)
}

// applyFilter changes the filter. If the new filter selects other transactions, applyFilter drops
// all rows and cancels the running request.
func (s *Screen) applyFilter(f filter) {
	same := f.same(s.filter)
	s.filter = f
	switch {
	case !same:
		s.detail.open = false
		s.restart()
	case s.isListing():
		s.sorting = sorting{}
		s.showRows()
	case s.store.known && !s.sorting.reading:
		s.searchMemory()
	}
}

// Show sets the filter that a views.TransactionsTarget describes. It ignores targets of other
// types.
func (s *Screen) Show(target any) tea.Cmd {
	t, ok := target.(views.TransactionsTarget)
	if !ok {
		return nil
	}
	s.leaveInput()
	s.input.copying = nil
	s.input.question.Cancel()
	s.closeAnnotate()
	s.applyFilter(filterFor(t))
	if t.ID != "" {
		s.seekRow(t.From, t.ID)
	}
	s.arrange()
	return s.advance()
}

func (s *Screen) restart() {
	s.request.cancel()
	s.state.Forget()
	s.store, s.sorting = store{}, sorting{}
	s.request.renew, s.request.newest, s.detail.shown = false, "", ""
	s.window.head, s.seek, s.window.upper, s.window.scrollingUp = headMark{}, nil, newerRows{}, false
	s.table.SetRows(0, 0)
	s.table.Hide(totalsColumn, true)
	s.showAnnotated(nil)
	s.table.Invalidate()
}

// Typing reports whether a prompt or a question is open, so that key presses belong to it.
func (s *Screen) Typing() bool {
	return s.input.prompt.Typing() || s.input.copying != nil || s.input.question.Open() || s.annotate.Open()
}

// Back closes the innermost of these that is open: a question, a prompt, a seek, the reading of
// rows to sort them, the detail pane, an export. It reports whether it closed any.
func (s *Screen) Back() bool {
	switch {
	case s.input.question.Open():
		s.input.question.Cancel()
	case s.input.copying != nil:
		s.input.copying = nil
	case s.annotate.Open():
		s.annotate.Cancel()
	case s.input.prompt.Typing():
		s.leaveInput()
	case s.seekingByUser():
		s.seek = nil
	case s.sorting.reading:
		s.cancelReading()
	case s.detail.open:
		s.detail.open = false
	case s.exports.running != nil:
		s.endExport()
		s.input.problem = exportCanceledText
	default:
		return false
	}
	s.arrange()
	return true
}
