package store

import (
	"fmt"
	"sync"

	"tarmac/service/store/database"
)

// minTrackedRows is the number of matching rows from which on a keyword's cached summary is
// updated with rows that are added. A summary of fewer rows is computed again.
const minTrackedRows = 2000

const (
	// maxTrackedOrgs is the number of organizations whose day counts are kept in memory. Each
	// day needs sixteen bytes.
	maxTrackedOrgs = 64
	// maxDiffs is the number of diffs between revisions that are kept for an organization.
	maxDiffs = 512
	// maxRanges and maxAddedRows bound the rows that are added to a cached summary. If there are
	// more, the summary is computed again.
	maxRanges    = 64
	maxAddedRows = 50_000
)

// ledgerHistory finds the rows that any process has added to a ledger between two of its
// revisions. It compares the numbers of rows on each day, because the rows of a day are numbered
// without gaps. It finds nothing across a revision at which rows were removed (ReplaceDays).
type ledgerHistory struct {
	minTracked int64 // minTrackedRows; smaller in some tests
	batchHits  int64 // the constant batchHits; smaller in some tests
	mu         sync.Mutex
	orgs       map[OrgKey]*orgHistory
}

// orgHistory is the history of one organization's ledger up to the newest known revision.
type orgHistory struct {
	revision int64
	days     []dayCount
	diffs    []revisionDiff // the oldest first; each begins at the revision where the previous one ends
}

// dayCount is the number of rows on a day of the ledger.
type dayCount struct{ day, rows int64 }

// revisionDiff holds the rows that were added between two revisions.
type revisionDiff struct {
	from, to int64
	added    []keyRange
}

// keyRange is an inclusive range of row keys.
type keyRange struct{ first, last int64 }

// track records the ledger's day counts at the snapshot's revision, so that addedSince can
// compare later revisions with them. It returns false if a later revision is already recorded.
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

// addedSince returns the rows that were added after the revision from, up to the snapshot's
// revision. ok is false if they are unknown, or more than maxRanges or maxAddedRows allow.
func (s *Snapshot) addedSince(org OrgKey, from, to int64) (_ []keyRange, ok bool, err error) {
	var rewritten int64
	err = s.db.QueryRow("SELECT ledger_rewritten FROM organizations WHERE id = ?", org).Scan(&rewritten)
	if err != nil {
		return nil, false, fmt.Errorf("reading the ledger's revision: %w", err)
	}
	if from < rewritten {
		return nil, false, nil
	}
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

// revision returns the newest recorded revision of an organization's ledger.
func (h *ledgerHistory) revision(org OrgKey) (revision int64, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	known, ok := h.orgs[org]
	if !ok {
		return 0, false
	}
	return known.revision, true
}

// dayCounts returns the numbers of rows on each day of an organization's ledger at a revision.
// It returns false if that is not the newest recorded revision.
func (h *ledgerHistory) dayCounts(org OrgKey, revision int64) ([]dayCount, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if known := h.orgs[org]; known != nil && known.revision == revision {
		return known.days, true
	}
	return nil, false
}

// record stores the day counts of a revision, unless a later revision is recorded already. It
// returns whether the given revision is now the newest.
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

// addedRanges returns the rows that now has in addition to before. Both are ordered by day. ok
// is false if a day has fewer rows now; the counts are then not of the same ledger.
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

// added returns the rows of all diffs from one revision to the newest, and merges adjacent
// ranges. ok is false if the diffs do not reach back that far, or have too many ranges or rows.
func (h *ledgerHistory) added(org OrgKey, from, to int64) (ranges []keyRange, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	known := h.orgs[org]
	if known == nil || known.revision != to {
		return nil, false
	}
	rows := int64(0)
	startingAt := map[int64]int{} // index into ranges by first key
	for i := len(known.diffs) - 1; i >= 0 && known.diffs[i].from >= from; i-- {
		for _, r := range known.diffs[i].added {
			rows += r.last - r.first + 1
			// The newest diffs are read first, so this range may end right before one that is
			// already in ranges.
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

// forget removes the histories of all organizations.
func (h *ledgerHistory) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.orgs = nil
}
