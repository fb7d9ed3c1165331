package store_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"tarmac/internal/testsupport/testdb"
	"tarmac/internal/testsupport/testdb/migrated"
	"tarmac/service/events"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// openShared opens one database n times, as n processes would. When the test ends it checks the
// database for damage and broken references.
func openShared(t testing.TB, n int) (all []*store.Store, path string) {
	t.Helper()
	path = migrated.New(t)
	t.Cleanup(func() { checkReferences(t, path) })
	for range n {
		s, err := store.Open(context.Background(), path, store.Options{Ephemeral: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		all = append(all, s)
	}
	return all, path
}

func openChecked(t testing.TB) *store.Store {
	t.Helper()
	stores, _ := openShared(t, 1)
	return stores[0]
}

// ask runs a query for one value on a connection of its own, without a store.
func ask[T any](t testing.TB, path, query string, args ...any) (answer T) {
	t.Helper()
	driver := "sqlite"
	if testdb.Postgres() {
		driver, query = "pgx", strings.Replace(query, "?", "$1", 1)
	}
	db, err := sql.Open(driver, path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.QueryRow(query, args...).Scan(&answer), db.Close()); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return answer
}

// checkReferences checks a database for damage and broken references.
func checkReferences(t testing.TB, path string) {
	t.Helper()
	if testdb.Postgres() {
		return // PostgreSQL checks references itself
	}
	if n := ask[int](t, path, "SELECT count(*) FROM pragma_foreign_key_check"); n != 0 {
		t.Errorf("%d rows refer to what is not there", n)
	}
	if sound := ask[string](t, path, "PRAGMA integrity_check"); sound != "ok" {
		t.Errorf("the file is damaged: %s", sound)
	}
}

func read(t testing.TB, s *store.Store, fn func(*store.Snapshot) error) {
	t.Helper()
	if err := s.Read(context.Background(), fn); err != nil {
		t.Fatal(err)
	}
}

func endpoint(id string, types ...events.Type) webhooks.Endpoint {
	return webhooks.Endpoint{
		ID: id, URL: "https://hooks.example.com/" + id, EventTypes: types, Status: webhooks.Active, CreatedAt: created,
		UpdatedAt: created,
	}
}

func insertEndpoint(t testing.TB, s *store.Store, org store.OrgKey, e webhooks.Endpoint) {
	t.Helper()
	write(t, s, func(tx *store.Tx) error { return tx.InsertEndpoint(org, e, []byte("sealed "+e.ID)) })
}
