// Package transactions is the page that lists the ledger: filters, totals of all matching rows,
// details of a transaction, jumps to a date, percentage or row, and exports to files (docs/api.md,
// Transaction list, Transaction totals). Ledgers may have millions of rows, which it fetches page
// by page.
package transactions

import (
	"context"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/export"
	"tarmac/client/position"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/internal/civil"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/table"
)

// Screen is the page of transactions.
type Screen struct {
	views.Base

	data   *snapshot.Snapshot
	store  store
	state  resource.Resource[apiclient.Summary] // totals of the filter, and the state of the latest request
	filter filter
	window window

	theme         theme.Theme
	width, height int
	keys          keyMap
	rows          rows
	table         *table.Table
	detail        detail
	frame         listdetail.Frame
	input         input

	request request
	seek    *seekState // the running seek; nil without one
	seeks   uint64     // number of seeks started
	exports exports

	env    views.Env
	source Source
}

// window tracks the newest end of the listing and the rows above the store.
type window struct {
	head        headMark  // newest row when the newest page was last read
	upper       above     // rows above the store that are being read
	scrollingUp bool      // the last movement of the cursor was upward
	counted     time.Time // time of the last recount of row numbers
}

// detail is the pane that shows one transaction.
type detail struct {
	table.Detail
	open  bool
	shown string // ID of the transaction in the pane; "" if it must be filled again
	last  string // like shown, but never reset; a change scrolls to the top
}

// input is the open prompt or question above the list.
type input struct {
	prompt   listdetail.Prompt
	kind     kind                   // what the prompt asks for
	copying  *apiclient.Transaction // transaction to copy from; nil unless the choice of an item is open
	question masked.Question
	problem  string // message about the typed text or a failed jump
}

// request is what the screen knows about its running and its next request.
type request struct {
	cancel context.CancelFunc // cancels the running request
	urgent bool               // the next request cancels the running one
	renew  bool               // the newest page must be fetched again
	newest string             // ID of the transaction that last caused a request of the newest page
}

// exports holds the file exports.
type exports struct {
	preparing *exporting // the file is being created; nil if none is
	running   *exporting // rows are being fetched and written; nil if none are
	started   uint64     // number of exports started
}

// headMark is the newest row of the listing, with the number of rows at that time.
type headMark struct {
	date civil.Date
	rows int
	id   string
}

// New returns the screen without rows. Init requests them.
func New(env views.Env, source Source) *Screen {
	s := &Screen{
		env: env, source: source, data: env.Snapshot, keys: newKeyMap(), request: request{cancel: func() {}},
		input: input{prompt: listdetail.NewPrompt(), question: masked.NewQuestion()},
	}
	s.rows.store = &s.store
	s.table = table.New(columns(), &s.rows)
	s.rows.table = s.table
	s.frame = listdetail.Frame{List: s.table, Detail: &s.detail}
	s.SetTheme(env.Theme)
	return s
}

// Init returns the command that requests the newest page.
func (s *Screen) Init() tea.Cmd { return s.advance() }

// Refresh returns the command that requests the newest page again, even before a retry is due.
// While a request is running it returns nil, and the page is requested afterwards.
func (s *Screen) Refresh() tea.Cmd {
	s.request.renew = true
	if s.state.Waiting() {
		return nil
	}
	return s.fetch(pageRequest{kind: newestPage})
}

// Update handles a message.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch {
		case s.input.question.Open():
			cmd = s.input.question.Answer(msg)
		case s.input.copying != nil:
			cmd = s.copyChosen(msg)
		case s.input.prompt.Typing():
			cmd = s.typed(msg)
		default:
			cmd = s.key(msg)
		}
	case Begun:
		s.exportCreated(msg)
	case Exported:
		cmd = s.exported(msg)
	case tea.PasteMsg:
		if s.input.prompt.Typing() && s.exports.preparing == nil {
			s.input.prompt.Paste(msg)
		}
		return nil
	case Loaded:
		s.loaded(msg)
	case snapshot.Result:
		s.followOutage()
	case views.Tick:
	default:
		return nil
	}
	s.arrange()
	return tea.Batch(cmd, s.advance(), s.continueExport())
}

