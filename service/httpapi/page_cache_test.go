package httpapi

import (
	"testing"

	"pgregory.net/rapid"

	"tarmac/service/ledger"
	"tarmac/service/store"
)

// Whatever is set: get returns the page that was set last for that key and revision, and
// the cache stays within its size.
func TestThePageCacheReturnsTheLastPageWithinItsSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const maxBytes = 20_000
		p := &pageCache{maxBytes: maxBytes}
		type at struct {
			key      pageKey
			revision pageRevision
		}
		last := map[at]byte{}
		draw := func() at {
			f := ledger.Filter{Keyword: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "keyword")}
			if rapid.Bool().Draw(t, "by direction") {
				d := ledger.Direction(rapid.IntRange(0, 1).Draw(t, "direction"))
				f.Direction = &d
			}
			var after *ledger.Position
			if rapid.Bool().Draw(t, "by cursor") {
				after = &ledger.Position{Seq: rapid.Int64Range(0, 2).Draw(t, "after")}
			}
			org := store.OrgKey(rapid.IntRange(1, 2).Draw(t, "organization"))
			return at{
				newPageKey(org, f, after, rapid.IntRange(1, 2).Draw(t, "limit")),
				pageRevision{rapid.Int64Range(1, 2).Draw(t, "ledger"), rapid.Int64Range(0, 2).Draw(t, "books")},
			}
		}
		for i := range rapid.IntRange(1, 100).Draw(t, "steps") {
			asked := draw()
			if rapid.Bool().Draw(t, "put") {
				body := make([]byte, rapid.IntRange(1, maxBytes/8-memorySize(pageKey{}, nil)-8).Draw(t, "length"))
				body[0] = byte(i)
				p.set(asked.key, asked.revision, body)
				last[asked] = byte(i)
			}
			if got := p.get(asked.key, asked.revision); got != nil && got[0] != last[asked] {
				t.Fatalf("%+v was put as %d and is %d", asked, last[asked], got[0])
			}
			held := 0
			for key, cached := range p.entries {
				held += memorySize(key, cached.body)
			}
			if held != p.size || held > maxBytes {
				t.Fatalf("%d bytes are held, %d counted, at most %d", held, p.size, maxBytes)
			}
		}
	})
}

func TestAPageIsCachedForOneRevisionOfOneLedger(t *testing.T) {
	p := &pageCache{maxBytes: defaultPageCache}
	key := newPageKey(1, ledger.Filter{}, nil, 100)
	seven := pageRevision{7, 7}
	p.set(key, seven, []byte("seven"))
	if got := string(p.get(key, seven)); got != "seven" {
		t.Errorf("at its revision: %q", got)
	}
	for _, revision := range []pageRevision{{6, 7}, {8, 7}, {7, 6}, {7, 8}} {
		if got := p.get(key, revision); got != nil {
			t.Errorf("at revision %v: %q", revision, got)
		}
	}
	if got := p.get(newPageKey(2, ledger.Filter{}, nil, 100), seven); got != nil {
		t.Errorf("of another organization: %q", got)
	}
	key.extended = true
	if got := p.get(key, seven); got != nil {
		t.Errorf("with the extension: %q", got)
	}
}
