package httpapi

import (
	"sync"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// maxPages bounds how many bytes of pages are remembered, of all organizations.
const maxPages = 16 << 20

// pages remembers encoded pages of transactions. Whoever watches a ledger asks for
// the same page again and again, mostly with nothing written in between: it is then
// answered as it was, after one look at the database, which says whose token it is
// and at which revision the ledger stands. A page is the organization's, of one
// filter, place and size, and of one revision.
type pages struct {
	most  int // bytes
	mu    sync.Mutex
	size  int
	known map[pageKey]knownPage
}

type pageKey struct {
	org       store.OrgKey
	direction int // -1 for both
	from, to  civil.Date
	keyword   string
	limit     int
	begins    bool // at the head, and not after a place
	after     ledger.Position
}

type knownPage struct {
	revision int64
	body     []byte // nobody writes to it
}

func pageKeyOf(org store.OrgKey, f ledger.Filter, after *ledger.Position, limit int) pageKey {
	key := pageKey{org: org, direction: -1, from: f.From, to: f.To, keyword: f.Keyword, limit: limit, begins: after == nil}
	if f.Direction != nil {
		key.direction = int(*f.Direction)
	}
	if after != nil {
		key.after = *after
	}
	return key
}

// get returns the page as it is at the revision, nil where it is not remembered.
func (p *pages) get(key pageKey, revision int64) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known, ok := p.known[key]; ok && known.revision == revision {
		return known.body
	}
	return nil
}

// put remembers a page in place of what it was at another revision, and forgets
// others that there is no room for.
func (p *pages) put(key pageKey, revision int64, body []byte) {
	takes := weight(key, body)
	if takes > p.most/8 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known == nil {
		p.known = map[pageKey]knownPage{}
	}
	p.forget(key)
	for other := range p.known {
		if p.size+takes <= p.most {
			break
		}
		p.forget(other)
	}
	p.known[key] = knownPage{revision, body}
	p.size += takes
}

func (p *pages) forget(key pageKey) {
	if known, ok := p.known[key]; ok {
		p.size -= weight(key, known.body)
		delete(p.known, key)
	}
}

// weight is what a page takes in memory, with its place in the map.
func weight(key pageKey, body []byte) int { return cap(body) + len(key.keyword) + 512 }
