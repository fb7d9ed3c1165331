package database

import (
	"database/sql"
	"errors"
	"fmt"
)

// Queryer has the query methods that Tx and Snapshot share.
type Queryer interface {
	QueryRow(query string, args ...any) Row
	Query(query string, args ...any) (*sql.Rows, error)
}

// Row is a row of a query's result, such as *sql.Row or *sql.Rows.
type Row interface{ Scan(dest ...any) error }

// Collect calls scan for each of the rows, closes them and returns the results. rows and err are
// the results of a query. kind names the rows in errors. The slice is empty, not nil, if there are
// no rows.
func Collect[T any](rows *sql.Rows, err error, kind string, scan func(Row) (T, error)) ([]T, error) {
	all := []T{}
	err = Each(rows, err, kind, func(row Row) error {
		one, err := scan(row)
		all = append(all, one)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// Each calls visit for each of the rows and closes them. rows and err are the results of a query.
// kind names the rows in errors.
func Each(rows *sql.Rows, err error, kind string, visit func(Row) error) (failed error) {
	if err != nil {
		return fmt.Errorf("reading %s: %w", kind, err)
	}
	defer func() { failed = errors.Join(failed, rows.Close()) }()
	for rows.Next() {
		if err := visit(rows); err != nil {
			return fmt.Errorf("reading %s: %w", kind, err)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("reading %s: %w", kind, err)
	}
	return nil
}
