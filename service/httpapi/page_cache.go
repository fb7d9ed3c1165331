package httpapi

import (
	"sync"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// maxPageCache bounds the memory of the page cache, for all organizations together, in bytes.
const maxPageCache = 16 << 20

// pageCache caches pages of transactions as encoded JSON. Each page belongs to one revision of
// its organization's ledger. Clients that poll mostly request a page that has not changed. A
// cached page costs a single query, which reads the token and the ledger's current revision. It
// is safe for concurrent use.
type pageCache struct {
	maxBytes int
	mu       sync.Mutex
	size     int
	entries  map[pageKey]cachedPage
}

type pageKey struct {
	org       store.OrgKey
	direction int // ledger.Direction, or -1 for both directions
	from, to  civil.Date
	keyword   string
	limit     int
	firstPage bool // whether the page is the first; after is then unused
	after     ledger.Position
}

type cachedPage struct {
	revision int64
	body     []byte // read-only
}

func newPageKey(org store.OrgKey, f ledger.Filter, after *ledger.Position, limit int) pageKey {
	key := pageKey{
		org:       org,
		direction: -1,
		from:      f.From,
		to:        f.To,
		keyword:   f.Keyword,
		limit:     limit,
		firstPage: after == nil,
	}
	if f.Direction != nil {
		key.direction = int(*f.Direction)
	}
	if after != nil {
		key.after = *after
	}
	return key
}

// get returns the page's body, or nil if the page is not cached at that revision.
func (p *pageCache) get(key pageKey, revision int64) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if cached, ok := p.entries[key]; ok && cached.revision == revision {
		return cached.body
	}
	return nil
}

// set caches a page and removes any other revision of it. When the cache is full, it evicts
// arbitrary pages. A page larger than an eighth of the cache is not cached.
func (p *pageCache) set(key pageKey, revision int64, body []byte) {
	size := memorySize(key, body)
	if size > p.maxBytes/8 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.entries == nil {
		p.entries = map[pageKey]cachedPage{}
	}
	p.remove(key)
	for other := range p.entries {
		if p.size+size <= p.maxBytes {
			break
		}
		p.remove(other)
	}
	p.entries[key] = cachedPage{revision, body}
	p.size += size
}

func (p *pageCache) remove(key pageKey) {
	if cached, ok := p.entries[key]; ok {
		p.size -= memorySize(key, cached.body)
		delete(p.entries, key)
	}
}

// memorySize estimates how many bytes an entry takes, including its part of the map.
func memorySize(key pageKey, body []byte) int { return cap(body) + len(key.keyword) + 512 }
