package plain

import (
	"cmp"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/problem"
	"tarmac/internal/plural"
)

// receivablesPage shows the aging buckets and the customers who owe the largest overdue amounts.
type receivablesPage struct {
	aging    cached[*apiclient.ReceivablesAging]
	invoices cached[collections.List]
	listed   []collections.Customer // the customers listed last; nil if none were
}

func (p *receivablesPage) name() string { return "receivables" }

func (p *receivablesPage) commands(*session) []command {
	return []command{
		{"open", "NUMBER", "a customer's overdue invoices, by list number", p.open},
		{"overdue", "", "all overdue invoices", p.overdue},
		{"remind", "NUMBER", "whom to remind of overdue invoices; with a list number, the text of a reminder", p.remind},
		{"customers", "", "all customers, how late they usually pay and when the next payment is expected", p.customers},
	}
}

func (p *receivablesPage) show(s *session) error {
	s.say("%s.", s.title())
	a, ok := p.aging.get(s, "Receivables", s.server.Client.ReceivablesAging)
	if !ok {
		return nil
	}
	if as := figures.ReceivablesAsOf(a, s.Now()); as != "" {
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
		return s.answer("%s", figures.NoneOverdue(a))
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
		return s.answer("Nothing loaded yet. Type refresh to load.")
	}
	i, ok := s.pick(args, len(p.aging.value.TopOverdue))
	if !ok {
		return nil
	}
	return s.openInvoices(apiclient.InvoiceOverdue, p.aging.value.TopOverdue[i].Name,
		figures.AgingOf(p.aging.value).Customers[i])
}

func (p *receivablesPage) overdue(s *session, _ string) error {
	var owed figures.Total
	if p.aging.known() {
		owed = figures.AgingOf(p.aging.value).Overdue
	}
	return s.openInvoices(apiclient.InvoiceOverdue, "", owed)
}

// sayReceivables prints a summary of the receivables in one line.
func (s *session) sayReceivables(a *apiclient.ReceivablesAging) {
	if a.Empty() {
		s.say("%s", figures.NoReceivables(a))
		return
	}
	sums := figures.AgingOf(a)
	s.say("Receivables: outstanding %s, of which overdue %s.", sumInWords(sums.Outstanding), sumInWords(sums.Overdue))
	s.sayExcluded(0, sums.Excluded, a.Currency)
}
