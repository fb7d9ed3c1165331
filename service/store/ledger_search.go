package store

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// searched reads a page of a keyword's rows that is the last key's or older; sum is
// what all rows of the filter add up to.
//
// The search index goes to a place quickly in one direction only, to newer rows:
// going to older ones it reads each of its places again and again, which takes a
// tenth of a second with a frequent word. So stretches of the ledger are read to
// newer rows, of such a length that the page is most likely in the first.
func (s *Snapshot) searched(org OrgKey, f ledger.Filter, sum total, last int64, limit int) (Page, error) {
	want := int(min(int64(limit)+1, sum.Count))
	days, err := s.daysAt(org, sum)
	if err != nil {
		return Page{}, err
	}
	// A quarter more than that many rows have hits on average, and some.
	rows := between(org, days, sum.oldest, sum.newest)*int64(want)/sum.Count*5/4 + s.growth.worth/20 + 1
	var keys []int64 // the newest first
	for range mostStretches {
		first := max(back(org, days, last, rows), sum.oldest)
		found, err := s.hits(f, first, last, "")
		if err != nil {
			return Page{}, err
		}
		for len(found) > 0 && len(keys) < want {
			keys = append(keys, found[len(found)-1])
			found = found[:len(found)-1]
		}
		if len(keys) == want || first == sum.oldest {
			return s.rowsOf(keys, limit)
		}
		last, rows = first-1, 4*rows
	}
	found, err := s.hits(f, sum.oldest, last, " DESC LIMIT ? + 0", want-len(keys))
	if err != nil {
		return Page{}, err
	}
	return s.rowsOf(append(keys, found...), limit)
}

// mostStretches is how many stretches are looked at. Where they do not fill a page the
// hits are far from evenly spread, and a longer stretch may have millions.
const mostStretches = 3

// daysAt returns the ledger's days at the total's revision, the snapshot's. Where
// the filter has few rows there are none: all are read to find a page of them.
func (s *Snapshot) daysAt(org OrgKey, sum total) ([]dayRows, error) {
	if sum.Count < s.growth.worth {
		return nil, nil
	}
	if days, ok := s.growth.daysOf(org, sum.revision); ok {
		return days, nil
	}
	return s.days(org)
}

// between counts the rows from the first key to the last, in whole days.
func between(org OrgKey, days []dayRows, first, last int64) (rows int64) {
	for _, d := range days {
		if rowKey(org, d.day, maxSequence) >= first && rowKey(org, d.day, 0) <= last {
			rows += d.rows
		}
	}
	return rows
}

