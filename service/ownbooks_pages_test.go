package service_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/long"
	"tarmac/internal/testsupport/testdb"
	"tarmac/service/bookkeeping"
	"tarmac/service/demodata/samplefiles"
	"tarmac/service/httpapi"
)

// importSample imports those files of the sample company whose names have the prefix. It returns
// the id of the import.
func (f *fixture) importSample(a tenant, prefix string) string {
	f.t.Helper()
	files, err := samplefiles.Generate(samplefiles.Options{Company: "Harbour", Seed: 1, Today: civil.Of(f.clock.now())})
	if err != nil {
		f.t.Fatal(err)
	}
	var sources []bookkeeping.Source
	for _, file := range files {
		if strings.HasPrefix(file.Name, prefix) {
			sources = append(sources, bookkeeping.Source{Name: file.Name, Content: bytes.NewReader(file.Content)})
		}
	}
	report, err := f.books(a).Import(context.Background(), sources, bookkeeping.Options{})
	if err != nil || report.Import == "" {
		f.t.Fatalf("importing %s: %+v, %v", prefix, report, err)
	}
	return string(report.Import)
}

func (f *fixture) books(a tenant) *bookkeeping.Books {
	f.t.Helper()
	b, err := f.service.Books(context.Background(), a.id)
	if err != nil {
		f.t.Fatal(err)
	}
	return b
}

func (f *fixture) undo(a tenant, id string) {
	f.t.Helper()
	if _, err := f.books(a).Undo(context.Background(), id); err != nil {
		f.t.Fatal(err)
	}
}

// listed returns a page of transactions.
func (f *fixture) listed(a tenant, q url.Values) (page listedPage) {
	f.t.Helper()
	f.decode(f.get(a.secret, prefix+"/transactions?"+q.Encode()), &page)
	return page
}

// all returns all transactions that match a filter, page by page, and checks their total.
func (f *fixture) all(a tenant, q url.Values) (rows []listedTransaction) {
	f.t.Helper()
	q.Set("limit", "100")
	var want listedSummary
	for first := true; first || q.Get("cursor") != ""; first = false {
		page := f.listed(a, q)
		rows, want = append(rows, page.Data...), page.Summary
		q.Set("cursor", page.NextCursor)
	}
	var got listedSummary
	for _, row := range rows {
		got.Count++
		switch {
		case !row.USDKnown:
			got.UnconvertedCount++
		case row.Direction == "inflow":
			got.InflowUSDCents += row.AmountUSDCents
		default:
			got.OutflowUSDCents += row.AmountUSDCents
		}
	}
	got.NetUSDCents = got.InflowUSDCents - got.OutflowUSDCents
	if got != want {
		f.t.Errorf("the transactions of %s come to %+v, their total is %+v", q.Encode(), got, want)
	}
	return rows
}

// Each response is checked against the contract.
func TestEveryOperationAnswersForOwnBooks(t *testing.T) {
	if testing.Short() {
		t.Skip("is one client, with one request at a time")
	}
	f := start(t, 0)
	a := f.tenant("own")
	f.importSample(a, "")
	records := f.sample(a)
	records["transactionId"] = f.all(a, url.Values{"from": {"2026-08-01"}, "to": {"2026-08-31"}})[0].ID

	operations := httpapi.Operations()
	slices.SortStableFunc(operations, func(x, y httpapi.Operation) int {
		return strings.Compare(y.Method, x.Method) // what deletes comes last
	})
	for _, op := range operations {
		answer := f.send(a.secret, op.Method, records.path(op), bodies[op.ID][0])

		if answer.status > 299 {
			t.Errorf("%s: %d %s", op.ID, answer.status, answer.body)
		}
	}
}

// A second page that is read after an import or undoing one continues where the first ended, and
// totals are those of the transactions that are there.
func TestPagesAndTotalsFollowImportsAndUndoingThem(t *testing.T) {
	if testing.Short() {
		t.Skip("is one client, with one request at a time")
	}
	f := start(t, 0)
	a := f.tenant("own")
	f.importSample(a, "operating")
	keywords := []string{"", "", "payroll", "a", "inc", "stripe"}
	random := rand.New(rand.NewPCG(1, 2))
	card := ""
	steps := long.Size(6, 12)
	if testing.Short() || testdb.Postgres() {
		steps = 4 // each of the two files is imported once and undone once
	}
	for step := range steps {
		query := url.Values{"limit": {"20"}}
		first := f.listed(a, query)
		query.Set("cursor", first.NextCursor)

		if card == "" {
			card = f.importSample(a, []string{"card", "savings"}[step/2%2])
		} else {
			f.undo(a, card)
			card = ""
		}

		second := f.listed(a, query)
		last := first.Data[len(first.Data)-1]
		for _, row := range second.Data {
			repeated := slices.ContainsFunc(first.Data, func(r listedTransaction) bool { return r.ID == row.ID })
			// Other transactions of the cursor's own day may have moved.
			if row.Date > last.Date || repeated && row.Date != last.Date {
				t.Errorf("step %d: %+v is on the page after %+v", step, row, last)
			}
		}
		for range 3 {
			filter := url.Values{}
			if keyword := keywords[random.IntN(len(keywords))]; keyword != "" {
				filter.Set("keyword", keyword)
			}
			if random.IntN(2) == 0 {
				filter.Set("direction", []string{"inflow", "outflow"}[random.IntN(2)])
			}
			if random.IntN(2) == 0 {
				filter.Set("from", fmt.Sprintf("2026-%02d-%02d", 1+random.IntN(9), 1+random.IntN(28)))
			}
			f.all(a, filter)
		}
		if total := f.listed(a, url.Values{}).Summary; total.Count != int64(len(f.all(a, url.Values{}))) {
			t.Errorf("step %d: the total is %+v", step, total)
		}
	}
}
