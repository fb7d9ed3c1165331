// Package spend is the page that says where the money goes: counterparties by amount, payments that
// recur, and why the net of one month differs from that of another. All figures are derived from
// the transactions of the snapshot's history, and each opens the transactions behind it.
package spend

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/annotations"
	"tarmac/client/snapshot"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/annotate"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/reading"
	"tarmac/views/parts/saveas"
	"tarmac/views/parts/table"
)

// Screen is the page Spend.
type Screen struct {
	views.Base

	data    *snapshot.Snapshot
	known   *annotations.File
	figures derived
	lists   [4]list
	tab     kind    // the list of figures that is shown, or from which rows were opened
	sought  string  // name of the counterparty to which the cursor moves once it is known
	rows    *opened // the rows of a figure; nil while figures are shown
	choice  choice

	theme         theme.Theme
	inks          inks
	width, height int
	nav           views.Navigation
	actions       views.Actions
	detail        table.Detail
	details       bool // the pane with the details of a row is open
	frame         listdetail.Frame
	above, below  []string // drawn lines above and below the list

	reading *reading.History
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
	category  bool       // sums are by category instead of by counterparty, where any is known
	before    civil.Date // first day of the month with which the changes begin; zero means the last but one
	after     civil.Date // first day of the month with which the changes end; zero means the last full month
}

// New returns the page with the figures of the rows that env.Snapshot has so far.
func New(env views.Env) *Screen {
	s := &Screen{
		theme: env.Theme, data: env.Snapshot, env: env, reading: reading.New(env), nav: views.NewNavigation(),
		choice: choice{direction: apiclient.Outflow, months: periods[0]},
	}
	s.known = cmp.Or(env.Annotations, annotations.NewFile(nil))
	s.input = s.newInput()
	s.actions = s.newActions()
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
	s.input.layers.Cancel()
	s.showTab(map[views.SpendFigures]kind{
		views.SpendByCounterparty: counterparties, views.SpendRecurring: recurring, views.SpendChanges: changes,
	}[t.Figures])
	if month := t.Month; !month.IsZero() && !month.After(s.newestMonth()) && month.After(s.oldestMonth()) {
		since := t.Since
		if since.IsZero() {
			since = month.AddMonths(-1)
		}
		s.setCompared(since, month)
	}
	if s.sought = t.Counterparty; s.sought != "" {
		s.setCategory(false)
		s.setText(s.list(), "")
		s.findSought()
	}
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
		s.input.layers.Paste(msg)
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
	case annotate.Saved:
		return s.input.annotate.Take(msg)
	case views.Annotated:
		s.annotated()
	case saveas.Written:
		cmd = s.input.file.Take(msg)
	default:
		return nil
	}
	s.arrange()
	return tea.Batch(cmd, s.searchDue())
}

func (s *Screen) key(press tea.KeyPressMsg) tea.Cmd {
	if cmd, taken := s.input.layers.Press(press); taken {
		return cmd
	}
	if cmd, taken := s.reading.Answer(press); taken {
		return cmd
	}
	if cmd, taken := s.actions.Press(press); taken {
		return cmd
	}
	switch {
	case !s.listed():
	case s.details && s.scrollDetails(press):
	default:
		s.list().table.Update(press, s.nav)
	}
	return nil
}

// scrollDetails scrolls the open details if the key is a page key, and reports whether it is one.
func (s *Screen) scrollDetails(press tea.KeyPressMsg) bool {
	lines, ok := s.nav.PageMove(press, s.detail.Rows())
	s.detail.Scroll(lines)
	return ok
}

// showTab shows one of the lists of figures.
func (s *Screen) showTab(tab kind) {
	s.tab, s.rows, s.details = tab, nil, false
	s.lists[transactions].text = ""
}

// Typing reports whether a prompt or a question is open, so that key presses belong to it.
func (s *Screen) Typing() bool { return s.input.layers.Open() }

// Back closes what was opened last: a prompt or question, the details of a row, or the rows of a
// figure. It returns false if nothing was open.
func (s *Screen) Back() bool {
	switch {
	case s.input.layers.Cancel():
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
	categorized    bool // any row has a category
	counterparties []spending.Counterparty
	totals         spending.Totals // of the months of counterparties
	scale          money.Scale     // unit of the amounts of counterparties
	widestMonth    int             // width of the widest amount of a month
	widestTotal    int             // width of the widest amount of all months
	largestShare   int64           // in tenths of a percent
	sentence       string          // how much the newest month differs from the one before
	bridge         spending.Bridge
	parts          []spending.Change // parts of bridge, in the order of the list
	fits           bool              // no sum of bridge overflows
	recurring      []spending.Recurring
	yearlyScale    money.Scale     // unit of what a year of payments that recur comes to
	pairs          []spending.Pair // rows that may be transfers between own accounts
	suspected      map[int]bool    // indices of the rows of pairs
}
