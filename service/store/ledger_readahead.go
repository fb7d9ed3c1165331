package store

import (
	"time"

	"tarmac/service/store/database"
)

// A batch of a summary takes readAheadDelay or less if its pages are in the system's file cache.
// The probe sums one row in probeFraction, and takes less than cachedProbe if they are.
const (
	readAheadDelay = 150 * time.Millisecond
	readAheadParts = 64
	probeFraction  = 1024
	cachedProbe    = 10 * time.Millisecond
)

const (
	sumFacts    = "SELECT sum(facts) FROM transaction_facts WHERE id BETWEEN ? AND ?"
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
	for n := range int64(readAheadParts) {
		from, to := oldest+rows/readAheadParts*n, oldest+rows/readAheadParts*(n+1)-1
		if n == readAheadParts-1 {
			to = newest
		}
		ahead.Parts = append(ahead.Parts,
			database.Query{SQL: countPhrase, Args: []any{words, from, to}},
			database.Query{SQL: sumFacts, Args: []any{from, to}})
	}
	return ahead
}
