package answer

import (
	"context"
	"errors"
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/cash"
	"tarmac/client/figures"
	"tarmac/client/payables"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/client/why"
)

// CashParams select what Cash says next to the figures.
type CashParams struct {
	// Past returns the transactions that explain the runway; it may return nil. If Past is
	// nil, Cash returns figures only.
	Past func(ctx context.Context) (*Past, error)
}

// Cash returns cash, net burn and runway.
func Cash(ctx context.Context, s Source, in CashParams) (*Doc, error) {
	position, err := cash.Read(ctx, s)
	if err != nil {
		return nil, err
	}
	d := one(record.CashPosition(position))
	if in.Past == nil {
		return d, nil
	}
	past, err := in.Past(ctx)
	if err != nil {
		return nil, err
	}
	basis := past.reasons(why.Basis{Cash: &position, Today: s.today()})
	bills, err := payables.Read(ctx, s, s.today())
	switch {
	case err == nil:
		basis.PastDue = &bills.PastDue
	case !errors.Is(err, apiclient.ErrForbidden):
		return nil, err
	}
	reasons := why.Sentences(basis)
	d.Sections[0].Reasons = reasons
	if past != nil && !slices.ContainsFunc(reasons, func(s why.Sentence) bool { return s.Subject > why.PastDue }) {
		d.note("The reasons are unknown: transactions are missing or unreadable, a question is open, or the server's net " +
			"burn isn't the average of the transactions.")
	}
	return d, nil
}

// Account returns the account and its balance.
func Account(ctx context.Context, s Source) (*Doc, error) {
	account, err := s.Account(ctx)
	if err != nil {
		return nil, err
	}
	return one(record.Account(account)), nil
}

// reasons adds the transactions to the basis of sentences. p may be nil.
func (p *Past) reasons(of why.Basis) why.Basis {
	if p != nil {
		of.Ledger, of.Begins = p.Ledger, p.Begins()
		of.AtEndOf(p.Coverage, p.Today)
	}
	return of
}

// Changes says how the company is doing and why that changed: how long the cash lasts, what moved
// the runway and the last full month's net, and what customers owe. If only the transactions can be
// read, it returns the error of the cash position.
func Changes(ctx context.Context, s Source) (*Doc, error) {
	past, err := s.History(ctx, why.MonthsRead)
	if err != nil {
		return nil, err
	}
	basis := why.Basis{}
	position, cashErr := cash.Read(ctx, s)
	if cashErr == nil {
		basis.Cash = &position
	}
	aging, agingErr := s.ReceivablesAging(ctx)
	if agingErr == nil {
		sums := figures.AgingOf(aging)
		basis.Aging = &sums
	}
	if cashErr != nil && agingErr != nil {
		return nil, cashErr
	}
	bills, billsErr := payables.Read(ctx, s, past.Today)
	if billsErr == nil {
		basis.PastDue = &bills.PastDue
	}
	d := &Doc{Ledger: past.Ledger, Sections: []Section{
		{Reasons: why.Sentences(past.reasons(basis))}, {Title: "Cash", Err: cashErr}, {Title: "Receivables", Err: agingErr},
		{Title: "Bills", Err: billsErr},
	}}
	past.noteRead(d)
	return d, nil
}

// Limits of the lists of the overview.
const (
	overviewMonths = 12
	overviewRows   = 5
)

// OverviewParams select what the overview has next to the figures.
type OverviewParams struct {
	Months bool  // money in and out by month, too
	Past   *Past // transactions that say why the runway changed; may be nil
}

