package store

import (
	"sync"

	"tarmac/internal/money"
	"tarmac/service/ledger"
)

// maxTotals bounds how many totals are remembered, of all organizations.
const maxTotals = 4096

// totalsCache remembers the totals of filters. A list asks for the same totals on each of
// its pages, and those of a frequent word are the most expensive query there is. They are
// valid as long as the ledger's revision stays the same.
type totalsCache struct {
	mu    sync.Mutex
	byKey map[totalsKey]total
}

type totalsKey struct {
	org       OrgKey
	direction int // -1 for both
	days      dayRange
	keyword   string
}

// total is the totals of a filter at a revision of the ledger. They may be incomplete: rows
// are added up in batches.
type total struct {
	ledger.Summary
	oldest, newest int64 // the keys of the filter's first and last row, 0 without rows
	revision       int64
	started        bool
	nextKey        int64 // the first key that is not added up yet; 0 when complete
	tracked        bool  // ledgerHistory knows what was added after revision
}

// complete reports whether all of the filter's rows are added up.
func (t total) complete() bool { return t.started && t.nextKey == 0 }

func totalsKeyOf(org OrgKey, f ledger.Filter) totalsKey {
	key := totalsKey{org: org, direction: -1, days: dayRangeOf(f.From, f.To), keyword: f.Keyword}
	if f.Direction != nil {
		key.direction = int(*f.Direction)
	}
	return key
}

// get returns a filter's totals at whichever revision they were computed last.
func (c *totalsCache) get(key totalsKey) (total, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	sum, ok := c.byKey[key]
	return sum, ok
}

func (c *totalsCache) put(key totalsKey, sum total) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey == nil {
		c.byKey = map[totalsKey]total{}
	}
	if _, ok := c.byKey[key]; !ok && len(c.byKey) >= maxTotals {
		for other := range c.byKey {
			delete(c.byKey, other)
			break
		}
	}
	c.byKey[key] = sum
}

func (c *totalsCache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byKey = nil
}

// forgetTotals forgets all totals and the history behind them. A database server that comes
// back, or its standby, may have lost the last commits; other rows may then get the keys of
// rows that are already added up.
func (s *Store) forgetTotals() {
	s.totals.forget()
	s.history.forget()
}

// cachedTotal returns what is remembered of a filter's totals, updated with the rows that were
// added since. They may be incomplete. If nothing is remembered it is not ok, and the result
// has only the ledger's revision.
func (s *Snapshot) cachedTotal(org OrgKey, f ledger.Filter) (_ total, ok bool, err error) {
	revision, err := s.revision(org)
	if err != nil {
		return total{}, false, err
	}
	sum, ok := s.totals.get(totalsKeyOf(org, f))
	if ok && sum.revision == revision {
		return sum, true, nil
	}
	unknown := total{revision: revision}
	if !ok || !sum.tracked {
		return unknown, false, nil
	}
	added, ok, err := s.addedSince(org, sum.revision, revision)
	if err != nil || !ok {
		return unknown, false, err
	}
	first, last := dayRangeOf(f.From, f.To).keys(org)
	if sum.nextKey != 0 {
		last = min(last, sum.nextKey-1)
	}
	for _, r := range added {
		from, to := max(r.first, first), min(r.last, last)
		for from != 0 && from <= to {
			var more total
			if more, from, err = s.sumKeyword(org, f, nil, from, to); err != nil {
				return total{}, false, err
			}
			if sum, err = sum.plus(more); err != nil {
				return total{}, false, err
			}
		}
	}
	sum.revision = revision
	s.totals.put(totalsKeyOf(org, f), sum)
	return sum, true, nil
}

// extendTotal adds up the next batch of a filter's rows and remembers how far it got, so that
// a request that runs out of time leaves its work to the next one.
func (s *Snapshot) extendTotal(org OrgKey, f ledger.Filter, sum total) (_ total, err error) {
	if f.Keyword == "" {
		all, err := s.sumDays(org, f)
		if err != nil {
			return total{}, err
		}
		all.started, all.revision = true, sum.revision
		s.totals.put(totalsKeyOf(org, f), all)
		return all, nil
	}
	first, last := dayRangeOf(f.From, f.To).keys(org)
	if !usesIndex(f) && !sum.started {
		if sum.tracked, err = s.track(org, sum.revision); err != nil {
			return total{}, err
		}
	}
	days, _ := s.history.dayCounts(org, sum.revision)
	more, next, err := s.sumKeyword(org, f, days, max(first, sum.nextKey), last)
	if err != nil {
		return total{}, err
	}
	if sum, err = sum.plus(more); err != nil {
		return total{}, err
	}
	sum.started, sum.nextKey = true, next
	if !sum.tracked && (sum.Count >= s.history.minTracked || next != 0) {
		if sum.tracked, err = s.track(org, sum.revision); err != nil {
			return total{}, err
		}
	}
	s.totals.put(totalsKeyOf(org, f), sum)
	return sum, nil
}

// plus returns the totals of t's rows and more's.
func (t total) plus(more total) (total, error) {
	if more.Count == 0 {
		return t, nil
	}
	in, inFits := money.Add(t.InflowUSD, more.InflowUSD)
	out, outFits := money.Add(t.OutflowUSD, more.OutflowUSD)
	if !inFits || !outFits {
		return total{}, ledger.ErrOverflow
	}
	if t.Count == 0 || more.oldest < t.oldest {
		t.oldest = more.oldest
	}
	t.newest = max(t.newest, more.newest)
	t.Count, t.Unconverted = t.Count+more.Count, t.Unconverted+more.Unconverted
	t.InflowUSD, t.OutflowUSD = in, out
	return t, nil
}
