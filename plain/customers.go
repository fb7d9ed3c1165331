package plain

import (
	"cmp"
	"context"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// remind prints the customers with overdue invoices, those to remind first at the top. With the
// number of a customer in the latest list, it prints the text of a reminder.
func (p *receivablesPage) remind(s *session, args string) error {
	if args == "" {
		return p.showCustomers(s, func(a *apiclient.ReceivablesAging) string {
			if figures.HasNoList(a) {
				return figures.NoneOverdue(a)
			}
			return figures.NoneOverdue(a) + " Type customers for all customers."
		}, func(c *collections.Customer) bool { return c.OverdueCount() > 0 })
	}
	if p.listed == nil {
		return s.answer("Type remind or customers to list them first.")
	}
	i, ok := s.pick(args, len(p.listed))
	if !ok {
		return nil
	}
	c := &p.listed[i]
	text := c.Reminder()
	switch {
	case c.IsImported:
		return s.answer("%s", p.invoices.value.NoNumbersOf())
	case text == "":
		return s.answer("No overdue invoices.")
	}
	s.say("Reminder to %s, for your own mail; nothing is sent.", cmp.Or(c.Email, "a customer without an e-mail address"))
	for line := range strings.Lines(text) {
		s.say("  %s", strings.TrimRight(line, "\n"))
	}
	return nil
}

// customers prints all customers with their habits.
func (p *receivablesPage) customers(s *session, _ string) error {
	return p.showCustomers(s, figures.NoCustomers, func(*collections.Customer) bool { return true })
}

// showCustomers fetches the invoices and prints the customers for which include returns true. If
// there are none, it prints what none returns.
func (p *receivablesPage) showCustomers(
	s *session, none func(*apiclient.ReceivablesAging) string, include func(*collections.Customer) bool,
) error {
	aging, ok := p.aging.get(s, "Receivables", s.server.Client.ReceivablesAging)
	if !ok {
		return nil
	}
	list, ok := p.invoices.get(s, "Invoices", func(ctx context.Context) (collections.List, error) {
		return collections.Read(ctx, s.server.Client)
	})
	if !ok {
		return nil
	}
	p.listed = []collections.Customer{}
	for _, c := range collections.WithAging(collections.Customers(list.Invoices, s.today()), aging, s.today()) {
		if include(&c) {
			p.listed = append(p.listed, c)
		}
	}
	if len(p.listed) == 0 {
		s.say("%s", none(aging))
	} else {
		sayNumbered(s, 1, p.listed, s.customerLine)
		s.say("%s Type remind NUMBER for the text of a reminder.", collections.Meaning)
		s.sayExcluded(0, figures.AgingOf(aging).Excluded, aging.Currency)
		if day := figures.ListDay(aging); day != "" {
			s.say("Imported invoices are of the list as of %s.", day)
		}
	}
	if missing := list.Missing(); missing != "" {
		s.say("%s", missing)
	}
	sayUnreadableCount(s, "invoice", list.Invoices)
	return nil
}

// customerLine describes a customer in one line, without a full stop.
func (s *session) customerLine(c *collections.Customer) string {
	parts := []string{cmp.Or(c.Name, c.Email, "no name")}
	if overdue := c.OverdueCount(); overdue > 0 {
		parts = append(parts, owedInWords(c)+" overdue", plural.Count(overdue, "invoice")+
			", the oldest "+plural.Count(c.DaysLate(), "day")+" past due")
	}
	switch {
	case c.IsImported:
		return strings.Join(append(parts, "without listed invoices"), ", ")
	case c.HasHabit:
		parts = append(parts, "usually "+c.UsualText())
	default:
		parts = append(parts, "no habit yet")
	}
	parts = append(parts, money.Count(int64(c.Paid))+" paid")
	switch day := c.NextExpected(); {
	case !day.IsZero():
		parts = append(parts, "next payment expected "+s.day(day))
	case c.ExpectedText() == collections.Doubtful:
		parts = append(parts, "payment "+collections.Doubtful)
	}
	return strings.Join(parts, ", ")
}

// owedInWords returns the overdue amount of a customer.
func owedInWords(c *collections.Customer) string {
	if rest, marked := strings.CutPrefix(c.OwedText(), figures.AtMost.Sign()); marked {
		return "at most " + signInWords(rest)
	}
	if c.Owed.Unknown {
		return sumInWords(c.Overdue)
	}
	return sumInWords(c.Owed)
}
