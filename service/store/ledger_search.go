package store

import (
	"sort"
	"strconv"

	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// searchPage reads a page of a keyword's rows whose keys are last or smaller, on SQLite. sum is
// the filter's totals.
//
// The search index finds a place quickly only when it reads towards newer rows. Towards older
// rows it reads each of its places again and again, which takes a tenth of a second for a
// frequent word. So searchPage reads stretches of the ledger towards newer rows and reverses
// them. Their length is chosen so that the first stretch most likely fills the page.
func (s *Snapshot) searchPage(
	org OrgKey, f ledger.Filter, summary partialSummary, last int64, limit int,
) (Page, error) {
	want := int(min(int64(limit)+1, summary.Count))
	days, err := s.dayCountsAt(org, summary)
	if err != nil {
		return Page{}, err
	}
	rowsPerPage := countRows(org, days, summary.oldest, summary.newest) * int64(want) / summary.Count
	// The matching rows are not evenly spread, so more rows are read than a page needs on average.
	rows := rowsPerPage*5/4 + s.history.minTracked/20 + 1
	var keys []int64 // the newest first
	for range maxStretches {
		first := max(stepBack(org, days, last, rows), summary.oldest)
		found, err := s.matchingKeys(f, first, last, "")
		if err != nil {
			return Page{}, err
		}
		for len(found) > 0 && len(keys) < want {
			keys = append(keys, found[len(found)-1])
			found = found[:len(found)-1]
		}
		if len(keys) == want || first == summary.oldest {
			return s.readKeys(keys, limit)
		}
		last, rows = first-1, 4*rows
	}
	found, err := s.matchingKeys(f, summary.oldest, last, " DESC LIMIT ? + 0", want-len(keys))
	if err != nil {
		return Page{}, err
	}
	return s.readKeys(append(keys, found...), limit)
}

// maxStretches is how many stretches are read. If they do not fill a page, the hits are far
// from evenly spread, and a longer stretch may have millions.
const maxStretches = 3

// dayCountsAt returns the ledger's day counts at the totals' revision. It returns none for a
// filter with few rows: all of those are read to find a page.
func (s *Snapshot) dayCountsAt(org OrgKey, summary partialSummary) ([]dayCount, error) {
	if summary.Count < s.history.minTracked {
		return nil, nil
	}
	if days, ok := s.history.dayCounts(org, summary.revision); ok {
		return days, nil
	}
	return s.readDayCounts(org)
}

// countRows counts the rows of the days from the first key's to the last key's.
func countRows(org OrgKey, days []dayCount, first, last int64) (rows int64) {
	for _, d := range days {
		if rowKey(org, d.day, maxSequence) >= first && rowKey(org, d.day, 0) <= last {
			rows += d.rows
		}
	}
	return rows
}

// stepBack returns the key that is so many rows before another one, or 0 if there are fewer.
func stepBack(org OrgKey, days []dayCount, from, rows int64) int64 {
	day, sequence := splitKey(from)
	i := sort.Search(len(days), func(i int) bool { return days[i].day > day })
	for i--; i >= 0; i-- {
		here := days[i].rows
		if days[i].day == day {
			here = min(here, sequence)
		}
		if rows <= here {
			return rowKey(org, days[i].day, here-rows)
		}
		rows -= here
	}
	return 0
}

// stepForward returns the key that is so many rows after another one, or the organization's
// greatest if there are fewer.
func stepForward(org OrgKey, days []dayCount, from, rows int64) int64 {
	day, sequence := splitKey(from)
	for _, d := range days[sort.Search(len(days), func(i int) bool { return days[i].day >= day }):] {
		begin := int64(1)
		if d.day == day {
			begin = sequence
		}
		if here := d.rows - begin + 1; rows > here {
			rows -= max(here, 0)
			continue
		}
		return rowKey(org, d.day, begin+rows-1)
	}
	return rowKey(org, maxDay, maxSequence)
}

// matchingKeys returns the keys of the filter's rows between two keys, the oldest first. end
// is the end of the statement: another order, a limit.
func (s *Snapshot) matchingKeys(f ledger.Filter, first, last int64, end string, args ...any) ([]int64, error) {
	q := selectQuery{from: "transaction_search"}
	if f.Direction != nil {
		q.from = "transaction_search CROSS JOIN transaction_facts x ON x.id = transaction_search.rowid"
	}
	q.where("transaction_search MATCH ?", phrase(f.Keyword))
	q.where("transaction_search.rowid BETWEEN ? AND ?", first, last)
	if f.Direction != nil {
		q.where("(x.facts >> 1 & 1) = ?", int64(*f.Direction))
	}
	query := q.sql("transaction_search.rowid") + " ORDER BY transaction_search.rowid" + end
	rows, err := s.db.SlowQuery(query, append(q.args, args...)...)
	return database.Collect(rows, err, "the search index", func(row database.Row) (key int64, err error) {
		err = row.Scan(&key)
		return key, err
	})
}

// readKeys reads the rows that have the keys.
func (s *Snapshot) readKeys(keys []int64, limit int) (Page, error) {
	list := []byte{'['}
	for i, key := range keys {
		if i > 0 {
			list = append(list, ',')
		}
		list = strconv.AppendInt(list, key, 10)
	}
	q := selectQuery{
		from:       "json_each(?) k CROSS JOIN transactions t ON t.id = k.value",
		conditions: []string{"true"},
		args:       []any{string(append(list, ']'))},
	}
	return s.readPacked(q, " ORDER BY t.id DESC", limit, s.db.Query)
}
