package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrate brings the schema up to date. Each migration is one transaction, so a
// failed one leaves the schema as it was.
func migrate(ctx context.Context, db *sql.DB) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files,
		goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
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
			return fmt.Errorf("its schema is version %d and this program knows up to %d; use a newer version of tarmac", current, target)
		}
		if current == target {
			return nil
		}
		_, failure := provider.Up(ctx)
		if failure == nil {
			return nil
		}
		// Another process may have been first with a migration. As long as the
		// version moves there is nothing wrong.
		if current == before {
			return fmt.Errorf("bringing the schema up to date: %w", failure)
		}
		before = current
	}
}
