package store

import (
	"strings"

	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// batchHits is how many hits of a keyword are added up at a time, or how many rows are
// scanned for it: a tenth of a second or two.
const batchHits = 200_000

// sumKeyword adds up a batch of rows that contain the keyword, from the key first to last. It
// returns the key to continue from, or 0 when all are added up. Without the search index, days
// decide how far a batch goes; nil means to last.
func (s *Snapshot) sumKeyword(
	org OrgKey, f ledger.Filter, days []dayCount, first, last int64,
) (sum total, next int64, err error) {
	q, key := selectQuery{}, ""
	switch {
	case s.db.Dialect == database.Postgres:
		// A few rows are faster to scan than to look up.
		q.selectPostgres(f, last-first < maxAddedRows, first, last)
		sum, err = scanTotal(s.db.SlowQueryRow(q.sql(postgresSums), q.args...))
		return sum, 0, err
	case usesIndex(f):
		return s.sumIndexed(f, first, last)
	case f.Direction != nil:
		q.from, key = "transaction_facts x CROSS JOIN transactions t ON t.id = x.id", "x.id"
		q.where("(x.facts >> 1 & 1) = ?", int64(*f.Direction))
	default:
		q.from, key = "transactions t CROSS JOIN transaction_facts x ON x.id = t.id", "t.id"
	}
	end := min(last, stepForward(org, days, first, s.history.batchHits))
	q.where(key+" BETWEEN ? AND ?", first, end)
	q.where("instr(t.search_text, ?) > 0", f.Keyword)
	sum, err = scanTotal(s.db.SlowQueryRow(q.sql(factSumColumns("")), q.args...))
	if end == last {
		return sum, 0, err
	}
	return sum, end + 1, err
}

// sumIndexed is sumKeyword with the search index: a batch is so many hits.
func (s *Snapshot) sumIndexed(f ledger.Filter, first, last int64) (sum total, next int64, err error) {
	condition, args := "", []any{}
	if f.Direction != nil {
		condition = " FILTER (WHERE (x.facts >> 1 & 1) = ?)"
		for range factSums {
			args = append(args, int64(*f.Direction))
		}
	}
	args = append(args, phrase(f.Keyword), first, last, s.history.batchHits)
	var hits, end int64
	row := s.db.SlowQueryRow("SELECT "+factSumColumns(condition)+`, count(*), coalesce(max(h.id), 0)
		FROM (SELECT rowid AS id FROM transaction_search
			WHERE transaction_search MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ? + 0) h
		CROSS JOIN transaction_facts x ON x.id = h.id`, args...)
	sum, err = scanTotal(rowWith{Row: row, after: []any{&hits, &end}})
	if err != nil || hits < s.history.batchHits || end == last {
		return sum, 0, err
	}
	return sum, end + 1, nil
}

// factSums are a total's columns over SQLite's packed facts of rows.
var factSums = [...]string{
	"count(x.id)",
	"sum(iif(x.facts & 2, x.facts >> 2, 0))",
	"sum(iif(x.facts & 2, 0, x.facts >> 2))",
	"sum(1 - (x.facts & 1))",
	"min(x.id)",
	"max(x.id)",
}

// factSumColumns returns factSums as a list, each over the rows of a condition.
func factSumColumns(condition string) string {
	columns := make([]string, len(factSums))
	for i, sum := range factSums {
		columns[i] = "coalesce(" + sum + condition + ", 0)"
	}
	return strings.Join(columns, ", ")
}
