package spend

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/counterparty"
	"tarmac/client/history"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
)

// periods are the numbers of months that the user can choose for the counterparties.
var periods = [...]int{3, 6, 12, 1}

func anyDay(civil.Date) bool { return true }

// search is the search for payments that recur. It takes long in a large ledger, so a command does
// it.
type search struct {
	running   bool
	ledger    *spending.Ledger // where payments were looked for last
	all       []spending.Recurring
	today     civil.Date
	suspected map[int]bool // indices of rows that may be transfers between own accounts
}

// found is the result of a search for payments that recur.
type found struct{ search }

// searchDue returns the command that looks for payments that recur if that is due, and otherwise
// nil. It is due when they are shown. When all rows have been read, it is done in advance.
func (s *Screen) searchDue() tea.Cmd {
	ledger, today := s.figures.ledger, s.today
	wanted := s.tab == recurring || s.Snapshot.History.Progress().Complete
	if ledger == nil || !wanted || s.search.running || s.search.ledger == ledger && s.search.today == today {
		return nil
	}
	s.search.running = true
	return func() tea.Msg {
		return found{search{
			ledger: ledger, today: today, all: ledger.Recurring(today),
			suspected: spending.RowsOfPairs(ledger.SuspectedTransfers(anyDay)),
		}}
	}
}

func (s *Screen) storeRecurring(msg found) {
	s.search = msg.search
	s.refill(recurring, s.sortRecurring)
	s.findSought()
}

// derive computes all figures from the rows that have been read so far.
func (s *Screen) derive() {
	s.today = civil.Of(s.Now())
	s.figures.ledger = s.Snapshot.History.Ledger()
	if s.figures.ledger == nil {
		return
	}
	s.figures.pairs = s.figures.ledger.SuspectedTransfers(anyDay)
	s.figures.suspected = spending.RowsOfPairs(s.figures.pairs)
	s.figures.categorized = s.isCategorized()
	s.refill(counterparties, s.deriveCounterparties)
	s.refill(changes, s.deriveChanges)
	s.findSought()
}

func (s *Screen) deriveCounterparties() {
	f := &s.figures
	if f.ledger == nil {
		return
	}
	first, last := s.period()
	if s.byCategory() {
		f.counterparties = f.ledger.Categories(s.choice.direction, last, s.choice.months, s.categoryOf)
	} else {
		f.counterparties = f.ledger.Counterparties(s.choice.direction, last, s.choice.months)
	}
	f.totals = f.ledger.Totals(s.choice.direction, first, last)
	f.largestShare = 0
	var months, totals span
	for i := range f.counterparties {
		c := &f.counterparties[i]
		f.largestShare = max(f.largestShare, c.Share.Tenths)
		totals.add(c.Total.Minor)
		for _, month := range c.Months {
			months.add(month.Minor)
		}
	}
	f.scale = money.ScaleOf(totals.largest, f.ledger.Currency, 3, 4)
	f.widestMonth, f.widestTotal = months.width(f.scale), totals.width(f.scale)
	f.sentence = s.costText()
	s.makeTable(&s.lists[counterparties]) // the names of the months and the unit are titles of columns
	spending.SortCounterparties(f.counterparties, spending.CounterpartyOrders()[s.lists[counterparties].order])
}

// span is the range of some amounts in minor units, which includes 0.
type span struct{ smallest, largest int64 }

func (s *span) add(minor int64) {
	s.smallest, s.largest = min(s.smallest, minor), max(s.largest, minor)
}

// width returns the width of the widest of the amounts in a scale.
func (s span) width(in money.Scale) int {
	return max(termtext.Width(in.Text(s.smallest)), termtext.Width(in.Text(s.largest)))
}

// costText says how much the newest month differs from the one before. It returns "" while one of
// them has not been read.
func (s *Screen) costText() string {
	month := s.newestMonth()
	if !s.isRead(month.AddMonths(-1)) {
		return ""
	}
	all := make([]spending.MonthOf, len(s.figures.counterparties))
	for i := range all {
		c := &s.figures.counterparties[i]
		all[i] = spending.MonthOf{Name: counterparty.Display(c.Name), Now: c.Months[0], Before: c.Before}
		if len(c.Months) > 1 {
			all[i].Before = c.Months[1]
		}
	}
	return spending.CostText(all, s.choice.direction, month)
}