// Overview returns the main figures and the latest records. The first error comes together with a
// document, unless all requests would fail for the same reason. A part outside the token's scopes
// isn't an error.
func Overview(ctx context.Context, s Source, in OverviewParams) (*Doc, error) {
	known := why.Basis{Today: s.today()}
	d := &Doc{Sections: []Section{{}}}
	p := parts{doc: d}
	p.read("account", "Account", func(part *Section) (record.Field, error) {
		account, err := s.Account(ctx)
		return facts(part, "account", record.Account, account, err)
	})
	p.read("cash_position", "Runway", func(part *Section) (record.Field, error) {
		position, err := cash.Read(ctx, s)
		if err == nil {
			known.Cash = &position
		}
		return facts(part, "cash_position", record.CashPosition, position, err)
	})
	p.read("aging", "Receivables", func(part *Section) (record.Field, error) {
		aging, err := s.ReceivablesAging(ctx)
		if err == nil {
			sums := figures.AgingOf(aging)
			known.Aging = &sums
		}
		return facts(part, "aging", record.Aging, aging, err)
	})
	if in.Months {
		p.read("months", "Money in and out", func(part *Section) (record.Field, error) { return months(ctx, s, part) })
	}
	p.read("transactions", "Latest transactions", func(part *Section) (record.Field, error) {
		page, err := s.TransactionPage(ctx, apiclient.TransactionQuery{Limit: overviewRows})
		if err != nil {
			return record.Null("transactions"), err
		}
		return latest(part, "transaction", page.Data, record.Transaction)
	})
	p.read("events", "Latest events", func(part *Section) (record.Field, error) {
		page, err := s.EventPage(ctx, apiclient.EventQuery{Limit: overviewRows})
		if err != nil {
			return record.Null("events"), err
		}
		return latest(part, "event", page.Data, record.Event)
	})
	if p.lost {
		d.Object = nil
	}
	if len(d.Sections) == 1 {
		return nil, p.first
	}
	d.Sections[0].Reasons = why.Sentences(in.Past.reasons(known))
	return d, p.first
}

// parts reads the sections of a document until one fails for a reason that all others share:
// the token is rejected, or the server has not answered yet.
type parts struct {
	doc           *Doc
	reached, lost bool
	first         error
}

func (p *parts) read(name, title string, read func(*Section) (record.Field, error)) {
	if p.lost {
		return
	}
	part := Section{Title: title}
	field, err := read(&part)
	if err != nil && !errors.Is(err, apiclient.ErrForbidden) && p.first == nil {
		p.first = err
	}
	unreached := errors.Is(err, apiclient.ErrNetwork)
	p.reached = p.reached || !unreached
	if unreached && !p.reached || errors.Is(err, apiclient.ErrUnauthorized) || errors.Is(err, context.Canceled) {
		p.lost = true
		return
	}
	if part.Figures == nil && part.Table == nil {
		part.Err, field = err, record.Null(name)
	}
	p.doc.Sections, p.doc.Object = append(p.doc.Sections, part), append(p.doc.Object, field)
}

// facts describes a record as a part.
func facts[T any](part *Section, name string, of func(T) record.Object, got T, err error) (record.Field, error) {
	if err != nil {
		return record.Null(name), err
	}
	part.Figures = of(got)
	return record.Nested(name, part.Figures), nil
}

// latest describes the records that could be read, and returns an error that counts the others.
func latest[T apiclient.Record](part *Section, noun string, all []T, of func(T) record.Object) (record.Field, error) {
	part.Table = &Table{Empty: "none yet"}
	for _, one := range apiclient.Readable(all) {
		part.Table.Rows = append(part.Table.Rows, Row{Object: of(one), Record: one})
	}
	n, first := apiclient.CountUnreadable(all)
	return record.List(noun+"s", part.Table.Objects()), problem.UnreadableRows(n, noun, first)
}

// Months returns money in and out by calendar month, latest month first.
func Months(ctx context.Context, s Source) (*Doc, error) {
	d := list(&Table{})
	_, err := months(ctx, s, &d.Sections[0])
	d.Table = d.Sections[0].Table
	return d, err
}

// months gets money in and out from the ledger's monthly totals.
func months(ctx context.Context, s Source, part *Section) (record.Field, error) {
	first := s.today().FirstOfMonth()
	coverage, err := cash.Coverage(ctx, s, s.today())
	if err != nil {
		return record.Null("months"), err
	}
	var known []figures.Month
	for i := range overviewMonths {
		from := first.AddMonths(-i)
		page, err := s.TransactionPage(ctx, apiclient.TransactionQuery{From: from, To: from.LastOfMonth(), Limit: 1})
		if err != nil {
			return record.Null("months"), err
		}
		known = append(known, coverage.Cover([]figures.Month{{First: from, Summary: page.Summary}})...)
	}
	part.Table = tableOf(nil, known, func(m *figures.Month) record.Object { return record.MonthSummary(*m, s.Now) })
	part.Table.Excluded = strings.TrimSpace(figures.Excluded(figures.Unconverted(known), 0, figures.CurrencyOf(known)) +
		" " + figures.WhyMissing(known))
	return record.List("months", part.Table.Objects()), nil
}
