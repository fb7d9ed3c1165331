package store

import (
	"sync"

	"tarmac/internal/money"
	"tarmac/service/ledger"
)

// maxTotals bounds how many totals are remembered, of all organizations.
const maxTotals = 4096

// totals remembers what filters add up to. A list asks for the same totals on
// each of its pages, and for a frequent word they are the dearest thing there is
// to compute. They hold as long as the ledger's revision stays.
type totals struct {
	mu    sync.Mutex
	known map[totalsKey]total
}

type totalsKey struct {
	org       OrgKey
	direction int
	span      days
	keyword   string
}

// total is what a filter adds up to at a revision of the ledger, and the keys that
// its rows lie between. It has no keys where it has no rows.
type total struct {
	ledger.Summary
	oldest, newest int64
	revision       int64
	followed       bool // what was added since can be told
}

func totalsKeyOf(org OrgKey, f ledger.Filter) totalsKey {
	key := totalsKey{org: org, direction: -1, span: daysOf(f.From, f.To), keyword: f.Keyword}
	if f.Direction != nil {
		key.direction = int(*f.Direction)
	}
	return key
}

// get returns a filter's total as it was last known.
func (t *totals) get(key totalsKey) (total, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	known, ok := t.known[key]
	return known, ok
}

func (t *totals) put(key totalsKey, sum total) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil {
		t.known = map[totalsKey]total{}
	}
	if _, ok := t.known[key]; !ok && len(t.known) >= maxTotals {
		for other := range t.known {
			delete(t.known, other)
			break
		}
	}
	t.known[key] = sum
}

// known returns a filter's total where it is remembered, or can be had by adding
// to what is remembered the rows that were written since. Without ok only its
// revision is told, which is the ledger's.
func (s *Snapshot) known(org OrgKey, f ledger.Filter) (_ total, ok bool, err error) {
	revision, err := s.revision(org)
	if err != nil {
		return total{}, false, err
	}
	sum, ok := s.totals.get(totalsKeyOf(org, f))
	if ok && sum.revision == revision {
		return sum, true, nil
	}
	unknown := total{revision: revision}
	if !ok || !sum.followed {
		return unknown, false, nil
	}
	grown, ok, err := s.grown(org, sum.revision, revision)
	if err != nil || !ok {
		return unknown, false, err
	}
	first, last := daysOf(f.From, f.To).keys(org)
	for _, g := range grown {
		from, to := max(g.first, first), min(g.last, last)
		if from > to {
			continue
		}
		more, err := s.keywordTotal(org, f, from, to)
		if err != nil {
			return total{}, false, err
		}
		if sum, err = sum.with(more); err != nil {
			return total{}, false, err
		}
	}
	sum.revision = revision
	s.totals.put(totalsKeyOf(org, f), sum)
	return sum, true, nil
}

// with returns the total of two parts of a ledger.
func (t total) with(more total) (total, error) {
	if more.Count == 0 {
		return t, nil
	}
	in, ok := money.Add(t.InflowUSD, more.InflowUSD)
	out, fits := money.Add(t.OutflowUSD, more.OutflowUSD)
	if !ok || !fits {
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