// back returns the key that is so many rows before another one, or 0 where there
// are not so many.
func back(org OrgKey, days []dayRows, from, rows int64) int64 {
	day, sequence := from>>sequenceBits&maxDay, from&maxSequence
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

// forth returns the key that is so many rows after another one, or the greatest
// where there are not so many.
func forth(org OrgKey, days []dayRows, from, rows int64) int64 {
	day, sequence := from>>sequenceBits&maxDay, from&maxSequence
	for _, d := range days[sort.Search(len(days), func(i int) bool { return days[i].day >= day }):] {
		begins := int64(1)
		if d.day == day {
			begins = sequence
		}
		if here := d.rows - begins + 1; rows > here {
			rows -= max(here, 0)
			continue
		}
		return rowKey(org, d.day, begins+rows-1)
	}
	return rowKey(org, maxDay, maxSequence)
}

// hits returns the keys of the filter's rows between two, the oldest first unless the
// end of the statement says otherwise.
func (s *Snapshot) hits(f ledger.Filter, first, last int64, end string, args ...any) (keys []int64, failed error) {
	q := selection{from: "transaction_search"}
	if f.Direction != nil {
		q.from = "transaction_search CROSS JOIN transaction_facts x ON x.id = transaction_search.rowid"
	}
	q.and("transaction_search MATCH ?", phrase(f.Keyword))
	q.and("transaction_search.rowid BETWEEN ? AND ?", first, last)
	if f.Direction != nil {
		q.and("(x.facts >> 1 & 1) = ?", int64(*f.Direction))
	}
	rows, err := s.db.SlowQuery(q.text("transaction_search.rowid")+" ORDER BY transaction_search.rowid"+end, append(q.args, args...)...)
	if err != nil {
		return nil, fmt.Errorf("searching the transactions: %w", err)
	}
	defer func() { failed = errors.Join(failed, rows.Close()) }()
	for rows.Next() {
		var key int64
		if err := rows.Scan(&key); err != nil {
			return nil, fmt.Errorf("searching the transactions: %w", err)
		}
		keys = append(keys, key)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("searching the transactions: %w", err)
	}
	return keys, nil
}

// rowsOf reads the rows of the keys.
func (s *Snapshot) rowsOf(keys []int64, limit int) (Page, error) {
	list := []byte{'['}
	for i, key := range keys {
		if i > 0 {
			list = append(list, ',')
		}
		list = strconv.AppendInt(list, key, 10)
	}
	return s.pageOf(selection{from: "json_each(?) k CROSS JOIN transactions t ON t.id = k.value", where: []string{"true"}, args: []any{string(append(list, ']'))}},
		" ORDER BY t.id DESC", limit, s.db.Query)
}

// partHits is how many hits of a keyword are added up at a time, or how many rows are
// looked through: a tenth of a second or two.
const partHits = 200_000

// keywordPart adds up rows that hold the keyword, from the key first to last. It
// returns the key to go on from, 0 when that was all. Without an index the days tell
// how far a part goes; it is the whole where there are none.
func (s *Snapshot) keywordPart(org OrgKey, f ledger.Filter, days []dayRows, first, last int64) (sum total, rest int64, err error) {
	q, key := selection{}, ""
	switch {
	case s.db.Dialect == database.Postgres:
		// A few rows are gone through without the search index.
		q.fromWide(f, last-first < maxGrown, first, last)
		sum, err = scanTotal(s.db.SlowQueryRow(q.text(wideSums), q.args...))
		return sum, 0, err
	case indexed(f):
		return s.hitsPart(f, first, last)
	case f.Direction != nil:
		q.from, key = "transaction_facts x CROSS JOIN transactions t ON t.id = x.id", "x.id"
		q.and("(x.facts >> 1 & 1) = ?", int64(*f.Direction))
	default:
		q.from, key = "transactions t CROSS JOIN transaction_facts x ON x.id = t.id", "t.id"
	}
	end := min(last, forth(org, days, first, s.growth.part))
	q.and(key+" BETWEEN ? AND ?", first, end)
	q.and("instr(t.search_text, ?) > 0", f.Keyword)
	sum, err = scanTotal(s.db.SlowQueryRow(q.text(sumsOf("")), q.args...))
	if end == last {
		return sum, 0, err
	}
	return sum, end + 1, err
}

// hitsPart is keywordPart with the search index: so many hits are a part.
func (s *Snapshot) hitsPart(f ledger.Filter, first, last int64) (sum total, rest int64, err error) {
	condition, args := "", []any{}
	if f.Direction != nil {
		condition = " FILTER (WHERE (x.facts >> 1 & 1) = ?)"
		for range sums {
			args = append(args, int64(*f.Direction))
		}
	}
	args = append(args, phrase(f.Keyword), first, last, s.growth.part)
	var hits, end int64
	sum, err = scanTotal(alsoScan{s.db.SlowQueryRow("SELECT "+sumsOf(condition)+`, count(*), coalesce(max(h.id), 0)
		FROM (SELECT rowid AS id FROM transaction_search WHERE transaction_search MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ? + 0) h
		CROSS JOIN transaction_facts x ON x.id = h.id`, args...), &hits, &end})
	if err != nil || hits < s.growth.part || end == last {
		return sum, 0, err
	}
	return sum, end + 1, nil
}

// sums are a total's columns over SQLite's facts of rows.
var sums = [...]string{
	"count(x.id)", "sum(iif(x.facts & 2, x.facts >> 2, 0))", "sum(iif(x.facts & 2, 0, x.facts >> 2))", "sum(1 - (x.facts & 1))", "min(x.id)", "max(x.id)",
}

// sumsOf returns the columns, each over the rows of a condition.
func sumsOf(condition string) string {
	all := make([]string, len(sums))
	for i, sum := range sums {
		all[i] = "coalesce(" + sum + condition + ", 0)"
	}
	return strings.Join(all, ", ")
}

// alsoScan is a row with two columns more than are asked for.
type alsoScan struct {
	row         database.Row
	first, then *int64
}

// Scan reads the row.
func (a alsoScan) Scan(dest ...any) error { return a.row.Scan(append(dest, a.first, a.then)...) }
