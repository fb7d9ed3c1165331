package store

import (
	"errors"
	"fmt"
	"sync"
)

// worthFollowing is how many rows a keyword's total must have for it to be kept up
// with what is written, instead of being computed again.
const worthFollowing = 2000

const (
	// maxFollowed bounds how many organizations' days are remembered; a day takes
	// sixteen bytes.
	maxFollowed = 64
	// maxSteps bounds how many steps back an organization's growth is known.
	maxSteps = 512
	// maxParts and maxGrown bound what is added to a total; past them it is computed
	// again.
	maxParts = 64
	maxGrown = 50_000
)

// growths remembers how many rows the days of ledgers had, and by that which rows
// were added from one revision to a later one, by whichever process: rows are only
// ever added, and those of a day are numbered without a gap.
type growths struct {
	worth int64 // from how many rows on a total is kept up
	part  int64 // how many hits of a keyword are added up at a time
	mu    sync.Mutex
	of    map[OrgKey]*growth
}

type growth struct {
	revision int64
	days     []dayRows
	steps    []step // the oldest first, each from where the one before it ends
}

// dayRows is how many rows a day has.
type dayRows struct{ day, rows int64 }

// step is what was added from one revision to another.
type step struct {
	from, to int64
	parts    []part
}

// part is an inclusive range of row keys.
type part struct{ first, last int64 }

// followed notes the ledger's days at the snapshot's revision, so that later on
// grown can tell what was added to it. It reports whether it will.
func (s *Snapshot) followed(org OrgKey, revision int64) (bool, error) {
	if at, ok := s.growth.at(org); ok && at >= revision {
		return at == revision, nil
	}
	now, err := s.days(org)
	if err != nil {
		return false, err
	}
	return s.growth.note(org, revision, now), nil
}

// grown returns which rows were added between a revision and the snapshot's. It is
// not ok where that is not known, or so much that adding it up takes long.
func (s *Snapshot) grown(org OrgKey, from, to int64) (_ []part, ok bool, err error) {
	if ok, err := s.followed(org, to); err != nil || !ok {
		return nil, false, err
	}
	parts, ok := s.growth.between(org, from, to)
	return parts, ok, nil
}

func (s *Snapshot) days(org OrgKey) (all []dayRows, err error) {
	rows, err := s.db.Query("SELECT day, CAST(sum(n) AS BIGINT) FROM ledger_daily WHERE org_id = ? GROUP BY day ORDER BY day", org)
	if err != nil {
		return nil, fmt.Errorf("reading the ledger's days: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var d dayRows
		if err := rows.Scan(&d.day, &d.rows); err != nil {
			return nil, fmt.Errorf("reading the ledger's days: %w", err)
		}
		all = append(all, d)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("reading the ledger's days: %w", err)
	}
	return all, nil
}

func (g *growths) at(org OrgKey) (revision int64, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	known, ok := g.of[org]
	if !ok {
		return 0, false
	}
	return known.revision, true
}

// daysOf returns the days of a revision, where they are remembered.
func (g *growths) daysOf(org OrgKey, revision int64) ([]dayRows, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if known := g.of[org]; known != nil && known.revision == revision {
		return known.days, true
	}
	return nil, false
}

// note takes the days of a revision. It reports whether they are the latest.
func (g *growths) note(org OrgKey, revision int64, now []dayRows) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	known := g.of[org]
	if known == nil {
		if g.of == nil {
			g.of = map[OrgKey]*growth{}
		}
		if len(g.of) >= maxFollowed {
			for other := range g.of {
				delete(g.of, other)
				break
			}
		}
		g.of[org] = &growth{revision: revision, days: now}
		return true
	}
	if known.revision >= revision {
		return known.revision == revision
	}
	parts, ok := added(org, known.days, now)
	if ok && len(parts) <= maxParts {
		known.steps = append(known.steps, step{known.revision, revision, parts})
		known.steps = known.steps[max(0, len(known.steps)-maxSteps):]
	} else {
		known.steps = nil
	}
	known.revision, known.days = revision, now
	return true
}

// added compares the days of two revisions, in their order. It is not ok where a
// day has lost rows: what was noted is then of another ledger.
func added(org OrgKey, before, now []dayRows) (parts []part, ok bool) {
	for _, d := range now {
		had := int64(0)
		if len(before) > 0 && before[0].day == d.day {
			had, before = before[0].rows, before[1:]
		}
		if had > d.rows {
			return nil, false
		}
		if had < d.rows {
			parts = append(parts, part{rowKey(org, d.day, had+1), rowKey(org, d.day, d.rows)})
		}
	}
	return parts, len(before) == 0
}

// between joins what was added step by step.
func (g *growths) between(org OrgKey, from, to int64) (parts []part, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	known := g.of[org]
	if known == nil || known.revision != to {
		return nil, false
	}
	rows := int64(0)
	ends := map[int64]int{} // by the key that a part would go on with
	for i := len(known.steps) - 1; i >= 0 && known.steps[i].from >= from; i-- {
		for _, p := range known.steps[i].parts {
			rows += p.last - p.first + 1
			// Going back, a part may end right before one that is known.
			if at, touches := ends[p.last+1]; touches {
				delete(ends, p.last+1)
				parts[at].first = p.first
				ends[p.first] = at
				continue
			}
			ends[p.first] = len(parts)
			parts = append(parts, p)
		}
		if len(parts) > maxParts || rows > maxGrown {
			return nil, false
		}
		if known.steps[i].from == from {
			return parts, true
		}
	}
	return nil, false
}
