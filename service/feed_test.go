package service_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // not every machine has it

	"pgregory.net/rapid"

	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/payments"
	"tarmac/service/store"
)

func (f *fixture) event(n int, at time.Time) events.Event {
	f.t.Helper()
	var e events.Event
	var err error
	if n%3 == 0 {
		e, err = events.ForPayment(
			f.id(ids.Event), at,
			payments.Intent{ID: "pi_" + strconv.Itoa(n), Status: payments.Failed, AmountCents: int64(n), Currency: "USD"},
		)
	} else {
		status := []invoicing.Status{invoicing.Sent, invoicing.Paid}[n%3-1]
		e, err = events.ForInvoice(
			f.id(ids.Event), at,
			invoicing.Invoice{
				ID: "inv_" + strconv.Itoa(n), Sequence: int64(n), Status: status, TotalCents: int64(n), Currency: "USD",
			},
		)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	return e
}

type eventPage struct {
	Data       []json.RawMessage `json:"data"`
	NextCursor string            `json:"next_cursor"`
}

// walk reads the feed page by page and returns the events as bytes.
func (f *fixture) walk(a tenant, types string, limit int, after string) []string {
	var all []string
	for {
		pairs := []string{"limit", strconv.Itoa(limit)}
		if types != "" {
			pairs = append(pairs, "types", types)
		}
		if after != "" {
			pairs = append(pairs, "starting_after", after)
		}
		var page eventPage
		f.decode(f.get(a.secret, prefix+"/events"+query(pairs...)), &page)
		for _, e := range page.Data {
			all = append(all, string(e))
		}
		if after = page.NextCursor; after == "" {
			return all
		}
	}
}

// From any event on, the pages are the earlier events, newest first, byte for byte, whatever
// their times.
func TestFeedPagesMakeUpTheFeedForAnyTypesAndSize(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	var feed []events.Event
	for n := range 40 {
		feed = append(feed, f.event(n, noon.Add(-time.Duration(n*n%17)*time.Hour)))
	}
	f.write(func(tx *store.Tx) error { return tx.AppendEvents(a.key, feed[:25]) })
	f.write(func(tx *store.Tx) error { return tx.AppendEvents(a.key, feed[25:]) })
	rapid.Check(t, func(t *rapid.T) {
		types := rapid.SliceOfNDistinct(
			rapid.SampledFrom([]string{"invoice.sent", "invoice.paid", "payment.failed", "test.event"}), 0, 3, rapid.ID,
		).Draw(t, "types")
		from := rapid.IntRange(0, len(feed)).Draw(t, "from")
		after := ""
		if from < len(feed) {
			after = feed[from].ID // its own type may be filtered out
		}
		var want []string
		for i := from - 1; i >= 0; i-- {
			if len(types) == 0 || slices.Contains(types, string(feed[i].Type)) {
				want = append(want, string(feed[i].Body))
			}
		}
		got := f.walk(a, strings.Join(types, " , "), rapid.IntRange(1, 15).Draw(t, "limit"), after)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("types %v before %d:\n got %v\nwant %v", types, from, got, want)
		}
	})
}

// Late events stand among others in the feed.
func TestTheRetentionOfLateEventsIsByTheirOwnTime(t *testing.T) {
	f := start(t, 0)
	rapid.Check(t, func(t *rapid.T) {
		f.clock.at = noon
		a := f.tenant("a")
		var feed []events.Event
		for n, days := range rapid.SliceOfN(rapid.IntRange(85, 95), 0, 25).Draw(t, "days ago") {
			feed = append(feed, f.event(n, noon.AddDate(0, 0, -days)))
		}
		split := rapid.IntRange(0, len(feed)).Draw(t, "split")
		f.write(func(tx *store.Tx) error { return tx.AppendEvents(a.key, feed[:split]) })
		f.write(func(tx *store.Tx) error { return tx.AppendEvents(a.key, feed[split:]) })
		f.clock.advance(time.Duration(rapid.IntRange(0, 6).Draw(t, "days later")) * 24 * time.Hour)
		var want []string
		for _, e := range slices.Backward(feed) {
			if !e.OccurredAt.Before(f.clock.now().AddDate(0, 0, -events.RetentionDays)) {
				want = append(want, string(e.Body))
			}
		}
		if got := f.walk(a, "", rapid.IntRange(1, 9).Draw(t, "limit"), ""); !slices.Equal(got, want) {
			t.Fatalf("got %v\nwant %v", got, want)
		}
	})
}

