// Package spend is the page that says where the money goes: counterparties by amount, payments that
// recur, and why the net of one month differs from that of another. All figures are derived from
// the transactions of the snapshot's history, and each opens the transactions behind it.
package spend

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/snapshot"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/reading"
	"tarmac/views/parts/saveas"
	"tarmac/views/parts/table"
)

// Screen is the page Spend.
type Screen struct {
	views.Base

	data    *snapshot.Snapshot
	figures derived
	lists   [4]list
	tab     kind    // the list of figures that is shown, or from which rows were opened
	rows    *opened // the rows of a figure; nil while figures are shown
	choice  choice

	theme         theme.Theme
	inks          inks
	width, height int
	keys          keyMap
	detail        table.Detail
	details       bool // the pane with the details of a row is open
	frame         listdetail.Frame
	above, below  []string // drawn lines above and below the list

	reading reading.History
	input   input
	search  search
	visible bool
	today   civil.Date

	env views.Env
}

// kind identifies one of the lists of the page.
type kind int

const (
	counterparties kind = iota
	recurring
	changes
	transactions // the rows of a figure
)

// choice holds what the user has chosen to see.
type choice struct {
	direction apiclient.Direction
	months    int        // number of full months of the counterparties
	before    civil.Date // first day of the month with which the changes begin; zero means the last but one
	after     civil.Date // first day of the month with which the changes end; zero means the last full month
}

// input is the open prompt or question.
type input struct {
	prompt   listdetail.Prompt
	months   bool // the prompt asks for two months, not for a filter
	problem  string
	question masked.Question
	file     saveas.Line
}

// New returns the page with the figures of the rows that env.Snapshot has so far.
func New(env views.Env) *Screen {
	s := &Screen{
		theme: env.Theme, data: env.Snapshot, env: env, reading: reading.New(env), keys: newKeyMap(),
		choice: choice{direction: apiclient.Outflow, months: periods[0]},
		input: input{
			question: masked.NewQuestion(), file: saveas.New(env.Places),
		},
	}
	s.makeLists()
	s.SetTheme(env.Theme)
	s.derive()
	s.arrange()
	return s
}

// Show opens the figures that a views.SpendTarget names. It ignores targets of other types.
func (s *Screen) Show(target any) tea.Cmd {
	t, ok := target.(views.SpendTarget)
	if !ok {
		return nil
	}
	s.closeInput()
	s.showTab(map[views.SpendFigures]kind{
		views.SpendByCounterparty: counterparties, views.SpendRecurring: recurring, views.SpendChanges: changes,
	}[t.Figures])
	s.arrange()
	return s.searchDue()
}

// SetVisible tells the page whether it is visible. A hidden page does not look for payments that
// recur.
func (s *Screen) SetVisible(visible bool) {
	s.visible = visible
	s.arrange() // ages may have changed meanwhile
}

// Update handles keys, pastes, ticks, new rows of the history and the outcomes of commands.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		cmd = s.key(msg)
	case tea.PasteMsg:
		s.paste(msg)
	case snapshot.Result:
		if s.data.History.Ledger() != s.figures.ledger {
			s.derive()
		}
	case views.Tick:
		if s.today != civil.Of(msg.Now) {
			s.derive()
		}
	case found:
		s.storeRecurring(msg)
	case saveas.Written:
		cmd = s.input.file.Take(msg)
	default:
		return nil
	}
	s.arrange()
	return tea.Batch(cmd, s.searchDue())
}

func (s *Screen) paste(msg tea.PasteMsg) {
	s.input.file.Paste(msg)
	if s.input.prompt.Typing() {
		s.input.prompt.Paste(msg)
	}
}

func (s *Screen) key(press tea.KeyPressMsg) tea.Cmd {
	switch {
	case s.input.question.Open():
		return s.input.question.Answer(press)
	case s.input.file.Open():
		return s.input.file.Press(press)
	case s.input.prompt.Typing():
		s.typed(press)
		return nil
	}
	if cmd, handled := s.reading.Answer(press); handled {
		return cmd
	}
	return s.command(press)
}

