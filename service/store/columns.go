package store

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/store/database"
)

// micros returns t as the database stores it, in microseconds since 1970.
func micros(t time.Time) int64 { return t.UnixMicro() }

func fromMicros(us int64) time.Time { return time.UnixMicro(us).UTC() }

func nullMicros(t *time.Time) sql.NullInt64 {
	if t == nil {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: t.UnixMicro(), Valid: true}
}

func timePointer(us sql.NullInt64) *time.Time {
	if !us.Valid {
		return nil
	}
	t := fromMicros(us.Int64)
	return &t
}

func nullDay(d civil.Date) sql.NullInt64 {
	if d.IsZero() {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: dayOf(d), Valid: true}
}

func dateOrZero(day sql.NullInt64) civil.Date {
	if !day.Valid {
		return civil.Date{}
	}
	return dateOf(day.Int64)
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// notFound returns ErrNotFound if err means that a query found no row. Otherwise it wraps err with
// record, the name of the record that was sought.
func notFound(err error, record string) error {
	if database.IsNotFound(err) {
		return ErrNotFound
	}
	return fmt.Errorf("reading %s: %w", record, err)
}

// qualified puts the table's name and a dot before each column in a comma-separated list.
func qualified(table, columns string) string {
	names := strings.Split(columns, ",")
	for i, name := range names {
		names[i] = table + "." + strings.TrimSpace(name)
	}
	return strings.Join(names, ", ")
}

// rowWith lets a function scan a row that has more columns than the function knows. Scan fills the
// pointers before and after in addition to those that it is given.
type rowWith struct {
	database.Row
	before, after []any // pointers for the columns before and after
}

// Scan reads all columns of the row.
func (r rowWith) Scan(dest ...any) error {
	return r.Row.Scan(slices.Concat(r.before, dest, r.after)...)
}
