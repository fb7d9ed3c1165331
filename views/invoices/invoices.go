// Package invoices is the screen of invoices: the newest ones by status, the details of one
// with its timeline, and its PDF as a file (docs/api.md, Invoice list, Invoice PDF).
package invoices

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/snapshot"
	"tarmac/internal/civil"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/saveas"
	"tarmac/views/parts/table"
)

// Screen is the page of invoices.
type Screen struct {
	views.Base

	data   *snapshot.Snapshot
	lists  [len(tabs)]listing
	tab    int // index into tabs
	single singleInvoice
	filter filter
	shown  []*apiclient.Invoice // invoices that pass the filter
	today  civil.Date

	theme         theme.Theme
	inks          inks
	width, height int
	keys          keyMap
	table         *table.Table
	detail        detail
	frame         listdetail.Frame
	prompt        listdetail.Prompt
	question      masked.Question
	file          saveas.Line

	opened  bool   // the screen was opened
	heard   uint64 // number of feed events already checked
	created string // ID of a new invoice: the cursor moves to it once it is listed
	saving  string // number of the invoice whose PDF is being fetched

	env    views.Env
	source Source
}

// filter restricts the list of a status.
type filter struct {
	customer    string // shows only this recipient's invoices; "" shows all
	pastDue     views.PastDue
	receivables bool // the list was opened from the receivables page
	search      string
	previous    string // search before the current edit, restored on cancel
}

// detail is the pane that shows one invoice.
type detail struct {
	table.Detail
	open  bool
	shown pane
}

// pane is the content of the detail: an invoice, and the day to which its texts refer.
type pane struct {
	invoice *apiclient.Invoice
	today   civil.Date
}

// New returns the screen.
func New(env views.Env, source Source) *Screen {
	s := &Screen{
		env: env, source: source, data: env.Snapshot, keys: newKeyMap(env.ReadOnly),
		prompt: listdetail.NewPrompt(), question: masked.NewQuestion(), file: saveas.New(env.Places),
	}
	s.table = table.New(columns(), s)
	s.frame = listdetail.Frame{List: s.table, Detail: &s.detail}
	s.SetTheme(env.Theme)
	return s
}

// Init requests the newest invoices.
func (s *Screen) Init() tea.Cmd {
	s.opened = true
	return s.advance()
}

// Refresh requests the shown data again, whatever the result of the last request.
func (s *Screen) Refresh() tea.Cmd {
	switch {
	case s.single.id != "" && !s.single.state.Waiting():
		return s.fetchSole()
	case s.single.id == "" && !s.list().state.Waiting():
		return s.fetchList()
	}
	return nil
}

// Show opens an invoice, or the list filtered by status, customer and days past due.
func (s *Screen) Show(target any) tea.Cmd {
	s.opened = true
	s.question.Close()
	s.file.Close()
	switch target := target.(type) {
	case views.InvoiceTarget:
		s.prompt.Close()
		s.single.show(target.ID)
		s.detail.open = false
		s.detail.Top()
		// The target may be newer than the lists: the feed does not report drafts.
		s.markStale()
	case views.InvoicesTarget:
		s.prompt.Close()
		s.single.show("")
		s.detail.open, s.filter.customer, s.filter.pastDue, s.filter.search = false, strings.TrimSpace(target.Customer), target.PastDue, ""
		s.mark()
		s.turn(tabOf(target.Status))
		s.filter.receivables = true
	}
	s.arrange()
	return s.advance()
}

// Update handles a message.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch {
		case s.question.Open():
			cmd = s.question.Answer(msg)
		case s.file.Open():
			cmd = s.file.Press(msg)
		case s.prompt.Typing():
			s.typed(msg)
		default:
			cmd = s.key(msg)
		}
	case tea.PasteMsg:
		s.file.Paste(msg)
		if !s.prompt.Typing() {
			return nil
		}
		s.prompt.Paste(msg)
		s.seek(s.prompt.Text())
	case views.InvoiceCreated:
		s.showCreated(msg.ID)
	case listed:
		cmd = s.listed(msg)
	case read:
		s.read(msg)
	case saved:
		cmd = s.saved(msg)
	case saveas.Written:
		cmd = s.file.Take(msg)
	case viewerClosed:
		cmd = msg.notice()
	case snapshot.Result:
		s.follow(msg)
	case views.Tick:
	default:
		return nil
	}
	s.arrange()
	return tea.Batch(cmd, s.advance())
}