func TestEventsCanBeReadForNinetyDays(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	old, fresh := f.event(1, noon.AddDate(0, 0, -90)), f.event(2, noon)
	f.write(func(tx *store.Tx) error { return tx.AppendEvents(a.key, []events.Event{old, fresh}) })
	if got := f.get(a.secret, prefix+"/events/"+old.ID); got.status != http.StatusOK ||
		!bytes.Equal(bytes.TrimSpace(got.body), old.Body) {
		t.Fatalf("on its ninetieth day: %d %s", got.status, got.body)
	}
	if got := f.walk(a, "", 10, ""); len(got) != 2 {
		t.Fatalf("on its ninetieth day the feed has %v", got)
	}
	// Days are in UTC, whatever the time zone of the server.
	city, err := time.LoadLocation("America/New_York") // whose summer time ended in the window
	if err != nil {
		t.Fatal(err)
	}
	f.clock.at = noon.In(city)
	f.clock.advance(time.Millisecond)
	f.refused("a moment later", f.get(a.secret, prefix+"/events/"+old.ID), http.StatusNotFound, "no such event")
	f.refused(
		"as a place", f.get(a.secret, prefix+"/events?starting_after="+old.ID), http.StatusBadRequest,
		"starting_after is not a known event id",
	)
	if got := f.walk(a, "", 1, ""); len(got) != 1 || got[0] != string(fresh.Body) {
		t.Errorf("a moment later the feed has %v", got)
	}
}

// Earlier versions stored events of a type that the API does not have.
func TestRetiredEventsAreLeftOutAndStayValidAsAPlace(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	before, after := f.event(1, noon), f.event(2, noon)
	retired := events.Event{ID: f.id(ids.Event), Type: events.Retired, OccurredAt: noon, Body: []byte(`{"retired":true}`)}
	f.write(func(tx *store.Tx) error { return tx.AppendEvents(a.key, []events.Event{before, retired, after}) })

	all := f.walk(a, "", 1, "")
	older := f.walk(a, "", 1, retired.ID)

	if !slices.Equal(all, []string{string(after.Body), string(before.Body)}) {
		t.Errorf("the feed has %v", all)
	}
	if !slices.Equal(older, []string{string(before.Body)}) {
		t.Errorf("after the retired event, the feed has %v", older)
	}
	f.refused("by its id", f.get(a.secret, prefix+"/events/"+retired.ID), http.StatusNotFound, "no such event")
	f.refused("by its type", f.get(a.secret, prefix+"/events?types=books.synced"), http.StatusBadRequest,
		`unknown event type "books.synced"`)
}

func TestAFeedPageHas50EventsByDefaultAnd100AtMost(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	var feed []events.Event
	for n := range 120 {
		feed = append(feed, f.event(n, noon))
	}
	f.write(func(tx *store.Tx) error {
		for n := range 220 {
			inv := invoicing.Invoice{
				ID: f.id(ids.Invoice), Status: invoicing.Draft, Currency: "USD", CreatedAt: noon, UpdatedAt: noon,
				Description: strconv.Itoa(n),
			}
			if _, err := tx.InsertInvoice(a.key, inv); err != nil {
				return err
			}
		}
		return tx.AppendEvents(a.key, feed)
	})
	for path, want := range map[string]int{
		"/events": 50, "/events?limit=100": 100, "/invoices": 50, "/invoices?limit=200": 200, "/invoices?status=paid": 0,
	} {
		got := f.get(a.secret, prefix+path)
		count := bytes.Count(got.body, []byte(`"id":`))
		if got.status != http.StatusOK || count != want {
			t.Errorf("%s: %d with %d records, want %d", path, got.status, count, want)
		}
	}
	var newest []struct {
		Number string `json:"number"`
	}
	f.decode(f.get(a.secret, prefix+"/invoices?status=draft&limit=2"), &newest)
	if len(newest) != 2 || newest[0].Number != "INV-000220" || newest[1].Number != "INV-000219" {
		t.Errorf("the newest invoices are %+v", newest)
	}
}
