// Package transactions is the screen of the ledger. It lists millions of rows page by page,
// with filters, totals of the whole filter and transaction details. It seeks dates, percentages
// and rows, and exports to files (docs/api.md, Transaction list, Transaction totals).
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
	state  resource.Resource[apiclient.Summary] // totals, with the state of the latest request
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
	seek    *seekState // the running seek; nil if there is none
	seeks   uint64     // number of seeks started
	exports exports

	env    views.Env
	source Source
}

// window is the position of the rows in memory within the listing.
type window struct {
	head        headMark  // head of the listing, from the last answer that started there
	upper       above     // rows being read above the run
	scrollingUp bool      // the cursor last moved up
	counted     time.Time // time of the last recount
}

// detail is the pane that shows one transaction.
type detail struct {
	table.Detail
	open  bool
	shown string // ID of the transaction drawn in it; "" forces a redraw
	last  string // ID of the previous transaction
}

// input is the open prompt or question.
type input struct {
	prompt   listdetail.Prompt
	kind     kind                   // what the prompt takes: a filter, a position or a file name
	copying  *apiclient.Transaction // the transaction to copy from; nil if none
	question masked.Question
	problem  string // problem with the typed text
}

// request controls the next request.
type request struct {
	cancel context.CancelFunc // cancels the running request
	urgent bool               // send the next request without waiting for the running one
	renew  bool               // fetch the newest page again
	newest string             // ID of the newer transaction last looked for
}

// exports holds the file exports.
type exports struct {
	preparing *exporting // rows are being fetched
	running   *exporting // rows are being fetched
	started   uint64
}

// headMark is the newest row of a listing and the number of its rows.
type headMark struct {
	date civil.Date
	rows int
	id   string
}

// New returns the screen.
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

// Init requests the newest page.
func (s *Screen) Init() tea.Cmd { return s.advance() }

// Refresh requests the newest page again, whatever the result of the last request.
func (s *Screen) Refresh() tea.Cmd {
	s.request.renew = true
	if s.state.Waiting() {
		return nil
	}
	return s.fetch(want{part: head})
}

// Update handles a message.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	var told tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch {
		case s.input.question.Open():
			told = s.input.question.Answer(msg)
		case s.input.copying != nil:
			told = s.choose(msg)
		case s.input.prompt.Typing():
			told = s.typed(msg)
		default:
			told = s.key(msg)
		}
	case Begun:
		s.exportCreated(msg)
	case Exported:
		told = s.exported(msg)
	case tea.PasteMsg:
		if s.input.prompt.Typing() && s.exports.preparing == nil {
			s.input.prompt.Paste(msg)
		}
		return nil
	case Loaded:
		s.loaded(msg)
	case snapshot.Result:
		s.follow()
	case views.Tick:
	default:
		return nil
	}
	s.arrange()
	return tea.Batch(told, s.advance(), s.continueExport())
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
		s.ask(toPlace, "2024-03, last year, 50%, row 1200", 60, "")
	case key.Matches(press, k.Share):
		s.ask(toShare, "0 is the newest, 100 the oldest", 8, "")
	case key.Matches(press, k.Export):
		return s.input.question.Ask(s.theme, "Export", "the file", func() tea.Cmd {
			s.ask(toFile, "a name that ends in .csv or .json", 4096, s.exportName())
			return nil
		})
	case key.Matches(press, k.Copy):
		s.input.copying, _ = s.store.row(s.table.Cursor())
	case key.Matches(press, k.Bottom):
		s.seekTo(target{Position: position.Oldest})
	case key.Matches(press, k.Top) && s.store.inside():
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

// scrollDetail scrolls the open detail on page keys and reports whether it did. Line keys move
// to the next transaction instead.
func (s *Screen) scrollDetail(press tea.KeyPressMsg) bool {
	lines, ok := s.keys.Pages(press, s.detail.Rows())
	s.detail.Scroll(lines)
	return ok
}

func (s *Screen) ask(k kind, hint string, limit int, value string) {
	s.input.kind = k
	label := "Filter   "
	switch k {
	case byPeriod:
		label = "Dates    "
	case toPlace:
		label = "Go to    "
	case toShare:
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

// apply uses the typed text: sets a filter, seeks a position or starts an export. Empty text
// removes the filter. Invalid text shows a problem and stays in the prompt.
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
	case toShare, toPlace:
		if s.input.kind == toShare && !strings.HasSuffix(text, "%") {
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

// setFilter changes the filter, drops the rows of the old one and cancels its requests.
func (s *Screen) setFilter(f filter) {
	same := f.same(s.filter)
	s.filter = f
	if !same {
		s.detail.open = false
		s.restart()
	}
}

// Show replaces the filters with those of a views.TransactionsTarget.
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

// Typing reports whether a prompt is open, or a letter answers a question.
func (s *Screen) Typing() bool {
	return s.input.prompt.Typing() || s.input.copying != nil || s.input.question.Open()
}

// Back closes the innermost open part: the prompt, the seek, the detail or the export, in that
// order.
func (s *Screen) Back() bool {
	switch {
	case s.input.question.Open():
		s.input.question.Close()
	case s.input.copying != nil:
		s.input.copying = nil
	case s.input.prompt.Typing():
		s.leaveInput()
	case s.seekingPlace():
		s.seek = nil
	case s.detail.open:
		s.detail.open = false
	case s.exports.running != nil:
		s.endExport()
		s.input.problem = noneLeft
	default:
		return false
	}
	s.arrange()
	return true
}