func (s *Screen) command(press tea.KeyPressMsg) tea.Cmd {
	s.input.problem = ""
	k, l := &s.keys, s.list()
	switch {
	case key.Matches(press, k.Next):
		s.showTab((s.tab + 1) % transactions)
	case key.Matches(press, k.Previous):
		s.showTab((s.tab + transactions - 1) % transactions)
	case key.Matches(press, k.Direction):
		s.setDirection(otherDirection(s.choice.direction))
	case key.Matches(press, k.Months):
		s.chooseMonths()
	case key.Matches(press, k.Older):
		s.moveMonths(-1)
	case key.Matches(press, k.Newer):
		s.moveMonths(1)
	case key.Matches(press, k.Sort):
		s.setOrder(l, (l.order+1)%len(l.content.orders()))
	case key.Matches(press, k.Filter):
		s.input.months = false
		s.input.prompt.Open("Filter   ", l.content.hint(), 200, l.text)
	case key.Matches(press, k.RemoveLast):
		s.removeChip(len(s.chips()) - 1)
	case key.Matches(press, k.RemoveAll):
		for len(s.chips()) > 0 {
			s.removeChip(len(s.chips()) - 1)
		}
	case key.Matches(press, k.Copy):
		return s.copy()
	case key.Matches(press, k.Export):
		return s.export()
	case key.Matches(press, k.Open):
		s.open()
	case key.Matches(press, k.Back):
		s.Back()
	case s.details && s.scrollDetails(press):
	default:
		l.table.Update(press, k.Navigation)
	}
	return nil
}

// scrollDetails scrolls the open details if the key is a page key, and reports whether it is one.
func (s *Screen) scrollDetails(press tea.KeyPressMsg) bool {
	lines, ok := s.keys.PageMove(press, s.detail.Rows())
	s.detail.Scroll(lines)
	return ok
}

// typed handles a key while the prompt is open.
func (s *Screen) typed(press tea.KeyPressMsg) {
	switch {
	case key.Matches(press, s.keys.Cancel):
		s.closeInput()
	case !key.Matches(press, s.keys.Apply):
		s.input.problem = ""
		s.input.prompt.Press(press)
	case s.input.months:
		s.applyMonths(s.input.prompt.Text())
	default:
		s.setText(s.list(), s.input.prompt.Text())
		s.closeInput()
	}
}

func (s *Screen) closeInput() {
	s.input.problem = ""
	s.input.prompt.Close()
	s.input.question.Close()
	s.input.file.Close()
}

// showTab shows one of the lists of figures.
func (s *Screen) showTab(tab kind) {
	s.tab, s.rows, s.details = tab, nil, false
	s.lists[transactions].text = ""
}

// Typing reports whether a prompt or a question is open, so that key presses belong to it.
func (s *Screen) Typing() bool {
	return s.input.prompt.Typing() || s.input.question.Open() || s.input.file.Open()
}

// Back closes the innermost of these that is open: a prompt or question, the details of a row, the
// rows of a figure. It returns false if none was open.
func (s *Screen) Back() bool {
	switch {
	case s.Typing():
		s.closeInput()
	case s.details:
		s.details = false
	case s.rows != nil:
		s.showTab(s.tab)
	default:
		return false
	}
	s.arrange()
	return true
}

// list returns the list that is shown.
func (s *Screen) list() *list {
	if s.rows != nil {
		return &s.lists[transactions]
	}
	return &s.lists[s.tab]
}

func otherDirection(d apiclient.Direction) apiclient.Direction {
	if d == apiclient.Outflow {
		return apiclient.Inflow
	}
	return apiclient.Outflow
}

// derived holds what is derived from a ledger.
type derived struct {
	ledger         *spending.Ledger
	counterparties []spending.Counterparty
	totals         spending.Totals // of the months of counterparties
	bridge         spending.Bridge
	parts          []spending.Change // parts of bridge, in the order of the list
	fits           bool              // no sum of bridge overflows
	recurring      []spending.Recurring
	pairs          []spending.Pair // rows that may be transfers between own accounts
	suspected      map[int]bool    // indices of the rows of pairs
}
