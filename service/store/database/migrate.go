package database

import (
	"context"
	"fmt"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// migrate applies the migrations that the database does not have yet. Each is one transaction, so a
// failed one leaves the tables unchanged.
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
		// A migration also fails if another process applies it at the same time. The failure is
		// real only if the schema's version has not increased meanwhile.
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
	// The lock lets one of several processes that start at the same time migrate. The others wait
	// for it.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectPostgres, db.DB, schema.Postgres,
		append(options, goose.WithSessionLocker(locker))...)
}
