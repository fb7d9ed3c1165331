package cli

import (
	"cmp"
	"context"
	"runtime/debug"

	"tarmac/apiclient"
	"tarmac/client/cash"
	"tarmac/client/figures"
	"tarmac/client/history"
	"tarmac/client/record"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// ledgerOf is the ledger of some months, with what the commands say about its completeness.
type ledgerOf struct {
	*spending.Ledger
	today       civil.Date
	months      []civil.Date    // first days of the months that were read, newest first
	totals      []figures.Month // the server's totals of these months
	differences []history.Difference
	suspected   map[int]bool // indices of rows that may be transfers between own accounts
}

// historyGCPercent is the GOGC value of commands that read a history. With it, 50,000 rows stay
// below 60 MiB, for about half as much processor time again as with the default of 100 (see
// docs/performance.md).
const historyGCPercent = 35

// readHistory reads the transactions of the given number of months, including the current one. It
// shows its progress on standard error.
func (a *call) readHistory(ctx context.Context, months int) (l ledgerOf, err error) {
	if a.OwnProcess {
		debug.SetGCPercent(historyGCPercent)
	}
	l.today = civil.Of(a.Now())
	l.months = history.Span(l.today)[:months]
	progress := a.progress()
	defer progress.end()
	reader := history.NewReader()
	if err := a.fetchWithPauses(ctx, func() error {
		coverage, err := cash.Coverage(ctx, a.client, l.today)
		reader.SetCoverage(coverage)
		return err
	}); err != nil {
		return l, err
	}
	reader.ReadLarge()
	reader.ReadAll(l.months)
	for step := reader.Next(); step != nil; step = reader.Next() {
		outcome := step(ctx, pausingSource{a})
		if outcome.Err != nil {
			return l, outcome.Err
		}
		reader.Apply(outcome)
		p := reader.Progress()
		progress.say(money.Count(p.Rows) + " of " + money.Count(p.AllRows) + " transactions")
	}
	l.Ledger, l.totals, l.differences = reader.Ledger(), reader.Totals(), reader.Differences()
	l.suspected = spending.RowsOfPairs(l.SuspectedTransfers(anyDay))
	return l, nil
}

// pausingSource fetches transactions. If the server's rate limit is reached, it waits and fetches
// again.
type pausingSource struct{ *call }

// TransactionPage returns a page of transactions.
func (s pausingSource) TransactionPage(ctx context.Context, q apiclient.TransactionQuery) (
	page *apiclient.TransactionPage, err error,
) {
	err = s.fetchWithPauses(ctx, func() (err error) {
		page, err = s.client.TransactionPage(ctx, q)
		return err
	})
	return page, err
}

// since returns the month of the oldest row. If there are no rows, it returns the oldest month that
// was read.
func (l *ledgerOf) since() string {
	if len(l.Rows) == 0 {
		return figures.YearMonth(l.months[len(l.months)-1])
	}
	return figures.YearMonth(l.Begins())
}

// unreadableError returns an error if rows could not be read and are missing in all figures.
// Otherwise it returns nil.
func (l *ledgerOf) unreadableError() error {
	n, first := 0, (*apiclient.ContractError)(nil)
	for i := range l.differences {
		n += int(min(l.differences[i].Unreadable, 1<<30))
		first = cmp.Or(first, l.differences[i].Why)
	}
	if n == 0 || first == nil {
		return nil
	}
	return unreadableError("transaction", n, first)
}

// record describes the rows with the given indices.
func (l *ledgerOf) record(rows []int) record.Rows { return record.RowsOf(l.Ledger, l.suspected, rows) }

func anyDay(civil.Date) bool { return true }

// noteHistory prints on standard error what is missing in figures that were derived from the rows
// of the days for which includes returns true, and which of these rows may be own transfers. The
// sentence leftOut says what the figures leave out.
func (a *call) noteHistory(l *ledgerOf, leftOut string, includes func(civil.Date) bool) {
	for i := range l.differences {
		a.note("%s. They may be changing.", l.differences[i].String())
	}
	for _, sentence := range [...]string{leftOut, l.Coverage.Unanswered} {
		if sentence != "" {
			a.note("%s", sentence)
		}
	}
	if includes == nil {
		return
	}
	if text := spending.SuspectedText(l.SuspectedTransfers(includes)); text != "" {
		a.note("%s", text)
	}
}
