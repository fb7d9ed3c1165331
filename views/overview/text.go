package overview

import (
	"strings"

	"tarmac/client/figures"
	"tarmac/internal/money"
	"tarmac/views/amount"
	"tarmac/views/fact"
)

// text is the page as plain text: its figures with their labels and when they are
// from, whatever has room on the screen.
func (s *Screen) text() string {
	t, now := s.theme, s.now()
	account, cash, aging := &s.data.Account, &s.data.Cash, &s.data.Aging
	var synced, asOf, agedAt string
	if a, ok := account.Value(); ok {
		synced = fact.Dated("synced", a.SyncedAt)
	}
	if c, ok := cash.Value(); ok {
		asOf = fact.Dated("as of", &c.AsOf)
	}
	if a, ok := aging.Value(); ok {
		agedAt = fact.Dated("as of", a.AsOf)
	}
	read := s.data.Months.LoadedAt()
	return strings.Join([]string{
		fact.Section("Balance", synced, account.State(), "", now, func() []string {
			a, _ := account.Value()
			if a.Balance == nil {
				return []string{money.Dash}
			}
			return fact.Words(fact.Balance(t, a.Balance))
		}),
		fact.Section("Runway", asOf, cash.State(), "", now, func() []string {
			c, _ := cash.Value()
			lines := fact.Words([]fact.Fact{fact.CashOnHand(t, c), fact.Spendable(t, c), fact.NetBurn(t, c), fact.Runway(t, c), fact.ZeroCash(t, c)})
			if c.RunwayNote != "" {
				lines = append(lines, c.RunwayNote)
			}
			return lines
		}),
		fact.Section("Aged receivables", agedAt, aging.State(), nobodyOwes, now, func() []string {
			a, _ := aging.Value()
			return fact.Words(append([]fact.Fact{fact.Outstanding(t, a), fact.Overdue(t, a)}, fact.Aged(t, a)...))
		}),
		fact.Section("Money in and out by month, USD", fact.Dated("read", &read), s.data.Months.State(), noMonths, now, s.monthLines),
	}, "\n")
}

func (s *Screen) monthLines() []string {
	known, _ := s.data.Months.Value()
	var lines []string
	for _, m := range known[max(0, len(known)-monthsShown):] {
		month := figures.YearMonth(m.First)
		if figures.Current(m.First, s.now()) {
			month += " so far"
		}
		lines = append(lines, strings.Join(sumParts(month, m.Summary, money.USD, amount.Net), ", "))
	}
	if n := figures.Unconverted(known); n > 0 {
		lines = append(lines, figures.Count(n)+" rows without a USD amount not counted")
	}
	return lines
}
