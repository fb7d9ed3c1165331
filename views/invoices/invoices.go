// Package invoices is the screen of invoices: the newest ones by status, the details of one
// with its timeline, and its PDF saved to a file (docs/api.md, Invoice list, Invoice PDF).
package invoices

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/filters"
	"tarmac/client/snapshot"
	"tarmac/internal/civil"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/saveas"
	"tarmac/views/parts/table"
)

// Screen is the page of invoices: one list per status, each on its own tab, and a detail pane.
type Screen struct {
	views.Base

	data   *snapshot.Snapshot
	lists  [len(tabs)]listing
	tab    int // index into tabs
	single singleInvoice
	filter filter
	shown  []*apiclient.Invoice // invoices of the tab's list that pass the filters
	today  civil.Date           // day from which relative due dates such as "in 3 days" are counted

	theme         theme.Theme
	inks          inks
	width, height int
	nav           views.Navigation
	actions       actions
	table         *table.Table
	detail        detail
	frame         listdetail.Frame
	search        *listdetail.Filter
	question      *masked.Question
	file          *saveas.Line
	layers        views.Layers // question, file and search

	opened        bool   // false until the page is first opened; it fetches nothing before
	checkedEvents uint64 // value of Feed.TotalReceived when events were last checked
	created       string // ID of a newly created invoice, which gets the cursor once it is listed
	saving        string // number of the invoice whose PDF is being fetched

	env    views.Env
	source Source
}

// filter holds the filters of the shown list. All of them must match.
type filter struct {
	customer    string // name of the invoiced customer; "" matches all
	pastDue     views.DaysPastDue
	receivables bool   // the list was opened from the receivables page
	owed        bool   // that page counts something for these filters
	search      string // text filter; "" matches all
}

// detail is the pane that shows one invoice.
type detail struct {
	table.Detail
	open  bool
	shown detailContent
}

// detailContent identifies what the detail pane shows: an invoice, and the day from which its
// relative due date is counted.
type detailContent struct {
	invoice *apiclient.Invoice
	today   civil.Date
}

// New returns the screen. It fetches nothing until Init or Show is called.
func New(env views.Env, source Source) *Screen {
	s := &Screen{
		env: env, source: source, data: env.Snapshot, nav: views.NewNavigation(),
		question: masked.NewQuestion(), file: saveas.New(env.Places),
	}
	s.search = listdetail.NewFilter("number, recipient, e-mail, description or id",
		func() string { return s.filter.search }, s.setSearch)
	s.layers = views.Layers{s.question, s.file, s.search}
	s.actions = s.newActions()
	s.table = table.New(columns(), s)
	s.frame = listdetail.Frame{List: s.table, Detail: &s.detail}
	s.SetTheme(env.Theme)
	return s
}

// Init returns the command that fetches the newest invoices.
func (s *Screen) Init() tea.Cmd {
	s.opened = true
	return s.fetchDue()
}

// Refresh returns the command that fetches the shown invoice or list again, or nil while a request
// for it is pending.
func (s *Screen) Refresh() tea.Cmd {
	switch {
	case s.single.id != "" && !s.single.state.Waiting():
		return s.fetchSingle()
	case s.single.id == "" && !s.list().state.Waiting():
		return s.fetchList()
	}
	return nil
}

// Show opens an invoice by its ID (views.InvoiceTarget), or the list of a status filtered by
// customer, days past due and text (views.InvoicesTarget).
func (s *Screen) Show(target any) tea.Cmd {
	s.opened = true
	s.question.Cancel()
	s.file.Cancel()
	switch target := target.(type) {
	case views.InvoiceTarget:
		s.search.Close()
		s.single.show(target.ID)
		s.detail.open = false
		s.detail.Top()
		// Another page may have just created this draft. The event feed does not report drafts, so
		// the lists may lack it.
		s.markStale()
	case views.InvoicesTarget:
		s.search.Close()
		s.single.show("")
		s.detail.open = false
		s.filter.customer, s.filter.pastDue = strings.TrimSpace(target.Customer), target.PastDue
		s.filter.search = target.Search
		s.rememberCursor()
		s.showTab(tabOf(target.Status))
		s.filter.receivables, s.filter.owed = target.Search == "", target.Owed
	}
	s.arrange()
	return s.fetchDue()
}

