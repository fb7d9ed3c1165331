package assistant

import (
	"context"

	"tarmac/client/cash"
	"tarmac/client/figures"
	"tarmac/client/history"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// past holds the transactions of some months.
type past struct {
	*spending.Ledger
	since civil.Date // first day of the oldest month that was read
	notes []string   // sentences about what is missing or may change
}

// readPast reads the transactions of the given number of months, including the current one. If
// there are more than history.LargeHistory, it reads only the newest months.
func readPast(ctx context.Context, source Source, today civil.Date, months int) (past, error) {
	coverage, err := cash.Coverage(ctx, source, today)
	if err != nil {
		return past{}, err
	}
	reader := history.NewReader()
	reader.SetCoverage(coverage)
	reader.ReadNewest()
	reader.ReadAll(history.Span(today)[:months])
	for step := reader.Next(); step != nil; step = reader.Next() {
		outcome := step(ctx, source)
		if outcome.Err != nil {
			return past{}, outcome.Err
		}
		reader.Apply(outcome)
	}
	progress := reader.Progress()
	p := past{Ledger: reader.Ledger(), since: progress.Since}
	if p.since.IsZero() {
		return p, &InputError{"the current month alone has more than " + money.Count(history.LargeHistory) +
			" transactions, which is too many to answer this"}
	}
	if reader.IsLimited() {
		p.notes = append(p.notes, "There are more than "+money.Count(history.LargeHistory)+
			" transactions; only those since "+figures.YearMonth(p.since)+" were read.")
	}
	for _, d := range reader.Differences() {
		p.notes = append(p.notes, d.String()+". They may be changing.")
	}
	return p, nil
}
