package overview

import (
	"strings"
	"time"

	"tarmac/client/figures"
	"tarmac/internal/money"
	"tarmac/views/parts/fact"
)

// text returns the page as plain text for the clipboard: the sentences and all labelled figures
// with their dates, including figures that don't fit on the screen.
func (s *Screen) text() string {
	t, now := s.theme, s.env.Now()
	t.Masked = false // a question precedes the copy
	account, cash, aging := &s.data.Account, &s.data.Cash, &s.data.Aging
	var synced, asOf, agedAt, nothingAged string
	if a, ok := account.Value(); ok {
		synced = fact.WithDate("synced", a.SyncedAt)
	}
	if c, ok := cash.Value(); ok {
		asOf = fact.WithDate("as of", &c.AsOf)
	}
	if a, ok := aging.Value(); ok {
		agedAt, nothingAged = figures.ReceivablesAsOf(a, time.Time{}), figures.NoReceivables(a)
	}
	loadedAt := s.data.Months.LoadedAt()
	updated := fact.WithDate("updated", &loadedAt)
	answers := ""
	if texts := s.answers.Texts(); len(texts) > 0 {
		answers = strings.Join(texts, "\n") + "\n\n"
	}
	return answers + strings.Join([]string{
		fact.Section("Balance", synced, account.State(), "", now, func() []string {
			a, _ := account.Value()
			lines := []string{money.Dash}
			if a.Balance != nil {
				lines = append(fact.TextLines(fact.Balance(t, a)), "Available is "+figures.AvailableMeaning+".")
			}
			if a.OrgID != "" {
				lines = append(lines, "Organization: "+a.OrgID)
			}
			return lines
		}),
		fact.Section("Runway", asOf, cash.State(), "", now, func() []string {
			c, _ := s.data.CashFigures()
			f := fact.CashOf(t, c)
			lines := fact.TextLines(append([]fact.Fact{f.OnHand, f.Spendable, f.NetBurn, f.Runway, f.ZeroCash}, f.Others...))
			lines = append(lines, "Cash on hand is "+figures.CashMeaning+".", "Spendable is "+figures.SpendableMeaning+".")
			if note := c.Note(); note != "" {
				lines = append(lines, note)
			}
			return lines
		}),
		fact.Section("Aged receivables", agedAt, aging.State(), nothingAged, now, func() []string {
			a, _ := aging.Value()
			lines := fact.TextLines(append([]fact.Fact{fact.Outstanding(t, a), fact.Overdue(t, a)}, fact.AgingBuckets(t, a)...))
			return append(lines, fact.Explained(0, figures.AgingOf(a).Excluded, a.Currency)...)
		}),
		fact.Section(figures.InCurrency("Money in and out by month", s.data.Currency()), updated, s.data.Months.State(),
			noMonths, now, s.monthLines),
	}, "\n")
}

func (s *Screen) monthLines() []string {
	var lines []string
	for _, m := range s.months() {
		lines = append(lines, strings.Join(sumParts(m.Name(s.env.Now()), m.Flows(), figures.Total.String), ", "))
	}
	return append(lines, fact.Explained(figures.Unconverted(s.months()), 0, s.data.Currency())...)
}
