package plain

import (
	"cmp"

	"tarmac/apiclient"
	"tarmac/client/answer"
	"tarmac/client/problem"
	"tarmac/client/rowfilter"
	"tarmac/client/seek"
	"tarmac/client/spending"
	"tarmac/internal/money"
)

// search lists the transactions that match typed words. The server searches text. All rows are read
// to search them for amounts, an account and a category.
func (p *transactionsPage) search(s *session, args string) error {
	keyword, wanted, err := rowfilter.Parse(args, p.total.Currency)
	switch {
	case err != nil:
		return s.answer("%s", problem.Sentence(err.Error()))
	case wanted.Empty():
		p.filter.Keyword = keyword
		return p.begin(s)
	}
	found := transactionsPage{filter: p.filter}
	found.filter.Keyword = keyword
	rows, err := found.all(s)
	if err != nil {
		return s.failed("Transactions", err)
	}
	if matching := max(found.total.Count, int64(len(rows))); matching > seek.MostRows {
		return s.answer("%s transactions match; at most %s can be searched for amounts or categories: "+
			"filter by dates or direction first.", money.Count(matching), money.Count(seek.MostRows))
	}
	known, ledger := s.annotations(), spending.NewLedger(rows, nil, nil)
	ledger.Currency = cmp.Or(ledger.Currency, found.total.Currency)
	var matching []int
	for i := range rows {
		if wanted.Matches(&rows[i], known.Of(&rows[i]).Category) {
			matching = append(matching, i)
		}
	}
	title := "With " + wanted.String()
	if words := found.words(); words != "" {
		title += ", " + words
	}
	return s.open(&answerPage{title: "search", ask: answer.Behind(ledger, title, matching)})
}

// all reads all transactions that match the filter, the newest first. It reads none if they are
// more than can be searched.
func (p *transactionsPage) all(s *session) (rows []apiclient.Transaction, err error) {
	q := p.filter
	q.Limit = seek.PageRows
	for {
		page, err := s.transactions(q)
		if err != nil {
			return nil, err
		}
		if p.total = page.Summary; p.total.Count > seek.MostRows {
			return nil, nil
		}
		rows = append(rows, page.Data...)
		if q.Cursor = page.NextCursor; q.Cursor == "" || len(page.Data) == 0 || len(rows) > seek.MostRows {
			return rows, nil
		}
	}
}
