package service

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/testdb"
	"tarmac/service/access"
	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// upkeepFixture is an upkeep of a database with one organization and a settable clock.
type upkeepFixture struct {
	testing.TB
	*upkeep
	at   atomic.Pointer[time.Time]
	logs *strings.Builder
	org  store.OrgKey
}

func (k *upkeepFixture) set(at time.Time) { k.at.Store(&at) }

func newUpkeepFixture(t testing.TB, at time.Time) *upkeepFixture {
	t.Helper()
	st, err := store.Open(context.Background(), testdb.New(t), store.Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	k := &upkeepFixture{TB: t, logs: &strings.Builder{}}
	k.set(at)
	k.upkeep = newUpkeep(st, ids.NewSource(rand.Reader), slog.New(
		slog.NewJSONHandler(k.logs, nil),
	), func() time.Time { return *k.at.Load() })
	k.write(func(tx *store.Tx) (err error) {
		k.org, err = tx.CreateOrganization(store.Organization{PublicID: "org_a", Name: "a", CreatedAt: at})
		return err
	})
	return k
}

func (k *upkeepFixture) write(fn func(*store.Tx) error) {
	k.Helper()
	if err := k.store.Write(context.Background(), fn); err != nil {
		k.Fatal(err)
	}
}

func (k *upkeepFixture) due(n int, day civil.Date) {
	k.Helper()
	k.write(func(tx *store.Tx) error {
		for i := range n {
			_, err := tx.InsertInvoice(k.org, invoicing.Invoice{
				ID: fmt.Sprintf("inv_%s_%d", day, i), Status: invoicing.Sent, Currency: "USD", TotalCents: 1, DueDate: day,
				CreatedAt: *k.at.Load(), UpdatedAt: *k.at.Load(),
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// overdue returns the number of overdue invoices and of their events.
func (k *upkeepFixture) overdue() (invoices, eventCount int) {
	k.Helper()
	err := k.store.Read(context.Background(), func(snap *store.Snapshot) error {
		all, err := snap.Invoices(k.org, invoicing.Overdue, 10_000)
		if err != nil {
			return err
		}
		feed, err := snap.Feed(k.org, store.FeedQuery{Types: []events.Type{events.InvoiceOverdue}, Limit: 10_000})
		invoices, eventCount = len(all), len(feed)
		return err
	})
	if err != nil {
		k.Fatal(err)
	}
	return invoices, eventCount
}

func TestUpkeepMarksOverdueAtOnceAndAfterMidnight(t *testing.T) {
	midnight := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	k := newUpkeepFixture(t, midnight.Add(-time.Minute))
	k.due(1, civil.New(2026, 11, 19))
	k.due(1, civil.New(2026, 11, 20))
	ctx, cancel := context.WithCancel(t.Context())
	tick, ended := make(chan time.Time), make(chan struct{})
	go func() {
		defer close(ended)
		k.loop(ctx, tick)
	}()
	for _, c := range []struct {
		at   time.Time
		want int
	}{{midnight.Add(-time.Nanosecond), 1}, {midnight.Add(30 * time.Second), 2}, {midnight.Add(90 * time.Second), 2}} {
		k.set(c.at)
		tick <- c.at
		tick <- c.at // received when the run of the first tick has ended
		if invoices, told := k.overdue(); invoices != c.want || told != c.want {
			t.Errorf("at %s: %d overdue, %d told; want %d", c.at, invoices, told, c.want)
		}
	}
	cancel()
	<-ended
}

func TestUpkeepRunsUntilNoFullBatchIsLeft(t *testing.T) {
	k := newUpkeepFixture(t, time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC))
	const n = 2*overdueBatch + 1
	k.due(n, civil.New(2026, 11, 20))
	k.runTasks(t.Context())
	if invoices, told := k.overdue(); invoices != n || told != n {
		t.Errorf("%d overdue, %d told; want %d", invoices, told, n)
	}
	if logs := k.logs.String(); strings.Count(logs, "\n") != 1 ||
		!strings.Contains(logs, `"msg":"invoices marked overdue","count":201`) {
		t.Errorf("logged: %s", logs)
	}
}

func TestUpkeepDeletesOnlyRecordsPastTheirRetention(t *testing.T) {
	start := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	k := newUpkeepFixture(t, start)
	const n = eventsBatch + 50
	k.write(func(tx *store.Tx) error {
		for i := range n {
			e, err := events.ForInvoice(fmt.Sprintf("evt_%d", i), start, invoicing.Invoice{ID: "inv_1", Status: invoicing.Sent})
			if err != nil {
				return err
			}
			if err := tx.AppendEvents(k.org, []events.Event{e}); err != nil {
				return err
			}
		}
		return tx.StoreResponse(
			k.org, "key",
			store.StoredResponse{Fingerprint: []byte("f"), InvoiceID: "inv_1", Body: []byte("{}"), CreatedAt: start},
		)
	})
	for _, c := range []struct {
		after  time.Duration
		events int
		answer bool
	}{
		{24 * time.Hour, n, true},
		{24*time.Hour + time.Microsecond, n, false},
		{91 * 24 * time.Hour, n, false},
		{91*24*time.Hour + time.Microsecond, 0, false},
	} {
		k.advance(start.Add(c.after))
		k.write(func(tx *store.Tx) error {
			_, err := tx.StoredResponse(k.org, "key", time.Time{})
			if kept := err == nil; kept != c.answer {
				t.Errorf("after %s: the answer is kept: %v (%v)", c.after, kept, err)
			}
			return nil
		})
		if got := k.feed(); got != c.events {
			t.Errorf("after %s: %d events, want %d", c.after, got, c.events)
		}
	}
}

func TestUpkeepDeletesOldSessionsAndTheDraftsOfEndedSSHKeys(t *testing.T) {
	start := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	k := newUpkeepFixture(t, start)
	k.write(func(tx *store.Tx) error {
		return tx.InsertSSHKey(k.org, access.SSHKey{PublicID: "ssh_1", Fingerprint: "SHA256:one", CreatedAt: start,
			ExpiresAt: &start}, []byte("key"))
	})
	found, err := k.store.SSHKeysByFingerprint(t.Context(), "SHA256:one")
	if err != nil || len(found) != 1 {
		t.Fatalf("SSHKeysByFingerprint = %+v, %v", found, err)
	}
	key := found[0].Key
	k.write(func(tx *store.Tx) error {
		return errors.Join(tx.StartSSHSession(store.SSHSession{ID: "s1", Key: key, BeganAt: start}),
			tx.PutSSHDocument(key, "draft", []byte("d"), start))
	})
	for _, c := range []struct {
		after           time.Duration
		draft, sessions int
	}{
		{30 * 24 * time.Hour, 1, 1},
		{30*24*time.Hour + time.Microsecond, 0, 1},
		{91 * 24 * time.Hour, 0, 1},
		{91*24*time.Hour + time.Microsecond, 0, 0},
	} {
		k.advance(start.Add(c.after))
		names, err := k.store.SSHDocumentNames(t.Context(), key)
		if err != nil || len(names) != c.draft {
			t.Errorf("after %s: %q, %v; want %d", c.after, names, err, c.draft)
		}
		sessions, err := k.store.SSHSessions(t.Context(), k.org, 9)
		if err != nil || len(sessions) != c.sessions {
			t.Errorf("after %s: %+v, %v; want %d", c.after, sessions, err, c.sessions)
		}
	}
}

// advance moves the clock steadily to the given time.
func (k *upkeepFixture) advance(at time.Time) {
	for ago := steadyPeriod; ago >= 0; ago -= maxClockStep {
		k.set(at.Add(-ago))
		k.runTasks(k.Context())
	}
}

// The result is the same whether the service starts before or after the jump.
func TestUpkeepDeletesNothingAfterTheClockJumped(t *testing.T) {
	start := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	k := newUpkeepFixture(t, start)
	k.write(func(tx *store.Tx) error {
		e, err := events.ForInvoice("evt_1", start, invoicing.Invoice{ID: "inv_1", Status: invoicing.Sent})
		if err != nil {
			return err
		}
		return tx.AppendEvents(k.org, []events.Event{e})
	})
	k.advance(start.Add(steadyPeriod))
	for _, years := range []int{10, -10, 1, 74} {
		ahead := start.AddDate(years, 0, 0)
		for after := time.Duration(0); after < steadyPeriod; after += maxClockStep {
			k.set(ahead.Add(after))
			k.runTasks(t.Context())
			if years != 10 {
				k.upkeep = newUpkeep(k.store, k.ids, k.logger, k.now)
				k.runTasks(t.Context())
			}
		}
		if n := k.feed(); n != 1 {
			t.Fatalf("%d years ahead: %d events are left", years, n)
		}
		k.advance(start.Add(2 * steadyPeriod))
	}
	k.advance(start.AddDate(1, 0, 0))
	if n := k.feed(); n != 0 {
		t.Errorf("%d events are left after a year", n)
	}
}

func (k *upkeepFixture) feed() (n int) {
	k.Helper()
	err := k.store.Read(context.Background(), func(snap *store.Snapshot) error {
		feed, err := snap.Feed(k.org, store.FeedQuery{Limit: 10_000})
		n = len(feed)
		return err
	})
	if err != nil {
		k.Fatal(err)
	}
	return n
}

// Deliveries within the retry schedule and held ones do not change.
func TestUpkeepCorrectsDueTimesThatAWrongClockSet(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	k := newUpkeepFixture(t, now)
	at := func(year int) time.Time { return now.AddDate(year-2026, 0, 0) }
	dues := []time.Time{
		at(2099), at(2031), now.Add(webhooks.MaxRetryWait + time.Microsecond), now.Add(webhooks.MaxRetryWait), now,
	}
	want := []time.Time{now, now, now, now.Add(webhooks.MaxRetryWait), now}
	for _, id := range []string{"wh_open", "wh_held"} {
		k.write(func(tx *store.Tx) error {
			return tx.InsertEndpoint(
				k.org, webhooks.Endpoint{ID: id, Status: webhooks.Active, EventTypes: []events.Type{events.InvoicePaid}}, []byte{1},
			)
		})
	}
	k.write(func(tx *store.Tx) error {
		for i, due := range dues {
			e := events.Event{ID: fmt.Sprint("evt_", i), Type: events.InvoicePaid, OccurredAt: due, Body: []byte("{}")}
			if err := tx.AppendEvents(k.org, []events.Event{e}); err != nil {
				return err
			}
		}
		return tx.HoldDeliveries(k.org, "wh_held")
	})
	k.runTasks(t.Context())
	for id, want := range map[string][]time.Time{"wh_open": want, "wh_held": dues} {
		err := k.store.Read(t.Context(), func(snap *store.Snapshot) error {
			all, err := snap.Deliveries(k.org, id, 10)
			if err == nil && len(all) != len(want) {
				t.Fatalf("%d deliveries", len(all))
			}
			for i, d := range all {
				if want := want[len(want)-1-i]; !d.NextRetryAt.Equal(want) {
					t.Errorf("%s to %s is due at %v, want %v", d.EventID, id, d.NextRetryAt, want)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if logs := k.logs.String(); strings.Count(logs, "corrected") != 1 || !strings.Contains(logs, `"count":3`) {
		t.Errorf("logged %s", logs)
	}
}

func TestUpkeepLogsAFailureOnceAndRunsOtherTasks(t *testing.T) {
	k := newUpkeepFixture(t, time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC))
	k.due(1, civil.New(2026, 11, 20))
	working := k.ids
	k.ids = ids.NewSource(strings.NewReader("")) // makes no event's id
	for range 3 {
		k.runTasks(t.Context())
	}
	if invoices, told := k.overdue(); invoices != 0 || told != 0 {
		t.Errorf("%d overdue, %d told", invoices, told)
	}
	if logs := k.logs.String(); strings.Count(logs, "\n") != 1 ||
		!strings.Contains(logs, `"level":"WARN","msg":"invoices could not be marked overdue`) {
		t.Errorf("logged: %s", logs)
	}
	k.ids = working
	k.runTasks(t.Context())
	if invoices, told := k.overdue(); invoices != 1 || told != 1 {
		t.Errorf("afterwards %d overdue, %d told", invoices, told)
	}
	if logs := k.logs.String(); strings.Count(logs, "\n") != 3 ||
		!strings.Contains(logs, `"level":"INFO","msg":"resolved: invoices could not be marked overdue`) {
		t.Errorf("logged: %s", logs)
	}
}

func TestUpkeepLogsNothingWhenItsContextEnds(t *testing.T) {
	k := newUpkeepFixture(t, time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC))
	k.due(1, civil.New(2026, 11, 20))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	k.run(ctx)
	if logs := k.logs.String(); logs != "" {
		t.Errorf("logged: %s", logs)
	}
	if invoices, _ := k.overdue(); invoices != 0 {
		t.Errorf("%d overdue", invoices)
	}
}

// canceling cancels a context when it is written to.
type canceling struct {
	*strings.Builder
	cancel context.CancelFunc
}

func (w canceling) Write(p []byte) (int, error) {
	defer w.cancel()
	return w.Builder.Write(p)
}

func TestTotalsThatCannotBePreparedAreReported(t *testing.T) {
	k := newUpkeepFixture(t, time.Now())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	k.logger = slog.New(slog.NewJSONHandler(canceling{k.logs, cancel}, nil))
	if err := k.store.Close(); err != nil {
		t.Fatal(err)
	}

	k.sumTexts(ctx)

	if !strings.Contains(k.logs.String(), "totals of keywords could not be prepared") {
		t.Errorf("the log says %q", k.logs)
	}
}
