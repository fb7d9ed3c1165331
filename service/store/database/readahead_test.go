package database

import (
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"
)

// A query without an end stands for one that reads very many pages.
func TestReadingAheadEndsWithItsQuery(t *testing.T) {
	const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n"
	for name, what := range map[string]ReadAhead{
		"waiting":    {Delay: time.Hour},
		"probing":    {Probe: Query{SQL: endless}},
		"reading":    {Probe: Query{SQL: "SELECT 1"}, Parts: []Query{{SQL: endless}, {SQL: "no SQL"}}},
		"not needed": {Probe: Query{SQL: "SELECT 1"}, Cached: time.Hour, Parts: []Query{{SQL: endless}}},
	} {
		t.Run(name, func(t *testing.T) {
			schema := Schema{SQLite: fstest.MapFS{"00001_a.sql": {Data: []byte("-- +goose Up\nCREATE TABLE a (b);")}}}
			db, err := Open(t.Context(), filepath.Join(t.TempDir(), "a.db"), schema, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := db.Close(); err != nil {
					t.Error(err)
				}
			}()

			err = db.Read(t.Context(), db.Scans, func(s *Snapshot) error {
				stop := s.ReadAhead(what)
				defer stop()
				var one int
				return s.QueryRow("SELECT 1").Scan(&one)
			})

			if err != nil {
				t.Error(err)
			}
		})
	}
}
