package httpapi

import (
	"testing"

	"pgregory.net/rapid"

	"tarmac/service/ledger"
	"tarmac/service/store"
)

// Whatever is remembered and asked for: a page is what was put last, of that key and
// that revision, and all of them together stay within their bound.
func TestRememberedPages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const most = 20_000
		p := &pages{most: most}
		type at struct {
			key      pageKey
			revision int64
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
			return at{pageKeyOf(org, f, after, rapid.IntRange(1, 2).Draw(t, "limit")), rapid.Int64Range(1, 3).Draw(t, "revision")}
		}
		for i := range rapid.IntRange(1, 100).Draw(t, "steps") {
			asked := draw()
			if rapid.Bool().Draw(t, "put") {
				body := make([]byte, rapid.IntRange(1, most/8-weight(pageKey{}, nil)-8).Draw(t, "length"))
				body[0] = byte(i)
				p.put(asked.key, asked.revision, body)
				last[asked] = byte(i)
			}
			if got := p.get(asked.key, asked.revision); got != nil && got[0] != last[asked] {
				t.Fatalf("%+v was put as %d and is %d", asked, last[asked], got[0])
			}
			held := 0
			for key, known := range p.known {
				held += weight(key, known.body)
			}
			if held != p.size || held > most {
				t.Fatalf("%d bytes are held, %d counted, at most %d", held, p.size, most)
			}
		}
	})
}

func TestAPageIsRememberedUntilTheLedgerIsWrittenTo(t *testing.T) {
	p := &pages{most: maxPages}
	key := pageKeyOf(1, ledger.Filter{}, nil, 100)
	p.put(key, 7, []byte("seven"))
	if got := string(p.get(key, 7)); got != "seven" {
		t.Errorf("at its revision: %q", got)
	}
	for _, revision := range []int64{6, 8} {
		if got := p.get(key, revision); got != nil {
			t.Errorf("at revision %d: %q", revision, got)
		}
	}
	if got := p.get(pageKeyOf(2, ledger.Filter{}, nil, 100), 7); got != nil {
		t.Errorf("of another organization: %q", got)
	}
}
