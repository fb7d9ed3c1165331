package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pressly/goose/v3"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/testdb"
	"tarmac/service/events"
	"tarmac/service/invoicing"
	"tarmac/service/store/database"
	"tarmac/service/webhooks"
)

var begun = time.Date(2026, time.November, 21, 9, 0, 0, 0, time.UTC)

// firstSchema makes a database file with the first version of the schema, and runs the
// statements on it.
func firstSchema(t *testing.T, statements ...string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "tarmac.db")
	// SQLite would create it with the umask's mode.
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, Schema().SQLite,
		goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	firstOrganization = `INSERT INTO organizations (id, public_id, name, owner_name, owner_email, created_at,
		invoice_sequence, event_sequence)
		VALUES (1, 'org_1', 'One', 'Ada', 'ada@one.example', 1000000, 7, 3)`
	firstInvoice = `INSERT INTO invoices (public_id, org_id, sequence, status, currency, description, recipient_name,
		recipient_email,
			subtotal_cents, tax_cents, total_cents, due_day, notes, line_items, created_at, updated_at, sent_at)
		VALUES ('inv_7', 1, 7, 'sent', 'USD', 'd', 'r', 'r@x.example', 90, 10, 100, 46000, 'n',
			'[{"description":"a","quantity":"1","unit_price_cents":90,"amount_cents":90}]', 1000000, 2000000, 2000000)`
	firstEvent = `INSERT INTO events (org_id, sequence, public_id, type, occurred_at, reached_at, body)
		VALUES (1, 3, 'evt_3', 'invoice.sent', 2000000, 2000000, CAST('{"id":"evt_3"}' AS BLOB))`
)