func (s *Screen) key(press tea.KeyPressMsg) tea.Cmd {
	k := &s.keys
	switch {
	case key.Matches(press, k.NextStatus):
		s.turn(s.tab + 1)
	case key.Matches(press, k.PreviousStatus):
		s.turn(s.tab - 1)
	case key.Matches(press, k.Search):
		s.ask()
	case key.Matches(press, k.Remove):
		s.remove()
	case key.Matches(press, k.Open):
		s.detail.open = true
	case key.Matches(press, k.Back):
		s.Back()
	case key.Matches(press, k.Save):
		return s.confirmSave("Save", false)
	case key.Matches(press, k.View):
		return s.confirmSave("Open", true)
	case key.Matches(press, k.CopyNumber):
		return s.copy("the invoice's number", func(i *apiclient.Invoice) string { return i.Number })
	case key.Matches(press, k.CopyID):
		return s.copy("the invoice's id", func(i *apiclient.Invoice) string { return i.ID })
	case key.Matches(press, k.Export):
		s.file.Ask(s.listedTable, s.fileWords()...)
	case key.Matches(press, k.New):
		return views.Go(views.Propose, views.ProposeTarget{})
	case (s.detail.open || s.single.id != "") && s.scrollDetail(press):
	case s.single.id == "":
		s.table.Update(press, k.Navigation)
	}
	return nil
}

// scrollDetail scrolls the open detail on page keys and reports whether it did. Line keys
// scroll it only if no list is behind it.
func (s *Screen) scrollDetail(press tea.KeyPressMsg) bool {
	move := s.keys.PageMove
	if s.single.id != "" {
		move = s.keys.LineMove
	}
	lines, ok := move(press, s.detail.Rows())
	s.detail.Scroll(lines)
	return ok
}

func (s *Screen) copy(what string, of func(*apiclient.Invoice) string) tea.Cmd {
	if i, ok := s.current(); ok {
		return views.PutOnClipboard(what, of(i))
	}
	return nil
}

// turn shows the list of another tab and wraps around at the ends.
func (s *Screen) turn(tab int) {
	s.mark()
	s.single.show("")
	s.tab = (tab + len(tabs)) % len(tabs)
	s.filter.receivables = false
	s.detail.open = false
	s.choose(s.list().at)
}

// mark remembers which invoice of the list is under the cursor.
func (s *Screen) mark() {
	if i, ok := s.invoice(s.table.Cursor()); ok {
		s.list().at = i.ID
	}
}

func (s *Screen) ask() {
	s.filter.previous = s.filter.search
	s.prompt.Open("Filter  ", "number, recipient, e-mail, description or id", 200, s.filter.search)
}

// typed handles keys of the search prompt; the list follows each key.
func (s *Screen) typed(press tea.KeyPressMsg) {
	switch {
	case key.Matches(press, s.keys.Cancel):
		s.Back()
	case key.Matches(press, s.keys.Apply):
		s.prompt.Close()
	default:
		s.prompt.Press(press)
		s.seek(s.prompt.Text())
	}
}

func (s *Screen) seek(text string) {
	if text == s.filter.search {
		return
	}
	s.mark()
	s.filter.search = text
	s.choose(s.list().at)
}

// remove removes the search, or if there is none, the filters that the list was opened with.
func (s *Screen) remove() {
	if s.filter.search != "" {
		s.seek("")
		return
	}
	s.mark()
	s.filter.customer, s.filter.pastDue, s.filter.receivables = "", views.PastDue{}, false
	s.choose(s.list().at)
}

// showCreated shows a newly created invoice. It removes filters that could hide it.
func (s *Screen) showCreated(id string) {
	s.filter.customer, s.filter.pastDue, s.filter.search, s.created = "", views.PastDue{}, "", id
	if status := tabs[s.tab]; status != "" && status != apiclient.InvoiceDraft {
		s.turn(0)
	}
	s.filter.receivables = false
	s.prompt.Close()
	s.markStale()
	s.choose(s.list().at)
}

// Typing reports whether a prompt is open, or a letter answers a question.
func (s *Screen) Typing() bool { return s.prompt.Typing() || s.file.Open() || s.question.Open() }

// Back closes the innermost open part: a question or prompt, the detail or the search. It also
// closes an invoice that another screen opened, but reports false, so that esc returns to that
// screen.
func (s *Screen) Back() bool {
	closed := true
	switch {
	case s.question.Open():
		s.question.Close()
	case s.file.Open():
		s.file.Close()
	case s.prompt.Typing():
		s.prompt.Close()
		s.seek(s.filter.previous)
	case s.single.id != "":
		s.single.show("")
		closed = false
	case s.detail.open:
		s.detail.open = false
	case s.filter.search != "":
		s.seek("")
	default:
		return false
	}
	s.arrange()
	return closed
}
