package store

import (
	"strings"

	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// batchHits is the size of a batch: the number of rows that match a keyword, or the number of
// scanned rows if the search index is not used. A batch takes one or two tenths of a second.
const batchHits = 200_000

// summarizeKeyword returns the summary of a batch of the rows that contain the keyword, between
// the keys first and last. next is the key at which the next batch begins, or 0 if there is
// none. Without the search index, days are needed to find the end of the batch; if they are nil,
// there is only one batch.
func (s *Snapshot) summarizeKeyword(
	org OrgKey, f ledger.Filter, days []dayCount, first, last int64,
) (summary partialSummary, next int64, err error) {
	q, key := selectQuery{}, ""
	switch {
	case s.db.Dialect == database.Postgres:
		// Scanning a few rows is faster than using the index.
		q.selectPostgres(f, last-first < maxAddedRows, first, last)
		summary, err = scanSummary(s.db.SlowQueryRow(q.sql(postgresColumns), q.args...))
		return summary, 0, err
	case usesIndex(f):
		return s.summarizeIndexed(f, first, last)
	case f.Direction != nil:
		q.from, key = "transaction_facts x CROSS JOIN transactions t ON t.id = x.id", "x.id"
		q.where("(x.facts >> 1 & 1) = ?", int64(*f.Direction))
	default:
		q.from, key = "transactions t CROSS JOIN transaction_facts x ON x.id = t.id", "t.id"
	}
	end := min(last, stepForward(org, days, first, s.history.batchHits))
	q.where(key+" BETWEEN ? AND ?", first, end)
	q.where("instr(t.search_text, ?) > 0", f.Keyword)
	summary, err = scanSummary(s.db.SlowQueryRow(q.sql(factColumnList("")), q.args...))
	if end == last {
		return summary, 0, err
	}
	return summary, end + 1, err
}

// summarizeIndexed is summarizeKeyword with SQLite's search index. A batch has batchHits
// matches.
func (s *Snapshot) summarizeIndexed(
	f ledger.Filter, first, last int64,
) (summary partialSummary, next int64, err error) {
	condition, args := "", []any{}
	if f.Direction != nil {
		condition = " FILTER (WHERE (x.facts >> 1 & 1) = ?)"
		for range factColumns {
			args = append(args, int64(*f.Direction))
		}
	}
	args = append(args, phrase(f.Keyword), first, last, s.history.batchHits)
	var hits, end int64
	row := s.db.SlowQueryRow("SELECT "+factColumnList(condition)+`, count(*), coalesce(max(h.id), 0)
		FROM (SELECT rowid AS id FROM transaction_search
			WHERE transaction_search MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ? + 0) h
		CROSS JOIN transaction_facts x ON x.id = h.id`, args...)
	summary, err = scanSummary(rowWith{Row: row, after: []any{&hits, &end}})
	if err != nil || hits < s.history.batchHits || end == last {
		return summary, 0, err
	}
	return summary, end + 1, nil
}

// factColumns are the columns of a partialSummary, computed from SQLite's table of packed facts
// (factsOf).
var factColumns = [...]string{
	"count(x.id)",
	"sum(iif(x.facts & 2, x.facts >> 2, 0))",
	"sum(iif(x.facts & 2, 0, x.facts >> 2))",
	"sum(1 - (x.facts & 1))",
	"min(x.id)",
	"max(x.id)",
}

// factColumnList returns factColumns as a list for SELECT. condition is the FILTER clause of
// each column, or empty.
func factColumnList(condition string) string {
	columns := make([]string, len(factColumns))
	for i, column := range factColumns {
		columns[i] = "coalesce(" + column + condition + ", 0)"
	}
	return strings.Join(columns, ", ")
}
