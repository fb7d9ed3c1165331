package store

import (
	"sync"

	"tarmac/internal/money"
	"tarmac/service/ledger"
)

// maxCachedSummaries is the number of summaries that are cached, for all organizations together.
const maxCachedSummaries = 4096

// summaryCache caches the summaries of filters. Every page of a list has the same summary, and
// that of a frequent word is the most expensive query of all. A summary is valid while the
// ledger's revision stays the same.
type summaryCache struct {
	mu    sync.Mutex
	byKey map[summaryKey]partialSummary
}

type summaryKey struct {
	org       OrgKey
	direction int // a ledger.Direction, or -1 for both
	days      dayRange
	keyword   string
}

// partialSummary is the summary of a filter at a revision of the ledger. Rows are added up in
// batches, so it may not include all of them yet.
type partialSummary struct {
	ledger.Summary
	oldest, newest int64 // range of keys that holds all included rows
	revision       int64
	started        bool
	nextKey        int64 // first key that is not included yet; 0 if all are
	tracked        bool  // whether ledgerHistory can tell what is added after revision
}

// complete reports whether all of the filter's rows are included.
func (t partialSummary) complete() bool { return t.started && t.nextKey == 0 }

func summaryKeyOf(org OrgKey, f ledger.Filter) summaryKey {
	key := summaryKey{org: org, direction: -1, days: dayRangeOf(f.From, f.To), keyword: f.Keyword}
	if f.Direction != nil {
		key.direction = int(*f.Direction)
	}
	return key
}

// get returns a filter's cached summary, which may be of an older revision.
func (c *summaryCache) get(key summaryKey) (partialSummary, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	summary, ok := c.byKey[key]
	return summary, ok
}

func (c *summaryCache) put(key summaryKey, summary partialSummary) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey == nil {
		c.byKey = map[summaryKey]partialSummary{}
	}
	if _, ok := c.byKey[key]; !ok && len(c.byKey) >= maxCachedSummaries {
		for other := range c.byKey {
			delete(c.byKey, other)
			break
		}
	}
	c.byKey[key] = summary
}

func (c *summaryCache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byKey = nil
}

// forgetSummaries empties the cache and the history. A database server that comes back, or its
// standby, may have lost the last commits. Rows that cached summaries include may then be gone,
// and other rows have their keys.
func (s *Store) forgetSummaries() {
	s.summaries.forget()
	s.history.forget()
}

// cachedSummary returns a filter's cached summary, updated with the rows that were added since.
// It may be incomplete. ok is false if there is none that can be updated; the result then has
// only the ledger's revision.
func (s *Snapshot) cachedSummary(org OrgKey, f ledger.Filter) (_ partialSummary, ok bool, err error) {
	revision, err := s.revision(org)
	if err != nil {
		return partialSummary{}, false, err
	}
	summary, ok := s.summaries.get(summaryKeyOf(org, f))
	if ok && summary.revision == revision {
		return summary, true, nil
	}
	unknown := partialSummary{revision: revision}
	if !ok || !summary.tracked {
		return unknown, false, nil
	}
	added, ok, err := s.addedSince(org, summary.revision, revision)
	if err != nil || !ok {
		return unknown, false, err
	}
	first, last := dayRangeOf(f.From, f.To).keys(org)
	if summary.nextKey != 0 {
		last = min(last, summary.nextKey-1)
	}
	for _, r := range added {
		from, to := max(r.first, first), min(r.last, last)
		for from != 0 && from <= to {
			var more partialSummary
			if more, from, err = s.summarizeKeyword(org, f, nil, from, to); err != nil {
				return partialSummary{}, false, err
			}
			if summary, err = summary.plus(more); err != nil {
				return partialSummary{}, false, err
			}
		}
	}
	summary.revision = revision
	s.summaries.put(summaryKeyOf(org, f), summary)
	return summary, true, nil
}

// extendSummary adds the next batch of the filter's rows to a summary and caches the result, so
// that the work of a request that runs out of time is not lost.
func (s *Snapshot) extendSummary(org OrgKey, f ledger.Filter, summary partialSummary) (_ partialSummary, err error) {
	if f.Keyword == "" {
		all, err := s.summarizeDays(org, f)
		if err != nil {
			return partialSummary{}, err
		}
		all.started, all.revision = true, summary.revision
		s.summaries.put(summaryKeyOf(org, f), all)
		return all, nil
	}
	first, last := dayRangeOf(f.From, f.To).keys(org)
	if !usesIndex(f) && !summary.started {
		if summary.tracked, err = s.track(org, summary.revision); err != nil {
			return partialSummary{}, err
		}
	}
	days, _ := s.history.dayCounts(org, summary.revision)
	more, next, err := s.summarizeKeyword(org, f, days, max(first, summary.nextKey), last)
	if err != nil {
		return partialSummary{}, err
	}
	if summary, err = summary.plus(more); err != nil {
		return partialSummary{}, err
	}
	summary.started, summary.nextKey = true, next
	if !summary.tracked && (summary.Count >= s.history.minTracked || next != 0) {
		if summary.tracked, err = s.track(org, summary.revision); err != nil {
			return partialSummary{}, err
		}
	}
	s.summaries.put(summaryKeyOf(org, f), summary)
	return summary, nil
}

// plus returns the summary of t's rows and more's rows together, or ledger.ErrOverflow.
func (t partialSummary) plus(more partialSummary) (partialSummary, error) {
	if more.Count == 0 {
		return t, nil
	}
	in, inFits := money.Add(t.InflowUSD, more.InflowUSD)
	out, outFits := money.Add(t.OutflowUSD, more.OutflowUSD)
	if !inFits || !outFits {
		return partialSummary{}, ledger.ErrOverflow
	}
	if t.Count == 0 || more.oldest < t.oldest {
		t.oldest = more.oldest
	}
	t.newest = max(t.newest, more.newest)
	t.Count, t.Unconverted = t.Count+more.Count, t.Unconverted+more.Unconverted
	t.InflowUSD, t.OutflowUSD = in, out
	return t, nil
}
