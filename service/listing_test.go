package service_test

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

type listedTransaction struct {
	ID             string `json:"id"`
	AmountUSDCents int64  `json:"amount_usd_cents"`
	USDKnown       bool   `json:"usd_known"`
	Direction      string `json:"direction"`
	Date           string `json:"date"`
	Source         string `json:"source"`
}

type listedSummary struct {
	Count            int64 `json:"count"`
	InflowUSDCents   int64 `json:"inflow_usd_cents"`
	OutflowUSDCents  int64 `json:"outflow_usd_cents"`
	NetUSDCents      int64 `json:"net_usd_cents"`
	UnconvertedCount int64 `json:"unconverted_count"`
}

type listedPage struct {
	Data       []listedTransaction `json:"data"`
	NextCursor string              `json:"next_cursor"`
	Summary    listedSummary       `json:"summary"`
}

var listedNames = []string{
	"Straße 7", "STRASSE 8", "Łukasz", "łukasz", "100% cotton", "a_b", `say "hi"`, "株式会社みどり", "(unknown)",
	"İstanbul ı", "ISTANBUL", "ＦＵＬＬ\u00a0width",
}

func (f *fixture) drawTransactions(t *rapid.T, most int) []ledger.Transaction {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) ledger.Transaction {
		date := civil.New(2026, 5, rapid.IntRange(1, 9).Draw(t, "day"))
		id, err := f.ids.New(ids.Transaction, date.Time())
		if err != nil {
			t.Fatal(err)
		}
		row := ledger.Transaction{
			ID: id, Date: date, Direction: ledger.Direction(rapid.IntRange(0, 1).Draw(t, "direction")), Currency: "GBP",
			Counterparty: rapid.SampledFrom(listedNames).Draw(t, "counterparty"), AmountKnown: true, AmountMinor: 7,
		}
		if row.USDKnown = rapid.IntRange(0, 3).Draw(t, "known") > 0; row.USDKnown {
			row.USDCents = rapid.Int64Range(0, 1e9).Draw(t, "usd")
		}
		return row
	}), 0, most).Draw(t, "rows")
}

func drawQuery(t *rapid.T) url.Values {
	q := url.Values{}
	for name, values := range map[string][]string{
		"direction": {"inflow", "outflow"}, "from": {"2026-05-03", "2026-05-09"}, "to": {"2026-05-09", "2026-06-01"},
		"keyword": {"strasse", "ß", "ŁUKASZ", "0% c", "_", `"`, "会社", "みどり ", "nobody",
			"x\u0301", "istanbul", "İSTANBUL ı",
			"full w"},
	} {
		if rapid.Bool().Draw(t, name) {
			q.Set(name, rapid.SampledFrom(values).Draw(t, name+" value"))
		}
	}
	return q
}

// matching returns the ids and the summary of the matching rows, as a simple reference
// implementation (docs/api.md, Transaction list).
func matching(rows []ledger.Transaction, q url.Values) (order []string, sum listedSummary) {
	folder := ledger.NewFolder()
	for day := civil.New(2026, 5, 9); day.Month() == 5; day = day.AddDays(-1) {
		for i := len(rows) - 1; i >= 0; i-- {
			row, date := rows[i], rows[i].Date.String()
			if row.Date != day || q.Has("direction") && row.Direction.String() != q.Get("direction") ||
				q.Has("from") && date < q.Get("from") || q.Has("to") && date > q.Get("to") ||
				!strings.Contains(folder.Fold(row.Counterparty), folder.Fold(strings.TrimSpace(q.Get("keyword")))) {
				continue
			}
			order = append(order, row.ID)
			sum.Count++
			if !row.USDKnown {
				sum.UnconvertedCount++
			}
			if row.Direction == ledger.Inflow {
				sum.InflowUSDCents += row.USDCents
			} else {
				sum.OutflowUSDCents += row.USDCents
			}
		}
	}
	sum.NetUSDCents = sum.InflowUSDCents - sum.OutflowUSDCents
	return order, sum
}

// This holds for any filter and page size and for rows that are added between pages. Each
// page's summary is that of the ledger at its time.
func TestPagesListEveryTransactionOnceInOrder(t *testing.T) {
	f := start(t, 0)
	runs := 0
	rapid.Check(t, func(t *rapid.T) {
		runs++
		a := f.tenant("tenant " + strconv.Itoa(runs))
		insert := func(rows []ledger.Transaction) {
			insert := func(tx *store.Tx) error { return tx.InsertTransactions(a.key, rows) }
			if err := f.service.Store().Write(context.Background(), insert); err != nil {
				t.Fatal(err)
			}
		}
		rows := f.drawTransactions(t, 25)
		insert(rows)
		q := drawQuery(t)
		want, _ := matching(rows, q)
		seen := map[string]bool{}
		var got []string
		for {
			q.Set("limit", strconv.Itoa(rapid.IntRange(1, 9).Draw(t, "limit")))
			var page listedPage
			f.decode(f.get(a.secret, prefix+"/transactions?"+q.Encode()), &page)
			checkPage(t, page, rows, q)
			for _, row := range page.Data {
				if seen[row.ID] {
					t.Fatalf("%s came twice", row.ID)
				}
				seen[row.ID] = true
				got = append(got, row.ID)
			}
			if page.NextCursor == "" {
				break
			}
			q.Set("cursor", page.NextCursor)
			more := f.drawTransactions(t, 3)
			insert(more)
			rows = append(rows, more...)
		}
		if there := only(got, want); fmt.Sprint(there) != fmt.Sprint(want) {
			t.Fatalf("for %s:\n got %v\nwant %v", q.Encode(), there, want)
		}
	})
}

func checkPage(t *rapid.T, page listedPage, rows []ledger.Transaction, q url.Values) {
	if _, sum := matching(rows, q); page.Summary != sum {
		t.Fatalf("for %s: summary %+v, want %+v", q.Encode(), page.Summary, sum)
	}
	if limit, _ := strconv.Atoi(q.Get("limit")); len(page.Data) > limit ||
		page.NextCursor != "" && len(page.Data) != limit {
		t.Fatalf("%d rows on a page of %d, next %q", len(page.Data), limit, page.NextCursor)
	}
	for _, row := range page.Data {
		if q.Has("direction") && row.Direction != q.Get("direction") || !row.USDKnown && row.AmountUSDCents != 0 {
			t.Fatalf("for %s: %+v", q.Encode(), row)
		}
	}
}

// only returns the items of all that are also in some, in the order of all.
func only(all, some []string) []string {
	wanted := map[string]bool{}
	for _, s := range some {
		wanted[s] = true
	}
	var kept []string
	for _, s := range all {
		if wanted[s] {
			kept = append(kept, s)
		}
	}
	return kept
}