func (s *Screen) sortRecurring() {
	f := &s.figures
	f.recurring = nil
	largest, currency := int64(0), ""
	for _, r := range s.search.all {
		if r.Direction == s.choice.direction {
			f.recurring = append(f.recurring, r)
			largest, currency = max(largest, r.Yearly().Minor), r.Currency
		}
	}
	if scale := money.ScaleOf(largest, currency, 4, 5); scale != f.yearlyScale {
		f.yearlyScale = scale
		s.makeTable(&s.lists[recurring]) // the unit is in the title of a column
	}
	spending.SortRecurring(f.recurring, spending.RecurringOrders()[s.lists[recurring].order])
}

func (s *Screen) deriveChanges() {
	f := &s.figures
	before, after := s.compared()
	f.bridge, f.fits = f.ledger.Bridge(before, after)
	f.parts = f.bridge.Parts()
	if s.lists[changes].order > 0 {
		slices.SortStableFunc(f.parts[:len(f.bridge.Changes)], func(a, b spending.Change) int {
			return strings.Compare(a.Key, b.Key)
		})
	}
	s.makeTable(&s.lists[changes]) // the names of the months are titles of columns
}

// period returns the first days of the first and the last month of the counterparties.
func (s *Screen) period() (first, last civil.Date) {
	last = s.newestMonth()
	return last.AddMonths(1 - s.choice.months), last
}

// newestMonth returns the first day of the last full month.
func (s *Screen) newestMonth() civil.Date { return s.today.FirstOfMonth().AddMonths(-1) }

// oldestMonth returns the first day of the oldest month of the history.
func (s *Screen) oldestMonth() civil.Date {
	return s.today.FirstOfMonth().AddMonths(1 - history.Months)
}

// compared returns the first days of the months that the changes compare.
func (s *Screen) compared() (before, after civil.Date) {
	if s.choice.after.IsZero() {
		return s.newestMonth().AddMonths(-1), s.newestMonth()
	}
	return s.choice.before, s.choice.after
}

// isRead reports whether all months from the one that begins on first have been read.
func (s *Screen) isRead(first civil.Date) bool {
	p := s.Snapshot.History.Progress()
	return p.Complete || !p.Since.IsZero() && !p.Since.After(first)
}

// setDirection shows money in or money out.
func (s *Screen) setDirection(d apiclient.Direction) {
	s.choice.direction = d
	s.refill(counterparties, s.deriveCounterparties)
	s.refill(recurring, s.sortRecurring)
}

// chooseMonths shows the counterparties of another number of months, or asks for the months whose
// nets are compared.
func (s *Screen) chooseMonths() {
	if s.tab == changes {
		before, after := s.compared()
		s.input.months.AskWith("two full months, such as "+monthsText(before, after), monthsText(before, after))
		return
	}
	at := slices.Index(periods[:], s.choice.months)
	s.setPeriod(periods[(at+1)%len(periods)])
}

func (s *Screen) setPeriod(months int) {
	s.choice.months = months
	s.refill(counterparties, s.deriveCounterparties)
}

// applyMonths compares the two months that the user has typed. If they are invalid, the error says
// why.
func (s *Screen) applyMonths(text string) error {
	var before, after civil.Date
	if text != "" {
		var err error
		if before, after, err = spending.ParseMonths(text, s.oldestMonth(), s.newestMonth()); err != nil {
			return err
		}
	}
	s.setCompared(before, after)
	return nil
}

func (s *Screen) setCompared(before, after civil.Date) {
	s.choice.before, s.choice.after = before, after
	s.refill(changes, s.deriveChanges)
}

// moveMonths moves both compared months by a number of months, if the history has them.
func (s *Screen) moveMonths(by int) {
	if s.canMove(by) {
		before, after := s.compared()
		s.setCompared(before.AddMonths(by), after.AddMonths(by))
	}
}

func (s *Screen) canMove(by int) bool {
	before, after := s.compared()
	return !before.AddMonths(by).Before(s.oldestMonth()) && !after.AddMonths(by).After(s.newestMonth())
}
