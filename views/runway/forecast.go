package runway

import (
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/forecast"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/page"
)

// weekly holds the forecast of thirteen weeks and its inputs.
type weekly struct {
	basis     basis // inputs of estimate
	computing bool
	estimate
}

// basis identifies the inputs of a forecast.
type basis struct {
	ledger                *spending.Ledger
	invoices, bills, cash time.Time // when they were loaded
	noInvoices            bool      // the token may not list invoices
}

// estimate is a forecast with the ledger whose rows it refers to, or the reason why it is missing.
type estimate struct {
	ledger   *spending.Ledger
	forecast *forecast.Forecast // nil if it is unknown; err is the reason
	err      error
	alive    *forecast.Alive
	aliveErr error
}

type estimateMsg struct {
	basis basis
	estimate
}

// billsLoaded gives the page's sentences the bills past due.
func (s *Screen) billsLoaded() tea.Cmd {
	if p, _ := s.bills.Value(); p != nil {
		s.answers.SetPastDue(p.PastDue)
	}
	return nil
}

// estimateDue returns the command that computes the forecast if its inputs are complete and have
// changed. It returns nil while a forecast is being computed.
func (s *Screen) estimateDue() tea.Cmd {
	w := &s.weekly
	cash, known := s.Snapshot.Cash.Value()
	now := s.newBasis()
	ready := known && s.historyRead() && settled(s.invoices) && settled(s.bills)
	if w.computing || !ready || now == w.basis {
		return nil
	}
	w.computing = true
	invoices, _ := s.invoices.Value()
	if now.noInvoices {
		invoices = collections.List{}
	}
	bills, _ := s.bills.Value()
	if isForbidden(s.bills) {
		bills = nil
	}
	today := civil.Of(s.Now())
	return func() tea.Msg {
		e := estimate{ledger: now.ledger}
		e.forecast, e.err = forecast.New(now.ledger, invoices, cash, today)
		if e.err == nil {
			e.forecast, e.err = e.forecast.WithBills(now.ledger, bills)
		}
		e.alive, e.aliveErr = forecast.NewAlive(now.ledger, cash, today)
		return estimateMsg{now, e}
	}
}

func (s *Screen) newBasis() basis {
	return basis{
		ledger: s.Snapshot.History.Ledger(), invoices: s.invoices.LoadedAt(), bills: s.bills.LoadedAt(),
		cash: s.Snapshot.Cash.LoadedAt(), noInvoices: isForbidden(s.invoices),
	}
}

// historyRead reports whether all months have been read, except those above the limit.
func (s *Screen) historyRead() bool {
	h := &s.Snapshot.History
	return h.Ledger() != nil && (h.Progress().Complete || h.IsLimited())
}

// isForbidden reports whether the token may not read data.
func isForbidden(d interface{ Err() error }) bool { return errors.Is(d.Err(), apiclient.ErrForbidden) }

// settled reports whether data is known, or known to be unavailable.
func settled[V any](d *page.Data[V]) bool {
	_, known := d.Value()
	return known || !d.When() || isForbidden(d)
}

// storeEstimate shows a computed forecast. The open week stays open if it still exists.
func (s *Screen) storeEstimate(msg estimateMsg) {
	w := &s.weekly
	w.computing, w.basis, w.estimate = false, msg.basis, msg.estimate
	s.reopen()
}

// weeks returns the forecast, including the plan if there is one. It returns nil without a
// forecast.
func (s *Screen) weeks() *forecast.Forecast {
	if s.weeksHavePlan() && s.planned.weeks != nil && s.planBasis.forecast == s.weekly.forecast {
		return s.planned.weeks
	}
	return s.weekly.forecast
}

// sentences returns how the forecast is made, whether the company is default alive, and what the
// other figures of the page mean.
func (s *Screen) sentences() []string {
	w := &s.weekly
	var alive, weeks, planned []string
	seen := map[string]bool{}
	if w.alive != nil || w.aliveErr != nil {
		alive = forecast.AliveSentences(w.alive, w.aliveErr)
	}
	if w.forecast != nil {
		weeks = s.weeks().Sentences()
		if w.basis.noInvoices {
			weeks = append(weeks, forecast.NoInvoices)
		}
	}
	if s.comparing() {
		planned = s.outcome.Notes
		if !s.Theme.Masked { // its dates reveal the amount of cash
			planned = append([]string{s.outcome.Decision.Text}, planned...)
		}
	}
	all := slices.Concat(weeks, planned, alive, s.meanings())
	all = slices.DeleteFunc(all, func(sentence string) bool {
		repeated := seen[sentence]
		seen[sentence] = true
		return repeated || fact.CountsUnrated(sentence) // a footnote counts them
	})
	for i := range all {
		all[i] = mark.Unsigned(all[i])
	}
	return all
}

// meanings returns what the figures of the page other than the forecast mean.
func (s *Screen) meanings() (all []string) {
	c, ok := s.Snapshot.CashFigures()
	if !ok {
		return nil
	}
	for _, sentence := range [...]string{
		c.Note(), "Cash on hand is " + figures.CashMeaning + ".", "Spendable is " + figures.SpendableMeaning + ".",
		"Net burn is an estimate; the zero-cash date follows from it.", s.Theme.RunwayRules(),
		"Past cash is today's cash on hand less the nets of later months; the weeks begin with the spendable cash.",
		"Months left at the end of a month: the cash then, less what is not spendable today, divided by the average " +
			"net burn of the three months up to then. A dash where transactions do not explain the net burn.",
	} {
		if sentence != "" {
			all = append(all, sentence)
		}
	}
	return all
}
