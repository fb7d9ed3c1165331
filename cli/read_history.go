package cli

import (
	"context"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/history"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// ledgerOf is the ledger of some months, with what the commands say about its completeness.
type ledgerOf struct {
	*spending.Ledger
	today      civil.Date
	months     []civil.Date // first days of the months that were read, newest first
	incomplete []string     // months whose rows do not add up to the server's totals
}

// readHistory reads the transactions of the given number of months, including the current one. It
// shows its progress on standard error.
func (a *call) readHistory(ctx context.Context, months int) (l ledgerOf, err error) {
	l.today = civil.Of(a.Now())
	l.months = history.Span(l.today)[:months]
	progress := a.progress()
	defer progress.end()
	source := pausingSource{a}
	count, err := history.CountRows(ctx, source, l.months)
	if err != nil {
		return l, err
	}
	read := int64(0)
	var rows []apiclient.Transaction
	for _, first := range l.months {
		m, err := history.ReadMonth(ctx, source, first, func(n int) {
			read += int64(n)
			progress.say(money.Count(read) + " of " + money.Count(count) + " transactions")
		})
		if err != nil {
			return l, err
		}
		if !m.IsComplete() {
			l.incomplete = append(l.incomplete, figures.YearMonth(first))
		}
		rows = append(rows, m.Rows...)
	}
	own, err := history.ReadIDs(ctx, source, history.InternalTransfers, l.months)
	if err != nil {
		return l, err
	}
	financing, err := history.ReadIDs(ctx, source, history.Financing, l.months)
	if err != nil {
		return l, err
	}
	l.Ledger = spending.NewLedger(rows, own, financing)
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

// ids returns the IDs of the rows with the given indices.
func (l *ledgerOf) ids(rows []int) []string {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = l.Rows[row].ID
	}
	return ids
}

// noteHistory prints on standard error which rows and months are missing in figures that were
// derived from the ledger.
func (a *call) noteHistory(l *ledgerOf) {
	for _, month := range l.incomplete {
		a.note("The rows of %s do not add up to the server's totals; they may be changing.", month)
	}
	without := int64(0)
	for i := range l.Rows {
		if !l.Rows[i].USD.Known() {
			without++
		}
	}
	if text := figures.Excluded(without, 0); text != "" {
		a.note("%s", text)
	}
}
