// Package transactions is the ledger's screen: a listing that feels local at a
// million rows, filters as chips, the server's summary of the whole filter, a
// transaction in full, ways to any date, share or row, and exports (docs/api.md,
// Transaction list, Transaction totals).
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

// Screen is the page.
type Screen struct {
	views.Base

	data   *snapshot.Snapshot
	store  store
	state  resource.Resource[apiclient.Summary] // of the latest request
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
	seek    *seekState // under way; nil for none
	seeks   uint64     // so many there were
	exports exports

	env    views.Env
	source Source
}

// window is where the rows in memory lie in the listing.
type window struct {
	head        headMark  // of the listing, by the last answer that began there
	upper       above     // rows that are read above the run
	scrollingUp bool      // the cursor went up last
	counted     time.Time // when the rows were counted anew
}

// detail is the pane with one transaction in full.
type detail struct {
	table.Detail
	open  bool
	shown string // the id of the transaction in it; "" when it is to be filled anew
	last  string // the id of the one that was in it last
}

// input is what the screen asks a person.
type input struct {
	prompt   listdetail.Prompt
	kind     kind                   // of what the prompt takes: a filter, a place or a file
	copying  *apiclient.Transaction // of which something is to be copied; nil for none
	question masked.Question
	problem  string // with what was typed
}

// request says which page is fetched next.
type request struct {
	cancel context.CancelFunc // of the one under way
	urgent bool               // the next one does not wait for it
	renew  bool               // the newest page is wanted again
	newest string             // the newer transaction last looked for
}

// exports are the files that are written.
type exports struct {
	preparing *exporting // its file is being created; what was typed stays until it is there
	running   *exporting // rows are being fetched
	started   uint64     // so many there were
}

// headMark is the newest row of a listing and how many there are.
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

// Init asks for the newest page.
func (s *Screen) Init() tea.Cmd { return s.advance() }

// Refresh asks for the newest page again, whatever the last attempt came to.
func (s *Screen) Refresh() tea.Cmd {
	s.request.renew = true
	if s.state.Waiting() {
		return nil
	}
	return s.fetch(want{part: head})
}

// Update takes a message.
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
		s.begun(msg)
	case Exported:
		told = s.exported(msg)
	case tea.PasteMsg:
		if s.input.prompt.Typing() && s.exports.preparing == nil {
			s.input.prompt.Paste(msg)
		}
		return nil
	case Loaded:
		s.loaded(msg)
	case snapshot.Answer:
		s.follow()
	case views.Tick:
	default:
		return nil
	}
	s.arrange()
	return tea.Batch(told, s.advance(), s.exportOn())
}

func (s *Screen) key(press tea.KeyPressMsg) tea.Cmd {
	s.input.problem = ""
	k := &s.keys
	switch {
	case key.Matches(press, k.Direction):
		s.setFilter(s.filter.turned())
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

// scrollDetail scrolls the open detail by the keys for pages. Single steps go on
// to the next transaction.
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
		label = export.Asking
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

// apply does what was typed for: puts on a filter, of which nothing takes it off,
// goes to a place, or begins an export. What cannot be is said, and stays.
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

// setFilter asks another question: what was read for the old one is dropped, and
// so is what is still under way for it.
func (s *Screen) setFilter(f filter) {
	same := f.same(s.filter)
	s.filter = f
	if !same {
		s.detail.open = false
		s.restart()
	}
}

// Show puts on the filters of a views.TransactionsTarget in the place of those
// that were on.
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

// Typing reports whether something is being typed, or a letter is an answer.
func (s *Screen) Typing() bool {
	return s.input.prompt.Typing() || s.input.copying != nil || s.input.question.Open()
}

// Back closes what is open: what is being typed, else a seek, else the
// detail, else the export.
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