func opened(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(context.Background(), path, Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// checkFirst checks that the records which firstSchema was given are there.
func checkFirst(t *testing.T, s *Store) {
	t.Helper()
	err := s.Read(context.Background(), func(snap *Snapshot) error {
		inv, err := snap.Invoice(1, "inv_7")
		if err != nil {
			return err
		}
		if inv.Number() != "INV-000007" || inv.TotalCents != 100 || inv.Status != invoicing.Sent || len(inv.LineItems) != 1 ||
			inv.Notes != "n" {
			t.Errorf("the invoice became %+v", inv)
		}
		if inv.OwnerName != "" || inv.OwnerEmail != "" || inv.Withheld {
			t.Errorf("nobody proposed it, and nothing withholds it: %+v", inv)
		}
		feed, err := snap.Feed(1, FeedQuery{Limit: 9})
		if err == nil && (len(feed) != 1 || feed[0].ID != "evt_3" || string(feed[0].Body) != `{"id":"evt_3"}`) {
			t.Errorf("the feed became %+v", feed)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAnOlderFileKeepsItsDataAndGoesOn(t *testing.T) {
	testdb.SQLiteOnly(t)
	s := opened(t, firstSchema(t, firstOrganization, firstInvoice, firstEvent))
	checkFirst(t, s)
	err := s.Write(context.Background(), func(tx *Tx) error {
		inv, err := tx.InsertInvoice(1, invoicing.Invoice{ID: "inv_8", Status: invoicing.Draft, OwnerName: "Ada"})
		if err != nil || inv.Number() != "INV-000008" {
			t.Errorf("the next invoice is %s, %v", inv.Number(), err)
		}
		due, err := tx.InvoicesPastDue(civil.New(2100, 1, 1), 9)
		if err != nil || len(due) != 1 || due[0].Invoice.ID != "inv_7" || due[0].Org != 1 {
			t.Errorf("InvoicesPastDue = %+v, %v", due, err)
		}
		e := webhooks.Endpoint{ID: "wh_1", EventTypes: []events.Type{events.InvoicePaid}, Status: webhooks.Active}
		if err := tx.InsertEndpoint(1, e, []byte("sealed")); err != nil {
			return err
		}
		return tx.AppendEvents(1, []events.Event{{ID: "evt_4", Type: events.InvoicePaid, OccurredAt: begun,
			Body: []byte("{}")}})
	})
	if err != nil {
		t.Fatal(err)
	}
	err = s.Read(context.Background(), func(snap *Snapshot) error {
		place, err := snap.EventSequence(1, "evt_4", begun)
		if err != nil || place != 4 {
			t.Errorf("the next event has place %d, %v", place, err)
		}
		listed, err := snap.Deliveries(1, "wh_1", 9)
		if err == nil && (len(listed) != 1 || listed[0].EventID != "evt_4") {
			t.Errorf("deliveries: %+v", listed)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAnOlderFileIsOpenedByManyAtOnce(t *testing.T) {
	testdb.SQLiteOnly(t)
	path := firstSchema(t, firstOrganization, firstInvoice, firstEvent)
	var wg sync.WaitGroup
	stores := make(chan *Store, 6)
	for range cap(stores) {
		wg.Go(func() {
			s, err := Open(context.Background(), path, Options{Ephemeral: true})
			if err != nil {
				t.Error(err)
				return
			}
			stores <- s
		})
	}
	wg.Wait()
	close(stores)
	for s := range stores {
		checkFirst(t, s)
		var times int
		if err := s.db.Reader.QueryRow("SELECT count(*) FROM goose_db_version WHERE version_id = " +
			"2").Scan(&times); err != nil || times != 1 {
			t.Errorf("the second schema was made %d times, %v", times, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// The second migration changes invoices first, and fails later at the table that exists.
func TestAFailedMigrationLeavesTheFileAsItWas(t *testing.T) {
	testdb.SQLiteOnly(t)
	path := firstSchema(t, firstOrganization, firstInvoice, "CREATE TABLE webhook_deliveries (id INTEGER)")
	_, err := Open(context.Background(), path, Options{})
	if err == nil || !strings.Contains(err.Error(), path) {
		t.Fatalf("Open = %v", err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var version, left int
	err = errors.Join(
		db.QueryRow("SELECT max(version_id) FROM goose_db_version").Scan(&version),
		db.QueryRow(`SELECT (SELECT count(*) FROM pragma_table_info('invoices') WHERE name = 'owner_name')
			+ (SELECT count(*) FROM sqlite_master WHERE name = 'webhook_endpoints')`).Scan(&left))
	if err != nil || version != 1 || left != 0 {
		t.Errorf("version %d, %d remains of the second, %v", version, left, err)
	}
}

// recordingConn is a connection that records the text of every statement.
type recordingConn struct {
	driver.Conn
	queries map[string]bool
}

func (c recordingConn) Prepare(query string) (driver.Stmt, error) {
	c.queries[query] = true
	return c.Conn.Prepare(query)
}

// recorder is a connector that opens recordingConns to a file.
type recorder struct {
	driver  driver.Driver
	path    string
	queries map[string]bool
}

func (r recorder) Driver() driver.Driver { return r.driver }

func (r recorder) Connect(context.Context) (driver.Conn, error) {
	conn, err := r.driver.Open(r.path)
	return recordingConn{conn, r.queries}, err
}

// record returns the statements that fn runs.
func record(t *testing.T, path string, fn func(*Store) error) (queries map[string]bool) {
	t.Helper()
	s := opened(t, path)
	queries = map[string]bool{}
	for _, pool := range []*database.Pool{&s.db.Writer, &s.db.Reader} {
		recording := sql.OpenDB(recorder{pool.Driver(), path, queries})
		if err := pool.DB.Close(); err != nil {
			t.Fatal(err)
		}
		recording.SetMaxOpenConns(1)
		pool.DB = recording
	}
	if err := fn(s); err != nil {
		t.Fatal(err)
	}
	delete(queries, "BEGIN")
	delete(queries, "ROLLBACK")
	return queries
}

// plan returns the steps that a statement takes.
func plan(t *testing.T, s *Store, query string) []string {
	t.Helper()
	rows, err := s.db.Reader.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query,
		make([]any, strings.Count(query, "?"))...)
	steps, err := database.Collect(rows, err, "the plan", func(row database.Row) (step string, err error) {
		var ignored int
		err = row.Scan(&ignored, &ignored, &ignored, &step)
		return step, err
	})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return steps
}

// No frequent query scans a whole table, except the organizations and the pending deliveries.
func TestNothingLooksThroughAWholeTable(t *testing.T) {
	testdb.SQLiteOnly(t)
	path := filepath.Join(t.TempDir(), "tarmac.db")
	queries := record(t, path, runHotQueries)
	s := opened(t, path)
	// The database runs these when an event or an endpoint is deleted.
	queries["DELETE FROM webhook_deliveries WHERE org_id = ? AND event_sequence = ?"] = true
	queries["DELETE FROM webhook_deliveries WHERE endpoint_id = ?"] = true
	allowed := regexp.MustCompile(`^SCAN (o|w|waiting|CONSTANT ROW)\b` +
		`|^SCAN webhook_deliveries USING (COVERING )?INDEX webhook_deliveries_(due|held)$`)
	for query := range queries {
		for _, step := range plan(t, s, query) {
			if strings.HasPrefix(step, "SCAN") && !allowed.MatchString(step) {
				t.Errorf("%s: %s", step, query)
			}
		}
	}
}

// runHotQueries runs the queries that a service runs most often.
func runHotQueries(s *Store) error {
	e := webhooks.Endpoint{ID: "wh_1", EventTypes: []events.Type{events.InvoicePaid}, Status: webhooks.Active}
	evs := []events.Event{
		{ID: "evt_1", Type: events.InvoicePaid, OccurredAt: begun, Body: []byte("{}")},
		{ID: "evt_2", Type: events.InvoicePaid, OccurredAt: begun, Body: []byte("{}")},
	}
	var org OrgKey
	err := s.Write(context.Background(), func(tx *Tx) (err error) {
		if org, err = tx.CreateOrganization(Organization{PublicID: "org_1", Name: "One"}); err != nil {
			return err
		}
		return errors.Join(tx.InsertEndpoint(org, e, []byte("sealed")), tx.AppendEvents(org, evs))
	})
	if err != nil {
		return err
	}
	var due []DueEndpoint
	err = s.Read(context.Background(), func(snap *Snapshot) (err error) {
		due, err = snap.DueEndpoints()
		_, listed := snap.Deliveries(org, e.ID, 9)
		_, endpoints := snap.Endpoints(org)
		_, depth := snap.OutboxDepth()
		return errors.Join(err, listed, endpoints, depth)
	})
	if err != nil || len(due) != 1 {
		return errors.Join(err, errors.New("nothing is due"))
	}
	return s.Write(context.Background(), func(tx *Tx) error {
		claimed, err := tx.ClaimDeliveries(due[0].Endpoint, begun, begun.Add(time.Minute), 2, 9)
		if err != nil || len(claimed) != 2 {
			return errors.Join(err, errors.New("nothing was claimed"))
		}
		disable := func(webhooks.Endpoint) webhooks.Consequence {
			return webhooks.Consequence{Status: webhooks.Failed, Disable: webhooks.Gone}
		}
		_, recorded := tx.FinishAttempt(claimed[0], begun, 410, webhooks.GoneForGood, disable)
		_, fallen := tx.InvoicesPastDue(civil.New(2026, 1, 1), 9)
		_, kept := tx.StoredResponse(org, "k", begun)
		if errors.Is(kept, ErrNotFound) {
			kept = nil
		}
		_, answers := tx.PruneResponses(begun, 9)
		_, pruned := tx.PruneEvents(begun.Add(time.Hour), 9)
		return errors.Join(recorded, fallen, kept, answers, pruned,
			tx.ReleaseAttempt(claimed[1], begun), tx.HoldDeliveries(org, e.ID),
			tx.ReleaseDeliveries(org, e.ID, begun, begun, time.Second), tx.DeleteEndpoint(org, e.ID))
	})
}
