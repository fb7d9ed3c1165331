package store

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/events"
	"tarmac/service/store/database"
	"tarmac/service/webhooks"
)

// retire runs the migration that takes the retired event type away from webhook endpoints.
func retire(t *testing.T, s *Store) {
	t.Helper()
	err := s.Write(t.Context(), func(tx *Tx) error {
		files, name := Schema().SQLite, "00018_event_types.sql"
		if tx.db.Dialect == database.Postgres {
			files, name = Schema().Postgres, "00017_event_types.sql"
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		_, body, _ := strings.Cut(string(text), "-- +goose Up")
		for statement := range strings.SplitSeq(body, ";\n") {
			if !strings.Contains(statement, "webhook_") { // the others cannot run twice
				continue
			}
			if _, err := tx.db.Exec(statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestEndpointsLoseTheRetiredTypeAndPauseIfNothingIsLeft(t *testing.T) {
	s := opened(t, testdb.New(t))
	var org OrgKey
	retired, paid := events.Event{ID: "evt_1", Type: events.Retired, OccurredAt: begun, Body: []byte("{}")},
		events.Event{ID: "evt_2", Type: events.InvoicePaid, OccurredAt: begun, Body: []byte("{}")}
	err := s.Write(t.Context(), func(tx *Tx) (err error) {
		if org, err = tx.CreateOrganization(Organization{PublicID: "org_1", Name: "One", CreatedAt: begun}); err != nil {
			return err
		}
		for id, types := range map[string][]events.Type{
			"whe_only": {events.Retired}, "whe_test": {events.TestEvent, events.Retired},
			"whe_both":  {events.InvoicePaid, events.Retired, events.PaymentHeld},
			"whe_other": {events.InvoicePaid},
		} {
			err := tx.InsertEndpoint(org, webhooks.Endpoint{
				ID: id, URL: "https://hooks.example.com", EventTypes: types, Status: webhooks.Active,
				CreatedAt: begun, UpdatedAt: begun,
			}, []byte("sealed"))
			if err != nil {
				return err
			}
		}
		return tx.AppendEvents(org, []events.Event{retired, paid})
	})
	if err != nil {
		t.Fatal(err)
	}

	retire(t, s)

	err = s.Read(t.Context(), func(snap *Snapshot) error {
		for id, want := range map[string]string{
			"whe_only": "paused test.event", "whe_test": "paused test.event",
			"whe_both": "active invoice.paid payment.held", "whe_other": "active invoice.paid",
		} {
			e, err := snap.Endpoint(org, id)
			if err != nil {
				return err
			}
			if got := string(e.Status) + " " + joinTypes(e.EventTypes); got != want {
				t.Errorf("%s is %s, want %s", id, got, want)
			}
		}
		silent, err := snap.SilentEndpoints()
		slices.Sort(silent)
		if err != nil || !slices.Equal(silent, []string{"whe_only", "whe_test"}) {
			t.Errorf("the endpoints without a type are %v, %v", silent, err)
		}
		var left int
		err = snap.db.QueryRow("SELECT count(*) FROM webhook_deliveries WHERE event_type = 'books.synced'").Scan(&left)
		if err != nil || left != 0 {
			t.Errorf("%d deliveries of the retired type are left, %v", left, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
