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

	ctx     context.Context
	cancel  context.CancelFunc // of the request under way
	timeout time.Duration
	now     func() time.Time
	source  Source
	data    *snapshot.Snapshot

	places    export.Places
	beginning *exporting // its file is; what was typed stays until it is there
	export    *exporting // under way
	exports   uint64     // so many there were

	theme         theme.Theme
	width, height int
	keys          keyMap

	filter filter
	store  store
	state  resource.Resource[apiclient.Summary] // of the latest request
	renew  bool                                 // the newest page is wanted again
	sought string                               // the newer transaction last looked for

	head    headMark   // of the listing, by the last answer that began there
	seek    *seekState // under way; nil for none
	seeks   uint64     // so many there were
	urgent  bool       // the next request does not wait for the present one
	upper   above      // rows that are read above the run
	rising  bool       // the cursor went up last
	counted time.Time  // when the rows were counted anew

	rows   rows
	table  *table.Table
	detail table.Detail
	open   bool   // the detail is
	shown  string // the id of the transaction in it; "" when it is to be filled anew
	read   string // the id of the one that was in it last
	frame  listdetail.Frame
	prompt listdetail.Prompt
	typing kind // of what the prompt takes: a filter, a place or a file
	// choosing is the transaction of which something is to be copied; nil for none.
	choosing *apiclient.Transaction
	question masked.Question
	problem  string
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
		ctx: env.Context, cancel: func() {}, timeout: env.Timeout, now: env.Now, source: source, data: env.Snapshot,
		places: env.Places,
		keys:   newKeyMap(), prompt: listdetail.NewPrompt(), question: masked.NewQuestion(),
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
	s.renew = true
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
		case s.question.Open():
			told = s.question.Answer(msg)
		case s.choosing != nil:
			told = s.choose(msg)
		case s.prompt.Typing():
			told = s.typed(msg)
		default:
			told = s.key(msg)
		}
	case Begun:
		s.begun(msg)
	case Exported:
		told = s.exported(msg)
	case tea.PasteMsg:
		if s.prompt.Typing() && s.beginning == nil {
			s.prompt.Paste(msg)
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
	s.problem = ""
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
		return s.question.Ask(s.theme, "Export", "the file", func() tea.Cmd {
			s.ask(toFile, "a name that ends in .csv or .json", 4096, s.exportName())
			return nil
		})
	case key.Matches(press, k.Copy):
		s.choosing, _ = s.store.row(s.table.Cursor())
	case key.Matches(press, k.Bottom):
		s.seekTo(target{Position: position.Oldest})
	case key.Matches(press, k.Top) && s.store.inside():
		s.seekTo(target{})
	case key.Matches(press, k.RemoveAll):
		s.setFilter(filter{})
	case key.Matches(press, k.Open):
		s.open = s.table.Reach() > 0
	case key.Matches(press, k.Back):
		s.Back()
	case s.open && s.scrollDetail(press):
	default:
		before := s.table.Cursor()
		if s.table.Update(press, k.Navigation) {
			s.rising = s.table.Cursor() < before
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
	s.typing = k
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
	s.prompt.Open(label, hint, limit, value)
}

func (s *Screen) typed(press tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(press, s.keys.Cancel):
		s.leaveInput()
	case s.beginning != nil:
	case key.Matches(press, s.keys.Apply):
		return s.apply(s.prompt.Text())
	default:
		s.problem = ""
		s.prompt.Press(press)
	}
	return nil
}

// apply does what was typed for: puts on a filter, of which nothing takes it off,
// goes to a place, or begins an export. What cannot be is said, and stays.
func (s *Screen) apply(text string) (cmd tea.Cmd) {
	var err error
	switch s.typing {
	case byKeyword:
		s.leaveInput()
		s.setFilter(s.filter.with(byKeyword, func(f *filter) { f.keyword = text }))
	case byPeriod:
		var p civil.Period
		if text != "" {
			p, err = civil.ParsePeriod(text, civil.Of(s.now()))
		}
		if err == nil {
			s.leaveInput()
			s.setFilter(s.filter.with(byPeriod, func(f *filter) { f.period = p }))
		}
	case toShare, toPlace:
		if s.typing == toShare && !strings.HasSuffix(text, "%") {
			text += "%"
		}
		var to position.Position
		if to, err = position.Parse(text, civil.Of(s.now())); err == nil {
			s.leaveInput()
			s.seekTo(target{Position: to})
		}
	case toFile:
		cmd, err = s.beginExport(text)
	}
	if err != nil {
		s.problem = err.Error()
	}
	return cmd
}

func (s *Screen) leaveInput() {
	s.problem = ""
	s.prompt.Close()
	if s.beginning != nil {
		s.beginning.cancel()
		s.beginning = nil
	}
}

// setFilter asks another question: what was read for the old one is dropped, and
// so is what is still under way for it.
func (s *Screen) setFilter(f filter) {
	same := f.same(s.filter)
	s.filter = f
	if !same {
		s.open = false
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
	s.choosing = nil
	s.question.Close()
	s.setFilter(filterFor(t))
	s.arrange()
	return s.advance()
}

func (s *Screen) restart() {
	s.cancel()
	s.state.Forget()
	s.store = store{}
	s.renew, s.sought, s.shown = false, "", ""
	s.head, s.seek, s.upper, s.rising = headMark{}, nil, above{}, false
	s.table.SetRows(0, 0)
	s.table.Invalidate()
}

// Typing reports whether something is being typed, or a letter is an answer.
func (s *Screen) Typing() bool { return s.prompt.Typing() || s.choosing != nil || s.question.Open() }

// Back closes what is open: what is being typed, else a seek, else the
// detail, else the export.
func (s *Screen) Back() bool {
	switch {
	case s.question.Open():
		s.question.Close()
	case s.choosing != nil:
		s.choosing = nil
	case s.prompt.Typing():
		s.leaveInput()
	case s.seekingPlace():
		s.seek = nil
	case s.open:
		s.open = false
	case s.export != nil:
		s.endExport()
		s.problem = noneLeft
	default:
		return false
	}
	s.arrange()
	return true
}
