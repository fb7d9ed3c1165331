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
	rest           int64 // the first key that is not added up yet; 0 where all are, or none
	begun          bool
	followed       bool // what was added since can be told
}

// whole reports whether all of the filter's rows are added up.
func (t total) whole() bool { return t.begun && t.rest == 0 }

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

// forget forgets all totals, and what they are kept up with. A server that comes back,
// or another in its place, may lack the last commits; rows that were written instead
// would be taken for those that were added up.
func (s *Store) forget() {
	s.totals.mu.Lock()
	s.totals.known = nil
	s.totals.mu.Unlock()
	s.growth.mu.Lock()
	s.growth.of = nil
	s.growth.mu.Unlock()
}

// known returns what is remembered of a filter's total, which may be a part of it,
// with the rows added that were written since. Without ok it is not begun, and only
// tells the ledger's revision.
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
	if sum.rest != 0 {
		last = min(last, sum.rest-1)
	}
	for _, g := range grown {
		from, to := max(g.first, first), min(g.last, last)
		for from != 0 && from <= to {
			var more total
			if more, from, err = s.keywordPart(org, f, nil, from, to); err != nil {
				return total{}, false, err
			}
			if sum, err = sum.with(more); err != nil {
				return total{}, false, err
			}
		}
	}
	sum.revision = revision
	s.totals.put(totalsKeyOf(org, f), sum)
	return sum, true, nil
}

// further adds up more of a filter's rows and remembers how far it came, so that who
// runs out of time has not begun in vain.
func (s *Snapshot) further(org OrgKey, f ledger.Filter, sum total) (_ total, err error) {
	if f.Keyword == "" {
		all, err := s.dailyTotal(org, f)
		if err != nil {
			return total{}, err
		}
		all.begun, all.revision = true, sum.revision
		s.totals.put(totalsKeyOf(org, f), all)
		return all, nil
	}
	first, last := daysOf(f.From, f.To).keys(org)
	if !indexed(f) && !sum.begun {
		if sum.followed, err = s.followed(org, sum.revision); err != nil {
			return total{}, err
		}
	}
	days, _ := s.growth.daysOf(org, sum.revision)
	more, rest, err := s.keywordPart(org, f, days, max(first, sum.rest), last)
	if err != nil {
		return total{}, err
	}
	if sum, err = sum.with(more); err != nil {
		return total{}, err
	}
	sum.begun, sum.rest = true, rest
	if !sum.followed && (sum.Count >= s.growth.worth || rest != 0) {
		if sum.followed, err = s.followed(org, sum.revision); err != nil {
			return total{}, err
		}
	}
	s.totals.put(totalsKeyOf(org, f), sum)
	return sum, nil
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
