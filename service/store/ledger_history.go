package store

import (
	"fmt"
	"sync"
	"time"

	"tarmac/service/store/database"
)

// minTrackedRows is the number of matching rows above which a keyword's cached summary is updated
// when rows are added to the ledger. A summary of fewer rows is computed again instead.
const minTrackedRows = 2000

const (
	// maxTrackedOrgs is the largest number of organizations whose dayCounts are held in memory. A
	// dayCount takes sixteen bytes.
	maxTrackedOrgs = 64
	// maxDiffs is the largest number of revisionDiffs that are held for an organization.
	maxDiffs = 512
	// maxRanges and maxAddedRows bound the rows by which a cached summary is updated. If more were
	// added, the summary is computed again.
	maxRanges    = 64
	maxAddedRows = 50_000
)

// ledgerHistory finds the rows that any process has added to an organization's ledger between two
// revisions. The rows of a day are numbered without gaps, so it only compares how many rows each
// day has. It finds nothing if rows were removed between the revisions (ReplaceDays).
type ledgerHistory struct {
	minTracked int64 // normally the constant minTrackedRows; smaller in some tests
	batchHits  int64 // normally the constant batchHits; smaller in some tests
	// The delay before reading ahead and the duration of its probe; both are 0 in some tests.
	readAheadDelay, cachedProbe time.Duration

	mu   sync.Mutex
	orgs map[OrgKey]*orgHistory
}

// orgHistory holds the history of one organization's ledger up to the newest revision that this
// process has seen.
type orgHistory struct {
	revision int64
	days     []dayCount
	diffs    []revisionDiff // oldest first, without gaps between them
}

// dayCount is the number of an organization's ledger rows on a day.
type dayCount struct{ day, rows int64 }

// revisionDiff holds the keys of the rows that were added between two revisions of a ledger.
type revisionDiff struct {
	from, to int64
	added    []keyRange
}

// keyRange is a range of row keys that includes first and last.
type keyRange struct{ first, last int64 }

// track records how many ledger rows each day has at the snapshot's revision, so that addedSince
// can compare later revisions with it. It returns false if a later revision is already recorded.
func (s *Snapshot) track(org OrgKey, revision int64) (bool, error) {
	if known, ok := s.history.revision(org); ok && known >= revision {
		return known == revision, nil
	}
	days, err := s.readDayCounts(org)
	if err != nil {
		return false, err
	}
	l, err := s.ledger(org)
	return err == nil && s.history.record(org, l, revision, days), err
}

// addedSince returns the rows that were added after oldRevision, up to newRevision, which is the
// revision of the snapshot. ok is false if these rows are not known, or if they exceed maxRanges or
// maxAddedRows.
func (s *Snapshot) addedSince(org OrgKey, oldRevision, newRevision int64) (_ []keyRange, ok bool, err error) {
	var rewritten int64
	err = s.db.QueryRow("SELECT ledger_rewritten FROM organizations WHERE id = ?", org).Scan(&rewritten)
	if err != nil {
		return nil, false, fmt.Errorf("reading the ledger's revision: %w", err)
	}
	if oldRevision < rewritten {
		return nil, false, nil
	}
	if ok, err := s.track(org, newRevision); err != nil || !ok {
		return nil, false, err
	}
	added, ok := s.history.added(org, oldRevision, newRevision)
	return added, ok, nil
}

func (s *Snapshot) readDayCounts(org OrgKey) ([]dayCount, error) {
	l, err := s.ledger(org)
	if err != nil {
		return nil, err
	}
	rows, err := s.db.Query(`SELECT day, CAST(sum(n) AS BIGINT) FROM ledger_daily
		WHERE org_id = ? GROUP BY day ORDER BY day`, l)
	return database.Collect(rows, err, "the ledger's days", func(row database.Row) (d dayCount, err error) {
		err = row.Scan(&d.day, &d.rows)
		return d, err
	})
}

// revision returns the newest recorded revision of an organization's ledger. ok is false if none is
// recorded.
func (h *ledgerHistory) revision(org OrgKey) (revision int64, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	known, ok := h.orgs[org]
	if !ok {
		return 0, false
	}
	return known.revision, true
}

// dayCounts returns how many rows each day of an organization's ledger has at a revision. ok is
// false if that is not the newest recorded revision.
func (h *ledgerHistory) dayCounts(org OrgKey, revision int64) ([]dayCount, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if known := h.orgs[org]; known != nil && known.revision == revision {
		return known.days, true
	}
	return nil, false
}

// record stores how many rows each day has at a revision, unless a later revision is already
// recorded. It reports whether the given revision is now the newest one.
func (h *ledgerHistory) record(org OrgKey, l ledgerKey, revision int64, days []dayCount) bool {
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
	added, ok := addedRanges(l, known.days, days)
	if ok && len(added) <= maxRanges {
		known.diffs = append(known.diffs, revisionDiff{known.revision, revision, added})
		known.diffs = known.diffs[max(0, len(known.diffs)-maxDiffs):]
	} else {
		known.diffs = nil
	}
	known.revision, known.days = revision, days
	return true
}

// addedRanges compares a ledger's numbers of rows per day at two revisions and returns the rows
// that were added. Both slices are ordered by day. ok is false if a day has fewer rows in newDays
// than in oldDays, because rows were then removed.
func addedRanges(l ledgerKey, oldDays, newDays []dayCount) (added []keyRange, ok bool) {
	for _, d := range newDays {
		had := int64(0)
		if len(oldDays) > 0 && oldDays[0].day == d.day {
			had, oldDays = oldDays[0].rows, oldDays[1:]
		}
		if had > d.rows {
			return nil, false
		}
		if had < d.rows {
			added = append(added, keyRange{rowKey(l, d.day, had+1), rowKey(l, d.day, d.rows)})
		}
	}
	return added, len(oldDays) == 0
}

// added returns the rows that were added after oldRevision, up to newRevision, the newest recorded
// revision. Adjacent ranges are merged. ok is false if the recorded diffs do not reach back to
// oldRevision, or exceed maxRanges or maxAddedRows.
func (h *ledgerHistory) added(org OrgKey, oldRevision, newRevision int64) (ranges []keyRange, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	known := h.orgs[org]
	if known == nil || known.revision != newRevision {
		return nil, false
	}
	rows := int64(0)
	startingAt := map[int64]int{} // position in ranges of the range that starts with a key
	for i := len(known.diffs) - 1; i >= 0 && known.diffs[i].from >= oldRevision; i-- {
		for _, r := range known.diffs[i].added {
			rows += r.last - r.first + 1
			// Diffs are read from the newest to the oldest, so this range may end directly before
			// one that is already in ranges.
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
		if known.diffs[i].from == oldRevision {
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
