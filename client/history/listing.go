package history

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"tarmac/apiclient"
	"tarmac/internal/civil"
)

// pageSize is the number of rows per request, the API's maximum.
const pageSize = 200

// pagesPerStep is the maximum number of requests in a step.
const pagesPerStep = 5

// kind says what a listing is read for.
type kind int

const (
	rowCount kind = iota // only the totals are used
	ownTransferIDs
	financingIDs
	monthRows
)

// listing is a list of transactions that is read page by page.
type listing struct {
	kind
	query   apiclient.TransactionQuery // selects the next page
	pages   [][]apiclient.Transaction  // only for monthRows, until it is finished; they are not changed
	rows    []apiclient.Transaction    // only for monthRows, once it is finished
	ids     map[string]bool            // only for ownTransferIDs and financingIDs
	summary apiclient.Summary          // the server's totals, as of the last page
	listed  int64                      // number of rows on the pages read so far
	// unreadable has the IDs of the rows that could not be decoded or are dated outside the month,
	// as far as they have one. They are not in rows.
	unreadable []string
	why        *apiclient.ContractError // of the first row that could not be decoded
	finished   bool
	repeated   bool // the rows of the first reading did not add up to the totals
}

func monthListing(first civil.Date) listing {
	return listing{kind: monthRows, query: apiclient.TransactionQuery{
		From: first, To: first.LastOfMonth(), Limit: pageSize,
	}}
}

func keywordListing(kind kind, keyword string, oldest, newest civil.Date) listing {
	return listing{kind: kind, ids: map[string]bool{}, query: apiclient.TransactionQuery{
		From: oldest, To: newest.LastOfMonth(), Keyword: keyword, Limit: pageSize,
	}}
}

// restarted returns the listing as it was before the first page.
func (l *listing) restarted() listing {
	fresh := listing{kind: l.kind, query: l.query, repeated: l.repeated}
	fresh.query.Cursor = ""
	if l.ids != nil {
		fresh.ids = map[string]bool{}
	}
	return fresh
}

// readPages reads the next pages, at most pagesPerStep. After an error that a retry can remove, the
// listing continues with the page that failed. After any other error, it starts again, because the
// server may have refused its cursor.
func (l *listing) readPages(ctx context.Context, source Source) error {
	for range pagesPerStep {
		if l.finished {
			return nil
		}
		err := l.readPage(ctx, source)
		if err != nil && !errors.Is(err, apiclient.ErrRateLimited) && !errors.Is(err, apiclient.ErrNetwork) {
			*l = l.restarted()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readPage reads the next page. If the pages have more rows than the server's totals count, it
// finishes the listing, which would otherwise never end on a server that invents rows.
func (l *listing) readPage(ctx context.Context, source Source) error {
	page, err := source.TransactionPage(ctx, l.query)
	if err != nil {
		return err
	}
	next, more, err := page.Next(l.query)
	if err != nil {
		return err
	}
	l.summary = page.Summary
	l.listed += int64(len(page.Data))
	l.add(page.Data)
	l.query = next
	if l.finished = !more || l.kind == rowCount || l.listed > l.summary.Count; l.finished {
		l.rows, l.pages = slices.Concat(l.pages...), nil
		pack(l.rows)
	}
	return nil
}

// add adds the rows of a page, which others may read too.
func (l *listing) add(page []apiclient.Transaction) {
	switch {
	case l.ids != nil:
		for i := range page {
			l.ids[page[i].ID] = true
		}
	case l.kind == monthRows:
		isLost := func(t *apiclient.Transaction) bool {
			return t.Unreadable != nil || t.Date.FirstOfMonth() != l.query.From
		}
		before := len(l.unreadable)
		for i := range page {
			if t := &page[i]; isLost(t) {
				l.unreadable = append(l.unreadable, t.ID)
				l.why = cmp.Or(l.why, t.Unreadable)
			}
		}
		if len(l.unreadable) > before {
			page = slices.DeleteFunc(slices.Clone(page), func(t apiclient.Transaction) bool { return isLost(&t) })
		}
		l.pages = append(l.pages, page)
	}
}

// pack moves the texts of rows into one string that has each different text once. That saves a
// third of the memory of a history, and the garbage collector marks one string instead of many.
func pack(rows []apiclient.Transaction) {
	begins := map[string]int{}
	var packed []byte
	eachText(rows, func(text string) string {
		if _, known := begins[text]; !known {
			begins[text] = len(packed)
			packed = append(packed, text...)
		}
		return text
	})
	all := string(packed)
	eachText(rows, func(text string) string { return all[begins[text]:][:len(text)] })
}

// eachText replaces each text of the rows.
func eachText(rows []apiclient.Transaction, with func(string) string) {
	for i := range rows {
		t := &rows[i]
		for _, text := range [...]*string{
			&t.ID, &t.CounterpartyName, &t.SourceLabel, &t.LogoURL, &t.Memo, &t.Method, &t.Reference, &t.Category,
			&t.Account,
		} {
			*text = with(*text)
		}
		t.Direction, t.Source = apiclient.Direction(with(string(t.Direction))), apiclient.Source(with(string(t.Source)))
		currency := with(t.Amount.Currency())
		if minor, known := t.Amount.Minor(); known {
			t.Amount = apiclient.NewAmount(minor, currency)
		} else {
			t.Amount = apiclient.UnknownAmount(currency)
		}
	}
}

// difference compares the rows of a month with the server's totals.
func (l *listing) difference() Difference {
	total, ok := Total(l.rows)
	total.Currency = cmp.Or(total.Currency, l.summary.Currency)
	return Difference{
		First: l.query.From, Server: l.summary, Rows: total, Unreadable: int64(len(l.unreadable)), Overflow: !ok, Why: l.why,
	}
}
