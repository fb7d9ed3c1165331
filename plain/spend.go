package plain

import (
	"strconv"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/history"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// spentRows is the number of counterparties that are printed at once.
const spentRows = 20

// spendPage shows the counterparties of the last full months by amount.
type spendPage struct {
	direction  apiclient.Direction
	months     int
	order      spending.Order
	byCategory bool // all has categories instead of counterparties
	ledger     *spending.Ledger
	all        []spending.Counterparty
	printed    int // number of counterparties printed so far
}

func (p *spendPage) name() string { return "spend" }

func (p *spendPage) commands(*session) []command {
	return []command{
		{"filter", "in or out", "money in or money out", p.filter},
		{"months", "NUMBER", "number of full months, at most " + strconv.Itoa(mostSpendMonths), p.setMonths},
		{"sort", "amount, change or name", "change the order", p.sort},
		{"by", "counterparty or category", "what is summed", p.sumBy},
		{"next", "", "more counterparties", p.next},
		{"open", "NUMBER", "a counterparty's transactions, by list number", p.open},
	}
}

// mostSpendMonths is the largest number of months of counterparties. As many months before them
// must be in the history too.
const mostSpendMonths = (history.Months - 1) / 2

func (p *spendPage) show(s *session) (err error) {
	l, ok, err := s.readHistory()
	if !ok || err != nil {
		return err
	}
	if p.months == 0 {
		p.direction, p.months, p.order = apiclient.Outflow, 3, spending.ByAmount
	}
	last := s.today().FirstOfMonth().AddMonths(-1)
	first := last.AddMonths(1 - p.months)
	p.ledger, p.printed = l, 0
	if p.byCategory {
		known := s.annotations()
		p.all = l.Categories(p.direction, last, p.months, func(t *apiclient.Transaction) string {
			return known.Of(t).Category
		})
	} else {
		p.all = l.Counterparties(p.direction, last, p.months)
	}
	spending.SortCounterparties(p.all, p.order)
	s.say("%s, %s to %s, compared with the %s before.", upperFirst(directionInWords(p.direction)),
		figures.YearMonth(first), figures.YearMonth(last), plural.Count(p.months, "month"))
	totals := l.Totals(p.direction, first, last)
	s.say("%s: operating %s, own transfers %s, financing %s; together %s.", plural.Count(totals.Rows, "transaction"),
		sumInWords(totals.Operating), sumInWords(totals.OwnTransfers), sumInWords(totals.Financing), sumInWords(totals.All))
	missing := l.Coverage.Missing(first.AddMonths(-p.months), last.LastOfMonth())
	for _, text := range [...]string{missing.WhyOf(totals.All), l.Coverage.Unanswered} {
		if text != "" {
			s.say("%s", text)
		}
	}
	s.saySuspected(l, func(day civil.Date) bool { return !day.Before(first) && !day.After(last.LastOfMonth()) })
	if len(p.all) == 0 {
		if totals.Operating.Unknown {
			return s.answer("No counterparty is known.")
		}
		return s.answer("No counterparties.")
	}
	return p.next(s, "")
}

func directionInWords(d apiclient.Direction) string {
	if d == apiclient.Inflow {
		return "money in"
	}
	return "money out"
}

// saySuspected says which rows may be transfers between own accounts.
func (s *session) saySuspected(l *spending.Ledger, includes func(civil.Date) bool) {
	if text := spending.SuspectedText(l.SuspectedTransfers(includes)); text != "" {
		s.say("%s", text)
	}
}

func (p *spendPage) next(s *session, _ string) error {
	if p.ledger == nil {
		return p.show(s)
	}
	end := min(len(p.all), p.printed+spentRows)
	for i := p.printed; i < end; i++ {
		c := &p.all[i]
		line := counterparty.Display(c.Name) + ", " + sumInWords(c.Total)
		if c.Share.Tenths > 0 {
			line += ", " + shareInWords(c.Share.String()) + " of all"
		}
		if len(c.Rows) == 0 {
			line += ", last on " + c.Last.String()
		} else {
			line += ", " + sumInWords(c.Average()) + " a month"
		}
		if change := c.Change(); !change.Unknown {
			line += ", change " + sumInWords(change)
		}
		s.say("  %d: %s.", i+1, line)
	}
	if p.printed = end; end < len(p.all) {
		return s.answer("%s of %s. Type next for more.", money.Count(int64(end)), money.Count(int64(len(p.all))))
	}
	return s.answer("End of list.")
}

func (p *spendPage) filter(s *session, args string) error {
	direction, ok := directionIn(args)
	if !ok {
		return s.answer("filter takes in or out.")
	}
	p.direction = direction
	return p.show(s)
}

// directionIn returns the direction that a person means by "in" or "out".
func directionIn(text string) (apiclient.Direction, bool) {
	switch strings.ToLower(text) {
	case "in", "inflow":
		return apiclient.Inflow, true
	case "out", "outflow":
		return apiclient.Outflow, true
	}
	return "", false
}

func (p *spendPage) setMonths(s *session, args string) error {
	n, err := strconv.Atoi(args)
	if err != nil || n < 1 || n > mostSpendMonths {
		return s.answer("months takes a number from 1 to %d.", mostSpendMonths)
	}
	p.months = n
	return p.show(s)
}

func (p *spendPage) sort(s *session, args string) error {
	for _, order := range spending.CounterpartyOrders() {
		if string(order) == strings.ToLower(args) {
			p.order = order
			return p.show(s)
		}
	}
	return s.answer("sort takes amount, change or name.")
}

func (p *spendPage) sumBy(s *session, args string) error {
	switch strings.ToLower(args) {
	case "counterparty", "category":
		p.byCategory = strings.EqualFold(args, "category")
		return p.show(s)
	}
	return s.answer("by takes counterparty or category.")
}

func (p *spendPage) open(s *session, args string) error {
	i, ok := s.pick(args, len(p.all))
	if !ok {
		return nil
	}
	c := &p.all[i]
	rows := c.Rows
	if len(rows) == 0 {
		rows = c.RowsBefore
	}
	return s.open(&figurePage{title: counterparty.Display(c.Name), ledger: p.ledger, rows: rows})
}

// recurringPage shows payments that recur.
type recurringPage struct {
	direction apiclient.Direction
	ledger    *spending.Ledger
	all       []spending.Recurring
}

func (p *recurringPage) name() string { return "recurring" }

func (p *recurringPage) commands(*session) []command {
	return []command{
		{"filter", "in or out", "money in or money out", p.filter},
		{"sort", "amount, change, next or name", "change the order", p.sort},
		{"open", "NUMBER", "the payments, by list number", p.open},
	}
}

func (p *recurringPage) show(s *session) error { return p.showBy(s, spending.ByAmount) }

func (p *recurringPage) showBy(s *session, order spending.Order) error {
	l, ok, err := s.readHistory()
	if !ok || err != nil {
		return err
	}
	if p.direction == "" {
		p.direction = apiclient.Outflow
	}
	p.ledger, p.all = l, nil
	for _, r := range l.Recurring(s.today()) {
		if r.Direction == p.direction {
			p.all = append(p.all, r)
		}
	}
	spending.SortRecurring(p.all, order)
	if len(p.all) == 0 {
		return s.answer("%s", l.NoneText(directionInWords(p.direction), p.direction))
	}
	yearly := l.YearlyTotal(p.all, p.direction)
	s.say("%s that recurs: %s a year, without what has stopped. An estimate from %s since %s.",
		upperFirst(directionInWords(p.direction)), yearly.About(sumInWords(yearly)),
		plural.Count(len(l.Rows), "transaction"), figures.YearMonth(l.Begins()))
	if text := l.UnsearchedText(p.direction); text != "" {
		s.say("%s", text)
	}
	s.saySuspected(l, func(civil.Date) bool { return true })
	for i := range p.all {
		s.say("  %d: %s.", i+1, p.line(s, &p.all[i]))
	}
	return nil
}

func (p *recurringPage) line(s *session, r *spending.Recurring) string {
	line := counterparty.Display(r.Name) + ", " + r.Rhythm.String() + ", usually " + sumInWords(r.UsualAmount())
	if yearly := r.Yearly(); !yearly.Unknown {
		line += ", " + sumInWords(yearly) + " a year"
	}
	if percent, since, ok := r.Change(); ok && percent != 0 {
		line += ", " + signInWords(record.Percentage(percent)) + " since " + figures.YearMonth(since)
	}
	line += ", last " + r.Last().String()
	switch status := r.Status(p.ledger.Begins(), s.today()); status {
	case spending.Stopped:
		return line + ", stopped"
	case spending.Unknown:
		return line + ", not known whether it goes on"
	case spending.Active:
		return line + ", next " + r.Next.String()
	default:
		return line + ", next " + r.Next.String() + ", " + status
	}
}

func (p *recurringPage) filter(s *session, args string) error {
	direction, ok := directionIn(args)
	if !ok {
		return s.answer("filter takes in or out.")
	}
	p.direction = direction
	return p.show(s)
}

func (p *recurringPage) sort(s *session, args string) error {
	for _, order := range spending.RecurringOrders() {
		if string(order) == strings.ToLower(args) {
			return p.showBy(s, order)
		}
	}
	return s.answer("sort takes amount, change, next or name.")
}

func (p *recurringPage) open(s *session, args string) error {
	i, ok := s.pick(args, len(p.all))
	if !ok {
		return nil
	}
	return s.open(&figurePage{title: counterparty.Display(p.all[i].Name), ledger: p.ledger, rows: p.all[i].Rows()})
}

// bridgePage says why the net of one month differs from that of another.
type bridgePage struct {
	before, after civil.Date // zero means the last two full months
	ledger        *spending.Ledger
	parts         []spending.Change
}

func (p *bridgePage) name() string { return "bridge" }

func (p *bridgePage) commands(*session) []command {
	return []command{{"open", "NUMBER", "the transactions of a change, by list number", p.open}}
}

// compare shows the changes between two months such as 2026-09..2026-10, or those chosen last.
func (p *bridgePage) compare(s *session, args string) error {
	this := s.today().FirstOfMonth()
	if args != "" {
		before, after, err := spending.ParseMonths(args, this.AddMonths(1-history.Months), this.AddMonths(-1))
		if err != nil {
			return s.answer("%s", problem.Sentence("bridge "+err.Error()))
		}
		p.before, p.after = before, after
	}
	return s.open(p)
}

func (p *bridgePage) show(s *session) error {
	l, ok, err := s.readHistory()
	if !ok || err != nil {
		return err
	}
	if p.after.IsZero() {
		p.after = s.today().FirstOfMonth().AddMonths(-1)
		p.before = p.after.AddMonths(-1)
	}
	b, fits := l.Bridge(p.before, p.after)
	if !fits {
		return s.answer("The amounts of these months are too large to add up.")
	}
	p.ledger, p.parts = l, b.Parts()
	s.say("Net of %s: %s. Net of %s: %s.", figures.YearMonth(p.before), sumInWords(b.Before),
		figures.YearMonth(p.after), sumInWords(b.After))
	s.sayWhy(b.Change())
	s.saySuspected(l, func(day civil.Date) bool {
		return day.FirstOfMonth() == p.before || day.FirstOfMonth() == p.after
	})
	for i := range p.parts {
		c := &p.parts[i]
		name := counterparty.Display(c.Name)
		if what := c.Words(); what != "" {
			name += ", " + what
		}
		s.say("  %d: %s, %s: from %s to %s.", i+1, name, sumInWords(c.Change()), sumInWords(c.Before),
			sumInWords(c.After))
	}
	if sentence := b.AddUpText(); sentence != "" {
		return s.answer("%s", sentence)
	}
	return nil
}

func (p *bridgePage) open(s *session, args string) error {
	i, ok := s.pick(args, len(p.parts))
	if !ok {
		return nil
	}
	c := &p.parts[i]
	rows := append(append([]int{}, c.RowsAfter...), c.RowsBefore...)
	return s.open(&figurePage{title: counterparty.Display(c.Name), ledger: p.ledger, rows: rows})
}
