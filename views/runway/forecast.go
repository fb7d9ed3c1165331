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
	"tarmac/client/resource"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/views/parts/billlist"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/invoicelist"
	"tarmac/views/parts/mark"
)

// weekly holds the forecast of thirteen weeks and what it is computed from.
type weekly struct {
	invoices invoicelist.List
	bills    billlist.List

	basis     basis // what estimate is computed from
	computing bool
	estimate
}

// basis identifies the figures from which a forecast is computed.
type basis struct {
	ledger                *spending.Ledger
	invoices, bills, cash time.Time // when they were loaded
	refused               bool      // the token may not list invoices
}

// estimate is a forecast with the ledger whose rows it refers to, or why there is none.
type estimate struct {
	ledger   *spending.Ledger
	forecast *forecast.Forecast // nil if err says why there is none, and before the first one
	err      error
	alive    *forecast.Alive
	aliveErr error
}

type estimateMsg struct {
	basis basis
	estimate
}

// fetchDue returns the command that fetches the invoices if the page is visible and that is due.
func (s *Screen) fetchDue() tea.Cmd {
	if !s.visible {
		return nil
	}
	return tea.Batch(s.weekly.invoices.FetchDue(), s.weekly.bills.FetchDue())
}

// Refresh returns the command that fetches invoices and bills again, or nil while requests are
// pending.
func (s *Screen) Refresh() tea.Cmd {
	return tea.Batch(s.weekly.invoices.Fetch(), s.weekly.bills.Fetch())
}

// Fetched returns the fetch states of invoices and bills.
func (s *Screen) Fetched() (states []resource.State) {
	if s.weekly.invoices.HasSource() {
		states = append(states, s.weekly.invoices.State())
	}
	if s.weekly.bills.HasSource() {
		states = append(states, s.weekly.bills.State())
	}
	return states
}

// answersDue returns the command that computes the sentences, if the page is visible and that is
// due.
func (s *Screen) answersDue() tea.Cmd {
	if !s.visible {
		return nil
	}
	if s.answers.Refresh() {
		s.syncView()
	}
	return s.answers.Due()
}

// estimateDue returns the command that computes the forecast, if the figures from which it is
// computed are complete and have changed. It returns nil while another one is being computed.
func (s *Screen) estimateDue() tea.Cmd {
	w := &s.weekly
	cash, known := s.data.Cash.Value()
	now := s.newBasis()
	ready := known && s.historyRead() && s.invoicesKnown() && w.bills.Settled()
	if !s.visible || w.computing || !ready || now == w.basis {
		return nil
	}
	w.computing = true
	invoices, _ := w.invoices.Value()
	if now.refused {
		invoices = collections.List{}
	}
	today, bills := civil.Of(s.env.Now()), w.bills.Payables()
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
	w := &s.weekly
	return basis{
		ledger: s.data.History.Ledger(), invoices: w.invoices.LoadedAt(), bills: w.bills.LoadedAt(),
		cash:    s.data.Cash.LoadedAt(),
		refused: errors.Is(w.invoices.Err(), apiclient.ErrForbidden),
	}
}

// historyRead reports whether all months are read that will be read.
func (s *Screen) historyRead() bool {
	h := &s.data.History
	return h.Ledger() != nil && (h.Progress().Complete || h.IsLimited())
}

// invoicesKnown reports whether the invoices are known, or known to be unavailable.
func (s *Screen) invoicesKnown() bool {
	w := &s.weekly
	_, known := w.invoices.Value()
	return known || !w.invoices.HasSource() || errors.Is(w.invoices.Err(), apiclient.ErrForbidden)
}

// storeEstimate shows a computed forecast. What is open stays open, if it still exists.
func (s *Screen) storeEstimate(msg estimateMsg) {
	w := &s.weekly
	w.computing, w.basis, w.estimate = false, msg.basis, msg.estimate
	s.reopen()
}

// weeks returns the forecast, with the plan if there is one. It returns nil if there is no
// forecast.
func (s *Screen) weeks() *forecast.Forecast {
	if s.supposes() && s.planned.weeks != nil && s.planBasis.forecast == s.weekly.forecast {
		return s.planned.weeks
	}
	return s.weekly.forecast
}

// sentences says what the forecast is made of, whether the company is default alive, and what the
// other figures of the page mean.
func (s *Screen) sentences() []string {
	w := &s.weekly
	var alive, weeks, planned []string
	said := map[string]bool{}
	if w.alive != nil || w.aliveErr != nil {
		alive = forecast.AliveSentences(w.alive, w.aliveErr)
	}
	if w.forecast != nil {
		weeks = s.weeks().Sentences()
		if w.basis.refused {
			weeks = append(weeks, forecast.NoInvoices)
		}
	}
	if s.comparing() {
		planned = s.outcome.Notes
		if !s.theme.Masked { // its days say how much cash there is
			planned = append([]string{s.outcome.Decision.Text}, planned...)
		}
	}
	all := slices.Concat(weeks, planned, alive, s.meanings())
	all = slices.DeleteFunc(all, func(sentence string) bool {
		seen := said[sentence]
		said[sentence] = true
		return seen || fact.CountsUnrated(sentence) // the bottom line says that
	})
	for i := range all {
		all[i] = mark.Unsigned(all[i])
	}
	return all
}

// meanings says what the figures of the page mean besides the forecast.
func (s *Screen) meanings() (all []string) {
	c, ok := s.data.CashFigures()
	if !ok {
		return nil
	}
	for _, sentence := range [...]string{
		c.Note(), "Cash on hand is " + figures.CashMeaning + ".", "Spendable is " + figures.SpendableMeaning + ".",
		"Net burn is an estimate; the zero-cash date follows from it.", s.theme.RunwayRules(),
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
