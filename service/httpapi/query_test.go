package httpapi

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

// A query yields a filter that keeps the rules, or an error of one printable line.
func FuzzTransactionQuery(f *testing.F) {
	for _, seed := range []string{
		"", "direction=inflow&from=2026-01-01&to=2026-02-01&keyword=%C3%9F&limit=7", "limit=0", "a;b", "%zz", "keyword=%00",
		"keyword=%ff", "from=2026-02-30", "from=2026-02-02&to=2026-02-01", "limit=1&limit=2", "\x7f=1",
		"limit=99999999999999999999",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		c := &call{exchange: &exchange{r: &http.Request{URL: &url.URL{RawQuery: raw}}}}
		values, err := c.query("direction", "from", "to", "keyword", "limit")
		if err != nil {
			refusal(t, err)
			return
		}
		size, err := pageSize(values, maxTransactions, defaultTransactions)
		if err != nil {
			refusal(t, err)
		} else if size < 1 || size > maxTransactions {
			t.Errorf("limit(%q) = %d", raw, size)
		}
		filter, err := transactionFilter(values)
		if err != nil {
			refusal(t, err)
			return
		}
		if !filter.From.IsZero() && !filter.To.IsZero() && filter.From.After(filter.To) {
			t.Errorf("%q: from %s, to %s", raw, filter.From, filter.To)
		}
		if values.Has("keyword") == (filter.Keyword == "") || !utf8.ValidString(filter.Keyword) ||
			strings.ContainsAny(filter.Keyword, "\x00\x1f") {
			t.Errorf("%q: keyword %q", raw, filter.Keyword)
		}
	})
}

func refusal(t *testing.T, err error) {
	t.Helper()
	p := problemOf(err)
	if p.status != http.StatusBadRequest || strings.ContainsAny(p.text, "\n\r\x00\x1b") || len(p.text) > 300 {
		t.Errorf("%d %q", p.status, p.text)
	}
}
