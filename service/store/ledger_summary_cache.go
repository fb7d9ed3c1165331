package store

import (
	"sync"

	"tarmac/internal/money"
	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// maxCachedSummaries is the largest number of cached summaries of all organizations together.
const maxCachedSummaries = 4096

// summaryCache caches the summaries of filters. Every page of a list shows the same summary, and
// computing that of a frequent word is the most expensive query of the service. A summary is valid
// for one revision of the ledger.
type summaryCache struct {
	mu    sync.Mutex
	byKey map[summaryKey]partialSummary
}

type summaryKey struct {
	org       OrgKey
	direction int // a ledger.Direction, or -1 for both directions
	days      dayRange
	keyword   string
	currency  string // ledger.Filter.Currency
}

// partialSummary is a filter's summary at one revision of the ledger. Matching rows are added up in
// batches, so it may not include all of them yet.
type partialSummary struct {
	ledger.Summary
	oldest, newest int64 // bounds of the keys of the included rows
	revision       int64
	started        bool
	nextKey        int64 // first key not yet included; 0 after the last batch
	tracked        bool  // true if ledgerHistory can find the rows added after revision
}

// complete reports whether the summary includes all rows that match the filter.
func (t partialSummary) complete() bool { return t.started && t.nextKey == 0 }

func summaryKeyOf(org OrgKey, f ledger.Filter) summaryKey {
	key := summaryKey{org: org, direction: -1, days: dayRangeOf(f.From, f.To), keyword: f.Keyword, currency: f.Currency}
	if f.Direction != nil {
		key.direction = int(*f.Direction)
	}
	return key
}

// get returns a cached summary, possibly of an older revision.
func (c *summaryCache) get(key summaryKey) (partialSummary, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	summary, ok := c.byKey[key]
	return summary, ok
}

func (c *summaryCache) set(key summaryKey, summary partialSummary) {
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

// forgetSummaries empties the summary cache and the ledger history. It is needed when a database
// server comes back or a standby takes over, because the last commits may be lost. Cached summaries
// may then include rows that no longer exist, and new rows may get their keys.
func (s *Store) forgetSummaries() {
	s.summaries.forget()
	s.history.forget()
}

// cachedSummary returns a filter's cached summary after adding the rows that were inserted since.
// The summary may still be incomplete. ok is false if no summary is cached or the cached one cannot
// be updated. Of the summary returned then, only the revision is set.
func (s *Snapshot) cachedSummary(org OrgKey, f ledger.Filter) (_ partialSummary, ok bool, err error) {
	if err := s.CheckCurrency(org, f.Currency); err != nil {
		return partialSummary{}, false, err
	}
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
	l, err := s.ledger(org)
	if err != nil {
		return partialSummary{}, false, err
	}
	first, last := dayRangeOf(f.From, f.To).keys(l)
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
	s.summaries.set(summaryKeyOf(org, f), summary)
	return summary, true, nil
}

// extendSummary adds the next batch of matching rows to a filter's summary. It caches the result,
// so that the work is not lost if the request runs out of time.
func (s *Snapshot) extendSummary(org OrgKey, f ledger.Filter, summary partialSummary) (_ partialSummary, err error) {
	if f.Keyword == "" {
		all, err := s.summarizeDays(org, f)
		if err != nil {
			return partialSummary{}, err
		}
		all.started, all.revision = true, summary.revision
		s.summaries.set(summaryKeyOf(org, f), all)
		return all, nil
	}
	l, err := s.ledger(org)
	if err != nil {
		return partialSummary{}, err
	}
	first, last := dayRangeOf(f.From, f.To).keys(l)
	if !usesIndex(f) && !summary.started {
		if summary.tracked, err = s.track(org, summary.revision); err != nil {
			return partialSummary{}, err
		}
	}
	days, _ := s.history.dayCounts(org, summary.revision)
	var more partialSummary
	var next int64
	if usesIndex(f) && s.db.Dialect == database.SQLite && !summary.started {
		// Rare words are found in the index sooner than in the sums of their texts.
		more, next, err = s.summarizeIndexed(f, first, last, min(firstHits, s.history.batchHits))
	} else {
		more, next, err = s.summarizeParts(org, f, days, max(first, summary.nextKey), last)
	}
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
	s.summaries.set(summaryKeyOf(org, f), summary)
	return summary, nil
}

// plus returns the summary of all rows that t and other summarize. The error is ledger.ErrOverflow
// if a sum overflows.
func (t partialSummary) plus(other partialSummary) (partialSummary, error) {
	if other.Count == 0 {
		return t, nil
	}
	in, inFits := money.Add(t.Inflow, other.Inflow)
	out, outFits := money.Add(t.Outflow, other.Outflow)
	if !inFits || !outFits {
		return partialSummary{}, ledger.ErrOverflow
	}
	if t.Count == 0 || other.oldest < t.oldest {
		t.oldest = other.oldest
	}
	t.newest = max(t.newest, other.newest)
	t.Count, t.Unconverted = t.Count+other.Count, t.Unconverted+other.Unconverted
	t.Inflow, t.Outflow = in, out
	return t, nil
}
