package store

import (
	"strings"

	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// batchHits is the size of a batch in which a summary is computed: a number of matching rows with
// the search index, of scanned rows without it. A batch takes one or two tenths of a second.
const batchHits = 200_000

// firstHits is the size of the first batch with the search index.
const firstHits = 20_000

// summarizeKeyword returns the summary of one batch of the rows from lowKey to highKey that match
// the filter. nextKey is the key at which the next batch starts; it is 0 after the last batch.
// Without the search index, days is needed to find the end of the batch. If days is nil, all rows
// are one batch.
func (s *Snapshot) summarizeKeyword(
	org OrgKey, f ledger.Filter, days []dayCount, lowKey, highKey int64,
) (summary partialSummary, nextKey int64, err error) {
	q, key := selectQuery{}, ""
	switch {
	case s.db.Dialect == database.Postgres:
		// For a small range, scanning its rows is faster than using the index.
		summary, err = s.summarizePostgres(f, highKey-lowKey < maxAddedRows, keyRange{lowKey, highKey})
		return summary, 0, err
	case usesIndex(f):
		return s.summarizeIndexed(f, lowKey, highKey, s.history.batchHits)
	case f.Direction != nil:
		q.from, key = "transaction_facts x CROSS JOIN transactions t ON t.id = x.id", "x.id"
		q.where("(x.facts >> 1 & 1) = ?", int64(*f.Direction))
	default:
		q.from, key = "transactions t CROSS JOIN transaction_facts x ON x.id = t.id", "t.id"
	}
	end := min(highKey, stepForward(ledgerOfKey(lowKey), days, lowKey, s.history.batchHits))
	q.where(key+" BETWEEN ? AND ?", lowKey, end)
	q.where("instr(t.search_text, ?) > 0", f.Keyword)
	summary, err = scanSummary(s.db.SlowQueryRow(q.sql(factColumnList(f, "")), q.args...))
	if end == highKey {
		return summary, 0, err
	}
	return summary, end + 1, err
}

func (s *Snapshot) summarizePostgres(f ledger.Filter, scan bool, within keyRange) (partialSummary, error) {
	q := selectQuery{}
	q.selectPostgres(f, scan, within.first, within.last)
	columns := postgresColumns
	if f.Currency != "" {
		columns = postgresReporting
	}
	return scanSummary(s.db.SlowQueryRow(q.sql(columns), q.args...))
}

// summarizeIndexed is summarizeKeyword for keywords in SQLite's search index. A batch has maxHits
// matching rows.
func (s *Snapshot) summarizeIndexed(
	f ledger.Filter, first, last, maxHits int64,
) (summary partialSummary, next int64, err error) {
	condition, args := "", []any{}
	if f.Direction != nil {
		condition = " FILTER (WHERE (x.facts >> 1 & 1) = ?)"
		for range factColumns {
			args = append(args, int64(*f.Direction))
		}
	}
	args = append(args, phrase(f.Keyword), first, last, maxHits)
	stop, err := s.readAhead(f.Keyword, first, last)
	if err != nil {
		return partialSummary{}, 0, err
	}
	defer stop()
	var hits, end int64
	row := s.db.SlowQueryRow("SELECT "+factColumnList(f, condition)+`, count(*), coalesce(max(h.id), 0)
		FROM (SELECT rowid AS id FROM transaction_search
			WHERE transaction_search MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ? + 0) h
		CROSS JOIN transaction_facts x ON x.id = h.id`, args...)
	summary, err = scanSummary(rowWith{Row: row, after: []any{&hits, &end}})
	if err != nil || hits < maxHits || end == last {
		return summary, 0, err
	}
	return summary, end + 1, nil
}

// factColumns computes the fields of a partialSummary in US dollars from SQLite's table of packed
// facts (insertFacts).
var factColumns = [...]string{
	"count(x.id)",
	"sum(iif(x.facts & 2, x.facts >> 2, 0))",
	"sum(iif(x.facts & 2, 0, x.facts >> 2))",
	"sum(1 - (x.facts & 1))",
	"min(x.id)",
	"max(x.id)",
}

// factColumnList returns factColumns, in the filter's currency, as a list of SELECT columns.
// condition is appended to each as its FILTER clause, unless it is "".
func factColumnList(f ledger.Filter, condition string) string {
	facts := factColumns
	if f.Currency != "" {
		facts = reportingFacts
	}
	columns := make([]string, len(facts))
	for i, column := range facts {
		columns[i] = "coalesce(" + column + condition + ", 0)"
	}
	return strings.Join(columns, ", ")
}