func (s *Screen) key(press tea.KeyPressMsg) tea.Cmd {
	s.input.problem = ""
	k := &s.keys
	switch {
	case key.Matches(press, k.Direction):
		s.setFilter(s.filter.nextDirection())
	case key.Matches(press, k.Dates):
		s.ask(byPeriod, "last month, oct, q3, ytd, 2026-03, 2026-01-01..2026-03-31", 60, s.filter.period.String())
	case key.Matches(press, k.Keyword):
		s.ask(byKeyword, "in counterparty, memo, reference or category", 200, s.filter.keyword)
	case key.Matches(press, k.RemoveLast):
		s.setFilter(s.filter.withoutLast())
	case key.Matches(press, k.GoTo):
		s.ask(toPosition, "2024-03, last year, 50%, row 1200", 60, "")
	case key.Matches(press, k.Share):
		s.ask(toPercent, "0 is the newest, 100 the oldest", 8, "")
	case key.Matches(press, k.Export):
		return s.input.question.Ask(s.theme, "Export", "the file", func() tea.Cmd {
			s.ask(toFile, "a name that ends in .csv or .json", 4096, s.exportName())
			return nil
		})
	case key.Matches(press, k.Copy):
		s.input.copying, _ = s.store.row(s.table.Cursor())
	case key.Matches(press, k.Bottom):
		s.seekTo(target{Position: position.Oldest})
	case key.Matches(press, k.Top) && s.store.belowHead():
		s.seekTo(target{})
	case key.Matches(press, k.RemoveAll):
		s.setFilter(filter{})
	case key.Matches(press, k.Open):
		s.detail.open = s.table.Reach() > 0
	case key.Matches(press, k.Back):
		s.Back()
	case s.detail.open && s.scrollDetail(press):
	default:
		before := s.table.Cursor()
		if s.table.Update(press, k.Navigation) {
			s.window.scrollingUp = s.table.Cursor() < before
		}
	}
	return nil
}

// scrollDetail scrolls the open detail if the key is a page key, and reports whether it was. Keys
// for single lines move to the next transaction instead.
func (s *Screen) scrollDetail(press tea.KeyPressMsg) bool {
	lines, ok := s.keys.PageMove(press, s.detail.Rows())
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
	switch {
	case key.Matches(press, s.keys.Cancel):
		s.leaveInput()
	case s.exports.preparing != nil:
	case key.Matches(press, s.keys.Apply):
		return s.apply(s.input.prompt.Text())
	default:
		s.input.problem = ""
		s.input.prompt.Press(press)
	}
	return nil
}

// apply sets a filter, starts a jump or begins an export with the typed text. Empty text removes
// the filter. If the text is invalid, the prompt stays open and a message says why.
func (s *Screen) apply(text string) (cmd tea.Cmd) {
	var err error
	switch s.input.kind {
	case byKeyword:
		s.leaveInput()
		s.setFilter(s.filter.with(byKeyword, func(f *filter) { f.keyword = text }))
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

// setFilter changes the filter. Unless the new one selects the same rows, it drops all rows and
// cancels the running request.
func (s *Screen) setFilter(f filter) {
	same := f.same(s.filter)
	s.filter = f
	if !same {
		s.detail.open = false
		s.restart()
	}
}

// Show replaces the filter by that of a views.TransactionsTarget. It ignores other targets.
func (s *Screen) Show(target any) tea.Cmd {
	t, ok := target.(views.TransactionsTarget)
	if !ok {
		return nil
	}
	s.leaveInput()
	s.input.copying = nil
	s.input.question.Close()
	s.setFilter(filterFor(t))
	s.arrange()
	return s.advance()
}

func (s *Screen) restart() {
	s.request.cancel()
	s.state.Forget()
	s.store = store{}
	s.request.renew, s.request.newest, s.detail.shown = false, "", ""
	s.window.head, s.seek, s.window.upper, s.window.scrollingUp = headMark{}, nil, above{}, false
	s.table.SetRows(0, 0)
	s.table.Invalidate()
}

// Typing reports whether a prompt or a question is open.
func (s *Screen) Typing() bool {
	return s.input.prompt.Typing() || s.input.copying != nil || s.input.question.Open()
}

// Back ends the innermost of these and reports whether there was one: a question, a prompt, a seek,
// the detail, an export.
func (s *Screen) Back() bool {
	switch {
	case s.input.question.Open():
		s.input.question.Close()
	case s.input.copying != nil:
		s.input.copying = nil
	case s.input.prompt.Typing():
		s.leaveInput()
	case s.seekingByUser():
		s.seek = nil
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
