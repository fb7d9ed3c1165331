package store

import (
	"sort"
	"strconv"

	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// searchPage reads a page of the transactions that match a keyword on SQLite, from highKey
// downwards. summary is the complete summary of the filter.
//
// SQLite's search index is fast only in ascending order, towards newer rows. In descending order it
// reads the same entries again and again, which takes a tenth of a second for a frequent word.
// Therefore searchPage reads ranges of the ledger in ascending order, the newest range first, and
// reverses the matches. The first range is so long that its matches most likely fill the page.
func (s *Snapshot) searchPage(
	org OrgKey, f ledger.Filter, summary partialSummary, highKey int64, limit int,
) (Page, error) {
	want := int(min(int64(limit)+1, summary.Count))
	days, err := s.dayCountsAt(org, summary)
	if err != nil {
		return Page{}, err
	}
	l := ledgerOfKey(highKey)
	rowsPerPage := countRows(l, days, summary.oldest, summary.newest) * int64(want) / summary.Count
	// Matching rows are not evenly spread, so the range has more rows than a page needs on average.
	rows := rowsPerPage*5/4 + s.history.minTracked/20 + 1
	var keys []int64 // keys of the page's rows, newest first
	for range maxSearchRanges {
		first := max(stepBack(l, days, highKey, rows), summary.oldest)
		found, err := s.matchingKeys(f, first, highKey, "")
		if err != nil {
			return Page{}, err
		}
		for len(found) > 0 && len(keys) < want {
			keys = append(keys, found[len(found)-1])
			found = found[:len(found)-1]
		}
		if len(keys) == want || first == summary.oldest {
			return s.readKeys(f, keys, limit)
		}
		highKey, rows = first-1, 4*rows
	}
	found, err := s.matchingKeys(f, summary.oldest, highKey, " DESC LIMIT ? + 0", want-len(keys))
	if err != nil {
		return Page{}, err
	}
	return s.readKeys(f, append(keys, found...), limit)
}

// maxSearchRanges is the number of ranges that are searched in ascending order. If their matches do
// not fill the page, the matches are very unevenly spread, and a longer range might have millions
// of them. The rest of the page is therefore read in descending order.
const maxSearchRanges = 3

// dayCountsAt returns how many ledger rows each day has at the summary's revision. It returns nil
// for a filter with few matches, because a page of those is found by reading them all.
func (s *Snapshot) dayCountsAt(org OrgKey, summary partialSummary) ([]dayCount, error) {
	if summary.Count < s.history.minTracked {
		return nil, nil
	}
	if days, ok := s.history.dayCounts(org, summary.revision); ok {
		return days, nil
	}
	return s.readDayCounts(org)
}

// countRows returns the number of ledger rows from the day of lowKey to the day of highKey.
func countRows(l ledgerKey, days []dayCount, lowKey, highKey int64) (rows int64) {
	for _, d := range days {
		if rowKey(l, d.day, maxSequence) >= lowKey && rowKey(l, d.day, 0) <= highKey {
			rows += d.rows
		}
	}
	return rows
}

// stepBack returns the key of the ledger row that is the given number of rows before key. It
// returns 0 if there are fewer rows.
func stepBack(l ledgerKey, days []dayCount, key, rows int64) int64 {
	day, sequence := splitKey(key)
	i := sort.Search(len(days), func(i int) bool { return days[i].day > day })
	for i--; i >= 0; i-- {
		here := days[i].rows
		if days[i].day == day {
			here = min(here, sequence)
		}
		if rows <= here {
			return rowKey(l, days[i].day, here-rows)
		}
		rows -= here
	}
	return 0
}

// stepForward returns the key of the ledger row that is the given number of rows after key. If
// there are fewer rows, it returns the greatest possible key of the ledger.
func stepForward(l ledgerKey, days []dayCount, key, rows int64) int64 {
	day, sequence := splitKey(key)
	for _, d := range days[sort.Search(len(days), func(i int) bool { return days[i].day >= day }):] {
		begin := int64(1)
		if d.day == day {
			begin = sequence
		}
		if here := d.rows - begin + 1; rows > here {
			rows -= max(here, 0)
			continue
		}
		return rowKey(l, d.day, begin+rows-1)
	}
	return rowKey(l, maxDay, maxSequence)
}

// matchingKeys returns the keys from lowKey to highKey of the rows that match the filter, in
// ascending order. end is SQL that is appended after ORDER BY, such as DESC or a LIMIT; args are
// its arguments.
func (s *Snapshot) matchingKeys(f ledger.Filter, lowKey, highKey int64, end string, args ...any) ([]int64, error) {
	q := selectQuery{from: "transaction_search"}
	if f.Direction != nil {
		q.from = "transaction_search CROSS JOIN transaction_facts x ON x.id = transaction_search.rowid"
	}
	q.where("transaction_search MATCH ?", phrase(f.Keyword))
	q.where("transaction_search.rowid BETWEEN ? AND ?", lowKey, highKey)
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

// readKeys returns a page of at most limit of the rows with the given keys, newest first.
func (s *Snapshot) readKeys(f ledger.Filter, keys []int64, limit int) (Page, error) {
	defer s.db.ReadAhead(s.readAheadOfKeys(keys))()
	q := selectQuery{
		from:       "json_each(?) k CROSS JOIN transactions t ON t.id = k.value",
		conditions: []string{"true"},
		args:       []any{jsonList(keys)},
	}
	return s.readPacked(q, f, " ORDER BY t.id DESC", limit, s.db.Query)
}

func jsonList(keys []int64) string {
	list := []byte{'['}
	for i, key := range keys {
		if i > 0 {
			list = append(list, ',')
		}
		list = strconv.AppendInt(list, key, 10)
	}
	return string(append(list, ']'))
}