// Update handles keys, pastes, responses, ticks, new invoices and new data of the snapshot.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		cmd = s.key(msg)
	case tea.PasteMsg:
		s.layers.Paste(msg)
	case views.InvoiceCreated:
		s.showCreated(msg.ID)
	case listMsg:
		cmd = s.storeList(msg)
	case invoiceMsg:
		s.storeInvoice(msg)
	case savedMsg:
		cmd = s.reportSaved(msg)
	case saveas.Written:
		cmd = s.file.Take(msg)
	case viewerClosed:
		cmd = msg.notice()
	case snapshot.Result:
		s.checkEvents(msg)
	case views.Tick:
	default:
		return nil
	}
	s.arrange()
	return tea.Batch(cmd, s.fetchDue())
}

func (s *Screen) key(press tea.KeyPressMsg) tea.Cmd {
	if cmd, taken := s.layers.Press(press); taken {
		return cmd
	}
	if cmd, taken := s.active().Press(press); taken {
		return cmd
	}
	switch {
	case !s.one():
	case (s.detail.open || s.alone()) && s.scrollDetail(press):
	case !s.alone():
		s.table.Update(press, s.nav)
	}
	return nil
}

// scrollDetail scrolls the open detail pane and reports whether the key scrolls it. Beside a list
// only page keys do, since the line keys move the list's cursor.
func (s *Screen) scrollDetail(press tea.KeyPressMsg) bool {
	move := s.nav.PageMove
	if s.alone() {
		move = s.nav.LineMove
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

// showTab shows the list of another tab. The tab after the last is the first, and vice versa.
func (s *Screen) showTab(tab int) {
	s.rememberCursor()
	s.single.show("")
	s.tab = (tab + len(tabs)) % len(tabs)
	s.filter.receivables = false
	s.detail.open = false
	s.applyFilter(s.list().at)
}

// rememberCursor stores the ID of the invoice under the cursor. The cursor returns to that invoice
// when the list is filtered or shown again.
func (s *Screen) rememberCursor() {
	if i, ok := s.invoice(s.table.Cursor()); ok {
		s.list().at = i.ID
	}
}

func (s *Screen) setSearch(text string) {
	if text == s.filter.search {
		return
	}
	s.rememberCursor()
	s.filter.search = text
	s.applyFilter(s.list().at)
}

// SavedFilter returns the text filter. Only the page Receivables sets the other filters.
func (s *Screen) SavedFilter() filters.Filter { return filters.Filter{Text: s.filter.search} }

// RestoreFilter sets the text filter that an earlier session saved.
func (s *Screen) RestoreFilter(f filters.Filter) tea.Cmd {
	s.setSearch(f.Text)
	s.arrange()
	return nil
}

// removeFilter removes the filter of a chip.
func (s *Screen) removeFilter(chip int) {
	_, off := s.chips()
	s.rememberCursor()
	off[chip]()
	s.filter.receivables = s.filter.receivables && (s.filter.customer != "" || s.filter.pastDue.Name != "")
	s.applyFilter(s.list().at)
}

// showCreated marks the lists as outdated and moves the cursor to a newly created draft once it is
// listed. It removes all filters. If the tab's status would hide the draft, it shows the tab of all
// invoices.
func (s *Screen) showCreated(id string) {
	s.filter.customer, s.filter.pastDue, s.filter.search, s.created = "", views.DaysPastDue{}, "", id
	if status := tabs[s.tab]; status != "" && status != apiclient.InvoiceDraft {
		s.showTab(0)
	}
	s.filter.receivables = false
	s.search.Close()
	s.markStale()
	s.applyFilter(s.list().at)
}

// Typing reports whether a prompt or a question is open, so that the root model's keys are
// disabled.
func (s *Screen) Typing() bool { return s.layers.Open() }

// Back closes what was opened last: a question or prompt, the detail pane, or else the text filter.
// It reports whether it closed anything. Back also closes an invoice that another screen opened,
// but then returns false, so that esc leads back to that screen.
func (s *Screen) Back() bool {
	closed := true
	switch {
	case s.layers.Cancel():
	case s.single.id != "":
		s.single.show("")
		closed = false
	case s.detail.open:
		s.detail.open = false
	case s.filter.search != "":
		s.setSearch("")
	default:
		return false
	}
	s.arrange()
	return closed
}
