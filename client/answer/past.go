package answer

import (
	"cmp"
	"context"
	"fmt"

	"tarmac/apiclient"
	"tarmac/client/cash"
	"tarmac/client/figures"
	"tarmac/client/history"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// Past has the transactions of some months, and says how complete they are.
type Past struct {
	*spending.Ledger
	Today       civil.Date
	Months      []civil.Date    // first days of the months that were asked for, newest first
	MonthTotals []figures.Month // the server's totals of these months
	Differences []history.Difference
	IsLimited   bool       // there are more transactions; those before Since were not read
	Since       civil.Date // first day of the oldest month that was read
	suspected   map[int]bool
}

// Reading reads the past. The zero value reads only the newest rows of a large one.
type Reading struct {
	Reader *history.Reader // may have months already
	// Large is asked before more than history.LargeHistory rows are read.
	Large func(history.Question) (bool, error)
	// Progress receives how much has been read.
	Progress func(history.Progress)
}

// Read reads the transactions of the given number of months. A reader that has months reads the two
// newest ones again.
func (r *Reading) Read(ctx context.Context, client Client, today civil.Date, months int) (*Past, error) {
	p := &Past{Today: today, Months: history.Span(today)[:months]}
	if r.Reader == nil {
		r.Reader = history.NewReader()
	}
	coverage, err := cash.Coverage(ctx, client, today)
	if err != nil {
		return nil, err
	}
	if r.Reader.Progress().Complete {
		r.Reader.ReadAgain(p.Months, func(first civil.Date) bool { return !first.Before(p.Months[1]) })
	} else {
		r.Reader.ReadAll(p.Months)
	}
	r.Reader.SetCoverage(coverage)
	if r.Large == nil {
		r.Reader.ReadNewest()
	}
	for {
		if question, open := r.Reader.Question(apiclient.Rate{}); open && r.Large != nil {
			large, err := r.Large(question)
			if err != nil {
				return nil, err
			}
			if large {
				r.Reader.ReadLarge()
			} else {
				r.Reader.ReadNewest()
			}
		}
		step := r.Reader.Next()
		if step == nil {
			break
		}
		outcome := step(ctx, client)
		r.Reader.Apply(outcome)
		if outcome.Err != nil {
			return nil, outcome.Err
		}
		if r.Progress != nil {
			r.Progress(r.Reader.Progress())
		}
	}
	p.Ledger, p.MonthTotals, p.Differences = r.Reader.Ledger(), r.Reader.Totals(), r.Reader.Differences()
	p.IsLimited, p.Since = r.Reader.IsLimited(), r.Reader.Progress().Since
	if p.Since.IsZero() || p.Ledger == nil {
		return nil, &InputError{Text: "the current month alone has more than " + money.Count(history.LargeHistory) +
			" transactions, which is too many to answer this"}
	}
	p.suspected = spending.RowsOfPairs(p.SuspectedTransfers(anyDay))
	return p, nil
}

func anyDay(civil.Date) bool { return true }

// SinceText returns the month of the oldest row or, without rows, the oldest month that was read.
func (p *Past) SinceText() string {
	if len(p.Rows) == 0 {
		return figures.YearMonth(p.Months[len(p.Months)-1])
	}
	return figures.YearMonth(p.Begins())
}

// rows describes the rows with the given indices.
func (p *Past) rows(rows []int) record.Rows { return record.RowsOf(p.Ledger, p.suspected, rows) }

// UnreadableError returns an error if rows could not be read and are missing in all figures.
func (p *Past) UnreadableError() error {
	n, first := 0, (*apiclient.ContractError)(nil)
	for i := range p.Differences {
		n += int(min(p.Differences[i].Unreadable, 1<<30))
		first = cmp.Or(first, p.Differences[i].Why)
	}
	if first == nil {
		return nil
	}
	return problem.UnreadableRows(n, "transaction", first)
}

// noteRead notes which transactions are missing or may change.
func (p *Past) noteRead(d *Doc) { p.noteMonths(d, anyDay) }

// noteMonths notes which transactions are missing, or may change in the months that includes
// accepts. It gets their first days.
func (p *Past) noteMonths(d *Doc, includes func(civil.Date) bool) {
	if p.IsLimited {
		d.note("There are more than " + money.Count(history.LargeHistory) + " transactions; only those since " +
			figures.YearMonth(p.Since) + " were read.")
	}
	for i := range p.Differences {
		if includes(p.Differences[i].First) {
			d.note(p.Differences[i].String() + ". They may be changing.")
		}
	}
	d.Unreadable = p.UnreadableError()
}

// noteSuspected notes which rows may be own transfers. It looks at the days that includes accepts.
func (p *Past) noteSuspected(d *Doc, includes func(civil.Date) bool) {
	d.note(spending.SuspectedText(p.SuspectedTransfers(includes)))
}

// noteAll notes all that is missing or uncertain in figures of the given days. The sentence leftOut
// says what they exclude.
func (p *Past) noteAll(d *Doc, leftOut string, includes func(civil.Date) bool) *Doc {
	p.noteRead(d)
	d.note(leftOut, p.Coverage.Unanswered)
	p.noteSuspected(d, includes)
	return d
}

// behind returns the question for the transactions behind a figure.
func (p *Past) behind(title string, rows []int) Question { return Behind(p.Ledger, title, rows) }

// Behind returns the question for rows of a ledger, given by their indices.
func Behind(l *spending.Ledger, title string, rows []int) Question {
	return func(context.Context, Source) (*Doc, error) {
		flows := l.Flows(rows)
		d := list(&Table{Columns: record.TransactionIn(l.Currency)})
		for _, i := range rows {
			t := *l.Rows[i].Transaction
			d.Table.Rows = append(d.Table.Rows, Row{Object: record.Transaction(t), Record: t})
		}
		d.Title = fmt.Sprintf("%s: %s, in %s, out %s, net %s.", title, plural.Count(len(rows), "transaction"), flows.In,
			flows.Out, flows.Net)
		d.note(flows.Net.Why())
		return d, nil
	}
}
