// Package spend is the page that says where the money goes: counterparties by amount, payments that
// recur, and why the net differs from one month to another. All figures are derived from
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
	"tarmac/views/parts/page"
	"tarmac/views/parts/reading"
)

// Screen is the page Spend.
type Screen struct {
	*page.Page

	known   *annotations.File
	figures derived
	lists   [4]list
	tab     kind    // the list of figures that is shown, or whose rows are
	sought  string  // the cursor moves to the counterparty with this name once it is known
	rows    *opened // the rows of a figure; nil while figures are shown
	choice  choice

	inks    inks
	below   []string // drawn lines below the list
	reading *reading.History
	input   input
	search  search
	today   civil.Date
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
	before    civil.Date // first day of the earlier of the compared months; zero means the last but one
	after     civil.Date // first day of the later of the compared months; zero means the last full month
}

// New returns the page with the figures of the rows that env.Snapshot has so far.
func New(env views.Env) *Screen {
	s := &Screen{
		Page: page.New(env), reading: reading.New(env),
		choice: choice{direction: apiclient.Outflow, months: periods[0]},
	}
	s.known = cmp.Or(env.Annotations, annotations.NewFile(nil))
	s.input = s.newInput()
	s.makeLists()
	keys := s.keys()
	s.Declare(page.Spec{
		Title: "Spend", Keys: func() views.Actions { return keys }, Body: body{s}, Head: s.head,
		Layers: views.Layers{s.input.annotate, s.input.filter, s.input.months},
		On:     s.on, Show: s.show, Due: s.searchDue, Before: s.reading.Answer,
		Help: func() []views.HelpGroup {
			return append(s.reading.Help(), keys.Help("Spend"), s.Nav.Help("List", s.listed()))
		},
		Sync: func() {
			if l := s.list(); l.width != s.Width {
				s.makeTable(l)
			}
		},
		Themed: func() { s.inks = newInks(s.Theme) },
		Kept:   s.kept, Restore: s.restore, State: s.describeState,
	})
	s.derive()
	return s
}

// show opens the figures that a views.SpendTarget names.
func (s *Screen) show(target any) (tea.Cmd, bool) {
	t, ok := target.(views.SpendTarget)
	if !ok {
		return nil, false
	}
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
		s.list().SetText("")
		s.findSought()
	}
	return nil, true
}

func (s *Screen) on(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case snapshot.Result:
		if s.Snapshot.History.Ledger() != s.figures.ledger {
			s.derive()
		}
	case views.Tick:
		if s.today != civil.Of(msg.Now) {
			s.derive()
		}
	case found:
		s.storeRecurring(msg)
	case annotate.Saved:
		return s.input.annotate.Take(msg), true
	case views.Annotated:
		s.annotated()
	default:
		return nil, false
	}
	return nil, true
}

// showTab shows one of the lists of figures.
func (s *Screen) showTab(tab kind) {
	s.tab, s.rows = tab, nil
	s.lists[transactions].Opened = false
	s.lists[transactions].Text = ""
}

// describeState adds whether a filter is set, money in or a text, and the places of the row.
func (s *Screen) describeState(is *views.State) {
	is.Places, is.Filtered = s.places, s.choice.direction == apiclient.Inflow
	for i := range s.lists {
		is.Filtered = is.Filtered || s.lists[i].Text != ""
	}
}

// body is the shown list with the lines below it.
type body struct{ screen *Screen }

func (b body) Arrange(width, height int) {
	b.screen.list().Arrange(width, height-len(b.screen.below))
}

func (b body) Move(press tea.KeyPressMsg) bool { return b.screen.list().Move(press) }
func (b body) Help() []views.HelpGroup         { return nil }

func (b body) Lines(width, height int) []string {
	below := b.screen.below
	lines := append(make([]string, 0, height), b.screen.lines(height-len(below))...)
	for _, line := range below {
		lines = append(lines, listdetail.Fit(line, width))
	}
	return lines
}

func (b body) Click(x, y int) tea.Cmd {
	if b.screen.emptyText() != "" {
		return nil
	}
	return b.screen.list().Click(x, y)
}

func (b body) SetTheme(t theme.Theme) {
	for i := range b.screen.lists {
		l := &b.screen.lists[i]
		b.screen.makeTable(l) // units are hidden with the amounts
		l.SetTheme(t)
	}
}

// Back closes the details of a row, or the rows of a figure.
func (b body) Back() bool {
	switch s := b.screen; {
	case s.list().Opened:
		s.list().Opened = false
	case s.rows != nil:
		s.showTab(s.tab)
	default:
		return false
	}
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
	yearlyScale    money.Scale     // unit of the sums of a year of payments that recur
	pairs          []spending.Pair // rows that may be transfers between own accounts
	suspected      map[int]bool    // indices of the rows of pairs
}
