package store

import (
	"sync"

	"tarmac/service/ledger"
)

// maxTotals bounds how many totals are remembered.
const maxTotals = 512

// totals remembers what filters add up to. A list asks for the same totals on
// each of its pages, and for a frequent word they are the dearest thing there is
// to compute. They hold as long as the ledger's revision stays.
type totals struct {
	mu    sync.Mutex
	known map[totalsKey]knownTotal
}

type totalsKey struct {
	org       OrgKey
	direction int
	span      days
	keyword   string
}

type knownTotal struct {
	revision int64
	total
}

// total is what a filter adds up to, and the keys that its rows lie between. It
// has no keys where it has no rows.
type total struct {
	ledger.Summary
	oldest, newest int64
}

func totalsKeyOf(org OrgKey, f ledger.Filter) totalsKey {
	key := totalsKey{org: org, direction: -1, span: daysOf(f.From, f.To), keyword: f.Keyword}
	if f.Direction != nil {
		key.direction = int(*f.Direction)
	}
	return key
}

func (t *totals) get(key totalsKey, revision int64) (total, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	known, ok := t.known[key]
	return known.total, ok && known.revision == revision
}

func (t *totals) put(key totalsKey, revision int64, sum total) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil || len(t.known) >= maxTotals {
		// Forgetting all is rare, and what is asked for again is known again at once.
		t.known = make(map[totalsKey]knownTotal)
	}
	t.known[key] = knownTotal{revision, sum}
}
