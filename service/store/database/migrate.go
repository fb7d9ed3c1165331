package database

import (
	"context"
	"fmt"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// migrate applies all missing migrations. Each is one transaction, so a failed one leaves the
// tables as they were.
func migrate(ctx context.Context, db Pool, schema Schema) error {
	provider, err := newProvider(db, schema)
	if err != nil {
		return fmt.Errorf("reading the schema's migrations: %w", err)
	}
	before := int64(-1)
	for {
		current, target, err := provider.GetVersions(ctx)
		if err != nil {
			return fmt.Errorf("reading the schema's version: %w", err)
		}
		if current > target {
			return fmt.Errorf("its schema is version %d and this program knows up to %d; use a newer version of tarmac",
				current, target)
		}
		if current == target {
			return nil
		}
		_, failure := provider.Up(ctx)
		if failure == nil {
			return nil
		}
		// Up also fails if another process makes the same migration at the same time. While the
		// version still increases, it is tried again.
		if current == before {
			return fmt.Errorf("bringing the schema up to date: %w", failure)
		}
		before = current
	}
}

func newProvider(db Pool, schema Schema) (*goose.Provider, error) {
	options := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger())}
	if schema.Code != nil {
		options = append(options, goose.WithGoMigrations(schema.Code(db.Dialect)...))
	}
	if db.Dialect == SQLite {
		return goose.NewProvider(goose.DialectSQLite3, db.DB, schema.SQLite, options...)
	}
	// Processes that start at the same time wait for the one that migrates.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectPostgres, db.DB, schema.Postgres,
		append(options, goose.WithSessionLocker(locker))...)
}
