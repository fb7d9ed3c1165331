package httpapi

import (
	"sync"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// defaultPageCache is the default of Config.PageCacheBytes.
const defaultPageCache = 16 << 20

// pageCache caches pages of transactions as JSON. A cached page is valid for one revision of its
// organization's ledger and, with the extension, of its books. Clients that poll mostly request a
// page that has not changed: then the only database query is that for the token, which also returns
// the current revisions. The cache is safe for concurrent use.
type pageCache struct {
	maxBytes int
	mu       sync.Mutex
	size     int
	entries  map[pageKey]cachedPage
}

type pageKey struct {
	org       store.OrgKey
	direction int // a ledger.Direction, or -1 for both directions
	from, to  civil.Date
	keyword   string
	currency  string // ledger.Filter.Currency
	limit     int
	extended  bool // the page has the extension
	firstPage bool
	after     ledger.Position // last row of the page before; unused if firstPage is true
}

// pageRevision says for which ledger a page is valid. A page without the extension doesn't depend
// on the books.
type pageRevision struct{ ledger, books int64 }

type cachedPage struct {
	revision pageRevision
	body     []byte // response as JSON; must not be changed
}

func newPageKey(org store.OrgKey, f ledger.Filter, after *ledger.Position, limit int) pageKey {
	key := pageKey{
		org:       org,
		direction: -1,
		from:      f.From,
		to:        f.To,
		keyword:   f.Keyword,
		currency:  f.Currency,
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

// get returns the cached page as JSON, or nil if the page is not cached for that revision.
func (p *pageCache) get(key pageKey, revision pageRevision) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if cached, ok := p.entries[key]; ok && cached.revision == revision {
		return cached.body
	}
	return nil
}

// set caches a page in place of any other revision of it. When the cache is full, it evicts
// arbitrary pages. A page larger than an eighth of the cache is not cached.
func (p *pageCache) set(key pageKey, revision pageRevision, body []byte) {
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

// memorySize estimates the bytes that a cached page uses, including its map entry.
func memorySize(key pageKey, body []byte) int { return cap(body) + len(key.keyword) + 512 }
