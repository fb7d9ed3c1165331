package plain

import (
	"cmp"
	"context"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/problem"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
)

// overviewRows is the number of transactions and of events on the overview.
const overviewRows = 5

type overviewPage struct {
	account cached[*apiclient.Account]
	cash    cached[*apiclient.CashPosition]
	aging   cached[*apiclient.ReceivablesAging]
	rows    cached[*apiclient.TransactionPage]
	events  cached[*apiclient.EventPage]
}

func (p *overviewPage) name() string { return "overview" }

func (p *overviewPage) commands(*session) []command {
	return []command{{"months", "", "money in and out of the last twelve months", (*session).months}}
}

func (p *overviewPage) show(s *session) error {
	whose, live := "", "Live, updated now."
	if ping, err := s.ping.renew(s, s.server.Client.Ping); err == nil {
		whose = " Organization " + ping.OrgID + "."
	} else {
		live = "Not live: " + errorInWords(err)
	}
	s.say("%s.%s %s", s.title(), whose, live)
	client := s.server.Client
	if a, ok := p.account.get(s, "Balance", client.Account); ok {
		s.sayBalance(a)
	}
	if c, ok := p.cash.get(s, "Runway", client.CashPosition); ok {
		s.sayRunway(c)
	}
	if a, ok := p.aging.get(s, "Receivables", client.ReceivablesAging); ok {
		s.sayReceivables(a)
	}
	page, ok := p.rows.get(s, "Latest transactions", func(ctx context.Context) (*apiclient.TransactionPage, error) {
		return client.TransactionPage(ctx, apiclient.TransactionQuery{Limit: overviewRows})
	})
	if ok && len(page.Data) == 0 {
		s.say("Latest transactions: none yet.")
	} else if ok {
		s.say("Latest transactions:")
		for i := range page.Data {
			s.say("  %s", transactionLine(&page.Data[i]))
		}
		sayUnreadableCount(s, "transaction", page.Data)
	}
	events, ok := p.events.get(s, "Latest events", func(ctx context.Context) (*apiclient.EventPage, error) {
		return client.EventPage(ctx, apiclient.EventQuery{Limit: overviewRows})
	})
	if ok && len(events.Data) == 0 {
		s.say("Latest events: none yet.")
	} else if ok {
		s.say("Latest events:")
		for i := range events.Data {
			s.say("  %s", eventLine(&events.Data[i]))
		}
		sayUnreadableCount(s, "event", events.Data)
	}
	return nil
}

func (s *session) sayBalance(a *apiclient.Account) {
	switch b := a.Balance; {
	case a.Status == apiclient.AccountNotOpen:
		s.say("Balance: no account is open yet. Figures appear once an account is open.")
	case b == nil:
		s.say("Balance: %s.", unknown)
	default:
		s.say("Balance: available %s, holding %s, locked %s, pending %s. %s", usdInWords(b.AvailableCents), usdInWords(b.HoldingCents),
			usdInWords(b.LockedCents), usdInWords(b.PendingCents),
			problem.Sentence(cmp.Or(figures.At("synced", a.SyncedAt, s.Now()), "sync time unknown")))
		s.say("Available is %s.", figures.AvailableMeaning)
	}
}

// owed prints the receivables on one line.
func (s *session) sayReceivables(a *apiclient.ReceivablesAging) {
	if a.Empty() {
		s.say("Receivables: none open.")
		return
	}
	sums := figures.AgingOf(a)
	s.say("Receivables: outstanding %s, of which overdue %s.", sumInWords(sums.Outstanding), sumInWords(sums.Overdue))
	s.sayExcluded(0, sums.Excluded)
}

// explain prints what the preceding sums leave out.
func (s *session) sayExcluded(transactions, receivables int64) {
	if text := figures.Excluded(transactions, receivables); text != "" {
		s.say("%s", text)
	}
}

// monthsListed is the number of months that the command months prints.
const monthsListed = 12

// months prints money in and out by calendar month, latest first.
func (s *session) months(string) error {
	first := civil.Of(s.Now()).FirstOfMonth()
	s.say("Money in and out by month, in US dollars, the latest first:")
	var said []figures.Month
	for i := range monthsListed {
		from := first.AddMonths(-i)
		page, err := s.transactions(apiclient.TransactionQuery{From: from, To: from.LastOfMonth(), Limit: 1})
		if err != nil {
			s.failed("Months", err)
			return nil
		}
		sofar := ""
		if i == 0 {
			sofar = " so far"
		}
		said = append(said, figures.Month{First: from, Summary: page.Summary})
		s.say("  %s%s: %s.", figures.YearMonth(from), sofar, flowsInWords(page.Summary, ""))
	}
	s.sayExcluded(figures.Unconverted(said), 0)
	return nil
}

type receivablesPage struct {
	aging cached[*apiclient.ReceivablesAging]
}

func (p *receivablesPage) name() string { return "receivables" }

func (p *receivablesPage) commands(*session) []command {
	return []command{
		{"open", "NUMBER", "a customer's overdue invoices, by list number", p.open},
		{"overdue", "", "all overdue invoices",
			func(s *session, _ string) error { return s.openInvoices(apiclient.InvoiceOverdue, "") }},
	}
}

func (p *receivablesPage) show(s *session) error {
	s.say("%s.", s.title())
	a, ok := p.aging.get(s, "Receivables", s.server.Client.ReceivablesAging)
	if !ok {
		return nil
	}
	if as := figures.At("as of", a.AsOf, s.Now()); as != "" {
		s.say("%s", problem.Sentence(as))
	}
	s.sayReceivables(a)
	if a.Empty() {
		return nil
	}
	sums := figures.AgingOf(a)
	for i, sum := range sums.Buckets {
		share := sums.Share(i)
		if share != "" {
			share = ", " + shareInWords(share)
		}
		s.say("  %s: %s%s.", figures.BucketLabels[i], sumInWords(sum), share)
	}
	if len(a.TopOverdue) == 0 {
		s.say("No overdue customers reported.")
		return nil
	}
	s.say("Top overdue customers:")
	for i, c := range a.TopOverdue {
		line := cmp.Or(c.Name, "no name") + ", " + sumInWords(sums.Customers[i])
		if c.OverdueCount != nil {
			line += ", " + plural.Count(*c.OverdueCount, "invoice")
		}
		if c.OldestDaysPastDue != nil {
			line += ", the oldest " + plural.Count(*c.OldestDaysPastDue, "day") + " past due"
		}
		s.say("  %d: %s.", i+1, line)
	}
	return nil
}

func (p *receivablesPage) open(s *session, args string) error {
	if !p.aging.known() {
		s.say("Nothing loaded yet. Type refresh to load.")
		return nil
	}
	i, ok := s.pick(args, len(p.aging.value.TopOverdue))
	if !ok {
		return nil
	}
	return s.openInvoices(apiclient.InvoiceOverdue, p.aging.value.TopOverdue[i].Name)
}
