package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
)

// openKept opens a new file with cached statements, and makes a table.
func openKept(t *testing.T) *sql.DB {
	t.Helper()
	db, err := openCached(filepath.Join(t.TempDir(), "kept.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	db.SetMaxOpenConns(1)
	for _, statement := range []string{"CREATE TABLE kept (a INTEGER PRIMARY KEY, b TEXT UNIQUE)",
		"INSERT INTO kept VALUES (1, 'one'), (2, 'two')"} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

func TestAStatementIsReadTwiceAtATime(t *testing.T) {
	tx, err := openKept(t).Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	const query = "SELECT a FROM kept ORDER BY a"
	for range 3 {
		outer, err := tx.Query(query)
		if err != nil {
			t.Fatal(err)
		}
		var seen []int
		for outer.Next() {
			var a, first int
			if err := errors.Join(outer.Scan(&a), tx.QueryRow(query).Scan(&first)); err != nil || first != 1 {
				t.Fatal(first, err)
			}
			seen = append(seen, a)
		}
		if err := errors.Join(outer.Err(), outer.Close()); err != nil || fmt.Sprint(seen) != "[1 2]" {
			t.Fatal(seen, err)
		}
	}
}

func TestAStatementThatFailedIsRunAgain(t *testing.T) {
	db := openKept(t)
	const insert = "INSERT INTO kept VALUES (?, ?)"
	for i := range 3 {
		if _, err := db.Exec(insert, 10+i, "one"); err == nil {
			t.Fatal("a name was taken twice")
		}
		if _, err := db.Exec(insert, 20+i, fmt.Sprint("name", i)); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := db.ExecContext(ctx, insert, 30, "late"); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	var n int
	if err := db.QueryRow("SELECT count(*) FROM kept").Scan(&n); err != nil || n != 5 {
		t.Fatal(n, err)
	}
}

// A cached statement uses the current schema, and keeps none of the arguments of earlier calls.
func TestAStatementIsOfTheSchemaThatThereIs(t *testing.T) {
	db := openKept(t)
	const query = "SELECT * FROM kept WHERE a = ?"
	columns := func(key any) (names []string, found bool) {
		t.Helper()
		rows, err := db.Query(query, key)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		if names, err = rows.Columns(); err != nil {
			t.Fatal(err)
		}
		return names, rows.Next()
	}
	if names, found := columns(1); len(names) != 2 || !found {
		t.Fatal(names, found)
	}
	if _, err := db.Exec("ALTER TABLE kept ADD COLUMN c TEXT"); err != nil {
		t.Fatal(err)
	}
	if names, found := columns(2); len(names) != 3 || !found {
		t.Fatal(names, found)
	}
	if _, found := columns(nil); found {
		t.Fatal("a statement remembers what it was given")
	}
}

// A PRAGMA may take effect when it is prepared, so a cached one would do nothing.
func TestAPragmaTakesEffectEveryTime(t *testing.T) {
	db := openKept(t)
	for _, want := range []int{1, 0, 1, 0} {
		if _, err := db.Exec(fmt.Sprintf("PRAGMA foreign_keys = %d", want)); err != nil {
			t.Fatal(err)
		}
		var got int
		if err := db.QueryRow("PRAGMA foreign_keys").Scan(&got); err != nil || got != want {
			t.Fatal(got, err)
		}
	}
}

func TestMoreStatementsThanAreKept(t *testing.T) {
	db := openKept(t)
	for range 2 {
		for i := range 3 * maxCached {
			var got int
			if err := db.QueryRow(fmt.Sprintf("SELECT a + %d FROM kept WHERE a = ?", i), 1).Scan(&got); err != nil ||
				got != i+1 {
				t.Fatal(i, got, err)
			}
		}
	}
}
