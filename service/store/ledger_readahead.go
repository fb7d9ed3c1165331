package store

import (
	"time"

	"tarmac/service/store/database"
)

// A batch of a summary takes readAheadDelay or less if its pages are in the system's file cache.
// The probe sums one row in probeFraction, and takes less than cachedProbe if they are.
const (
	readAheadDelay = 40 * time.Millisecond
	readAheadParts = 256
	probeFraction  = 1024
	cachedProbe    = 10 * time.Millisecond
)

const (
	sumDays     = "SELECT sum(n) FROM ledger_daily WHERE org_id = ?"
	sumFacts    = "SELECT sum(facts) FROM transaction_facts WHERE id BETWEEN ? AND ?"
	readRow     = "SELECT count(*) FROM json_each(?) k CROSS JOIN transactions t ON t.id = k.value WHERE t.memo <> ''"
	countPhrase = "SELECT count(*) FROM transaction_search WHERE transaction_search MATCH ? AND rowid BETWEEN ? AND ?"
)

// readAhead starts to read the pages of the search index and of the packed facts that the summary
// of a keyword needs for the rows from first to last. The caller must call stop.
func (s *Snapshot) readAhead(keyword string, first, last int64) (stop func(), err error) {
	var oldest, newest int64
	err = s.db.QueryRow(`SELECT
		(SELECT coalesce(min(id), 0) FROM transaction_facts WHERE id BETWEEN ? AND ?),
		(SELECT coalesce(max(id), 0) FROM transaction_facts WHERE id BETWEEN ? AND ?)`,
		first, last, first, last).Scan(&oldest, &newest)
	if err != nil {
		return nil, err
	}
	return s.db.ReadAhead(s.readAheadOf(keyword, oldest, newest)), nil
}

// readAheadOf divides the rows into parts of about the same number of days.
func (s *Snapshot) readAheadOf(keyword string, oldest, newest int64) database.ReadAhead {
	words, rows := phrase(keyword), newest-oldest+1
	middle := oldest + rows/2
	ahead := database.ReadAhead{
		Delay: s.history.readAheadDelay, Cached: s.history.cachedProbe,
		Probe: database.Query{SQL: sumFacts, Args: []any{middle, middle + rows/probeFraction}},
	}
	org := oldest >> (dayBits + sequenceBits)
	ahead.Parts = append(ahead.Parts, database.Query{SQL: sumDays, Args: []any{org}})
	// The newest parts come first, because recent days usually have the most rows.
	for n := range int64(readAheadParts) {
		to := newest - rows/readAheadParts*n
		from := to - rows/readAheadParts + 1
		if n == readAheadParts-1 {
			from = oldest
		}
		ahead.Parts = append(ahead.Parts,
			database.Query{SQL: countPhrase, Args: []any{words, from, to}},
			database.Query{SQL: sumFacts, Args: []any{from, to}})
	}
	return ahead
}

// readAheadOfKeys reads each row of a page by itself. The probe reads the rows that the page needs
// last.
func (s *Snapshot) readAheadOfKeys(keys []int64) database.ReadAhead {
	ahead := database.ReadAhead{
		Delay: s.history.readAheadDelay, Cached: s.history.cachedProbe,
		Probe: database.Query{SQL: readRow, Args: []any{jsonList(keys[max(0, len(keys)-4):])}},
	}
	for _, key := range keys {
		ahead.Parts = append(ahead.Parts, database.Query{SQL: readRow, Args: []any{jsonList([]int64{key})}})
	}
	return ahead
}
