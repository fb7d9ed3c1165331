package store

import (
	"sync"

	"tarmac/service/store/database"
)

// minTrackedRows is how many rows a keyword must match for its totals to be updated with the
// rows that are added, instead of being computed again.
const minTrackedRows = 2000

const (
	// maxTrackedOrgs bounds how many organizations' day counts are remembered; a day takes
	// sixteen bytes.
	maxTrackedOrgs = 64
	// maxDiffs bounds how many revisions back an organization's additions are known.
	maxDiffs = 512
	// maxRanges and maxAddedRows bound what is added to a total; beyond them it is computed
	// again.
	maxRanges    = 64
	maxAddedRows = 50_000
)

// ledgerHistory knows which rows were added to a ledger between two of its revisions, by any
// process. It compares how many rows each day had: rows are only ever added, and those of a
// day are numbered without gaps.
type ledgerHistory struct {
	minTracked int64 // minTrackedRows, but in tests
	batchHits  int64 // how many hits of a keyword are added up at a time
	mu         sync.Mutex
	orgs       map[OrgKey]*orgHistory
}

// orgHistory is the history of one organization's ledger up to a revision.
type orgHistory struct {
	revision int64
	days     []dayCount
	diffs    []revisionDiff // the oldest first, each from where the one before it ends
}

// dayCount is how many rows a day has.
type dayCount struct{ day, rows int64 }

// revisionDiff is the rows that were added from one revision to another.
type revisionDiff struct {
	from, to int64
	added    []keyRange
}

// keyRange is an inclusive range of row keys.
type keyRange struct{ first, last int64 }

// track remembers the ledger's day counts at the snapshot's revision, so that addedSince can
// later tell what was added. It is false if a later revision is remembered already.
func (s *Snapshot) track(org OrgKey, revision int64) (bool, error) {
	if known, ok := s.history.revision(org); ok && known >= revision {
		return known == revision, nil
	}
	days, err := s.readDayCounts(org)
	if err != nil {
		return false, err
	}
	return s.history.record(org, revision, days), nil
}

// addedSince returns the rows that were added between a revision and the snapshot's. It is
// not ok if that is unknown or too much to add up.
func (s *Snapshot) addedSince(org OrgKey, from, to int64) (_ []keyRange, ok bool, err error) {
	if ok, err := s.track(org, to); err != nil || !ok {
		return nil, false, err
	}
	added, ok := s.history.added(org, from, to)
	return added, ok, nil
}

func (s *Snapshot) readDayCounts(org OrgKey) ([]dayCount, error) {
	rows, err := s.db.Query(`SELECT day, CAST(sum(n) AS BIGINT) FROM ledger_daily
		WHERE org_id = ? GROUP BY day ORDER BY day`, org)
	return database.Collect(rows, err, "the ledger's days", func(row database.Row) (d dayCount, err error) {
		err = row.Scan(&d.day, &d.rows)
		return d, err
	})
}

// revision returns the newest revision that is remembered.
func (h *ledgerHistory) revision(org OrgKey) (revision int64, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	known, ok := h.orgs[org]
	if !ok {
		return 0, false
	}
	return known.revision, true
}

// dayCounts returns the day counts of a revision if they are remembered.
func (h *ledgerHistory) dayCounts(org OrgKey, revision int64) ([]dayCount, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if known := h.orgs[org]; known != nil && known.revision == revision {
		return known.days, true
	}
	return nil, false
}

// record remembers the day counts of a revision, unless a later one is remembered. It
// reports whether they are now the newest.
func (h *ledgerHistory) record(org OrgKey, revision int64, days []dayCount) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	known := h.orgs[org]
	if known == nil {
		if h.orgs == nil {
			h.orgs = map[OrgKey]*orgHistory{}
		}
		if len(h.orgs) >= maxTrackedOrgs {
			for other := range h.orgs {
				delete(h.orgs, other)
				break
			}
		}
		h.orgs[org] = &orgHistory{revision: revision, days: days}
		return true
	}
	if known.revision >= revision {
		return known.revision == revision
	}
	added, ok := addedRanges(org, known.days, days)
	if ok && len(added) <= maxRanges {
		known.diffs = append(known.diffs, revisionDiff{known.revision, revision, added})
		known.diffs = known.diffs[max(0, len(known.diffs)-maxDiffs):]
	} else {
		known.diffs = nil
	}
	known.revision, known.days = revision, days
	return true
}

// addedRanges compares the day counts of two revisions, both in the order of days. It is not
// ok if a day has lost rows: the earlier counts are then another ledger's.
func addedRanges(org OrgKey, before, now []dayCount) (added []keyRange, ok bool) {
	for _, d := range now {
		had := int64(0)
		if len(before) > 0 && before[0].day == d.day {
			had, before = before[0].rows, before[1:]
		}
		if had > d.rows {
			return nil, false
		}
		if had < d.rows {
			added = append(added, keyRange{rowKey(org, d.day, had+1), rowKey(org, d.day, d.rows)})
		}
	}
	return added, len(before) == 0
}

// added joins the steps from one revision to the newest, and merges ranges that touch.
func (h *ledgerHistory) added(org OrgKey, from, to int64) (ranges []keyRange, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	known := h.orgs[org]
	if known == nil || known.revision != to {
		return nil, false
	}
	rows := int64(0)
	startingAt := map[int64]int{} // indexes of ranges by their first key
	for i := len(known.diffs) - 1; i >= 0 && known.diffs[i].from >= from; i-- {
		for _, r := range known.diffs[i].added {
			rows += r.last - r.first + 1
			// Steps are visited backwards, so this range may end right before a known one.
			if at, touches := startingAt[r.last+1]; touches {
				delete(startingAt, r.last+1)
				ranges[at].first = r.first
				startingAt[r.first] = at
				continue
			}
			startingAt[r.first] = len(ranges)
			ranges = append(ranges, r)
		}
		if len(ranges) > maxRanges || rows > maxAddedRows {
			return nil, false
		}
		if known.diffs[i].from == from {
			return ranges, true
		}
	}
	return nil, false
}

// forget forgets everything.
func (h *ledgerHistory) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.orgs = nil
}
